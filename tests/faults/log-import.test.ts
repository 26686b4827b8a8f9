import { parseEntry } from '@countersign/sdk/log/entries'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Database } from '../../server/src/db/engine.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { createNewId } from '../../server/src/ids.ts'
import { createTransparencyService } from '../../server/src/transparency/service.ts'
import { describeEachEngine } from '../support/databases.ts'
import { insertProvider, oldModel, openBefore } from '../support/old-schema.ts'

const companies = 45

/** The log of a replica whose registry was just updated. */
const startLog = async (database: Database, holder: string) => {
  const log = createTransparencyService({
    database,
    egress: { fetch: () => Promise.reject(new Error('There are no witnesses')) },
    encryptionKey: Buffer.alloc(32, 7),
    policy: null,
    publicUrl: 'http://registry.example',
    holder,
    now: Date.now,
    newId: createNewId(Date.now),
    onFailure: () => undefined,
    onHalt: () => {},
  })
  await log.prepare()
  return log
}

describeEachEngine('the log of a registry that is older than its log', (engine) => {
  it('imports earlier proofs once, and writes its opening entry after them', async () => {
    const database = await openBefore(engine, '0014-blocked-domains', async (tx) => {
      for (let index = 0; index < companies; index++) {
        const [id, domain] = [`prv_${index}`, `d${index}.example`]
        await insertProvider(tx, id, { verified_at: 7 })
        await sql`insert into provider_domains (provider_id, domain, nonce, is_primary, method, verified_at, checked_at, due_at, created_at)
          values (${id}, ${domain}, 'nonce', 1, 'dns', ${index === 0 ? null : 7}, 8, 9, 5)`.execute(tx)
      }
      await tx
        .insertInto('models')
        .values({ ...oldModel('mdl_old', 1), provider_id: 'prv_1' })
        .execute()
    })
    await migrate(database, Date.now)
    const replicas = [await startLog(database, 'first'), await startLog(database, 'second')]
    // Each call imports a batch.
    for (let call = 0; call < 6; call++) await Promise.all(replicas.map((log) => log.sequence()))
    await (await startLog(database, 'first')).sequence()

    const rows = await database.read.selectFrom('log_entries').select('leaf').orderBy('position').execute()
    const entries = rows.map(({ leaf }) => parseEntry(Buffer.from(leaf)))
    const types = entries.map(({ type }) => type)
    const domains = entries.flatMap((entry) =>
      entry.type === 'domain.proven' && 'domain' in entry ? entry.domain : [],
    )
    expect(domains.toSorted()).toEqual(
      Array.from({ length: companies - 1 }, (_, index) => `d${index + 1}.example`).toSorted(),
    )
    expect(types.filter((type) => type === 'version.registered')).toHaveLength(1)
    expect(types.indexOf('log.opened')).toBe(types.length - 1)
    expect(entries.at(-1)).toMatchObject({ imported: types.length - 1 })
  })
})
