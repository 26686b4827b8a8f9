import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { describeEachEngine, describeOnSqlite } from '../support/databases.ts'
import { createWorld, type World } from '../support/world.ts'

const linksPerDay = { proven: 10, unproven: 4 }

const storedLinks = async (world: World) =>
  (await world.database.read.selectFrom('verifications').select('id').execute()).length

const refused = (minting: Promise<unknown>) => minting.then(() => undefined).catch((error: unknown) => error)

describeEachEngine('the quota of links', (engine) => {
  it('ends with its own error until midnight UTC, stores nothing, and leaves other providers alone', async () => {
    const world = await createWorld({ engine, rateLimits: 'on', linksPerDay })
    const acme = await world.provider('acme', { isVerified: false })
    const northwind = await world.provider('northwind')
    const [model_id, closed] = [await acme.registerModel(), await acme.registerModel()]
    const results = await Promise.allSettled(
      Array.from({ length: 9 }, () => acme.client.verifications.create({ model_id })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(await storedLinks(world)).toBe(4)
    const answer = await ask(`${world.address}/api/v1/create-verification`, {
      method: 'POST',
      body: { model_id: closed },
      headers: { 'X-API-Key': acme.apiKey },
    })
    const midnight = (Math.floor(world.clock.now() / 86_400_000) + 1) * 86_400_000
    expect(answer).toMatchObject({
      status: 429,
      body: { code: 'quota_exceeded', limit: 4, resets_at: new Date(midnight).toISOString() },
    })
    expect(answer.headers['retry-after']).toBe(String(Math.ceil((midnight - world.clock.now()) / 1_000)))
    // The version without links can still be edited.
    const { first_minted_at } = await world.database.read
      .selectFrom('models')
      .select('first_minted_at')
      .where('id', '=', closed)
      .executeTakeFirstOrThrow()
    expect(first_minted_at).toBeNull()
    await northwind.client.verifications.create({ model_id: await northwind.registerModel() })
    world.clock.advance('1d')
    await acme.client.verifications.create({ model_id })
  })

  it('is larger with a proven domain, even while the proof is stale, and warns at 80%', async () => {
    const world = await createWorld({ engine, rateLimits: 'on', linksPerDay })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const mint = async () => (await acme.client.verifications.create({ model_id })).warnings.join(' ')
    for (let links = 1; links < 8; links++) expect(await mint()).toBe('')
    expect(await mint()).toBe('You have used 8 of today’s 10 links. The count resets at 00:00 UTC.')
    world.clock.advance('60h')
    for (let links = 1; links < 6; links++) expect(await mint()).not.toContain('today’s')
  })

  it('counts the links of all replicas, and survives a restart', async () => {
    const world = await createWorld({ engine, rateLimits: 'on', linksPerDay })
    const replica = await world.startReplica()
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const here = () => acme.client.verifications.create({ model_id })
    const there = () => replica.client(acme.apiKey).verifications.create({ model_id })
    for (let time = 0; time < 4; time++) await Promise.all([here(), there()])
    for (const { registry } of [world, replica, world]) await registry.usage.save()
    const rows = await world.database.read.selectFrom('link_usage').select(['provider_id', 'links']).execute()
    expect(rows.map((row) => ({ ...row, links: Number(row.links) }))).toEqual([{ provider_id: acme.id, links: 8 }])
    await here()
    await here()
    await world.registry.usage.save()
    expect(await refused(here())).toMatchObject({ code: 'quota_exceeded' })
    const restarted = await world.startReplica()
    expect(await refused(restarted.client(acme.apiKey).verifications.create({ model_id }))).toMatchObject({
      code: 'quota_exceeded',
    })
  })

  it('lets requests of the same moment take only the links that are left', async () => {
    const world = await createWorld({ engine, rateLimits: 'on', linksPerDay })
    const acme = await world.provider('acme', { isVerified: false })
    const { usage } = world.registry
    await usage.takeLink(acme.id, false)
    const taken = await Promise.allSettled(Array.from({ length: 8 }, () => usage.takeLink(acme.id, false)))
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })

  it('counts no link that could not be minted', async () => {
    const world = await createWorld({ engine, rateLimits: 'on', linksPerDay })
    const acme = await world.provider('acme', { isVerified: false })
    const model_id = await acme.registerModel()
    await acme.client.verifications.create({ model_id })
    for (let time = 0; time < 6; time++)
      expect(
        await refused(acme.client.verifications.create({ model_id, origin: 'https://northwind.example' })),
      ).toMatchObject({ code: 'origin_not_yours' })
    for (let links = 1; links < 4; links++) await acme.client.verifications.create({ model_id })
  })

  it('counts no link that could not be stored', async () => {
    const world = await createWorld({ engine, rateLimits: 'on', linksPerDay })
    const acme = await world.provider('acme', { isVerified: false })
    const model_id = await acme.registerModel()
    const rename = (from: string, to: string) =>
      world.database.transaction((tx) => tx.schema.alterTable(from).renameTo(to).execute())
    await rename('verifications', 'elsewhere')
    for (let time = 0; time < 6; time++)
      expect(await refused(acme.client.verifications.create({ model_id }))).toMatchObject({ code: 'internal' })
    await rename('elsewhere', 'verifications')
    for (let links = 0; links < 4; links++) await acme.client.verifications.create({ model_id })
  })
})

describeEachEngine('the quota of model versions', (engine) => {
  it('lets no more be registered at once, changes nothing beyond, and starts again at midnight UTC; without a proven domain it is smaller', async () => {
    const world = await createWorld({
      engine,
      rateLimits: 'on',
      modelsPerDay: { proven: 10, unproven: 3 },
      modelsTotal: { proven: 6, unproven: 5 },
    })
    const acme = await world.provider('acme', { isVerified: false })
    const counts = async () => (await acme.client.account.usage()).stored
    const waiting = async () =>
      (await acme.client.account.attention()).items.find(({ kind }) => kind === 'models_nearly_used')?.subjects
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => acme.registerModel()))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const midnight = (Math.floor(world.clock.now() / 86_400_000) + 1) * 86_400_000
    const resets_at = new Date(midnight).toISOString()
    expect(await refused(acme.registerModel())).toMatchObject({
      code: 'quota_exceeded',
      retryAfterMs: Math.ceil((midnight - world.clock.now()) / 1_000) * 1_000,
      detail: expect.stringContaining('today’s 3 versions of models. You can register more from 00:00 UTC.'),
      problem: { limit: 3, resets_at },
    })
    expect(await counts()).toMatchObject({ models: { count: 3, limit: 5 }, models_today: { count: 3, limit: 3 } })
    expect(await waiting()).toMatchObject([{ name: '3 of 3', at: resets_at }])
    world.clock.advance('1d')
    for (let version = 0; version < 2; version++) await acme.registerModel()
    expect(await refused(acme.registerModel())).toMatchObject({
      code: 'validation_failed',
      problem: {
        errors: [
          {
            loc: ['body', 'version'],
            msg: 'At most 5 versions of models, archived ones included. Prove your domain to have up to 6.',
          },
        ],
      },
    })
    expect(await waiting()).toMatchObject([{ name: '5 of 5', at: null }])
    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    await acme.registerModel()
    expect(await counts()).toMatchObject({ models: { count: 6, limit: 6 }, models_today: { count: 3, limit: 10 } })
    expect(await refused(acme.registerModel())).toMatchObject({
      problem: {
        errors: [
          {
            msg: 'At most 6 versions of models, archived ones included. Ask the operator of the registry for more.',
          },
        ],
      },
    })
  })
})

