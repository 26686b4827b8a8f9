import { contract, Refusal } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { createRateLimits } from '../../server/src/http/rate-limits.ts'
import { ask } from '../support/ask.ts'
import { createClock } from '../support/clock.ts'
import { describeEachEngine, describeOnSqlite, openTestDatabase } from '../support/databases.ts'
import { ada, signedUp } from '../support/desk.ts'
import { createWorld } from '../support/world.ts'

const login = (address: string, email: string, headers: Record<string, string> = {}) =>
  ask(`${address}/api/v1/auth/email/login`, { method: 'POST', body: { email, password: 'not this one' }, headers })

const counted = { isEarlyCounted: true, isLateCounted: true, isLarge: false }

const from = (address: string) => ({ 'X-Forwarded-For': address })

describeEachEngine('limits', (engine) => {
  it('reject the sixth login of one address in a minute on any replica, say when to come back, and then allow it', async () => {
    const world = await createWorld({ engine, rateLimits: 'on' })
    const replica = await world.startReplica()
    const statuses = []
    for (let time = 0; time < 5; time++)
      statuses.push((await login(time % 2 ? replica.address : world.address, 'ada@acme.example')).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401])
    const refused = await login(replica.address, 'Ada@acme.example')
    expect(refused).toMatchObject({
      status: 429,
      body: {
        code: 'rate_limited',
        detail: expect.stringMatching(/^Too many requests\. Try again in \d+ seconds?\.$/),
      },
    })
    expect(refused.headers).toMatchObject({
      'ratelimit-policy': '"login";q=10;w=60, "login-address";q=5;w=60',
      ratelimit: expect.stringMatching(/^"login";r=4;t=\d+, "login-address";r=0;t=\d+$/),
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await login(world.address, 'bob@acme.example')).status).toBe(401)
    world.clock.advance('61s')
    expect((await login(replica.address, 'ada@acme.example')).status).toBe(401)
  })

  it('count the address behind a trusted proxy, an IPv6 network as one, and no one else’s', async () => {
    const world = await createWorld({
      engine,
      rateLimits: 'on',
      trustedProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
    })
    const one = async (address: string, index: number) =>
      (await login(world.address, `ada${index}@acme.example`, from(address))).status
    const sameNetwork = await Promise.all(
      Array.from({ length: 11 }, (_, index) => one(`2001:db8:1:2::${index}`, index)),
    )
    expect(sameNetwork.filter((status) => status === 429)).toHaveLength(1)
    expect(await one('2001:db8:1:3::1', 20)).toBe(401)
    expect(await one('192.0.2.7', 21)).toBe(401)
  })

  it('cannot be escaped by a header that no trusted proxy sent', async () => {
    const world = await createWorld({ engine, rateLimits: 'on' })
    const statuses = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, index) => (await login(world.address, `ada${index}@acme.example`, from(`192.0.2.${index}`))).status,
      ),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })

  it('write nothing for rejected requests', async () => {
    const world = await createWorld({ engine, rateLimits: 'on' })
    for (let time = 0; time < 20; time++) await login(world.address, 'ada@acme.example')
    const rows = await world.database.read.selectFrom('rate_limits').select('points').execute()
    expect(rows.map(({ points }) => Number(points)).sort((a, b) => a - b)).toEqual([5, 5, 6, 11])
  })

  it('slow down password guessing, on every replica, without ever locking anyone out', async () => {
    const database = await openTestDatabase(engine)
    const { now, advance } = createClock()
    const waits: number[] = []
    const delay = async (ms: number) => waits.push(ms)
    const replicas = [1, 2].map(() => createRateLimits({ database, now, delay }))
    const response = { setHeader: () => {}, getHeader: () => undefined } as never
    const call = { network: () => '192.0.2.7', caller: undefined, params: {}, body: { email: 'Ada@acme.example' } }
    for (let time = 0; time < 20; time++) {
      // Slow enough for the other limits.
      advance('61s')
      const { of, ofEndpoint } = replicas[time % 2] ?? replicas[0] ?? createRateLimits({ database, now })
      await of(contract.auth.login)?.(
        { ...call, body: { email: time % 3 ? 'ada@acme.example' : 'Ada@Acme.example' } },
        response,
      )
      await ofEndpoint(contract.auth.login)?.noteRefusal(call, new Refusal('unauthorized'), counted, response)
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, ...Array.from({ length: 5 }, () => 30_000)])
    waits.length = 0
    advance('61s')
    await replicas[0]?.of(contract.auth.login)?.({ ...call, body: { email: 'bob@acme.example' } }, response)
    advance('1h')
    await replicas[0]?.of(contract.auth.login)?.(call, response)
    expect(waits).toEqual([])
  })

  it('let the owner in with the right password while strangers guess, and slow the strangers down', async () => {
    const world = await createWorld({
      engine,
      rateLimits: 'on',
      trustedProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
    })
    await signedUp(world)
    const guesses = []
    for (let time = 0; time < 8; time++)
      guesses.push((await login(world.address, ada.email, from('192.0.2.66'))).status)
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    const { status } = await ask(`${world.address}/api/v1/auth/email/login`, {
      method: 'POST',
      body: { email: ada.email, password: ada.password },
      headers: from('198.51.100.7'),
    })
    expect(status).toBe(200)
  })

  it("delay the owner for less than a client's timeout, even while strangers try passwords", async () => {
    const waits: number[] = []
    const { now } = createClock()
    const limits = createRateLimits({
      database: await openTestDatabase(engine),
      now,
      delay: async (ms) => waits.push(ms),
    })
    const response = { setHeader: () => {}, getHeader: () => undefined } as never
    const by = (network: string) => ({
      network: () => network,
      caller: undefined,
      params: {},
      body: { email: 'ada@acme.example' },
    })
    for (let time = 0; time < 40; time++)
      await limits
        .ofEndpoint(contract.auth.login)
        ?.noteRefusal(by(`192.0.2.${time}`), new Refusal('unauthorized'), counted, response)
    await limits.of(contract.auth.login)?.(by('198.51.100.7'), response)
    expect(waits).toEqual([4_000])
  })

  it('count an IPv6 customer with many networks as one for password guesses', async () => {
    const { now } = createClock()
    const check = createRateLimits({ database: await openTestDatabase(engine), now }).of(contract.auth.login)
    const guess = (network: string) =>
      check?.({ network: () => network, caller: undefined, params: {}, body: { email: 'ada@acme.example' } }, {
        setHeader: () => {},
        getHeader: () => undefined,
      } as never)
    for (let time = 0; time < 5; time++) await guess(`2001:db8:1:${time}::/64`)
    await expect(guess('2001:db8:1:9::/64')).rejects.toMatchObject({ code: 'rate_limited' })
    await guess('2001:db8:2:9::/64')
  })

  it('let an owner back in while strangers register with the address', async () => {
    const world = await createWorld({
      engine,
      rateLimits: 'on',
      trustedProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
    })
    await signedUp(world)
    const post = (path: string, body: object, address: string) =>
      ask(`${world.address}/api/v1/auth/${path}`, { method: 'POST', body, headers: from(address) })
    for (let time = 0; time < 5; time++)
      await post('email/register', { ...ada, company_name: 'Stranger' }, '192.0.2.66')
    const before = (await world.mails(ada.email)).length
    expect((await post('password/forgot', { email: ada.email }, '198.51.100.7')).status).toBe(200)
    expect(await world.mails(ada.email)).toHaveLength(before + 1)
    // Requests for the email itself use up no one else's; excess ones have no effect.
    for (let time = 0; time < 6; time++) await post('password/forgot', { email: ada.email }, '192.0.2.66')
    expect((await post('password/forgot', { email: ada.email }, '198.51.100.7')).status).toBe(200)
    expect(await world.mails(ada.email)).toHaveLength(before + 3)
  })

  it('keep no address in the database', async () => {
    const world = await createWorld({ engine, rateLimits: 'on' })
    await login(world.address, 'ada@acme.example')
    const rows = await world.database.read.selectFrom('rate_limits').selectAll().execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toMatch(/ada|127\.0\.0\.1/)
  })
})

