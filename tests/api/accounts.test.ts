import { describe, expect, it } from 'vitest'
import { describeOnSqlite } from '../support/databases.ts'
import { ada, askForReset, createDesk, signedUp, signUp, tokenIn } from '../support/desk.ts'
import { createWorld } from '../support/world.ts'

describeOnSqlite('signing up with an email address', (engine) => {
  it('ends in a session when the registering browser opens the link, and proves no domain', async () => {
    const world = await createWorld({ engine })
    const { session, id, consoleKey } = await signedUp(world)
    expect(await session.providers.me()).toMatchObject({
      id,
      email: 'Ada@acme.example',
      email_verified: true,
      domain_verified: false,
      domain_verification_method: null,
      verification_level: 'partially_verified',
      api_key: consoleKey,
      key_id: null,
    })
  })

  it('works with the code of the email, and in another browser with the password or the confirmation code', async () => {
    const world = await createWorld({ engine })
    const first = await signUp(world)
    const { status, body } = await first.post('providers/verify-email', {
      email: ada.email,
      verification_code: first.code.toLowerCase(),
    })
    expect({ status, ...body }).toMatchObject({
      status: 200,
      verified: true,
      needs_auth_setup: false,
      auth_token: expect.stringMatching(/^css_/),
    })
    for (const [name, proofOf] of [
      ['northwind', ({ confirmation_code }: { confirmation_code: string }) => ({ confirmation_code })],
      ['contoso', () => ({ password: ada.password })],
    ] as const) {
      const waiting = await signUp(world, { ...ada, email: `ada@${name}.example`, website: `https://${name}.example` })
      const elsewhere = createDesk(world)
      expect(
        (await elsewhere.post('auth/email/verify', { token: waiting.token, ...proofOf(waiting) })).body,
      ).toMatchObject({
        verified: true,
      })
    }
  })

  it('without a password leads to a setup that sets the first one and begins a session, once', async () => {
    const world = await createWorld({ engine })
    const { post } = createDesk(world)
    await post('providers/send-verification', { email: ada.email, domain: 'acme.example', company_name: 'Acme Labs' })
    const [mail] = await world.mails(ada.email)
    const { body } = await post('auth/email/verify', { token: tokenIn(mail?.link) })
    expect(body).toMatchObject({ auth_token: null, api_key: null, needs_auth_setup: true })
    const setup = { token: body.setup_token, password: ada.password }
    expect((await post('auth/password/set', setup)).body).toMatchObject({
      provider_id: body.provider_id,
      token: expect.stringMatching(/^css_/),
    })
    expect(await post('auth/password/set', setup)).toMatchObject({ status: 400, body: { code: 'code_invalid' } })
    expect((await post('auth/email/login', { email: ada.email, password: ada.password })).status).toBe(200)
  })

  it('verifies the address of a provider with a key by its email and that key', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    await acme.client.auth.sendVerification({})
    const [mail] = await world.mails('acme@acme.example')
    const stranger = createDesk(world)
    expect(await stranger.post('auth/email/verify', { token: tokenIn(mail?.link) })).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required' },
    })
    expect(await acme.client.auth.verifyEmail({ verification_code: mail?.code ?? '' })).toMatchObject({
      provider_id: acme.id,
      auth_token: null,
      domain_verified: false,
    })
    expect(await acme.client.providers.me()).toMatchObject({ email_verified: true, domain_verification_method: null })
  })
})

describeOnSqlite('requesting with a key', (engine) => {
  it('makes the link sufficient in the requesting browser, without handing out a session', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { post } = createDesk(world)
    await post('providers/send-verification', {}, { 'X-API-Key': acme.apiKey })
    const [mail] = await world.mails('acme@acme.example')
    expect(await post('auth/email/verify', { token: tokenIn(mail?.link) })).toMatchObject({
      status: 200,
      body: { provider_id: acme.id, auth_token: null, api_key: null, setup_token: null },
    })
    expect((await acme.client.providers.me()).email_verified).toBe(true)
  })
})