describeOnSqlite('the usage of a provider', (engine) => {
  it('lists today’s links with their limit, the last 30 days and what is stored', async () => {
    const world = await createWorld({ engine, linksPerDay })
    const acme = await world.provider('acme', { isVerified: false })
    const model_id = await acme.registerModel()
    const mint = () => acme.client.verifications.create({ model_id })
    await mint()
    await world.registry.usage.save()
    world.clock.advance('2d')
    await mint()
    const midnight = (Math.floor(world.clock.now() / 86_400_000) + 1) * 86_400_000
    const { links, stored, active_models } = await acme.client.account.usage()
    expect(active_models).toBe(1)
    const { days, ...today } = links
    expect(today).toEqual({
      today: 1,
      limit: 4,
      share: 0.25,
      resets_at: new Date(midnight).toISOString(),
      limit_with_domain: 10,
    })
    expect(days).toHaveLength(30)
    expect(days.slice(-4).map((day) => day.links)).toEqual([0, 1, 0, 1])
    expect(days.at(-1)?.day).toBe(new Date(world.clock.now()).toISOString().slice(0, 10))
    expect(stored).toEqual({
      api_keys: { count: 1, limit: 100 },
      domains: { count: 1, limit: 20 },
      publishers: { count: 0, limit: 50 },
      models: { count: 1, limit: 200 },
      models_today: { count: 0, limit: 50 },
      deployments: { count: 0, limit: null },
    })
    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    expect((await acme.client.account.usage()).links).toMatchObject({ limit: 10, limit_with_domain: null, share: 0.1 })
  })

  it('needs attention once 80% of the links are used', async () => {
    const world = await createWorld({ engine, linksPerDay })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const item = async () =>
      (await acme.client.account.attention()).items.find(({ kind }) => kind === 'links_nearly_used')
    for (let links = 0; links < 7; links++) await acme.client.verifications.create({ model_id })
    expect(await item()).toBeUndefined()
    await acme.client.verifications.create({ model_id })
    expect(await item()).toMatchObject({ count: 1, subjects: [{ name: '8 of 10' }] })
  })
})
