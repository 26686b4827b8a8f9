import { ModelQuery, ProviderQuery } from '@countersign/sdk/contract'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { openFullText } from '../../server/src/db/full-text/open.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { openDatabase } from '../../server/src/db/open.ts'
import type { PageQuery } from '../../server/src/db/paging.ts'
import type { Tx } from '../../server/src/db/schema.ts'
import { listDeployments } from '../../server/src/deployments/store.ts'
import { findTrust, listOwnModels } from '../../server/src/models/store.ts'
import { createListings } from '../../server/src/search/listings.ts'
import { createSearchService } from '../../server/src/search/service.ts'
import { ask } from '../support/ask.ts'
import { type ModelInput, modelRow, type ProviderInput, randomCatalogue, writeCatalogue } from '../support/catalogue.ts'
import { createTestDatabase, describeEachEngine, openTestDatabase } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

const everything = { limit: 5, include_providers: true, include_models: true }

describeEachEngine('a common word', (engine) => {
  it('finds the exact name and the proven one among its matches, and counts up to a thousand', async () => {
    const database = await openTestDatabase(engine)
    const fullText = await openFullText(database)
    const listings = createListings({ database, fullText, now: Date.now })
    const search = createSearchService({ database, fullText, now: Date.now })
    const providers: ProviderInput[] = [
      { id: 'prv_crowd', company_name: 'Crowd', domain: 'crowd.example', opened_count: 5_000 },
      { id: 'prv_sound', company_name: 'Sound', domain: 'sound.example', isVerified: true },
    ]
    const crowd: ModelInput[] = Array.from({ length: 1_100 }, (_, index) => ({
      id: `mdl_${String(index).padStart(4, '0')}`,
      provider_id: 'prv_crowd',
      display_name: `Orca ${index}`,
      description: 'One of the crowd.',
      opened_count: 2_000,
    }))
    const models: ModelInput[] = [
      ...crowd,
      { id: 'mdl_exact', provider_id: 'prv_crowd', display_name: 'Orca' },
      { id: 'mdl_proven', provider_id: 'prv_sound', display_name: 'Orca Sound' },
      {
        id: 'mdl_rare',
        provider_id: 'prv_crowd',
        display_name: 'Something else',
        description: 'An orca of the crowd, and unpopular.',
      },
    ]
    await writeCatalogue(database, listings, { providers, models })
    const found = await search.find({ q: 'orca', ...everything })
    expect(found.models.slice(0, 2).map(({ id }) => id)).toEqual(['mdl_proven', 'mdl_exact'])
    expect(found).toMatchObject({ total: 1_000, total_is_lower_bound: true, models: { length: 5 } })
    const exactly = await search.find({ q: 'orca 99', ...everything })
    expect(exactly.models[0]?.title).toBe('Orca 99')
    expect(exactly).toMatchObject({ total_is_lower_bound: false, total: 11 })

    let cursor: string | undefined
    const listed = new Set<string>()
    do {
      const page = await search.listModels(
        ModelQuery.parse({ search: 'orca', sort: 'name', limit: 100, ...(cursor && { cursor }) }),
      )
      for (const id of page.ids) listed.add(id)
      cursor = page.next_cursor ?? undefined
    } while (cursor)
    expect(listed.size).toBe(models.length)
  }, 60_000)
})

const modelFilters = [
  {},
  { release_year: '2025' },
  { min_context_window: '2000' },
  { release_year: '2025', max_context_window: '4000' },
  { provider_id: 'prv_1' },
  { provider_id: 'prv_1', search: 'chat' },
  { search: 'chat' },
  { search: 'chat', release_year: '2025' },
]
const providerFilters = [
  {},
  { verification: 'verified' },
  { verification: 'unverified' },
  { search: 'acme' },
  { location: 'oslo' },
]

