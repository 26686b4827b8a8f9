import { contract, Refusal } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { createRateLimits } from '../../server/src/http/rate-limits.ts'
import { ask } from '../support/ask.ts'
import { createClock } from '../support/clock.ts'
import { describeOnSqlite, openTestDatabase } from '../support/databases.ts'
import { ada, askForReset, createDesk, signedUp, signUp, tokenIn } from '../support/desk.ts'
import { createWorld } from '../support/world.ts'

const from = (address: string) => ({ 'X-Forwarded-For': address })
const strangers = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']
const home = '198.51.100.7'

describeOnSqlite('what strangers do with an address', (engine) => {
  const start = async () => {
    const world = await createWorld({
      engine,
      rateLimits: 'on',
      trustedProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
    })
    const post = (path: string, body: object, address: string) =>
      ask(`${world.address}/api/v1/auth/${path}`, { method: 'POST', body, headers: from(address) })
    return { world, post }
  }

  it('does not keep its owner from registering, even after it used up the emails of an hour', async () => {
    const { world, post } = await start()
    for (const address of strangers)
      expect((await post('email/register', { ...ada, company_name: 'Stranger' }, address)).status).toBe(200)
    const received = await world.mails(ada.email)
    expect(received).toHaveLength(3)
    const desk = createDesk(world)
    expect((await desk.post('auth/email/register', ada, from(home))).status).toBe(200)
    expect(await world.mails(ada.email)).toHaveLength(3)

    const token = tokenIn(received[0]?.link)
    const stranger = await ask(`${world.address}/api/v1/auth/email/verify`, { method: 'POST', body: { token } })
    expect(stranger.body).toMatchObject({ code: 'confirmation_required' })
    const { body } = await desk.post('auth/email/verify', { token }, from(home))
    expect(body).toMatchObject({ verified: true })
    const own = await ask(`${world.address}/api/v1/providers/me`, {
      headers: { Authorization: `Bearer ${body.auth_token}` },
    })
    expect(own.body).toMatchObject({ company_name: ada.company_name })
  })

  it('reaches one inbox at most three times an hour under any alias', async () => {
    const { world, post } = await start()
    const aliases = ['a.da@gmail.com', 'ada+1@gmail.com', 'ada+2@googlemail.com', 'a.d.a@gmail.com', 'ada@gmail.com']
    for (const [index, email] of aliases.entries()) await post('email/register', { ...ada, email }, `192.0.2.${index}`)
    expect(await world.mails()).toHaveLength(3)
  })

  it('reaches one inbox no more often if all requests arrive at once', async () => {
    const { world, post } = await start()
    const asked = Array.from({ length: 9 }, (_, index) => post('email/register', ada, `192.0.2.${index}`))
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
    expect(await world.mails(ada.email)).toHaveLength(3)
  })

  it('does not keep its owner from entering a code, however many emails strangers request', async () => {
    const { world } = await start()
    const owner = await signUp(world)
    await world.database.transaction(async (tx) => {
      const row = await tx.selectFrom('one_time_tokens').selectAll().executeTakeFirstOrThrow()
      for (let count = 0; count < 120; count++)
        await tx
          .insertInto('one_time_tokens')
          .values({
            ...row,
            hash: `${count}`,
            code_hash: `${count}`,
            cookie_hash: `${count}`,
            created_at: row.created_at + 1,
          })
          .execute()
    })
    const entered = await owner.post('providers/verify-email', { email: ada.email, verification_code: owner.code })
    expect(entered.body).toMatchObject({ verified: true })
  })

  it('does not withhold a reset from a network where the owner signed in', async () => {
    const { world, post } = await start()
    await signedUp(world)
    expect((await post('email/login', { email: ada.email, password: ada.password }, home)).status).toBe(200)
    for (const address of strangers) await post('password/forgot', { email: ada.email }, address)
    const before = (await world.mails(ada.email)).length
    await post('password/forgot', { email: ada.email }, '203.0.113.9')
    expect(await world.mails(ada.email)).toHaveLength(before)
    await post('password/forgot', { email: ada.email }, home)
    expect(await world.mails(ada.email)).toHaveLength(before + 1)
  })

  it('does not withhold a reset from the network of the last reset; earlier networks no longer count', async () => {
    const { world, post } = await start()
    await signedUp(world)
    await post('email/login', { email: ada.email, password: ada.password }, home)
    world.clock.advance('1m')
    const token = await askForReset(world, ada.email)
    const moved = '198.51.100.200'
    expect((await post('password/set', { token, password: 'a new heron at noon' }, moved)).status).toBe(200)
    for (const address of strangers) await post('password/forgot', { email: ada.email }, address)
    const before = (await world.mails(ada.email)).length
    await post('password/forgot', { email: ada.email }, home)
    expect(await world.mails(ada.email)).toHaveLength(before)
    await post('password/forgot', { email: ada.email }, moved)
    expect(await world.mails(ada.email)).toHaveLength(before + 1)
  })

  it('delays no sign-in from a network where the owner signed in within 30 days', async () => {
    const waits: number[] = []
    const { now, advance } = createClock()
    const limits = createRateLimits({
      database: await openTestDatabase(engine),
      now,
      delay: async (ms) => waits.push(ms),
    })
    const login = limits.ofEndpoint(contract.auth.login)
    const response = { setHeader: () => {}, getHeader: () => undefined } as never
    const by = (network: string) => ({
      network: () => network,
      caller: undefined,
      params: {},
      body: { email: 'ada@acme.example' },
    })
    const progress = { isEarlyCounted: true, isLateCounted: true, isLarge: false }
    const attack = async () => {
      for (let time = 0; time < 12; time++)
        await login?.noteRefusal(by(`192.0.2.${time}`), new Refusal('unauthorized'), progress, response)
    }
    await login?.noteSuccess?.(by('2001:db8:1:1::/64'))
    await attack()
    await login?.checkLate(by('2001:db8:1:2::/64'), response)
    expect(waits).toEqual([])
    await login?.checkLate(by(home), response)
    expect(waits).toEqual([4_000])
    advance('31d')
    await attack()
    await login?.checkLate(by('2001:db8:1:1::/64'), response)
    expect(waits).toEqual([4_000, 4_000])
  })
})

