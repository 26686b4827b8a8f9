import { createHash } from 'node:crypto'
import { identityProviders } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { createHttpBrowser, type HttpBrowser } from '../support/http-browser.ts'
import { protect } from '../support/presence.ts'
import { createSignInWorld, type SignInWorld, someone } from '../support/sign-in.ts'
import { createWorld } from '../support/world.ts'

const withParameter = (address: URL, name: string, value: string | null) => {
  const url = new URL(address)
  if (value === null) url.searchParams.delete(name)
  else url.searchParams.set(name, value)
  return url
}

/** A sign-in up to the answer of the identity provider. */
const begin = async (world: SignInWorld, provider: 'github' | 'google' = 'github', person = someone('ada')) => {
  world.sitDown(person)
  const browser = createHttpBrowser()
  return { browser, callback: await world.walkToCallback(browser, world.pathOf(provider, 'login')) }
}

const countIdentities = async (world: SignInWorld) =>
  (await world.database.read.selectFrom('identities').select('subject').execute()).length

describeOnSqlite('an answer counts', (engine) => {
  it('once', async () => {
    const world = await createSignInWorld(engine)
    const { browser, callback } = await begin(world)
    const cookies = new Map(browser.cookies(world.address))
    expect(await world.walk(browser, callback)).toHaveProperty('token')
    for (const [name, cookie] of cookies) browser.cookies(world.address).set(name, cookie)
    expect(await world.walk(browser, callback)).toEqual({ error: 'sign_in_expired' })
  })

  it('once, even if many race', async () => {
    const world = await createSignInWorld(engine)
    const { browser, callback } = await begin(world)
    const ends = await Promise.all(Array.from({ length: 16 }, () => world.walk(browser, callback)))
    expect(ends.filter(({ token }) => token !== undefined)).toHaveLength(1)
    expect(ends.filter(({ error }) => error === 'sign_in_expired')).toHaveLength(15)
  })

  it('only in the browser that asked', async () => {
    const world = await createSignInWorld(engine)
    const { browser, callback } = await begin(world)
    expect(await world.walk(createHttpBrowser(), callback)).toEqual({ error: 'sign_in_expired' })
    const { browser: other } = await begin(world)
    expect(await world.walk(other, callback)).toEqual({ error: 'sign_in_expired' })
    // Attempts by others do not lock the person out.
    expect(await world.walk(browser, callback)).toHaveProperty('token')
  })

  it('for ten minutes', async () => {
    const world = await createSignInWorld(engine)
    const [early, late] = [await begin(world), await begin(world)]
    world.clock.advance('599s')
    expect(await world.walk(early.browser, early.callback)).toHaveProperty('token')
    world.clock.advance('1s')
    expect(await world.walk(late.browser, late.callback)).toEqual({ error: 'sign_in_expired' })
  })

  it('not by a HEAD request', async () => {
    const world = await createSignInWorld(engine)
    const { browser, callback } = await begin(world)
    await browser.visit(callback, { method: 'HEAD' })
    expect(await world.walk(browser, callback)).toHaveProperty('token')
  })
})

