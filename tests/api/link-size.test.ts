import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { randomFingerprint } from '../support/actors.ts'
import { describeOnSqlite, type Engine } from '../support/databases.ts'
import { isFull } from '../support/full.ts'
import { createWorld, type World } from '../support/world.ts'

const linkCount = isFull ? 1_000 : 400
const providerCount = 8

/** Bytes on disk of a table with its indexes. */
const sizeOf: Record<Engine, (database: World['database'], table: string) => Promise<number>> = {
  sqlite: async ({ read }, table) => {
    const { rows } = await sql<{ size: number }>`select sum(pgsize) as size from dbstat where name in
      (select name from sqlite_master where tbl_name = ${table})`.execute(read)
    return Number(rows[0]?.size)
  },
  postgres: async ({ read }, table) => {
    // Without the maps of free space, which vacuuming adds once to the table and to each index.
    const { rows } = await sql<{ size: number }>`select sum(pg_relation_size(c.oid)) as size
      from pg_class c join pg_class t on t.oid = ${table}::regclass
      where c.oid in (t.oid, t.reltoastrelid) or c.oid in (select indexrelid from pg_index where indrelid = t.oid)`.execute(
      read,
    )
    return Number(rows[0]?.size)
  },
}

describeOnSqlite('a link that uses every field', (engine) => {
  it('takes at most a kilobyte on disk, with its indexes', async () => {
    const world = await createWorld({
      engine,
      clientCertProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
    })
    const tenants = []
    for (let index = 0; index < providerCount; index++) {
      const acme = await world.provider(`acme-${index}`)
      const model_id = await acme.registerModel({ model_digest: `sha256:${randomBytes(32).toString('hex')}` })
      const { spki_fingerprint } = await acme.registerDeployment([model_id], randomFingerprint())
      const mint = () =>
        acme.client.verifications.create(
          {
            model_id,
            user_fingerprint: randomBytes(16).toString('hex'),
            challenge: 'blue heron 42',
            origin: `https://chat.${acme.domain}`,
            prompt: 'Which of the two lakes on this map lies higher?',
            metadata: { session: randomBytes(12).toString('hex'), region: 'eu-north', plan: 'team' },
          },
          { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } },
        )
      tenants.push(mint)
    }
    for (let made = 0; made < linkCount; made += providerCount) await Promise.all(tenants.map((mint) => mint()))
    const size = await sizeOf[engine](world.database, 'verifications')
    expect(size / linkCount).toBeLessThan(1_000)
  }, 120_000)
})
