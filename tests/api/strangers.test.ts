import { contract, Refusal } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { createRateLimits } from '../../server/src/http/rate-limits.ts'
import { ask } from '../support/ask.ts'
import { createClock } from '../support/clock.ts'
import { describeEachEngine, openTestDatabase } from '../support/databases.ts'
import { ada, createDesk, signedUp, tokenIn } from '../support/desk.ts'
import { createWorld } from '../support/world.ts'

const from = (address: string) => ({ 'X-Forwarded-For': address })
const strangers = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']
const home = '198.51.100.7'

describeEachEngine('what strangers do with an address', (engine) => {
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