describe.each(identityProviders)('an answer of %s is rejected', (provider) => {
  it.each([
    { name: 'with another state', parameter: 'state', value: 'x'.repeat(43), error: 'sign_in_expired' },
    { name: 'without a state', parameter: 'state', value: null, error: 'sign_in_expired' },
    { name: 'of another issuer', parameter: 'iss', value: 'https://evil.example', error: 'answer_invalid' },
    { name: 'with a code that was never given', parameter: 'code', value: 'x'.repeat(20), error: 'answer_invalid' },
    { name: 'without a code', parameter: 'code', value: null, error: 'answer_invalid' },
  ])('$name', async ({ parameter, value, error }) => {
    const world = await createSignInWorld()
    const { browser, callback } = await begin(world, provider)
    expect(await world.walk(browser, withParameter(callback, parameter, value))).toEqual({ error })
    expect(await countIdentities(world)).toBe(0)
  })

  it('with two states', async () => {
    const world = await createSignInWorld()
    const { browser, callback } = await begin(world, provider)
    callback.searchParams.append('state', callback.searchParams.get('state') ?? '')
    expect(await world.walk(browser, callback)).toEqual({ error: 'sign_in_expired' })
  })

  it('with the code of another person’s attempt (PKCE)', async () => {
    const world = await createSignInWorld()
    const attacker = await begin(world, provider, someone('eve'))
    const victim = await begin(world, provider, someone('ada'))
    const mixed = withParameter(victim.callback, 'code', attacker.callback.searchParams.get('code'))
    expect(await world.walk(victim.browser, mixed)).toEqual({ error: 'answer_invalid' })
    expect(await countIdentities(world)).toBe(0)
  })

  it('with a code that was used', async () => {
    const world = await createSignInWorld()
    const first = await begin(world, provider)
    await world.walk(first.browser, first.callback)
    const second = await begin(world, provider)
    const mixed = withParameter(second.callback, 'code', first.callback.searchParams.get('code'))
    expect(await world.walk(second.browser, mixed)).toEqual({ error: 'answer_invalid' })
  })

  it('with a PKCE challenge that an attacker replaced', async () => {
    const world = await createSignInWorld()
    world.sitDown(someone('eve'))
    const browser = createHttpBrowser()
    const { next } = await browser.visit(world.pathOf(provider, 'login'))
    if (!next) throw new Error('The sign-in leads nowhere.')
    const challenge = createHash('sha256').update('mine').digest('base64url')
    expect(await world.walk(browser, withParameter(next, 'code_challenge', challenge))).toEqual({
      error: 'answer_invalid',
    })
  })

  it('at the other provider’s address (mix-up)', async () => {
    const world = await createSignInWorld()
    const { browser, callback } = await begin(world, provider)
    const wrong = new URL(callback)
    wrong.pathname = new URL(world.pathOf(provider === 'github' ? 'google' : 'github', 'callback')).pathname
    expect(await world.walk(browser, wrong)).toEqual({ error: 'sign_in_expired' })
    expect(await countIdentities(world)).toBe(0)
  })

  it('when the person declines', async () => {
    const world = await createSignInWorld()
    world.sitDown(undefined)
    expect(await world.walk(createHttpBrowser(), world.pathOf(provider, 'login'))).toEqual({ error: 'access_denied' })
  })

  it('when it answers an error', async () => {
    const world = await createSignInWorld()
    const { browser, callback } = await begin(world, provider)
    const failed = withParameter(withParameter(callback, 'code', null), 'error', 'server_error')
    expect(await world.walk(browser, failed)).toEqual({ error: 'answer_invalid' })
  })

  it('when it cannot be reached; the next attempt works', async () => {
    const world = await createSignInWorld()
    const server = world[provider]
    const { browser, callback } = await begin(world, provider)
    server.breakDown()
    expect(await world.walk(browser, callback)).toEqual({ error: 'service_unavailable' })
    server.repair()
    expect((await world.signIn(provider, someone('ada'))).linked).toBe(false)
  })
})

describe('an answer of google is rejected', () => {
  it('with another nonce', async () => {
    const world = await createSignInWorld()
    world.sitDown(someone('eve'))
    const browser = createHttpBrowser()
    const { next } = await browser.visit(world.pathOf('google', 'login'))
    if (!next) throw new Error('The sign-in leads nowhere.')
    expect(await world.walk(browser, withParameter(next, 'nonce', 'x'.repeat(43)))).toEqual({ error: 'answer_invalid' })
    expect(await countIdentities(world)).toBe(0)
  })

  it('without its issuer, although it promises one', async () => {
    const world = await createSignInWorld()
    const { browser, callback } = await begin(world, 'google')
    expect(await world.walk(browser, withParameter(callback, 'iss', null))).toEqual({ error: 'answer_invalid' })
  })

  it('before its discovery document can be read, but not permanently', async () => {
    const world = await createSignInWorld()
    world.google.breakDown()
    expect(await world.walk(createHttpBrowser(), world.pathOf('google', 'login'))).toEqual({
      error: 'service_unavailable',
    })
    world.google.repair()
    expect((await world.signIn('google', someone('ada'))).linked).toBe(false)
  })
})

