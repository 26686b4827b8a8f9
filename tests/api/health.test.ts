import { expect, it } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { ask } from '../support/ask.ts'
import { describeOnSqlite, type Engine } from '../support/databases.ts'
import { type EndpointAnswer, startEndpointServer } from '../support/endpoint-server.ts'
import { createWorld, type World } from '../support/world.ts'

const startMonitored = async (engine: Engine, answer: EndpointAnswer = 200) => {
  const target = await startEndpointServer(answer)
  const world = await createWorld({ engine, egressAllow: [target.hostAndPort] })
  // Checks are counted by the hour: begin with one.
  world.clock.advance(`${Math.ceil(3_600 - ((world.clock.now() / 1_000) % 3_600))}s`)
  const acme = await world.provider('acme', { isVerified: false })
  const model_id = await acme.registerModel({
    endpoint: `${target.url}/v1`,
    enable_health_monitoring: true,
    api_model_identifier: 'atlas',
  })
  const check = async () => {
    await world.jobs.run('health')
    return world.anyone.models.health(model_id)
  }
  return { target, world, acme, model_id, check }
}

/** One answered check in each of the hours before the oldest. */
const addHours = async ({ database }: World, model_id: string, count: number) =>
  database.transaction(async (tx) => {
    const oldest = await tx
      .selectFrom('health_hours')
      .selectAll()
      .where('model_id', '=', model_id)
      .orderBy('hour')
      .limit(1)
      .executeTakeFirstOrThrow()
    const hours = Array.from({ length: count }, (_, index) => Number(oldest.hour) - (index + 1) * 3_600_000)
    await tx
      .insertInto('health_hours')
      .values(hours.map((hour) => ({ ...oldest, hour, checks: 1, healthy: 1 })))
      .execute()
  })

