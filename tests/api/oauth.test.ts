import { identityProviders } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { createRateLimits } from '../../server/src/http/rate-limits.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { createHttpBrowser } from '../support/http-browser.ts'
import { createSignInWorld, someone } from '../support/sign-in.ts'
import { createWorld } from '../support/world.ts'

describeOnSqlite('signing in', (engine) => {
  it.each(identityProviders)('with %s creates an account once, and finds it again', async (provider) => {
    const world = await createSignInWorld(engine)
    const ada = someone('ada')
    const first = await world.signIn(provider, ada)
    expect(first).toMatchObject({ linked: false })
    expect(await first.client.providers.me()).toMatchObject({
      id: first.provider_id,
      email: 'ada@acme.example',
      email_verified: true,
      company_name: null,
      website: null,
      domain_verified: false,
      verification_level: 'unregistered',
    })
    const again = await world.signIn(provider, { ...ada, login: 'ada-new', email: 'other@acme.example' })
    expect(again.provider_id).toBe(first.provider_id)
    expect(again.auth_token).not.toBe(first.auth_token)
    expect((await again.client.providers.me()).email).toBe('ada@acme.example')
    expect((await world.signIn(provider, someone('bob'))).provider_id).not.toBe(first.provider_id)
  })

  it('joins nothing by address: the owner of a verified account must sign in to it first', async () => {
    const world = await createSignInWorld(engine)
    const ada = someone('ada')
    const account = await world.signIn('github', ada)
    world.sitDown({ ...ada, id: ada.id + 1, email: 'ADA@Acme.example' })
    expect(await world.walk(createHttpBrowser(), world.pathOf('google', 'login'))).toEqual({
      error: 'account_exists_sign_in_to_link',
    })
    expect(await account.client.auth.identities()).toMatchObject({ identities: [{ provider: 'github' }] })
  })

  it('ignores accounts that only claim the address', async () => {
    const world = await createSignInWorld(engine)
    const squatter = await world.provider('acme', { isVerified: false })
    const owner = await world.signIn('google', someone('acme'))
    expect(owner.provider_id).not.toBe(squatter.id)
    expect(await owner.client.providers.me()).toMatchObject({ email: 'acme@acme.example', email_verified: true })
    expect(await squatter.client.providers.me()).toMatchObject({ email: 'acme@acme.example', email_verified: false })
  })

  it.each(identityProviders)('with %s and an unverified address creates nothing', async (provider) => {
    const world = await createSignInWorld(engine)
    world.sitDown(someone('ada', { isVerified: false }))
    expect(await world.walk(createHttpBrowser(), world.pathOf(provider, 'login'))).toEqual({
      error: 'email_not_verified',
    })
    expect(await world.database.read.selectFrom('providers').select('id').execute()).toEqual([])
    expect(await world.database.read.selectFrom('identities').select('subject').execute()).toEqual([])
  })

  it('twice at once creates one account', async () => {
    const world = await createSignInWorld(engine)
    const ada = someone('ada')
    const sessions = await Promise.all(Array.from({ length: 6 }, () => world.signIn('github', ada)))
    expect(new Set(sessions.map(({ provider_id }) => provider_id)).size).toBe(1)
    expect(await world.database.read.selectFrom('providers').select('id').execute()).toHaveLength(1)
  })
})

describeOnSqlite('connecting a service', (engine) => {
  it('gives the account a second way to sign in, records it and emails its owner', async () => {
    const world = await createSignInWorld(engine)
    const account = await world.signIn('github', someone('ada'))
    world.clock.advance('1s')
    const ada2 = someone('ada-private', { email: 'ada@home.example' })
    world.sitDown(ada2)
    const { url } = await world.startLink('google', account)
    const { token, linked } = await world.walk(account.browser, url)
    expect(linked).toBe('true')
    expect((await world.exchange(account.browser, token)).body).toMatchObject({
      provider_id: account.provider_id,
      linked: true,
    })

    const { identities, has_password } = await account.client.auth.identities()
    expect(identities.map(({ provider, login }) => ({ provider, login }))).toEqual([
      { provider: 'github', login: 'ada' },
      { provider: 'google', login: 'ada@home.example' },
    ])
    expect(has_password).toBe(false)
    expect((await world.signIn('google', ada2)).provider_id).toBe(account.provider_id)
    expect((await account.client.providers.me()).email).toBe('ada@acme.example')

    const { events } = await account.client.account.events()
    expect(events.filter(({ action }) => action === 'identity.linked').map(({ after }) => after)).toEqual([
      { provider: 'google', login: 'ada@home.example' },
      { provider: 'github', login: 'ada' },
    ])
    const mails = await world.mails()
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({ to: 'ada@acme.example', subject: 'Google was connected to your account' })
  })

  it('again changes nothing and sends no email', async () => {
    const world = await createSignInWorld(engine)
    const ada = someone('ada')
    const account = await world.signIn('github', ada)
    const { url } = await world.startLink('github', account)
    expect(await world.walk(account.browser, url)).toMatchObject({ linked: 'true' })
    expect((await account.client.auth.identities()).identities).toHaveLength(1)
    expect(await world.mails()).toEqual([])
  })

  it.each([
    { name: 'that belongs to another account', login: 'bob', isKnown: true, isVerified: true, error: 'identity_taken' },
    {
      name: 'without a verified address',
      login: 'bob',
      isKnown: false,
      isVerified: false,
      error: 'email_not_verified',
    },
  ])('is rejected for a user $name', async ({ login, isKnown, isVerified, error }) => {
    const world = await createSignInWorld(engine)
    const account = await world.signIn('github', someone('ada'))
    const other = someone(login, { isVerified })
    const owner = isKnown ? await world.signIn('google', other) : undefined
    world.sitDown(other)
    const { url } = await world.startLink('google', account)
    expect(await world.walk(account.browser, url)).toEqual({ error })
    expect((await account.client.auth.identities()).identities).toHaveLength(1)
    if (owner) expect((await world.signIn('google', other)).provider_id).toBe(owner.provider_id)
    expect(await world.mails()).toEqual([])
  })

  it('requires a session', async () => {
    const world = await createSignInWorld(engine)
    const browser = createHttpBrowser()
    const { apiKey } = await world.provider('northwind')
    expect(await world.startLink('google', { browser, auth_token: apiKey })).toMatchObject({
      status: 403,
      code: 'forbidden',
    })
  })

  it('ends with the session that began it', async () => {
    const world = await createSignInWorld(engine)
    const account = await world.signIn('github', someone('ada'))
    world.sitDown(someone('eve'))
    const { url } = await world.startLink('google', account)
    const callback = await world.walkToCallback(account.browser, url)
    await account.client.auth.signOut({})
    expect(await world.walk(account.browser, callback)).toEqual({ error: 'link_expired' })
    expect(await world.database.read.selectFrom('identities').select('subject').execute()).toHaveLength(1)
  })
})