describeOnSqlite('a link token', (engine) => {
  const prepare = async () => {
    const world = await createSignInWorld(engine)
    const account = await world.signIn('github', someone('ada'))
    return { world, account, ...(await world.startLink('google', account)) }
  }

  it('of an attacker does nothing in a victim’s browser (linking CSRF)', async () => {
    const { world, account: attacker, url } = await prepare()
    const victim = await world.signIn('github', someone('vera'))
    world.sitDown(someone('vera-at-google'))
    expect(await world.walk(victim.browser, url)).toEqual({ error: 'link_expired' })
    // Even if the victim is about to link their own account.
    await world.startLink('google', victim)
    expect(await world.walk(victim.browser, url)).toEqual({ error: 'link_expired' })
    expect((await attacker.client.auth.identities()).identities).toHaveLength(1)
    expect((await victim.client.auth.identities()).identities).toHaveLength(1)
  })

  it('does not let a callback end in another browser, even with the cookie of the attempt', async () => {
    const { world, account, url } = await prepare()
    world.sitDown(someone('eve'))
    const callback = await world.walkToCallback(account.browser, url)
    const thief = createHttpBrowser()
    for (const [name, cookie] of account.browser.cookies(world.address))
      if (name.endsWith('oauth')) thief.cookies(world.address).set(name, cookie)
    expect(await world.walk(thief, callback)).toEqual({ error: 'link_expired' })
    expect(await countIdentities(world)).toBe(1)
  })

  it('made before the person or a company of theirs was protected links nothing', async () => {
    const { world, account, url } = await prepare()
    world.sitDown(someone('ada-at-google'))
    const callback = await world.walkToCallback(account.browser, url)
    const { person_id } = await world.database.read
      .selectFrom('identities')
      .select('person_id')
      .executeTakeFirstOrThrow()
    await protect(world, person_id)
    expect(await world.walk(account.browser, callback)).toEqual({ error: 'link_expired' })
    expect(await countIdentities(world)).toBe(1)
  })

  it('works once, for 15 minutes, for the service it was made for', async () => {
    const { world, account, url } = await prepare()
    world.sitDown(someone('ada-at-google'))
    const wrong = await world.startLink('google', account)
    expect(await world.walk(account.browser, wrong.url.replace('google', 'github'))).toEqual({ error: 'link_expired' })
    expect(await world.walk(account.browser, url)).toEqual({ error: 'link_expired' })
    const good = await world.startLink('google', account)
    expect(await world.walk(account.browser, good.url)).toMatchObject({ linked: 'true' })
    expect(await world.walk(account.browser, good.url)).toEqual({ error: 'link_expired' })
    const late = await world.startLink('google', account)
    world.clock.advance('15m')
    expect(await world.walk(account.browser, late.url)).toEqual({ error: 'link_expired' })
  })

  it.each([
    { name: 'empty', token: '' },
    { name: 'short', token: 'x' },
    { name: 'NUL', token: '%00' },
    { name: 'broken', token: '%' },
    { name: 'SQL', token: "'" },
    { name: 'long', token: 'x'.repeat(3_000) },
  ])('that is $name does not work', async ({ token }) => {
    const { world, account } = await prepare()
    expect(await world.walk(account.browser, `${world.address}/api/v1/auth/google/link?token=${token}`)).toEqual({
      error: 'link_expired',
    })
  })
})

