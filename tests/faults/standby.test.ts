import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../server/src/db/postgres.ts'
import { openStandby } from '../../server/src/db/standby.ts'
import { ask } from '../support/ask.ts'
import { askShared } from '../support/databases.ts'
import { sampled } from '../support/full.ts'
import { startRegistry } from '../support/outage.ts'
import { findFreePort, startPostgres } from '../support/postgres.ts'
import { type Environment, runServer, startServer } from '../support/server-process.ts'

type Postgres = Awaited<ReturnType<typeof startPostgres>>

let postgres: Postgres
let standby: Awaited<ReturnType<Postgres['startStandby']>>
let registry: Awaited<ReturnType<typeof startRegistry>>
let environment: Environment
let metrics: string

beforeAll(async () => {
  postgres = await startPostgres()
  standby = await postgres.startStandby()
  const metricsPort = await findFreePort()
  metrics = `http://127.0.0.1:${metricsPort}/metrics`
  environment = {
    DATABASE_URL: postgres.urlOf('postgres'),
    DATABASE_READ_URL: standby.urlOf('postgres'),
  }
  registry = await startRegistry({
    ...environment,
    DATABASE_READ_MAX_LAG: '600',
    METRICS_PORT: String(metricsPort),
  })
}, 60_000)
afterAll(async () => {
  await registry?.stop()
  await standby?.stop()
  await postgres?.stop()
})
beforeEach(() => expect.poll(() => readMetric('countersign_standby_up'), { timeout: 10_000 }).toBe(1))

const readMetric = async (name: string, at = metrics): Promise<number | undefined> => {
  const { text } = await ask(at)
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length))
}

const countReads = async (source: string) => (await readMetric(`countersign_list_reads_total{source="${source}"}`)) ?? 0

