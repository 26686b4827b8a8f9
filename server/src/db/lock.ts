import { sql } from 'kysely'
import type { Database } from './engine.ts'
import type { Tx } from './schema.ts'

/** Serialise writers per provider, so that each sees the changes of those before it. SQLite has a single writer anyway. */
export const lockProvider = async ({ engine }: Pick<Database, 'engine'>, tx: Tx, id: string) => {
  if (engine === 'postgres') await tx.updateTable('providers').set({ id: sql`id` }).where('id', '=', id).execute()
}

/** Serialise transactions that count something by name before they add to it, such as the emails to an inbox. */
export const lockName = async ({ engine }: Pick<Database, 'engine'>, tx: Tx, name: string) => {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}