describeOnSqlite('a hand-off code', (engine) => {
  const prepare = async () => {
    const world = await createSignInWorld(engine)
    const { browser, callback } = await begin(world)
    const { token = '' } = await world.walk(browser, callback)
    return { world, browser, token }
  }
  const refused = { status: 400, body: { code: 'code_invalid' } }

  it('works once', async () => {
    const { world, browser, token } = await prepare()
    const cookies = new Map(browser.cookies(world.address))
    expect((await world.exchange(browser, token)).status).toBe(200)
    for (const [name, cookie] of cookies) browser.cookies(world.address).set(name, cookie)
    expect(await world.exchange(browser, token)).toMatchObject(refused)
  })

  it('works only in the browser that signed in', async () => {
    const { world, browser, token } = await prepare()
    const others: HttpBrowser[] = [createHttpBrowser(), (await begin(world)).browser]
    for (const other of others) expect(await world.exchange(other, token)).toMatchObject(refused)
    expect((await world.exchange(browser, token)).status).toBe(200)
  })

  it('works for 60 seconds', async () => {
    const { world, browser, token } = await prepare()
    world.clock.advance('60s')
    expect(await world.exchange(browser, token)).toMatchObject(refused)
    const fresh = await begin(world, 'github', someone('bob'))
    const { token: code } = await world.walk(fresh.browser, fresh.callback)
    world.clock.advance('59s')
    expect((await world.exchange(fresh.browser, code)).status).toBe(200)
  })

  it('is useless once the account is deleted', async () => {
    const { world, browser, token } = await prepare()
    await world.database.transaction((tx) =>
      tx.updateTable('providers').set({ deleted_at: world.clock.now() }).execute(),
    )
    expect(await world.exchange(browser, token)).toMatchObject(refused)
  })

  it('is no bearer token, and no other token is a hand-off code', async () => {
    const { world, browser, token } = await prepare()
    const bearer = { headers: { authorization: `Bearer ${token}` } }
    expect((await ask(`${world.address}/api/v1/providers/me`, bearer)).status).toBe(401)
    const account = await world.signIn('github', someone('bob'))
    const { linking_token } = await world.startLink('google', account)
    expect(
      (await ask(`${world.address}/api/v1/providers/me`, { headers: { authorization: `Bearer ${linking_token}` } }))
        .status,
    ).toBe(401)
    for (const other of [linking_token, account.auth_token])
      expect(await world.exchange(browser, other)).toMatchObject(refused)
    expect(await world.walk(browser, `${world.address}/api/v1/auth/google/link?token=${token}`)).toEqual({
      error: 'link_expired',
    })
  })
})

describe('cookies of a sign-in', () => {
  /** Each `Set-Cookie` without its value. */
  const attributesOf = (lines: readonly string[]) => lines.map((line) => line.replace(/=[^;]*/, '='))

  const attempt = '__Host-oauth=; Path=/; HttpOnly; SameSite=Lax; Max-Age=600; Secure'

  it('are hidden from scripts, and the one that becomes a session is only sent by our own pages', async () => {
    const world = await createSignInWorld()
    const start = await createHttpBrowser().visit(world.pathOf('github', 'login'))
    expect(attributesOf(start.headers.getSetCookie())).toEqual([attempt])
    const { browser, callback } = await begin(world)
    const end = await browser.visit(callback)
    expect(attributesOf(end.headers.getSetCookie())).toEqual([
      '__Host-oauth=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure',
      '__Host-hand_off=; Path=/; HttpOnly; SameSite=Strict; Max-Age=60; Secure',
    ])
  })

  it('require TLS if the registry has an https address', async () => {
    const github = {
      url: 'https://github.invalid',
      apiUrl: 'https://api.github.invalid',
      client: { id: 'id', secret: 'secret' },
    }
    const world = await createWorld({ publicUrl: 'https://registry.example', github })
    const { headers } = await ask(`${world.address}/api/v1/auth/github/login`)
    expect(attributesOf(headers['set-cookie'] ?? [])).toEqual([attempt])
  })
})
