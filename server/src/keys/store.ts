import { type Insertable, sql } from 'kysely'
import type { Database } from '../db/engine.ts'
import type { ApiKeyTable, Tx } from '../db/schema.ts'

export const insertKey = (tx: Tx, key: Insertable<ApiKeyTable>) => tx.insertInto('api_keys').values(key).execute()

type FoundKey = Pick<ApiKeyTable, 'id' | 'provider_id' | 'hash' | 'scopes' | 'expires_at' | 'last_used_at'> & {
  deactivated_at: number | null
}

/** A key that still works: not revoked, and its provider not deleted. */
export const prepareFindKey = (database: Database) =>
  database.statement<{ lookup: string }, FoundKey>((db, parameter) =>
    db
      .selectFrom('api_keys as k')
      .innerJoin('providers as p', 'p.id', 'k.provider_id')
      .select(['k.id', 'k.provider_id', 'k.hash', 'k.scopes', 'k.expires_at', 'k.last_used_at', 'p.deactivated_at'])
      // As a sub-query the value does not make SQLite plan the join anew at every call.
      .where('k.lookup', '=', sql<string>`(select ${parameter('lookup')})`)
      .where('k.revoked_at', 'is', null)
      .where('p.deleted_at', 'is', null),
  )

export const touchKey = (tx: Tx, { provider_id, id, at }: { provider_id: string; id: string; at: number }) =>
  tx.updateTable('api_keys').set({ last_used_at: at }).where('provider_id', '=', provider_id).where('id', '=', id).execute()
