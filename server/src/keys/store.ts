import type { ApiKey, Role } from '@countersign/sdk/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database } from '../db/engine.ts'
import type { ApiKeyTable, Db, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'

export const insertKey = (tx: Tx, key: Insertable<ApiKeyTable>) => tx.insertInto('api_keys').values(key).execute()

type FoundKey = Pick<
  ApiKeyTable,
  'id' | 'provider_id' | 'hash' | 'scopes' | 'expires_at' | 'last_used_at' | 'publisher_id' | 'publisher_run'
> & {
  role: Role | null
  deactivated_at: number | null
  suspended_at: number | null
}

/** A working key: not revoked, and its provider not deleted. */
export const prepareFindKey = (database: Database) =>
  database.statement<{ lookup: string }, FoundKey>((db, parameter) =>
    db
      .selectFrom('api_keys as k')
      .innerJoin('providers as p', 'p.id', 'k.provider_id')
      .select([
        'k.id',
        'k.provider_id',
        'k.hash',
        'k.scopes',
        'k.expires_at',
        'k.last_used_at',
        'k.publisher_id',
        'k.publisher_run',
        'k.role',
      ])
      .select(['p.deactivated_at', 'p.suspended_at'])
      // As a subquery, the value does not make SQLite plan the join again at every call.
      .where('k.lookup', '=', sql<string>`(select ${parameter('lookup')})`)
      .where('k.revoked_at', 'is', null)
      .where('p.deleted_at', 'is', null),
  )

export interface Touch {
  provider_id: string
  id: string
  at: number
}

export const touchKey = (tx: Tx, { provider_id, id, at }: Touch) =>
  tx
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .execute()

type KeyRow = Omit<Selectable<ApiKeyTable>, 'hash' | 'lookup' | 'publisher_id' | 'publisher_run'>

const columns = [
  'id',
  'provider_id',
  'name',
  'key_prefix',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
  'revoked_at',
  'compromised_at',
  'compromised_since',
  'person_id',
  'role',
] as const satisfies (keyof ApiKeyTable)[]

/** Newest first; keys that were revoked long ago fall off the end. */
export const listKeys = (db: Db, provider_id: string): Promise<KeyRow[]> =>
  db
    .selectFrom('api_keys')
    .select(columns)
    .where('provider_id', '=', provider_id)
    // There are hundreds of publisher tokens, and they expire by themselves.
    .where('publisher_id', 'is', null)
    .orderBy(sql`case when revoked_at is null then 0 else 1 end`)
    .orderBy('id', 'desc')
    .limit(500)
    .execute()

export const findOwnKey = (
  db: Db,
  { provider_id, id }: { provider_id: string; id: string },
): Promise<KeyRow | undefined> =>
  db
    .selectFrom('api_keys')
    .select(columns)
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .executeTakeFirst()

/** Zero rows if it belongs to another provider, or is already revoked. */
export const revokeKey = (
  tx: Tx,
  { provider_id, id, at }: { provider_id: string; id: string; at: number },
): Promise<KeyRow | undefined> =>
  tx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(columns)
    .executeTakeFirst()

/** Also for a revoked key; the earlier time counts. */
export const markCompromised = (
  tx: Tx,
  { provider_id, id, at, since }: { provider_id: string; id: string; at: number; since: number },
): Promise<KeyRow | undefined> =>
  tx
    .updateTable('api_keys')
    .set((row) => ({
      revoked_at: row.fn.coalesce('revoked_at', row.val(at)),
      compromised_at: row.fn.coalesce('compromised_at', row.val(at)),
      compromised_since: sql<number>`case when compromised_since < ${since} then compromised_since else cast(${since} as bigint) end`,
    }))
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst()

/** What the key bound from `since` on counts as attached by someone who held the link; the provider may bind its own answer. */
export const disownBindings = async (
  tx: Tx,
  { provider_id, id, since }: { provider_id: string; id: string; since: number },
): Promise<void> => {
  const bound = await tx
    .deleteFrom('bindings')
    .where('provider_id', '=', provider_id)
    .where('api_key_id', '=', id)
    .where('bound_by', '=', 'provider')
    .where('bound_at', '>=', since)
    .returningAll()
    .execute()
  for (const row of bound)
    await tx
      .insertInto('bindings')
      .values({ ...row, bound_by: 'bearer' })
      .onConflict((conflict) => conflict.columns(['provider_id', 'verification_id', 'bound_by']).doNothing())
      .execute()
}

export const revokeKeysOfPublisher = (
  tx: Tx,
  { provider_id, publisher_id, at }: { provider_id: string; publisher_id: string; at: number },
) =>
  tx
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('provider_id', '=', provider_id)
    .where('publisher_id', '=', publisher_id)
    .where('revoked_at', 'is', null)
    .execute()

export const countActiveKeys = async (
  tx: Tx,
  { provider_id, person_id, at }: { provider_id: string; person_id?: string; at: number },
): Promise<number> => {
  const row = await tx
    .selectFrom('api_keys')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('provider_id', '=', provider_id)
    .where('revoked_at', 'is', null)
    .where('publisher_id', 'is', null)
    .$if(person_id !== undefined, (keys) => keys.where('person_id', '=', person_id ?? ''))
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', at)]))
    .executeTakeFirstOrThrow()
  return row.count
}

/** As the caller sees it. */
export const apiKeyOf = (
  row: KeyRow,
  { key_id, person_id }: { key_id: string | null; person_id: string | null },
  now: number,
): ApiKey => ({
  id: row.id,
  name: row.name,
  key_prefix: row.key_prefix,
  is_active: row.revoked_at === null && (row.expires_at === null || row.expires_at > now),
  is_own: row.id === key_id || (person_id !== null && row.person_id === person_id),
  scopes: row.scopes === null ? null : JSON.parse(row.scopes),
  created_at: timeOf(row.created_at),
  expires_at: timeOf(row.expires_at),
  last_used_at: timeOf(row.last_used_at),
  revoked_at: timeOf(row.revoked_at),
  compromised_since: timeOf(row.compromised_since),
})
