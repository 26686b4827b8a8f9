import { expect, it } from 'vitest'
import { createNewId } from '../../server/src/ids.ts'
import { createCleanup } from '../../server/src/jobs/cleanup.ts'
import { ask } from '../support/ask.ts'
import { describeEachEngine } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

const tables = [
  'idempotency',
  'one_time_tokens',
  'registrations',
  'sessions',
  'mails',
  'verifications',
  'bindings',
  'rate_limits',
] as const

describeEachEngine('expired data', (engine) => {
  /** Expired rows of every kind. */
  const prepare = async () => {
    const world = await createWorld({ engine, rateLimits: 'on' })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const count = async () => {
      const counts = tables.map(
        async (name) => (await world.database.read.selectFrom(name).selectAll().execute()).length,
      )
      return Object.fromEntries(await Promise.all(counts.map(async (rows, index) => [tables[index], await rows])))
    }
    const use = async () => {
      await world.session(acme)
      await world.anyone.auth.sendVerification({ email: 'bob@northwind.example' })
      await ask(`${world.address}/api/v1/providers/register`, {
        method: 'POST',
        body: {},
        headers: { 'Idempotency-Key': 'once' },
      })
      const link = await acme.client.verifications.create({ model_id, response: 'Oslo' })
      await ask(`${world.address}/api/v1/verify/${link.token}/opened`, { method: 'POST', body: {} })
      await world.mails()
      return link
    }
    return { world, acme, model_id, count, use }
  }

  it('is kept while it may be needed, then deleted; its counts stay', async () => {
    const { world, acme, model_id, count, use } = await prepare()
    await use()
    const before = await count()
    for (const name of tables) expect(before[name], name).toBeGreaterThan(0)
    const openings = async () =>
      (
        await world.database.read
          .selectFrom('models')
          .select('opened_count')
          .where('id', '=', model_id)
          .executeTakeFirstOrThrow()
      ).opened_count
    expect(Number(await openings())).toBe(1)

    await world.jobs.run('cleanup')
    expect(await count()).toEqual(before)
    world.clock.advance('29d')
    await world.jobs.run('cleanup')
    expect(await count()).toMatchObject({
      verifications: 1,
      bindings: 1,
      sessions: 0,
      registrations: 0,
      idempotency: 0,
    })
    world.clock.advance('2d')
    await world.jobs.run('domains')
    const { token } = await acme.client.verifications.create({ model_id, response: 'Bergen' })
    await world.jobs.run('cleanup')
    expect(await count()).toEqual({
      ...Object.fromEntries(tables.map((name) => [name, 0])),
      verifications: 1,
      bindings: 1,
      // The domain was verified again.
      mails: 1,
    })
    expect(await world.anyone.verifications.check(token, { now: world.clock.now })).toMatchObject({
      result: 'verified',
    })
    expect(Number(await openings())).toBe(1)
  })

  it('includes links after the set number of days, and their daily numbers after 400 days', async () => {
    const world = await createWorld({ engine, linkRetentionDays: 2 })
    const acme = await world.provider('acme')
    await acme.client.verifications.create({ model_id: await acme.registerModel() })
    await world.registry.usage.save()
    const left = async () => {
      await world.jobs.run('cleanup')
      const [links, days] = await Promise.all(
        (['verifications', 'link_usage'] as const).map((name) =>
          world.database.read.selectFrom(name).selectAll().execute(),
        ),
      )
      return { links: links?.length, days: days?.length }
    }
    world.clock.advance('2d')
    expect(await left()).toEqual({ links: 1, days: 1 })
    world.clock.advance('1h')
    expect(await left()).toEqual({ links: 0, days: 1 })
    world.clock.advance('397d')
    expect(await left()).toEqual({ links: 0, days: 1 })
    world.clock.advance('2d')
    expect(await left()).toEqual({ links: 0, days: 0 })
  })

  it('is deleted in small parts, and after a stop the next run deletes the rest', async () => {
    const { world, count } = await prepare()
    const others = (await count()).idempotency ?? 0
    const at = world.clock.now()
    const rows = Array.from({ length: 4_500 }, (_, index) => ({
      principal: 'p',
      key: `k${index}`,
      request_hash: 'h',
      state: 'done' as const,
      created_at: at,
      expires_at: at + 1_000,
    }))
    for (let start = 0; start < rows.length; start += 500) {
      await world.database.transaction((tx) =>
        tx
          .insertInto('idempotency')
          .values(rows.slice(start, start + 500))
          .execute(),
      )
    }
    world.clock.advance('2s')
    const left: number[] = []
    const stopping = new AbortController()
    const cleanup = createCleanup({
      outbox: world.dataDir,
      keepLinksDays: 30,
      now: world.clock.now,
      database: {
        ...world.database,
        transaction: async (work) => {
          const done = await world.database.transaction(work)
          left.push(((await count()).idempotency ?? 0) - others)
          if (left.length === 1) stopping.abort()
          return done
        },
      },
    })
    await cleanup(stopping.signal)
    expect(left).toEqual([2_500])
    await cleanup(new AbortController().signal)
    expect(left.slice(1, 3)).toEqual([500, 0])
  })

  it.each([
    [undefined, 3],
    [60, 1],
  ])('keeps events for the days that are set: %o', async (eventRetentionDays, stored) => {
    const world = await createWorld({ engine, eventRetentionDays })
    const acme = await world.provider('acme')
    const record = (provider_id: string, id: string) =>
      world.database.transaction((tx) =>
        tx
          .insertInto('events')
          .values({
            provider_id,
            id,
            actor: 'registry',
            action: 'model.updated',
            subject_type: 'model',
            subject_id: 'mdl_test',
            at: world.clock.now(),
            before: null,
            after: null,
          })
          .execute(),
      )
    await record(acme.id, createNewId(world.clock.now)('evt'))
    await record('registry', createNewId(world.clock.now)('evt'))
    world.clock.advance('59d')
    await record(acme.id, createNewId(world.clock.now)('evt'))
    await world.jobs.run('event-retention')
    const count = async () =>
      (await world.database.read.selectFrom('events').selectAll().where('subject_id', '=', 'mdl_test').execute()).length
    expect(await count()).toBe(3)
    world.clock.advance('2d')
    await world.jobs.run('event-retention')
    expect(await count()).toBe(stored)
  })
})