describeOnSqlite('attacks on a registration', (engine) => {
  it('an attacker who registers a victim’s address gets nothing when the victim opens the email', async () => {
    const world = await createWorld({ engine })
    const attack = await signUp(world, { ...ada, password: 'password of the attacker' })
    const victim = createDesk(world)
    expect(await victim.post('auth/email/verify', { token: attack.token })).toMatchObject({
      status: 403,
      body: { code: 'confirmation_required' },
    })
    const own = await signUp(world)
    expect((await own.post('auth/email/verify', { token: own.token })).status).toBe(200)
    expect((await attack.post('auth/email/verify', { token: attack.token })).body).toMatchObject({
      code: 'code_invalid',
    })
    expect(
      (await attack.post('auth/email/login', { email: ada.email, password: 'password of the attacker' })).status,
    ).toBe(401)
  })

  it('an email scanner that opens the link and posts it neither verifies nor uses it up', async () => {
    const world = await createWorld({ engine })
    const { token, post } = await signUp(world)
    const scanner = createDesk(world)
    for (let time = 0; time < 10; time++)
      expect((await scanner.post('auth/email/verify', { token })).body).toMatchObject({ code: 'confirmation_required' })
    expect((await post('auth/email/verify', { token })).status).toBe(200)
  })

  it('a link, a code and a setup work once', async () => {
    const world = await createWorld({ engine })
    const { token, code, post } = await signUp(world)
    const both = await Promise.all([post('auth/email/verify', { token }), post('auth/email/verify', { token })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await post('providers/verify-email', { email: ada.email, verification_code: code })).body).toMatchObject({
      code: 'code_invalid',
    })
  })

  it('five wrong guesses at a code or a confirmation end it, and concurrent guesses get no more', async () => {
    const world = await createWorld({ engine })
    const { code, token, confirmation_code } = await signUp(world)
    const attacker = createDesk(world)
    const guesses = Array.from({ length: 12 }, (_, index) =>
      attacker.post('auth/email/verify', { token, confirmation_code: `00000-0000${index % 10}` }),
    )
    await Promise.all(guesses)
    expect((await attacker.post('auth/email/verify', { token, confirmation_code })).body).toMatchObject({
      code: 'code_invalid',
    })
    expect(
      (await attacker.post('providers/verify-email', { email: ada.email, verification_code: code, confirmation_code }))
        .body,
    ).toMatchObject({
      code: 'code_invalid',
    })
  })

  it('guesses of strangers count separately: they end the code for strangers only', async () => {
    const world = await createWorld({ engine })
    const { code, token, post, confirmation_code } = await signUp(world)
    const stranger = createDesk(world)
    const guess = (desk: typeof stranger, verification_code: string, proof: object = {}) =>
      desk.post('providers/verify-email', { email: ada.email, verification_code, ...proof })
    await Promise.all(Array.from({ length: 12 }, (_, index) => guess(stranger, `00000-000${index + 10}`)))
    expect((await guess(stranger, code, { confirmation_code })).body).toMatchObject({ code: 'code_invalid' })
    const [stored] = await world.database.read
      .selectFrom('one_time_tokens')
      .select(['attempts', 'stray_attempts'])
      .execute()
    expect(stored).toEqual({ attempts: 0, stray_attempts: 5 })
    // The link is not a guess: with link and password no code is needed.
    expect((await stranger.post('auth/email/verify', { token })).body).toMatchObject({ code: 'confirmation_required' })
    expect(await guess({ post, browser: stranger.browser }, code)).toMatchObject({
      status: 200,
      body: { verified: true },
    })
  })

  it('guesses of strangers do not end the code of a provider with a key', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    await acme.client.auth.sendVerification({})
    const [mail] = await world.mails('acme@acme.example')
    const stranger = createDesk(world)
    for (let time = 0; time < 7; time++)
      await stranger.post('providers/verify-email', { email: 'acme@acme.example', verification_code: '00000-00000' })
    expect(await acme.client.auth.verifyEmail({ verification_code: mail?.code ?? '' })).toMatchObject({
      verified: true,
    })
  })

  it('five wrong guesses of the registering browser itself also end its code', async () => {
    const world = await createWorld({ engine })
    const { code, post } = await signUp(world)
    const guess = (verification_code: string) => post('providers/verify-email', { email: ada.email, verification_code })
    await Promise.all(Array.from({ length: 8 }, (_, index) => guess(`00000-0000${index}`)))
    expect((await guess(code)).body).toMatchObject({ code: 'code_invalid' })
  })

  it('expires after a day', async () => {
    const world = await createWorld({ engine })
    const { token, post } = await signUp(world)
    world.clock.advance('24.1h')
    expect((await post('auth/email/verify', { token })).body).toMatchObject({ code: 'code_invalid' })
  })

  it('responses never reveal whether an address has an account', async () => {
    const world = await createWorld({ engine })
    await signedUp(world)
    const shown = async (path: string, body: object) => {
      const { status, body: said } = await createDesk(world).post(path, body)
      return { status, ...said, request_id: undefined, confirmation_code: typeof said.confirmation_code }
    }
    const unknown = 'nobody@acme.example'
    for (const [path, of] of [
      ['auth/email/register', (email: string) => ({ ...ada, email })],
      ['auth/email/login', (email: string) => ({ email, password: 'not this one' })],
      ['auth/password/forgot', (email: string) => ({ email })],
      ['providers/send-verification', (email: string) => ({ email, domain: 'acme.example' })],
    ] as const) {
      expect(await shown(path, of(ada.email)), path).toEqual(await shown(path, of(unknown)))
    }
    expect((await world.mails(ada.email)).map(({ subject }) => subject)).toContain('You already have an account')
  })

  it('an unverified address gives no trust, no login and no account', async () => {
    const world = await createWorld({ engine })
    const { post } = await signUp(world)
    expect((await post('auth/email/login', { email: ada.email, password: ada.password })).status).toBe(401)
    expect((await world.anyone.providers.list()).providers).toEqual([])
  })

  it('one address is verified for one account, even in a race', async () => {
    const world = await createWorld({ engine })
    const waiting = [await signUp(world), await signUp(world), await signUp(world)]
    const ends = await Promise.all(waiting.map(({ post, token }) => post('auth/email/verify', { token })))
    expect(ends.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const { status, body } of ends)
      if (status !== 200) expect(['email_taken', 'code_invalid']).toContain(body.code)
  })
})