describeOnSqlite('reports of one model from one network', (engine) => {
  it('are limited to three a day for any links and spellings; other models and networks are not affected', async () => {
    const world = await createWorld({
      engine,
      rateLimits: 'on',
      trustedProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
    })
    const replica = await world.startReplica()
    const acme = await world.provider('acme')
    const [model_id, another] = [await acme.registerModel(), await acme.registerModel()]
    const mint = () => acme.client.verifications.create({ model_id })
    const report = (address: string, named: object, category = 'other') =>
      ask(`${replica.address}/api/v1/incidents/report`, {
        method: 'POST',
        body: { category, title: 'It lies', description: 'About glue.', ...named },
        headers: from(address),
      })
    const [one, two] = [await mint(), await mint()]
    const first = await Promise.all([
      report('192.0.2.7', { verification_token: one.token }),
      report('192.0.2.7', { verification_token: one.verification_url }, 'privacy_violation'),
      report('192.0.2.7', { verification_token: two.token }),
      report('192.0.2.7', { model_id }),
    ])
    expect(first.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429])
    const count = async () => (await acme.client.incidents.list()).incidents.length
    expect(await count()).toBe(3)

    world.clock.advance('2h')
    const third = await mint()
    const refused = await report('192.0.2.7', { verification_token: third.verification_url })
    expect(refused.body).toMatchObject({
      code: 'rate_limited',
      detail: expect.stringMatching(/^Too many reports of this model\. Try again in \d+ seconds\.$/),
    })
    expect(Number(refused.headers['retry-after'])).toBe(22 * 3_600)
    expect((await report('192.0.2.7', { model_id: another })).status).toBe(201)
    expect((await report('192.0.2.8', { verification_token: third.token })).status).toBe(201)
    world.clock.advance('22h')
    expect((await report('192.0.2.7', { model_id })).status).toBe(201)
    expect(await count()).toBe(6)
  })
})