it('never scans all rows for a list or a search', async () => {
  const statements: string[] = []
  const { url, remove } = await createTestDatabase('sqlite')
  const database = await openDatabase(url, (statement) => statements.push(statement))
  const raw = new Sqlite(url.slice('sqlite:'.length), { readonly: true })
  onTestFinished(async () => {
    raw.close()
    await database.close()
    await remove()
  })
  await migrate(database, Date.now)
  const fullText = await openFullText(database)
  const listings = createListings({ database, fullText, now: Date.now })
  const search = createSearchService({ database, fullText, now: Date.now })
  await writeCatalogue(database, listings, randomCatalogue(1))
  statements.length = 0
  const cursorOf = (key: string | number) => Buffer.from(JSON.stringify([key, 'x'])).toString('base64url')
  for (const sort of ['date', 'name', 'provider', 'context'])
    for (const filter of modelFilters)
      for (const cursor of [{}, { cursor: cursorOf(sort === 'date' || sort === 'context' ? 1 : 'a') }])
        await search.listModels(ModelQuery.parse({ sort, ...filter, ...cursor }))
  for (const sort of ['name', '-verification'])
    for (const filter of providerFilters)
      for (const cursor of [{}, { cursor: cursorOf('a') }])
        await search.listProviders(ProviderQuery.parse({ sort, ...filter, ...cursor }))
  for (const filter of [{}, { verification: 'verified' }, { verification: 'unverified' }])
    for (const cursor of [{}, { cursor: cursorOf(1) }])
      await search.listProviders(ProviderQuery.parse({ sort: 'popularity', ...filter, ...cursor }))
  for (const q of ['ch', 'chat', 'open chat']) await search.find({ q, ...everything })

  const plans = [...new Set(statements)].map((statement) => {
    const values = Array.from(statement.matchAll(/\?/g), () => null)
    const steps = raw.prepare(`explain query plan ${statement}`).all(...values) as { detail: string }[]
    return { statement, steps: steps.map(({ detail }) => detail) }
  })
  expect(plans.length).toBeGreaterThan(30)
  for (const { statement, steps } of plans) {
    const scans = steps.filter((step) => /^SCAN (l|m|p|models|providers|listed_models|listed_providers)\b/.test(step))
    const alongIndex = scans.filter((step) => !/USING (COVERING )?INDEX/.test(step))
    expect(alongIndex, statement).toEqual([])
    // An unfiltered list is read in index order, not sorted; one filtered to few rows may be sorted.
    if (/^select "l"/.test(statement) && !/ \+ 0| \|\| /.test(statement))
      expect(
        steps.filter((step) => step.includes('TEMP B-TREE')),
        statement,
      ).toEqual([])
  }
})

/** The plan of a statement for any values: one line for each step. */
const planOf = async (url: string, statement: string): Promise<string[]> => {
  if (url.startsWith('sqlite:')) {
    const raw = new Sqlite(url.slice('sqlite:'.length), { readonly: true })
    const steps = raw
      .prepare(`explain query plan ${statement}`)
      .all(...Array.from(statement.matchAll(/\?/g), () => null))
    raw.close()
    return (steps as { detail: string }[]).map(({ detail }) => detail)
  }
  const client = new pg.Client(url)
  await client.connect()
  // PostgreSQL prefers to sort a few rows; this shows whether it must.
  await client.query(
    'set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set enable_incremental_sort = off',
  )
  const { rows } = await client.query(`explain (generic_plan) ${statement}`)
  await client.end()
  return rows.map((row) => String(row['QUERY PLAN']))
}