describeOnSqlite('a session', (engine) => {
  it('is new after each login, is listed, and ends alone or with the password', async () => {
    const world = await createWorld({ engine })
    const { session, token, post } = await signedUp(world)
    const logins = await Promise.all(
      [1, 2].map(() => post('auth/email/login', { email: ada.email, password: ada.password })),
    )
    const tokens = [token, ...logins.map(({ body }) => String(body.token))]
    expect(new Set(tokens).size).toBe(3)
    const { sessions } = await session.auth.sessions()
    expect(sessions.filter(({ is_current }) => is_current)).toHaveLength(1)
    const other = sessions.find(({ is_current }) => !is_current)?.id ?? ''
    await session.auth.revokeSession(other)
    const changed = await session.auth.changePassword({
      current_password: ada.password,
      new_password: 'another heron at dusk',
    })
    for (const old of tokens) await expect(world.client(old).providers.me()).rejects.toMatchObject({ status: 401 })
    expect((await world.client(changed.token).providers.me()).email_verified).toBe(true)
    expect((await world.mails(ada.email)).at(-1)?.subject).toBe('Your password was changed')
  })
})

describeOnSqlite('a session', (engine) => {
  it('and its console key end together: signed out, idle for 12 hours even in an open page, or after 7 days', async () => {
    const world = await createWorld({ engine })
    const { post, consoleKey } = await signedUp(world)
    const login = async () => {
      const { body } = await post('auth/email/login', { email: ada.email, password: ada.password })
      return { token: String(body.token), consoleKey: String(body.api_key) }
    }
    const isGood = (key: string) =>
      world
        .client(key)
        .providers.me()
        .then(
          () => true,
          () => false,
        )
    expect(await isGood(consoleKey)).toBe(true)
    const signedOut = await login()
    await world.client(signedOut.token).auth.signOut({})
    expect([await isGood(signedOut.token), await isGood(signedOut.consoleKey)]).toEqual([false, false])
    const idle = await login()
    world.clock.advance('12h')
    expect([await isGood(idle.token), await isGood(idle.consoleKey)]).toEqual([false, false])
    const unattended = await login()
    world.clock.advance('11h')
    const headers = { 'X-Unattended': 'true' }
    await world.client(unattended.consoleKey).providers.me({ headers })
    await world.client(unattended.token).providers.me({ headers })
    world.clock.advance('1h')
    expect([await isGood(unattended.token), await isGood(unattended.consoleKey)]).toEqual([false, false])
    const used = await login()
    for (let hour = 0; hour < 7 * 24; hour += 11) {
      expect(await isGood(used.token), `after ${hour} hours`).toBe(true)
      world.clock.advance('11h')
    }
    expect([await isGood(used.token), await isGood(used.consoleKey)]).toEqual([false, false])
  })

  it('cannot be replaced by anything else: a token of a link, a key with another’s secret, a console key without a session', async () => {
    const world = await createWorld({ engine })
    const { token, consoleKey } = await signedUp(world)
    const acme = await world.provider('northwind')
    const { token: link } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    for (const wrong of [
      link,
      `${token.slice(0, 31)}${consoleKey.slice(31)}`,
      `${consoleKey.slice(0, -1)}${consoleKey.endsWith('A') ? 'B' : 'A'}`,
      'css_x',
    ])
      await expect(world.client(wrong).providers.me()).rejects.toMatchObject({ status: 401 })
  })
})

