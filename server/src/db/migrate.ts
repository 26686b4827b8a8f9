import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { dialects } from './dialect.ts'
import type { Database } from './engine.ts'
import { withLease } from './lease.ts'
import { migrations } from './migrations/index.ts'

const createBookkeeping = async (database: Database) => {
  for (let attempt = 1; ; attempt++) {
    try {
      await database.transaction(async (tx) => {
        await sql`create table if not exists leases (name text not null primary key, holder text not null, expires_at bigint not null)`.execute(
          tx,
        )
        await sql`create table if not exists migrations (name text not null primary key, applied_at bigint not null)`.execute(
          tx,
        )
      })
      return
    } catch (error) {
      // Two processes may create the same table at once: PostgreSQL then fails one of them on its own catalogue.
      if (attempt === 3) throw error
    }
  }
}

/** Brings the schema up to date. Every process may call it at start; one at a time does the work. Returns what it applied. */
export const migrate = async (database: Database, now: () => number): Promise<string[]> => {
  await createBookkeeping(database)
  return withLease(
    { database, now, holder: randomUUID() },
    { name: 'migrate', ttlMs: 120_000, waitMs: 150_000 },
    async () => {
      const applied = new Set(
        (await database.read.selectFrom('migrations').select('name').execute()).map(({ name }) => name),
      )
      const missing = migrations.filter(({ name }) => !applied.has(name))
      for (const { name, up } of missing) {
        await database.transaction(async (tx) => {
          // First, so that a process that lost its lease meanwhile fails here instead of migrating again.
          await tx.insertInto('migrations').values({ name, applied_at: now() }).execute()
          await dialects[database.engine].allowLongStatements(tx)
          await up(tx, dialects[database.engine])
        })
      }
      return missing.map(({ name }) => name)
    },
  )
}