const onStandby = async (text: string) => {
  const client = new pg.Client(standby.urlOf('postgres'))
  await client.connect()
  try {
    return (await client.query(text)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

/** From now on the standby stays as it is, until the test ends. */
const pauseReplay = async () => {
  await onStandby('select pg_wal_replay_pause()')
  await expect
    .poll(async () => (await onStandby('select pg_get_wal_replay_pause_state() as state'))[0]?.state)
    .toBe('paused')
  onTestFinished(async () => {
    await onStandby('select pg_wal_replay_resume()')
  })
}

/** Everything that lists and search say about a name. */
const find = async (name: string, url = registry.server.url, headers: Record<string, string> = {}) => {
  const read = async (path: string) => (await ask(`${url}${path}`, { headers })).body
  const query = encodeURIComponent(name)
  const [search, models, providers] = await Promise.all([
    read(`/api/v1/search?q=${query}`),
    read(`/api/v1/models/public?search=${query}`),
    read(`/api/v1/providers/public?search=${query}`),
  ])
  return {
    total: search.total,
    search: [...(search.models as { title: string }[]), ...(search.providers as { title: string }[])].map(
      ({ title }) => title,
    ),
    models: (models.models as { display_name: string }[]).map(({ display_name }) => display_name),
    providers: (providers.providers as { company_name: string }[]).map(({ company_name }) => company_name),
  }
}

const nothing = { total: 0, search: [], models: [], providers: [] }

let names = 0
/** A provider with a public model, as the standby lists them. */
const publish = async () => {
  const name = `heron${++names}x`
  const owner = await registry.provider(name)
  const display_name = `Model of ${name}`
  const model_id = await owner.registerModel({ display_name })
  await expect.poll(() => find(name)).toMatchObject({ total: 2, models: [display_name], providers: { length: 1 } })
  return { owner, name, model_id, display_name, company_name: `Heron${names}x Labs` }
}
type Published = Awaited<ReturnType<typeof publish>>

it('reads lists and searches from the standby', async () => {
  const { name } = await publish()
  const [before, others] = [await countReads('standby'), await countReads('no_standby')]
  await find(name)
  expect((await countReads('standby')) - before).toBe(3)
  expect(await countReads('no_standby')).toBe(others)
})

const hidings: Record<string, { hide: (published: Published) => Promise<unknown>; isModelOnly?: true }> = {
  'a model that was made private': {
    hide: ({ owner, model_id }) => owner.client.models.setVisibility(model_id, { is_public: false }),
    isModelOnly: true,
  },
  'a model that was archived': {
    hide: ({ owner, model_id }) => owner.client.models.archive(model_id, { reason: 'Replaced' }),
    isModelOnly: true,
  },
  'a provider that was hidden': {
    hide: ({ owner }) => owner.client.providers.setVisibility(owner.id, { is_listed: false }),
  },
  'a provider that was deactivated': { hide: ({ owner }) => owner.client.providers.deactivate(owner.id) },
  'a provider that was deleted': { hide: ({ owner }) => owner.client.providers.delete(owner.id) },
}

it.each(sampled(Object.entries(hidings), 2))(
  'does not show or count %s while replay is paused',
  async (_, { hide, isModelOnly }) => {
    const published = await publish()
    await pauseReplay()
    await hide(published)
    expect(await onStandby(`select id from listed_models where id = '${published.model_id}'`)).toHaveLength(1)
    const before = await countReads('outdated')
    const { company_name } = published
    expect(await find(published.name)).toEqual(
      isModelOnly ? { total: 1, search: [company_name], models: [], providers: [company_name] } : nothing,
    )
    expect(await countReads('outdated')).toBeGreaterThan(before)
  },
)

it('shows owners at once what they wrote', async () => {
  const { owner, name } = await publish()
  await pauseReplay()
  await owner.registerModel({ display_name: `Second of ${name}` })
  const later = `Second of ${name}`
  expect((await find(name)).models).not.toContain(later)
  expect((await find(name, registry.server.url, { 'X-API-Key': owner.apiKey })).models).toContain(later)
  expect((await find(name, registry.server.url, { Authorization: `Bearer ${owner.apiKey}` })).search).toContain(later)
})

it('reads the primary while the standby is stopped, without a failed request', async () => {
  const { name } = await publish()
  const expected = await find(name)
  await standby.stop()
  try {
    for (let turn = 0; turn < 5; turn++) expect(await find(name)).toEqual(expected)
    expect(await readMetric('countersign_standby_up')).toBe(0)
    expect(await countReads('no_standby')).toBeGreaterThan(0)
    await expect.poll(registry.server.log).toContain('lists are read from the primary')
  } finally {
    await standby.start()
  }
})

it('reads the primary while the standby is further behind than the setting allows', async () => {
  const metricsPort = await findFreePort()
  const at = `http://127.0.0.1:${metricsPort}/metrics`
  const strict = await startServer({
    ...registry.environment,
    DATABASE_READ_MAX_LAG: '2',
    METRICS_PORT: String(metricsPort),
  })
  onTestFinished(async () => {
    await strict.end('SIGKILL')
  })
  const { owner, name } = await publish()
  await expect.poll(() => readMetric('countersign_standby_up', at)).toBe(1)
  await pauseReplay()
  const display_name = `Second of ${name}`
  await owner.registerModel({ display_name })
  await expect.poll(async () => (await find(name, strict.url)).models, { timeout: 10_000 }).toContain(display_name)
  expect(await readMetric('countersign_standby_up', at)).toBe(0)
  expect(await readMetric('countersign_standby_lag_seconds', at)).toBeGreaterThan(2)
  await expect.poll(strict.log).toContain('"trouble":"lagging"')
  await onStandby('select pg_wal_replay_resume()')
  await expect.poll(() => readMetric('countersign_standby_up', at), { timeout: 10_000 }).toBe(1)
})

it('is checked by the doctor', async () => {
  const examine = async (url: string) => {
    const { stdout } = await runServer(['doctor'], { ...registry.environment, DATABASE_READ_URL: url })
    return stdout.split('\n').find((line) => / standby /.test(line))
  }
  expect(await examine(standby.urlOf('postgres'))).toMatch(/^ok .*It follows DATABASE_URL/)
  expect(await examine(postgres.urlOf('postgres'))).toMatch(/^fail .*does not follow another server/)
}, 60_000)

const troubles = {
  other_cluster: () => askShared('postgres'),
  not_a_standby: async () => postgres.urlOf('postgres'),
  unreachable: async () => `postgres://127.0.0.1:${await findFreePort()}/postgres`,
}

it.each(Object.entries(troubles))('is not read if it is %s', async (trouble, urlOf) => {
  const primary = openPostgres({ url: postgres.urlOf('postgres') })
  const other = openStandby({ url: await urlOf(), primary, maxLagMs: 600_000 })
  onTestFinished(async () => {
    await Promise.all([other.close(), primary.close()])
  })
  await other.look()
  expect(other.status().trouble).toBe(trouble)
  expect(await other.attempt(() => Promise.reject(new Error('It was read')))).toBeUndefined()
})