describe('what strangers send from many addresses', () => {
  it('costs no write once the networks around them are over their limit', async () => {
    const database = await openTestDatabase('sqlite')
    const check = createRateLimits({ database, now: createClock().now }).of(contract.auth.verifyEmail)
    let rejected = 0
    for (let count = 0; count < 100; count++) {
      const asked = { network: () => `2001:db8:1:${count.toString(16)}::/64`, caller: undefined, params: {}, body: {} }
      await check?.(asked, { setHeader: () => {}, getHeader: () => undefined } as never).catch(() => rejected++)
    }
    expect(rejected).toBe(20)
    expect(await database.read.selectFrom('rate_limits').select('key').execute()).toHaveLength(80)
  })

  it('does not use up the bytes that a provider in the same network may send', async () => {
    const world = await createWorld({ rateLimits: 'on' })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const send = (path: string, body: object, headers: Record<string, string> = {}) =>
      ask(`${world.address}/api/v1/${path}`, { method: 'POST', body, headers })
    const strangers = []
    for (let count = 0; count < 6; count++)
      strangers.push((await send(`jwt/${'a'.repeat(40)}/bind-response`, { response: 'x'.repeat(550_000) })).status)
    expect(strangers.at(-1)).toBe(429)
    const minted = await send(
      'create-verification',
      { model_id, response: 'x'.repeat(200_000) },
      { 'X-API-Key': acme.apiKey },
    )
    expect(minted.status).toBe(201)
  })
})