describeOnSqlite('the password', (engine) => {
  it('is changed in a browser session, never with an API key, even with the right password', async () => {
    const world = await createWorld({ engine })
    const { session, post } = await signedUp(world)
    const { api_key } = await session.keys.create({ name: 'Server', scopes: ['full'] })
    const change = { current_password: ada.password, new_password: 'another heron at dusk' }
    await expect(world.client(api_key).auth.changePassword(change)).rejects.toMatchObject({
      status: 403,
      code: 'forbidden',
    })
    expect((await post('auth/email/login', { email: ada.email, password: ada.password })).status).toBe(200)
    expect(await session.auth.changePassword(change)).toMatchObject({ needs_verification: false })
  })

  it('is hashed again at the next login when the parameters rise, and the login stays', async () => {
    const world = await createWorld({ engine })
    const { id, post } = await signedUp(world)
    const hashed = async () =>
      await world.database.read.selectFrom('passwords').select(['hash', 'set_at']).executeTakeFirstOrThrow()
    const before = await hashed()
    // argon2id of that password with less memory and time.
    const outdated = '$argon2id$v=19$m=8192,t=1,p=1$Xv2cHB2ZQJuRkIpZynMfow$59c7vh9i8VILB9cwWe+zSfOPHMcrW97XRQRG8oNFqrg'
    await world.database.transaction((tx) => tx.updateTable('passwords').set({ hash: outdated }).execute())
    const login = () => post('auth/email/login', { email: ada.email, password: ada.password })
    expect((await post('auth/email/login', { email: ada.email, password: 'not this one' })).status).toBe(401)
    expect((await hashed()).hash).toBe(outdated)
    const { status, body } = await login()
    expect(status).toBe(200)
    const after = await hashed()
    expect(after.hash).not.toBe(outdated)
    expect(after.hash.slice(0, after.hash.lastIndexOf('p='))).toBe(before.hash.slice(0, before.hash.lastIndexOf('p=')))
    expect(after.set_at).toBe(before.set_at)
    expect((await world.client(String(body.token)).providers.me()).id).toBe(id)
    await login()
    expect((await hashed()).hash).toBe(after.hash)
  })
})

describeOnSqlite('a forgotten password', (engine) => {
  it('lets no login with the old password begin a session that outlives the reset', async () => {
    const world = await createWorld({ engine })
    const { post } = await signedUp(world)
    const token = await askForReset(world, ada.email)
    const logins = Array.from({ length: 8 }, () =>
      post('auth/email/login', { email: ada.email, password: ada.password }),
    )
    const reset = await post('auth/password/set', { token, password: 'a new heron at noon' })
    expect(reset.status).toBe(200)
    for (const { status, body } of await Promise.all(logins)) {
      if (status !== 200) continue
      await expect(world.client(String(body.token)).providers.me()).rejects.toMatchObject({ status: 401 })
    }
  })

  it('shows its account only to someone with the link, and the link stays valid', async () => {
    const world = await createWorld({ engine })
    const { id, post } = await signedUp(world)
    const token = await askForReset(world, ada.email)
    expect(await post('auth/password/account', { token })).toMatchObject({
      status: 200,
      body: { provider_id: id, email: ada.email },
    })
    expect(await post('auth/password/account', { token: 'guessed' })).toMatchObject({
      status: 400,
      body: { code: 'code_invalid' },
    })
    expect((await post('auth/password/set', { token, password: 'a new heron at noon' })).status).toBe(200)
    expect((await post('auth/password/account', { token })).body).toMatchObject({ code: 'code_invalid' })
  })

  it('is reset by email; that ends every session, and the link works once within an hour', async () => {
    const world = await createWorld({ engine })
    const { token, post } = await signedUp(world)
    const reset = { token: await askForReset(world, ada.email), password: 'a new heron at noon' }
    expect((await post('auth/password/set', reset)).status).toBe(200)
    await expect(world.client(token).providers.me()).rejects.toMatchObject({ status: 401 })
    expect((await post('auth/password/set', reset)).body).toMatchObject({ code: 'code_invalid' })
    expect((await post('auth/email/login', { email: ada.email, password: ada.password })).status).toBe(401)
    // At most three emails an hour go to one address.
    world.clock.advance('61m')
    const late = { token: await askForReset(world, ada.email), password: 'too late a heron' }
    world.clock.advance('61m')
    expect((await post('auth/password/set', late)).body).toMatchObject({ code: 'code_invalid' })
  })

  it.each(['password1', 'Passw0rd', 'aaaaaaaaaaaa', 'acmelabs2026', 'qwerty123', 'short', 'x'.repeat(129)])(
    'is not replaced by %s',
    async (password) => {
      const world = await createWorld({ engine })
      const { post } = createDesk(world)
      expect(await post('auth/email/register', { ...ada, password })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed' },
      })
    },
  )
})

describe('checking a domain', () => {
  it.each([
    { email: 'ada@acme.example', website: 'https://www.acme.example', match: true },
    { email: 'ada@mail.acme.example', website: 'https://acme.example', match: true },
    { email: 'ada@northwind.example', website: 'https://acme.example', match: false },
    { email: 'ada@gmail.com', website: 'https://gmail.com', match: false },
  ])('$email and $website: $match', async ({ match, ...input }) => {
    const world = await createWorld()
    expect(await world.anyone.auth.checkDomain(input)).toMatchObject({ match })
  })
})