describeOnSqlite('health monitoring', (engine) => {
  it('is unknown before the first probe; then any answer below 500 is healthy', async () => {
    const { target, world, model_id, check } = await startMonitored(engine, 401)
    expect(await world.anyone.models.health(model_id)).toEqual({
      model_id,
      health_check_enabled: true,
      health_status: 'unknown',
      last_check: null,
      uptime_7d: null,
      uptime_percentage_7d: null,
      endpoint: `${target.url}/v1`,
      interval_seconds: 300,
      hours: [],
    })
    expect(await check()).toMatchObject({
      health_status: 'healthy',
      last_check: new Date(world.clock.now()).toISOString(),
      uptime_7d: null,
      uptime_percentage_7d: null,
      hours: [{ checks: 1, healthy: 1 }],
    })
    expect(await world.anyone.models.get(model_id)).toMatchObject({ health_status: 'healthy', uptime_7d: null })
    expect(target.seen.requests).toEqual(['/v1'])
    expect(target.seen.headers).not.toHaveProperty('authorization')
    target.answer((_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end())
    world.clock.advance('5m')
    expect((await check()).health_status).toBe('healthy')
    target.answer((_, response) => response.end(Buffer.alloc(200_000)))
    world.clock.advance('5m')
    expect((await check()).health_status).toBe('healthy')
  })

  it("probes at the model's interval, less often while it fails, and records changes", async () => {
    const { target, world, model_id, check } = await startMonitored(engine)
    await check()
    target.answer(503)
    expect((await check()).health_status).toBe('healthy')
    world.clock.advance('299s')
    await check()
    expect(target.seen.requests).toHaveLength(1)
    world.clock.advance('1s')
    expect(await check()).toMatchObject({ health_status: 'unhealthy', hours: [{ checks: 2, healthy: 1 }] })
    target.answer('hang up')
    world.clock.advance('5m')
    expect((await check()).health_status).toBe('unhealthy')
    world.clock.advance('599s')
    await check()
    expect(target.seen.requests).toHaveLength(3)
    target.answer(200)
    world.clock.advance('1s')
    expect((await check()).health_status).toBe('healthy')
    expect(target.seen.requests).toHaveLength(4)
    const events = await world.database.read
      .selectFrom('events')
      .select(['actor', 'before', 'after'])
      .where('action', '=', 'model.health_changed')
      .where('subject_id', '=', model_id)
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      { actor: 'registry', before: '{"health_status":"healthy"}', after: '{"health_status":"unhealthy"}' },
      { actor: 'registry', before: '{"health_status":"unhealthy"}', after: '{"health_status":"healthy"}' },
    ])
  })

  it('weighs failing hours like successful ones, and forgets them after seven days', async () => {
    const { target, world, model_id, check } = await startMonitored(engine)
    for (let index = 0; index < 12; index++) {
      await check()
      world.clock.advance('5m')
    }
    target.answer(500)
    for (let index = 0; index < 24; index++) {
      await check()
      world.clock.advance('5m')
    }
    target.answer(200)
    const { hours: checked, uptime_7d: before } = await check()
    expect(before).toBeNull()
    await addHours(world, model_id, 150)
    world.clock.advance('1h')
    const { hours, uptime_7d } = await check()
    expect(hours).toHaveLength(checked.length + 151)
    // 12 checks in one or two hours, then far fewer in as many: the hours count.
    const share = hours.reduce((sum, { checks, healthy }) => sum + healthy / checks, 0) / hours.length
    expect(uptime_7d).toBe(Math.floor(share * 10_000 + 1e-6) / 100)
    expect(hours.reduce((sum, { checks }) => sum + checks, 0)).toBe(target.seen.requests.length + 150)
    expect(uptime_7d).toBeLessThan(99)
    world.clock.advance('8d')
    expect(await check()).toMatchObject({ uptime_7d: null, hours: [{ checks: 1, healthy: 1 }] })
    expect(await world.database.read.selectFrom('health_hours').selectAll().execute()).toHaveLength(1)
  })

  it('is switched on, off and to another interval by the owner; without monitoring the state is unknown', async () => {
    const { target, world, acme, model_id, check } = await startMonitored(engine)
    await check()
    expect(await acme.client.models.setHealth(model_id, { enabled: false })).toMatchObject({
      health_check_enabled: false,
      health_status: 'unknown',
      uptime_7d: null,
    })
    world.clock.advance('1d')
    await check()
    expect(target.seen.requests).toHaveLength(1)
    expect(await acme.client.models.setHealth(model_id, { enabled: true, interval_seconds: 60 })).toMatchObject({
      health_check_enabled: true,
      interval_seconds: 60,
      health_status: 'unknown',
    })
    await check()
    world.clock.advance('60s')
    await check()
    expect(target.seen.requests).toHaveLength(3)
    await acme.client.models.setHealth(model_id, { enabled: true, interval_seconds: 86_400 })
    await acme.client.models.setHealth(model_id, { enabled: true, interval_seconds: 120 })
    world.clock.advance('120s')
    await check()
    expect(target.seen.requests).toHaveLength(4)
    await expect(acme.client.models.setHealth(model_id, { enabled: true, interval_seconds: 59 })).rejects.toMatchObject(
      {
        code: 'validation_failed',
      },
    )
    expect((await acme.client.models.history(model_id)).edit_history.map(({ field_name }) => field_name)).toContain(
      'health_check_enabled',
    )
    const other = await world.provider('northwind', { isVerified: false })
    await expect(other.client.models.setHealth(model_id, { enabled: false })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('does not probe superseded, withdrawn or deleted models, and resumes when they are back', async () => {
    const { target, world, acme, model_id, check } = await startMonitored(engine)
    await acme.client.models.archive(model_id, {})
    await check()
    expect(target.seen.requests).toEqual([])
    await acme.client.models.unarchive(model_id, {})
    expect((await check()).health_status).toBe('healthy')
    await acme.client.models.archive(model_id, {})
    expect((await world.anyone.models.health(model_id)).health_status).toBe('unknown')
    await acme.client.models.unarchive(model_id, {})

    const setGone = (deactivated_at: number | null) =>
      world.database.transaction((tx) =>
        tx.updateTable('providers').set({ deactivated_at }).where('id', '=', acme.id).execute(),
      )
    await setGone(1)
    await world.jobs.run('health')
    expect(target.seen.requests).toHaveLength(1)
    await setGone(null)
    await check()
    expect(target.seen.requests).toHaveLength(2)

    await acme.registerModel({ api_model_identifier: 'atlas', version: '2', force_new_version: true })
    world.clock.advance('1h')
    await check()
    expect(target.seen.requests).toHaveLength(2)
    await acme.client.models.setHealth(model_id, { enabled: true })
    await check()
    expect(target.seen.requests).toHaveLength(2)
  })

  it('is unknown while the last check is overdue, and after a reactivation until the next check', async () => {
    const { world, acme, model_id, check } = await startMonitored(engine)
    await check()
    await addHours(world, model_id, 150)
    world.clock.advance('5m')
    expect(await check()).toMatchObject({ health_status: 'healthy', uptime_7d: 100 })
    expect(await world.anyone.models.get(model_id)).toMatchObject({ health_status: 'healthy', uptime_7d: 100 })

    const unknown = { health_status: 'unknown', uptime_7d: null }
    await acme.client.providers.deactivate(acme.id, {})
    await acme.client.providers.reactivate(acme.id, {})
    expect(await world.anyone.models.health(model_id)).toMatchObject(unknown)
    expect(await world.anyone.models.get(model_id)).toMatchObject(unknown)
    world.clock.advance('5m')
    expect(await check()).toMatchObject({ health_status: 'healthy', uptime_7d: null, hours: [{ checks: 1 }] })
    world.clock.advance('121m')
    expect(await world.anyone.models.health(model_id)).toMatchObject(unknown)
    expect(await world.anyone.models.get(model_id)).toMatchObject(unknown)
  })

  it('restarts when an edit or its undoing names another endpoint, without the checks of the former one', async () => {
    const { target, world, acme, model_id, check } = await startMonitored(engine)
    await check()
    await addHours(world, model_id, 150)
    const edited = await acme.client.models.quickEdit(model_id, { endpoint: `${target.url}/v2` })
    expect(edited).toMatchObject({ health_status: 'unknown', uptime_7d: null })
    expect(await check()).toMatchObject({ uptime_7d: null, hours: [{ checks: 1 }] })
    expect(target.seen.requests).toEqual(['/v1', '/v2'])

    await addHours(world, model_id, 150)
    world.clock.advance('5m')
    expect((await check()).uptime_7d).toBe(100)
    const { actors } = await acme.client.activity.list()
    const acts = actors.flatMap(({ actor, acts }) => acts.map((act) => ({ ...act, actor })))
    const { actor = '', event_id = '' } = acts.find(({ action }) => action === 'model.edited') ?? {}
    expect(await acme.client.activity.undo({ actor, events: [event_id] })).toMatchObject({ undone: 1 })
    expect(await check()).toMatchObject({ endpoint: `${target.url}/v1`, uptime_7d: null, hours: [{ checks: 1 }] })

    await addHours(world, model_id, 150)
    await acme.client.models.quickEdit(model_id, { description: 'The same endpoint' })
    world.clock.advance('5m')
    expect((await check()).uptime_7d).toBe(100)
  })

  it.each([
    {
      name: 'a pause',
      pause: async ({ client }: ProviderActor, id: string) => {
        await client.models.setHealth(id, { enabled: false })
        await client.models.setHealth(id, { enabled: true })
      },
    },
    {
      name: 'another interval',
      pause: ({ client }: ProviderActor, id: string) =>
        client.models.setHealth(id, { enabled: true, interval_seconds: 86_400 }),
    },
    {
      name: 'a withdrawal',
      pause: async ({ client }: ProviderActor, id: string) => {
        await client.models.archive(id, {})
        await client.models.unarchive(id, {})
      },
    },
  ])('restarts after $name, which could hide a failure', async ({ pause }) => {
    const { world, acme, model_id, check } = await startMonitored(engine)
    await check()
    await addHours(world, model_id, 150)
    await pause(acme, model_id)
    world.clock.advance('25h')
    expect(await check()).toMatchObject({ uptime_7d: null, hours: [{ checks: 1 }] })
  })

  it('discards the result for an endpoint that was replaced during the probe', async () => {
    const { target, acme, model_id, check } = await startMonitored(engine)
    target.answer((_, response) => {
      acme.client.models.quickEdit(model_id, { endpoint: `${target.url}/v2` }).then(
        () => response.writeHead(500).end(),
        () => response.end(),
      )
    })
    expect(await check()).toMatchObject({ health_status: 'unknown', hours: [], endpoint: `${target.url}/v2` })
    target.answer((_, response) => {
      acme.client.models.setHealth(model_id, { enabled: false }).finally(() => response.end())
    })
    expect(await check()).toMatchObject({ health_status: 'unknown', health_check_enabled: false, hours: [] })
  })

  it('probes two models of a host at once and six in a run; the others have their turn', async () => {
    const { target, world, acme } = await startMonitored(engine)
    for (let index = 0; index < 8; index++)
      await acme.registerModel({ endpoint: `${target.url}/${index}`, health_check_enabled: true })
    await world.jobs.run('health')
    expect(target.seen).toMatchObject({ atOnce: 2 })
    expect(target.seen.requests).toHaveLength(6)
    await world.jobs.run('health')
    expect(target.seen.requests).toHaveLength(6)
    world.clock.advance('1m')
    await world.jobs.run('health')
    expect(new Set(target.seen.requests).size).toBe(9)
  })

  it("marks a forbidden address as unhealthy without a request, and reveals nothing of an endpoint's answer", async () => {
    const { target, world, acme, model_id } = await startMonitored(engine, 500)
    const closed = await startEndpointServer()
    const inside = await acme.registerModel({ endpoint: closed.url, health_check_enabled: true })
    const hidden = await acme.registerModel({
      endpoint: `${target.url}/hidden`,
      health_check_enabled: true,
      is_public: false,
    })
    await world.jobs.run('health')
    expect(closed.seen.requests).toEqual([])
    const replies = await Promise.all(
      [model_id, inside, hidden].map((id) =>
        ask(`${world.address}/api/v1/models/${id}/health`, { headers: { 'X-API-Key': acme.apiKey } }),
      ),
    )
    const [refused, failed] = replies.map(({ body }) => ({ status: body.health_status, uptime: body.uptime_7d }))
    expect(refused).toEqual({ status: 'unhealthy', uptime: null })
    expect(failed).toEqual(refused)
    expect(replies.map(({ text }) => text).join()).not.toMatch(/canary|500|refused/)
    await expect(world.anyone.models.health(hidden)).rejects.toMatchObject({ code: 'not_found' })
  })
})