describe('fetches for a provider', () => {
  it('are limited to ten logo files an hour, uploaded or by address, without affecting the profile', async () => {
    const world = await createWorld({ rateLimits: 'on' })
    const acme = await world.provider('acme')
    const { apiKey } = acme
    const path = `${world.address}/api/v1/providers/${acme.id}`
    const change = (method: string, address: string, body: object) =>
      ask(address, { method, body, headers: { 'X-API-Key': apiKey } }).then(({ status }) => status)
    const logo_url = 'https://127.0.0.1/logo.png'
    for (let time = 0; time < 5; time++) {
      expect(await change('PATCH', path, { logo_url })).toBe(422)
      expect(await change('PUT', `${path}/profile`, { logo_url })).toBe(422)
    }
    expect(await change('PATCH', path, { logo_url })).toBe(429)
    expect(await change('PUT', `${path}/profile`, { logo_url })).toBe(429)
    expect(await change('PATCH', path, { industry: 'Maps' })).toBe(200)
    expect(await change('PUT', `${path}/profile`, { logo_url: '' })).toBe(200)
  })

  it('are limited to 20 checks of a domain an hour, with an error that says so', async () => {
    const world = await createWorld({ rateLimits: 'on' })
    const acme = await world.provider('acme', { isVerified: false })
    const northwind = await world.provider('northwind', { isVerified: false })
    const check = () => acme.client.providers.verifyDomain({})
    for (let time = 0; time < 20; time++) await check()
    await expect(check()).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringMatching(/Too many checks of a domain/),
    })
    await northwind.client.providers.verifyDomain({})
  })
})

describe('limits on everything', () => {
  it('count requests rejected before they are handled: unknown keys and unreadable bodies', async () => {
    const world = await createWorld({ rateLimits: 'on' })
    const tries = await Promise.all(
      Array.from({ length: 620 }, (_, index) =>
        index % 2
          ? ask(`${world.address}/api/v1/providers/me`, { headers: { 'X-API-Key': 'csk_nothing' } })
          : ask(`${world.address}/api/v1/providers/register`, { method: 'POST', body: { wrong: true } }),
      ),
    )
    const statuses = tries.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([401, 422, 429]))
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    // Someone who exceeded all other limits can still check a link.
    expect((await ask(`${world.address}/api/v1/verify/0000-0000-0000-0000`)).status).toBe(400)
    // The limit of registrations counts valid ones.
    expect(await world.database.read.selectFrom('rate_limits').selectAll().execute()).toEqual([])
  })
})

const someBundle = {
  mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
  verificationMaterial: { publicKey: { hint: 'acme' } },
}

