import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { type Authenticator, createAuthenticator } from '../support/authenticator.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { createHttpBrowser } from '../support/http-browser.ts'
import { addPasskey } from '../support/passkeys.ts'
import { shareWorld, type World } from '../support/world.ts'

type Options = { options: Record<string, unknown> }

const digestOf = (body?: object) =>
  `sha256:${createHash('sha256')
    .update(body ? JSON.stringify(body) : '')
    .digest('hex')}`

/** A person in a browser: a session and cookies. */
const openBrowser = (world: World) => {
  const browser = createHttpBrowser()
  let token: string | undefined
  const send = async (method: string, path: string, body?: object) => {
    const { status, text } = await browser.visit(`${world.publicUrl}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status, body: JSON.parse(text) as Record<string, unknown> }
  }
  const challenge = async (method: string, path: string, body?: object) =>
    (await send('POST', '/api/v1/me/presence/challenge', { method, path, body_digest: digestOf(body) }))
      .body as unknown as Options
  return {
    browser,
    send,
    challenge,
    use: (session: string) => {
      token = session
    },
    /** Approves one call with a passkey. */
    prove: async (authenticator: Authenticator, method: string, path: string, body?: object) => {
      const passkey = authenticator.get(await challenge(method, path, body))
      return send('POST', '/api/v1/me/presence', { passkey })
    },
    signIn: async (authenticator: Authenticator, wrong: object = {}) => {
      const { body } = await send('POST', '/api/v1/auth/passkey/challenge', {})
      const reply = await send('POST', '/api/v1/auth/passkey', {
        passkey: authenticator.get(body as Options, wrong),
      })
      if (reply.status === 200) token = reply.body.token as string
      return reply
    },
  }
}

/** A company whose owner has a passkey, and a browser in which the owner is signed in with a password. */
const createProtected = async (world: World, name: string) => {
  const company = await world.provider(name)
  const { token, client } = await world.session(company)
  const { id, authenticator } = await addPasskey(world, client)
  const browser = openBrowser(world)
  browser.use(token)
  return { company, client, id, authenticator, browser }
}

const codeFor = async (world: World, company: ProviderActor) =>
  (await world.mails((await company.client.providers.me()).email ?? '')).at(-1)?.code ?? ''

const rename = (id: string) => ['PUT', `/api/v1/me/factors/${id}`] as const

describeOnSqlite('passkeys', (engine) => {
  const shared = shareWorld({ engine })

  it('are added with a code from the email, and sign in without a password, with presence', async () => {
    const world = shared()
    const { id, authenticator, client, company } = await createProtected(world, 'acme')
    expect(await client.factors.list()).toMatchObject({ is_protected: true, factors: [{ id, name: 'Laptop' }] })
    expect(await company.client.providers.me()).toMatchObject({ is_protected: true })
    const browser = openBrowser(world)
    expect(await browser.signIn(authenticator)).toMatchObject({ status: 200, body: { provider_id: company.id } })
    expect(await browser.send(...rename(id), { name: 'Old laptop' })).toMatchObject({ body: { name: 'Old laptop' } })
    const mails = await world.mails((await client.providers.me()).email ?? '')
    expect(mails.at(-1)?.subject).toBe('A passkey was added to your account')
    expect(mails.at(-1)?.text).toContain('127.0.0.1')
    expect((await client.account.events()).events).toContainEqual(expect.objectContaining({ action: 'factor.added' }))
  })

  it('prove presence for the call that was approved, then for others, for five minutes', async () => {
    const world = shared()
    const { id, authenticator, browser } = await createProtected(world, 'northwind')
    const body = { name: 'Blue key' }
    expect(await browser.send(...rename(id), body)).toMatchObject({ status: 403, body: { code: 'presence_required' } })
    expect(await browser.prove(authenticator, ...rename(id), body)).toMatchObject({ status: 200 })
    // A different body from the approved one.
    expect(await browser.send(...rename(id), { name: 'Red key' })).toMatchObject({
      body: { code: 'presence_required' },
    })
    expect(await browser.send(...rename(id), body)).toMatchObject({ status: 200 })
    expect(await browser.send(...rename(id), { name: 'Red key' })).toMatchObject({ status: 200 })
    world.clock.advance('5m')
    expect(await browser.send(...rename(id), body)).toMatchObject({ body: { code: 'presence_required' } })
  })

  it('prove presence only for the session that asked, in its browser', async () => {
    const world = shared()
    const { id, authenticator, browser } = await createProtected(world, 'fabrikam')
    const body = { name: 'Blue key' }
    const second = openBrowser(world)
    await second.signIn(authenticator)
    await browser.prove(authenticator, ...rename(id), body)
    const thief = openBrowser(world)
    thief.use(String((await second.signIn(authenticator)).body.token))
    for (const [name, value] of browser.browser.cookies(world.publicUrl))
      thief.browser.cookies(world.publicUrl).set(name, value)
    expect(await thief.send(...rename(id), body)).toMatchObject({ body: { code: 'presence_required' } })
    const passkey = authenticator.get(await browser.challenge(...rename(id), body))
    expect(await thief.send('POST', '/api/v1/me/presence', { passkey })).toMatchObject({
      body: { code: 'passkey_rejected' },
    })
  })

  it('accept each answer once, even if two requests race', async () => {
    const world = shared()
    const { authenticator, browser } = await createProtected(world, 'contoso')
    const passkey = authenticator.get(await browser.challenge('POST', '/api/v1/providers/me/api-keys', {}))
    const answers = await Promise.all([1, 2].map(() => browser.send('POST', '/api/v1/me/presence', { passkey })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('count at once in a new account, after 24 hours in an older one, and can be cancelled until then', async () => {
    const world = shared()
    const company = await world.provider('tailwind')
    await world.session(company)
    world.clock.advance('25h')
    const { client } = await world.session(company)
    const thief = await addPasskey(world, client, { name: 'Thief' })
    expect(await client.factors.list()).toMatchObject({ is_protected: false, factors: [{ name: 'Thief' }] })
    expect(await openBrowser(world).signIn(thief.authenticator)).toMatchObject({ body: { code: 'passkey_rejected' } })
    await client.factors.remove(thief.id)
    expect(await client.factors.list()).toMatchObject({ factors: [] })
    const own = await addPasskey(world, client)
    world.clock.advance('24h')
    expect(await openBrowser(world).signIn(own.authenticator)).toMatchObject({ status: 200 })
  })

  it('remove no other in their first 24 hours; the last of an owner goes after 24 hours', async () => {
    const world = shared()
    const { id, authenticator, browser } = await createProtected(world, 'litware')
    const begin = {}
    const path = '/api/v1/me/factors/challenge'
    await browser.prove(authenticator, 'POST', path, begin)
    const second = createAuthenticator({ origin: world.publicUrl })
    const passkey = second.create((await browser.send('POST', path, begin)).body as Options)
    const added = await browser.send('POST', '/api/v1/me/factors', { name: 'Phone', passkey })
    expect(added.status).toBe(201)
    await browser.signIn(second)
    expect(await browser.send('DELETE', `/api/v1/me/factors/${id}`)).toMatchObject({ body: { code: 'factor_too_new' } })
    world.clock.advance('25h')
    await browser.signIn(second)
    expect(await browser.send('DELETE', `/api/v1/me/factors/${id}`)).toMatchObject({ status: 200 })
    expect(await openBrowser(world).signIn(authenticator)).toMatchObject({ body: { code: 'passkey_rejected' } })
    const last = String(added.body.id)
    await browser.signIn(second)
    const { body } = await browser.send('DELETE', `/api/v1/me/factors/${last}`)
    expect(Date.parse(String(body.removes_at)) - world.clock.now()).toBe(24 * 3_600_000)
    expect(await openBrowser(world).signIn(second)).toMatchObject({ status: 200 })
    world.clock.advance('24h')
    expect(await openBrowser(world).signIn(second)).toMatchObject({ body: { code: 'passkey_rejected' } })
  })
})

describeOnSqlite('passkeys', (engine) => {
  const shared = shareWorld({ engine })

  it('older than 24 hours go after 24 hours if only one that was just added is left', async () => {
    const world = shared()
    const { id, authenticator, browser } = await createProtected(world, 'lamna')
    world.clock.advance('25h')
    await browser.signIn(authenticator)
    const path = '/api/v1/me/factors/challenge'
    const second = createAuthenticator({ origin: world.publicUrl })
    const passkey = second.create((await browser.send('POST', path, {})).body as Options)
    expect((await browser.send('POST', '/api/v1/me/factors', { name: 'Thief', passkey })).status).toBe(201)
    const { body } = await browser.send('DELETE', `/api/v1/me/factors/${id}`)
    expect(Date.parse(String(body.removes_at)) - world.clock.now()).toBe(24 * 3_600_000)
    expect(await openBrowser(world).signIn(authenticator)).toMatchObject({ status: 200 })
  })

  it('reject an answer of a cloned passkey, of another website, without user verification, or to another challenge', async () => {
    const world = shared()
    const { authenticator } = await createProtected(world, 'acme')
    expect(await openBrowser(world).signIn(authenticator)).toMatchObject({ status: 200 })
    for (const wrong of [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { challenge: 'AAAA' },
      { isVerified: false },
      { counter: 1 },
    ])
      expect(await openBrowser(world).signIn(authenticator, wrong), JSON.stringify(wrong)).toMatchObject({
        status: 400,
        body: { code: 'passkey_rejected' },
      })
  })

  it('sign in only the browser that asked for the challenge', async () => {
    const world = shared()
    const { authenticator } = await createProtected(world, 'northwind')
    const [victim, thief] = [openBrowser(world), openBrowser(world)]
    const { body } = await thief.send('POST', '/api/v1/auth/passkey/challenge', {})
    const passkey = authenticator.get(body as Options)
    expect(await victim.send('POST', '/api/v1/auth/passkey', { passkey })).toMatchObject({
      body: { code: 'passkey_rejected' },
    })
  })

  it('need a recent sign-in and the code for the first, and presence for others', async () => {
    const world = shared()
    const company = await world.provider('fabrikam')
    const { client } = await world.session(company)
    await client.factors.sendCode({})
    const code = await codeFor(world, company)
    await expect(client.factors.begin({})).rejects.toMatchObject({ code: 'code_invalid' })
    await expect(client.factors.begin({ code: 'AAAAA-AAAAA' })).rejects.toMatchObject({ code: 'code_invalid' })
    world.clock.advance('16m')
    await expect(client.factors.begin({ code })).rejects.toMatchObject({ code: 'sign_in_again' })
    await expect(client.factors.sendCode({})).rejects.toMatchObject({ code: 'sign_in_again' })
    const { client: fresh } = await world.session(company)
    await addPasskey(world, fresh)
    await fresh.factors.sendCode({})
    await expect(fresh.factors.begin({ code: await codeFor(world, company) })).rejects.toMatchObject({
      code: 'presence_required',
    })
  })

  it('end a code after five wrong guesses', async () => {
    const world = shared()
    const company = await world.provider('contoso')
    const { client } = await world.session(company)
    await client.factors.sendCode({})
    for (let guess = 0; guess < 5; guess++)
      await expect(client.factors.begin({ code: 'AAAAA-AAAAA' })).rejects.toMatchObject({ code: 'code_invalid' })
    await expect(client.factors.begin({ code: await codeFor(world, company) })).rejects.toMatchObject({
      code: 'code_invalid',
    })
  })

  it('are replaced by a recovery code, once, whose use is emailed', async () => {
    const world = shared()
    const company = await world.provider('proseware')
    const { token, client } = await world.session(company)
    const { id, recovery_codes } = await addPasskey(world, client)
    expect(recovery_codes).toHaveLength(10)
    const browser = openBrowser(world)
    browser.use(token)
    const proveBy = (code: string, method: string, path: string) =>
      browser.send('POST', '/api/v1/me/presence', {
        recovery: { code, act: { method, path, body_digest: digestOf() } },
      })
    const path = `/api/v1/me/factors/${id}`
    const [code = ''] = recovery_codes ?? []
    expect(await proveBy('AAAAA-AAAAA', 'DELETE', path)).toMatchObject({ body: { code: 'code_invalid' } })
    expect(await proveBy(code.toLowerCase(), 'DELETE', path)).toMatchObject({ status: 200 })
    expect(await browser.send('DELETE', path)).toMatchObject({ status: 200 })
    expect(await proveBy(code, 'DELETE', path)).toMatchObject({ body: { code: 'code_invalid' } })
    expect(await client.factors.list()).toMatchObject({ recovery_codes_left: 9 })
    const email = (await company.client.providers.me()).email ?? ''
    expect((await world.mails(email)).map(({ subject }) => subject)).toContain(
      'A recovery code of your account was used',
    )
    const renewed = await browser.send('POST', '/api/v1/me/recovery-codes', {})
    expect(renewed.body.recovery_codes).toHaveLength(10)
    expect((await world.mails(email)).at(-1)?.subject).toBe('New recovery codes were made for your account')
    expect(await proveBy(recovery_codes?.[1] ?? '', 'DELETE', path)).toMatchObject({ body: { code: 'code_invalid' } })
  })

  it('lose their recovery codes if they are cancelled', async () => {
    const world = shared()
    const company = await world.provider('woodgrove')
    await world.session(company)
    world.clock.advance('25h')
    const { client } = await world.session(company)
    const { id } = await addPasskey(world, client)
    await client.factors.remove(id)
    expect(await client.factors.list()).toMatchObject({ factors: [], recovery_codes_left: 0 })
  })

  it('belong to their person: others cannot rename or remove them', async () => {
    const world = shared()
    const { id } = await createProtected(world, 'tailwind')
    const { client } = await world.session(await world.provider('litware'))
    await expect(client.factors.rename(id, { name: 'Mine' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(client.factors.remove(id)).rejects.toMatchObject({ code: 'not_found' })
  })
})
