import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Database } from '../../server/src/db/engine.ts'
import { prepareFindKey } from '../../server/src/keys/store.ts'
import { prepareFindVisibleModel } from '../../server/src/models/store.ts'
import { prepareFindProvider } from '../../server/src/providers/store.ts'
import { prepareFindSession } from '../../server/src/sessions/store.ts'
import { prepareFindStandings } from '../../server/src/transparency/store.ts'
import { prepareMintFacts } from '../../server/src/verifications/mint-store.ts'
import { prepareFindByCode, prepareFindById } from '../../server/src/verifications/store.ts'
import { describeEachEngine } from '../support/databases.ts'
import { shareWorld } from '../support/world.ts'

/** The shared queries that PostgreSQL has prepared, on all connections. */
const listSharedQueries = async ({ read }: Database): Promise<Set<string>> => {
  const everywhere = Array.from({ length: 10 }, () =>
    sql<{ name: string }>`select name from pg_sleep(0.02) left join pg_prepared_statements on true
      where name like '%_many_%'`.execute(read),
  )
  return new Set((await Promise.all(everywhere)).flatMap(({ rows }) => rows.map(({ name }) => name)))
}

describeEachEngine('frequent reads', (engine) => {
  const getWorld = shareWorld({ engine })

  const fill = async () => {
    const world = getWorld()
    const acme = await world.provider('acme')
    const umbra = await world.provider('umbra', { isVerified: false })
    for (const { registerModel, registerDeployment, client } of [acme, umbra]) {
      const model_id = await registerModel()
      await registerDeployment([model_id])
      if (client === acme.client) await client.verifications.create({ model_id, challenge: 'blue heron' })
    }
    await world.session(acme)
    const { read } = world.database
    const list = (table: 'api_keys' | 'models' | 'providers' | 'sessions' | 'verifications' | 'log_facts') =>
      read.selectFrom(table).selectAll().execute() as Promise<unknown> as Promise<Record<string, string>[]>
    return { world, list, deployments: await read.selectFrom('deployments').selectAll().execute() }
  }

  it('return the same rows alone as together with other calls', async () => {
    const { world, list, deployments } = await fill()
    const { database, clock } = world
    const at = clock.now()
    const links = await list('verifications')
    const models = await list('models')
    const facts = (await list('log_facts')).map(({ provider_id = '', subject = '', fact = '' }) => ({
      owner: provider_id,
      subject,
      fact,
    }))
    const reads = {
      key: { read: prepareFindKey(database), of: (await list('api_keys')).map(({ lookup }) => ({ lookup })) },
      session: { read: prepareFindSession(database), of: (await list('sessions')).map(({ id }) => ({ id })) },
      provider: { read: prepareFindProvider(database), of: (await list('providers')).map(({ id }) => ({ id, at })) },
      model: {
        read: prepareFindVisibleModel(database),
        of: models.map(({ id, provider_id }) => ({ id, viewer: provider_id, at })),
      },
      'facts for a link': {
        read: prepareMintFacts(database),
        of: models.flatMap(({ id, provider_id }) =>
          deployments.map(({ spki_fingerprint }) => ({ provider_id, model_id: id, fingerprint: spki_fingerprint, at })),
        ),
      },
      'link by code': { read: prepareFindByCode(database), of: links.map(({ code_key }) => ({ code_key, at })) },
      'link by ID': {
        read: prepareFindById(database),
        of: links.map(({ id, provider_id }) => ({ id, provider_id, at })),
      },
      'log entries': { read: prepareFindStandings(database), of: facts.map((fact) => [fact]) },
    } as unknown as Record<string, { read: (of: unknown) => Promise<object[]>; of: object[] }>
    const before = engine === 'postgres' ? await listSharedQueries(database) : new Set()
    for (const [name, { read, of }] of Object.entries(reads)) {
      const [known] = of
      const unknown = Array.isArray(known)
        ? known.map((fact) => ({ ...fact, subject: 'unknown' }))
        : Object.fromEntries(Object.entries(known ?? {}).map(([key, value]) => [key, key === 'at' ? value : 'unknown']))
      const calls = [unknown, ...of, ...of, unknown]
      const alone: object[][] = []
      for (const call of calls) alone.push(await read(call))
      expect(
        alone.map((rows) => rows.length),
        name,
      ).toContain(1)
      expect(alone[0], name).toEqual([])
      expect(await Promise.all(calls.map(read)), name).toEqual(alone)
    }
    if (engine !== 'postgres') return
    const shared = [...(await listSharedQueries(database))].filter((name) => !before.has(name))
    expect(shared).toHaveLength(Object.keys(reads).length)
  })

  it('fail alone for a value that the database rejects', async () => {
    const { world, list } = await fill()
    const read = prepareFindKey(world.database)
    const [{ lookup = '' } = {}] = await list('api_keys')
    const [good, bad, again] = await Promise.allSettled([lookup, 'a\u0000b', lookup].map((lookup) => read({ lookup })))
    expect(good).toMatchObject({ status: 'fulfilled', value: [{ provider_id: expect.stringMatching(/^prv_/) }] })
    expect(again).toEqual(good)
    expect(bad).toMatchObject(engine === 'postgres' ? { status: 'rejected' } : { status: 'fulfilled', value: [] })
  })

  it('work after another replica has added a column', async () => {
    const { world, list } = await fill()
    const { database, clock } = world
    const read = prepareFindProvider(database)
    const calls = (await list('providers')).map(({ id = '' }) => ({ id, at: clock.now() }))
    const readAll = async () => [await read(calls[0] ?? { id: '', at: 0 }), ...(await Promise.all(calls.map(read)))]
    const before = await readAll()
    await database.transaction((tx) => sql`alter table providers add column later text`.execute(tx))
    expect(await readAll()).toEqual(before.map((rows) => rows.map((row) => ({ ...row, later: null }))))
  })
})

describeEachEngine('frequent inserts', (engine) => {
  const getWorld = shareWorld({ engine })

  it('store a column that only some rows have, and leave one empty that none has', async () => {
    const { database } = getWorld()
    const rows = [
      { name: 'a', due_at: 1, holder: 'acme', leased_until: null, last_run_at: null },
      { name: 'b', due_at: 2, holder: null, leased_until: 3, last_run_at: null },
    ]
    await database.appender('jobs', ['name', 'due_at', 'holder', 'leased_until', 'last_run_at'])(rows)
    const stored = database.read.selectFrom('jobs').selectAll().where('name', 'in', ['a', 'b']).orderBy('name')
    expect(await stored.execute()).toEqual(rows)
  })
})