describe('a registry without an identity provider', () => {
  it.each(identityProviders)('says so for %s', async (provider) => {
    const world = await createWorld()
    for (const path of ['login', 'link?token=x']) {
      const { status, headers } = await createHttpBrowser().visit(`${world.address}/api/v1/auth/${provider}/${path}`)
      expect(status).toBe(303)
      expect(headers.get('location')).toBe('/auth/callback?error=not_configured')
    }
  })
})

describe('a network that opens too many sign-ins', () => {
  it('has to wait, on the page where every sign-in ends', async () => {
    const world = await createWorld({ rateLimits: 'on' })
    const browser = createHttpBrowser()
    const open = () => browser.visit(`${world.address}/api/v1/auth/github/login`)
    for (let time = 0; time < 60; time++) expect((await open()).next?.search).toBe('?error=not_configured')
    const { status, headers, next } = await open()
    expect({ status, search: next?.search }).toEqual({ status: 303, search: '?error=too_many_attempts' })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

it('signing in through GitHub notes the network as the owner’s', async () => {
  const world = await createSignInWorld('sqlite', { rateLimits: 'on' })
  const { isFamiliar } = createRateLimits({ database: world.database, now: world.clock.now })
  const ada = someone('ada', { email: 'ada@home.example' })
  await world.signIn('github', ada)
  expect(await isFamiliar({ address: '127.0.0.1', email: 'ada@home.example' })).toBe(true)
  expect(await isFamiliar({ address: '192.0.2.1', email: 'ada@home.example' })).toBe(false)
})

describe('redirects', () => {
  it('are never stored, and send no page address to the services', async () => {
    const world = await createSignInWorld()
    world.sitDown(someone('ada'))
    const browser = createHttpBrowser()
    const callback = await world.walkToCallback(browser, world.pathOf('github', 'login'))
    for (const address of [
      world.pathOf('github', 'login'),
      `${world.address}/api/v1/auth/github/link?token=x`,
      callback,
    ]) {
      const { status, headers } = await browser.visit(address)
      expect({ status, cache: headers.get('cache-control'), referrer: headers.get('referrer-policy') }).toEqual({
        status: 303,
        cache: 'no-store',
        referrer: 'no-referrer',
      })
    }
  })

  it('request little, with state, PKCE and, for Google, a nonce', async () => {
    const world = await createSignInWorld()
    const ask = async (provider: 'github' | 'google') =>
      (await createHttpBrowser().visit(world.pathOf(provider, 'login'))).next
    const [github, google] = [await ask('github'), await ask('google')]
    for (const url of [github, google]) {
      expect(url?.searchParams.get('state')).toMatch(/^[\w-]{43}$/)
      expect(url?.searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
      expect(url?.searchParams.get('code_challenge_method')).toBe('S256')
    }
    expect(github?.searchParams.get('scope')).toBe('user:email')
    expect(google?.searchParams.get('scope')).toBe('openid email')
    expect(google?.searchParams.get('nonce')).toMatch(/^[\w-]{43}$/)
    expect(github?.searchParams.get('redirect_uri')).toBe(world.pathOf('github', 'callback'))
    expect(google?.searchParams.get('redirect_uri')).toBe(world.pathOf('google', 'callback'))
  })

  it('never go to an address from the request', async () => {
    const world = await createSignInWorld()
    for (const name of ['redirect', 'redirect_uri', 'return_to', 'next', 'state']) {
      const { next } = await createHttpBrowser().visit(
        `${world.pathOf('github', 'login')}?${name}=https://evil.example/`,
      )
      expect(next?.origin).toBe(world.github.url)
      expect(next?.href).not.toContain('evil')
      const end = await createHttpBrowser().visit(`${world.pathOf('github', 'callback')}?${name}=https://evil.example/`)
      expect(end.headers.get('location')).toBe('/auth/callback?error=sign_in_expired')
    }
  })

  it('keep no secret in the database', async () => {
    const world = await createSignInWorld()
    const account = await world.signIn('google', someone('ada'))
    const { url, linking_token } = await world.startLink('github', account)
    const asked = (await account.browser.visit(url)).next
    const rows = JSON.stringify(await world.database.read.selectFrom('one_time_tokens').selectAll().execute())
    const secrets = [
      asked?.searchParams.get('state'),
      linking_token,
      ...[...account.browser.cookies(world.address).values()].map(({ value }) => value),
    ]
    expect(secrets.length).toBeGreaterThanOrEqual(4)
    for (const secret of secrets) expect(rows).not.toContain(secret)
  })
})