describe('limits of requests', () => {
  const proxied = () =>
    createWorld({ rateLimits: 'on', trustedProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }] })

  it('reject neighbouring networks together, and leave others alone', async () => {
    const world = await proxied()
    const check = (address: string) =>
      ask(`${world.address}/api/v1/providers/check-domain`, {
        method: 'POST',
        body: { domain: 'acme.example' },
        headers: from(address),
      })
    // 30 a minute for each network, and 16 times that for those around it.
    const statuses = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => (await check(`192.0.2.${index % 250}`)).status),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    expect((await check('192.0.3.1')).status).not.toBe(429)
  })

  it('reject large bodies before reading them, once a network has sent too many bytes in a minute', async () => {
    const world = await proxied()
    const bind = (address: string, bytes: number) =>
      ask(`${world.address}/api/v1/jwt/${address.replaceAll('.', '').padStart(40, 'a')}/bind-response`, {
        method: 'POST',
        body: { response: 'x'.repeat(bytes) },
        headers: from(address),
      })
    const statuses = []
    for (let count = 0; count < 6; count++) statuses.push((await bind('192.0.2.7', 550_000)).status)
    expect(statuses.map((status) => status === 429)).toEqual([false, false, false, false, false, true])
    expect((await bind('192.0.2.7', 100)).status).not.toBe(429)
    expect((await bind('198.51.100.7', 550_000)).status).not.toBe(429)
    // 3 MB a minute for each network, and 8 times that for those around it.
    for (let count = 0; count < 38; count++) statuses.push((await bind(`192.0.2.${count + 10}`, 550_000)).status)
    expect(statuses.slice(6)).not.toContain(429)
    expect((await bind('192.0.2.100', 550_000)).status).toBe(429)
  })

  it('count invalid uploads of a bundle like valid ones', async () => {
    const world = await createWorld({ rateLimits: 'on' })
    const acme = await world.provider('acme')
    const id = await acme.registerModel()
    const upload = () =>
      ask(`${world.address}/api/v1/models/${id}/bundle`, {
        method: 'PUT',
        body: { padding: 'x'.repeat(70_000) },
        headers: { 'X-API-Key': acme.apiKey },
      })
    const statuses = await Promise.all(Array.from({ length: 31 }, async () => (await upload()).status))
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })
})

describe('limits of a model', () => {
  it.each([
    ['POST', 'sync-huggingface', {}],
    ['POST', 'verify-bundle', { force_refresh: true }],
    ['POST', 'verify-bundle', {}],
    ['PUT', 'bundle', someBundle],
  ] as const)(
    'are per owner: %s %s by others does not use them up, and does not reveal whether the model exists',
    async (method, name, body) => {
      const world = await createWorld({ rateLimits: 'on' })
      const [acme, northwind] = [await world.provider('acme'), await world.provider('northwind')]
      const id = await acme.registerModel({ is_public: false })
      const call = (apiKey: string, model = id) =>
        ask(`${world.address}/api/v1/models/${model}/${name}`, { method, body, headers: { 'X-API-Key': apiKey } })
      const first = await call(acme.apiKey)
      expect(first.status).not.toBe(429)
      const hidden = await call(northwind.apiKey)
      const unknown = await call(northwind.apiKey, `${id.slice(0, 4)}${'0'.repeat(26)}`)
      expect([hidden.status, unknown.status]).toEqual([404, 404])
      const shown = ({ headers }: typeof first) =>
        String(headers.ratelimit)
          .replace(/"requests"[^,]*(, )?/, '')
          .replace(/t=\d+/g, '')
      expect(shown(hidden)).toBe(shown(unknown))
      const others = await Promise.all(Array.from({ length: 70 }, () => call(northwind.apiKey)))
      expect(others.some(({ status }) => status === 429)).toBe(true)
      expect((await call(acme.apiKey)).status).toBe(first.status)
    },
  )
})

describe('limits of links', () => {
  it('are per key: 600 a minute and 100 more from its reserve, without affecting others', async () => {
    const world = await createWorld({ rateLimits: 'on' })
    const acme = await world.provider('acme')
    const northwind = await world.provider('northwind')
    const model_id = await acme.registerModel()
    const mint = (apiKey: string, model = model_id) =>
      ask(`${world.address}/api/v1/create-verification`, {
        method: 'POST',
        body: { model_id: model },
        headers: { 'X-API-Key': apiKey },
      })
    const replies = await Promise.all(Array.from({ length: 710 }, () => mint(acme.apiKey)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(700)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(10)
    expect((await mint(northwind.apiKey, await northwind.registerModel())).status).toBe(201)
    expect((await ask(`${world.address}/api/v1/verify/${replies[0]?.body.token}`)).status).toBe(200)
  })

  it('make the page and the client report a link as unchecked, never as invalid', async () => {
    const world = await createWorld({ rateLimits: 'on' })
    const acme = await world.provider('acme')
    const { verification_url } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    const verdicts = await Promise.all(
      Array.from({ length: 185 }, () => world.anyone.verifications.check(verification_url)),
    )
    expect(new Set(verdicts.map(({ result }) => result))).toEqual(new Set(['verified', 'unknown']))
    expect(verdicts.filter(({ result }) => result === 'verified')).toHaveLength(180)
  })
})
