import { sql } from 'kysely'
import type { Database } from './engine.ts'
import type { Tx } from './schema.ts'

/**
 * Who changes what belongs to a provider together does so one after the other; each then sees what those before it
 * changed. SQLite has one writer anyway.
 */
export const holdProvider = async ({ engine }: Pick<Database, 'engine'>, tx: Tx, id: string) => {
  if (engine === 'postgres') await tx.updateTable('providers').set({ id: sql`id` }).where('id', '=', id).execute()
}
