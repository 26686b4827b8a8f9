import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from './engine.ts'
import type { Tx } from './schema.ts'

/** Serialise writers per provider, so that each sees the changes of those before it. SQLite has a single writer anyway. */
export const lockProvider = async ({ engine }: Pick<Database, 'engine'>, tx: Tx, id: string) => {
  if (engine === 'postgres') await tx.updateTable('providers').set({ id: sql`id` }).where('id', '=', id).execute()
}

/**
 * Serialise transactions that count something by name before they add to it, such as the emails to an inbox. The lock is that of a row,
 * which may be deleted after `until`: not every engine has advisory locks.
 */
export const lockName = async (
  { engine }: Pick<Database, 'engine'>,
  tx: Tx,
  { name, until }: { name: string; until: number },
) => {
  if (engine !== 'postgres') return
  await tx
    .insertInto('rate_limits')
    .values({ key: hash('sha256', name, 'base64url'), points: 0, expire: until })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ expire: until }))
    .execute()
}
