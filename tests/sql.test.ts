import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../server/src/db/migrate.ts'
import { openDatabase } from '../server/src/db/open.ts'
import { createEmptyDatabase, describeOnSqlite, type Engine } from './support/databases.ts'
import { isFull } from './support/full.ts'
import { keepDatabase } from './support/keep-database.ts'
import { banned, judge, troubleIn } from './support/portable-sql.ts'
import { createSignInWorld, someone } from './support/sign-in.ts'
import { forgetStatements, recordedStatements, recordStatement } from './support/statements.ts'
import { call, createTargets, rows } from './support/tour.ts'
import { createWorld } from './support/world.ts'

it.each(Object.entries(banned).map(([name, [, example]]) => ({ name, example })))(
  'the check detects $name',
  ({ name, example }) => {
    expect(judge(example)).toContain(name)
  },
)

it('the check detects a table of providers that cannot be sharded, and accepts good statements', () => {
  expect(
    judge('create table "t" ("provider_id" text, "id" text, constraint "k" primary key ("id", "provider_id"))'),
  ).toEqual(['a key that does not begin with provider_id'])
  for (const good of [
    'create table "t" ("provider_id" text, "id" text, constraint "k" primary key ("provider_id", "id"))',
    'insert into t (a) values ($1) on conflict (a) do nothing returning a',
    'update jobs set holder = $1 where id in (select id from jobs where state = $2 limit 3) and state = $2 returning id',
    "select count(*) from models where state in ('active', 'next')",
    'select place from listed_models where lexemes @@ cast($1 as tsquery) order by place limit 1001',
  ]) {
    expect(judge(good), good).toEqual([])
  }
})

/** What a call removes is missing for the calls after it. */
const leastDestructiveFirst = [/^GET$/, /^(POST|PUT|PATCH)$/, /^DELETE$/].flatMap((method) =>
  rows.filter(({ row }) => method.test(row.method)),
)

describeOnSqlite('the SQL of the registry', (engine) => {
  it('is portable: migrations and every endpoint use only what all engines have', async () => {
    forgetStatements()
    await migrateFromNothing(engine)
    const world = await createWorld({ engine })
    const things = await createTargets(world, 'acme')
    const restore = await keepDatabase(world)
    const ask = async ({ name, row }: (typeof rows)[number]) => {
      const { owner, targets } = things
      const { credential = async () => owner.apiKey, headers } = targets[name]
      const key = row.idempotent ? { 'Idempotency-Key': name } : {}
      const given = name === 'providers.register' ? {} : { apiKey: await credential(), headers: { ...headers, ...key } }
      return call(world, row, targets[name], given)
    }
    // On SQLite, `every-endpoint.test.ts` calls them and checks the statements.
    const isToured = engine === 'postgres' || isFull
    for (const row of isToured ? leastDestructiveFirst : []) {
      const reply = await ask(row).catch(() => undefined)
      if (reply && reply.status < 300) continue
      // An earlier call has removed what this one needs.
      await restore()
      const again = await ask(row)
      expect(again.status, `${row.name} ${again.text}`).toBeLessThan(300)
    }
    const { owner, model_id } = await createTargets(world, 'last')
    await owner.client.models.register({
      display_name: 'Next',
      api_model_identifier: 'canary',
      version: '9',
      description: 'The next of them all.',
      endpoint: 'https://api.acme.example',
      force_new_version: true,
      copy_authorizations: true,
    })
    await owner.client.verifications.create({ model_id, response: 'Oslo' })
    for (const sort of ['name', 'location', 'verification'] as const)
      await world.anyone.providers.list({ sort, search: 'a', location: 'b', limit: 1 }).toArray({ limit: 3 })
    for (const sort of ['date', 'name', 'provider', 'context'] as const)
      await world.anyone.models.list({ sort, search: 'a', release_year: 2026, min_context_window: 1 }).toArray()
    for (const q of ['ac', 'acme', 'acme labs'])
      expect(await world.anyone.search.find({ q })).not.toMatchObject({ total: 0 })
    await world.registry.jobs.run('search-index')
    await world.registry.jobs.run('health')
    await world.database.transaction((tx) =>
      tx
        .updateTable('providers')
        .set({ email_verified_at: 1, notify_weekly: 1, weekly_report_at: 1 })
        .where('id', '=', owner.id)
        .execute(),
    )
    for (const job of [
      'bundles',
      'incident-digest',
      'weekly-report',
      'log-notices',
      'mails',
      'cleanup',
      'domains',
      'erasure',
    ] as const)
      await world.jobs.run(job)
    const { signing } = world.registry
    await signing.rotate({ force: true })
    const [{ kid } = { kid: '' }] = await signing.list()
    await signing.compromise(kid)

    const elsewhere = await createSignInWorld(engine)
    const account = await elsewhere.signIn('github', someone('ada'))
    const { url } = await elsewhere.startLink('google', account)
    expect(await elsewhere.walk(account.browser, url)).toMatchObject({ linked: 'true' })

    const statements = recordedStatements()
    expect(statements.length).toBeGreaterThan(80)
    for (const table of [
      'models',
      'verifications',
      'bindings',
      'idempotency',
      'events',
      'leases',
      'signing_keys',
      'incidents',
      'mails',
      'identities',
    ]) {
      if (isToured)
        expect(
          statements.some((statement) => new RegExp(`insert into "?${table}"?`).test(statement)),
          table,
        ).toBe(true)
      expect(
        statements.some((statement) => new RegExp(`create table (if not exists )?"?${table}"?`).test(statement)),
        table,
      ).toBe(true)
    }
    expect(troubleIn(statements)).toEqual([])
  }, 180_000)
})

/** The tests' PostgreSQL databases are copies; this one is created from nothing, so that its statements are recorded. */
const migrateFromNothing = async (engine: Engine) => {
  const database = await openDatabase(await createEmptyDatabase(engine), recordStatement)
  onTestFinished(() => database.close())
  await migrate(database, Date.now)
}