describeEachEngine('the lists of an owner', (engine) => {
  it('are read along their index, the last page like the first, and never sorted', async () => {
    const statements: string[] = []
    const { url, remove } = await createTestDatabase(engine)
    const database = await openDatabase(url, (statement) => statements.push(statement))
    onTestFinished(async () => {
      await database.close()
      await remove()
    })
    await migrate(database, Date.now)
    const cursor = Buffer.from(JSON.stringify([1, 'x'])).toString('base64url')
    const first = { limit: 20, skip: 0 }
    const lists = {
      models_of_owner: [{}, { include_archived: true }].map(
        (filter) => (page: PageQuery) => listOwnModels(database.read, 'prv_a', { ...filter, ...page }, Date.now()),
      ),
      deployments_of_owner: [(page: PageQuery) => listDeployments(database.read, 'prv_a', page)],
    }
    for (const [index, reads] of Object.entries(lists))
      for (const read of reads) {
        for (const page of [first, { ...first, cursor }]) {
          statements.length = 0
          await read(page)
          const [statement = ''] = statements
          const plan = (await planOf(url, statement)).join('\n')
          expect(plan, statement).toContain(index)
          expect(plan, statement).not.toMatch(/TEMP B-TREE|Sort/)
          if (page !== first)
            expect(plan, statement).toMatch(engine === 'sqlite' ? /\(created_at,id\)<\(\?,\?\)/ : /Index Cond: .*ROW\(/)
        }
      }
    // This index is only for lists: the trust check of every link uses smaller ones.
    statements.length = 0
    await findTrust(database.read, 'prv_a', Date.now()).catch(() => {})
    if (engine === 'sqlite')
      expect((await planOf(url, statements[0] ?? '')).join()).toMatch(/models_one_latest.*models_verified_bundle/)
  })
})

it('gives up after two seconds on PostgreSQL, and says that it may work later', async () => {
  const world = await createWorld({ engine: 'postgres' })
  await world.provider('acme')
  const other = new pg.Client(world.databaseUrl)
  await other.connect()
  try {
    await other.query('begin')
    await other.query('lock table listed_models in access exclusive mode')
    const started = performance.now()
    const reply = await ask(`${world.address}/api/v1/search?q=acme`)
    expect(reply).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    expect(performance.now() - started).toBeLessThan(4_000)
  } finally {
    await other.end()
  }
  expect((await world.anyone.search.find({ q: 'acme' })).total).toBe(1)
})

it('lists nothing of a provider that is unlisted while it registers a model', async () => {
  const { url, remove } = await createTestDatabase('postgres')
  const database = await openDatabase(url)
  const watcher = new pg.Client(url)
  await watcher.connect()
  onTestFinished(async () => {
    await watcher.end()
    await database.close()
    await remove()
  })
  const fullText = await openFullText(database)
  const listings = createListings({ database, fullText, now: Date.now })
  const search = createSearchService({ database, fullText, now: Date.now })
  await writeCatalogue(database, listings, {
    providers: [{ id: 'prv_a', company_name: 'Acme', domain: 'acme.example' }],
    models: [],
  })
  for (const first of ['unlisting', 'registering'] as const) {
    const hasBegun = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const unlist = async (tx: Tx) => {
      await tx.updateTable('providers').set({ is_listed: 0 }).where('id', '=', 'prv_a').execute()
      await listings.providerChanged(tx, 'prv_a')
    }
    const register = async (tx: Tx) => {
      await tx
        .insertInto('models')
        .values(modelRow({ id: `mdl_${first}`, provider_id: 'prv_a', display_name: 'Orca' }, 0))
        .execute()
      await listings.modelChanged(tx, { provider_id: 'prv_a', id: `mdl_${first}` })
    }
    const [one, other] = first === 'unlisting' ? [unlist, register] : [register, unlist]
    const earlier = database.transaction(async (tx) => {
      await one(tx)
      hasBegun.resolve()
      await mayEnd.promise
    })
    await hasBegun.promise
    const later = database.transaction(other)
    // The later one waits for the earlier; it is released once it does.
    while (!(await isAnyoneWaiting(watcher))) await new Promise((resolve) => setImmediate(resolve))
    mayEnd.resolve()
    await Promise.all([earlier, later])
    expect(await database.read.selectFrom('listed_models').select('id').execute(), first).toEqual([])
    await database.transaction(async (tx) => {
      await tx.updateTable('providers').set({ is_listed: 1 }).execute()
      await listings.providerChanged(tx, 'prv_a')
    })
    expect((await search.find({ q: 'orca', ...everything })).models.map(({ id }) => id)).toContain(`mdl_${first}`)
  }
})

const isAnyoneWaiting = async (client: pg.Client): Promise<boolean> => {
  const { rows } = await client.query(
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rows.length > 0
}
