import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, ProofMethod, ProviderDomainTable, Tx } from '../db/schema.ts'
import { statusOfProof } from './rules.ts'

export type DomainRow = Selectable<ProviderDomainTable>
type Key = Pick<DomainRow, 'provider_id' | 'domain'>
/** A proof at the time of its check: with another nonce or method it is another proof. */
type Seen = Key & Pick<DomainRow, 'nonce'>

/* ---- reading ---- */

export const findDomain = (db: Db, { provider_id, domain }: Key): Promise<DomainRow | undefined> =>
  db
    .selectFrom('provider_domains')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .where('domain', '=', domain)
    .executeTakeFirst()

export const findPrimary = (db: Db, provider_id: string): Promise<DomainRow | undefined> =>
  db
    .selectFrom('provider_domains')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .where('is_primary', '=', 1)
    .executeTakeFirst()

/** The primary domain first, then by name. */
export const listDomains = (db: Db, provider_id: string): Promise<DomainRow[]> =>
  db
    .selectFrom('provider_domains')
    .selectAll()
    .where('provider_id', '=', provider_id)
    .orderBy('is_primary', 'desc')
    .orderBy('domain')
    .execute()

/** The provider that has proven a domain; a constraint allows one. */
export const findHolder = (db: Db, domain: string): Promise<DomainRow | undefined> =>
  db
    .selectFrom('provider_domains')
    .selectAll()
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()

/** Whether another provider has proven a domain since then, by the log, which also has what was removed. */
export const wasProvenByAnother = async (
  db: Db,
  { provider_id, domain }: Key,
  { since }: { since: number },
): Promise<boolean> => {
  // In this order, an entry that is moved meanwhile is found.
  for (const table of ['log_pending', 'log_entries'] as const) {
    const found = await db
      .selectFrom(table)
      .select('id')
      .where('domain', '=', domain)
      .where('type', '=', 'domain.proven')
      .where('owner', '<>', provider_id)
      .where('at', '>=', since)
      .limit(1)
      .executeTakeFirst()
    if (found) return true
  }
  return false
}

/** Proofs due for a check, the longest overdue first. */
export const listDue = (db: Db, { at, limit }: { at: number; limit: number }): Promise<DomainRow[]> =>
  db.selectFrom('provider_domains').selectAll().where('due_at', '<=', at).orderBy('due_at').limit(limit).execute()

/** Proven domains of all providers for the operator, by name. */
export const listAllProven = (db: Db): Promise<(DomainRow & { company_name: string | null })[]> =>
  db
    .selectFrom('provider_domains as d')
    .innerJoin('providers as p', 'p.id', 'd.provider_id')
    .selectAll('d')
    .select('p.company_name')
    .where('d.verified_at', 'is not', null)
    .orderBy('d.domain')
    .execute()

/** Every claim to a domain, proven or not. */
export const listClaims = (db: Db, domain: string): Promise<(DomainRow & { company_name: string | null })[]> =>
  db
    .selectFrom('provider_domains as d')
    .innerJoin('providers as p', 'p.id', 'd.provider_id')
    .selectAll('d')
    .select('p.company_name')
    .where('d.domain', '=', domain)
    .orderBy('d.provider_id')
    .execute()

/* ---- writing: each change ends with `mirrorPrimary` in the same transaction ---- */

const nothingProven = {
  method: null,
  verified_at: null,
  proven_since: null,
  stale_since: null,
  due_at: null,
  contested_at: null,
  contested_by: null,
} as const

/** Zero rows if the provider already has the domain. */
export const insertDomain = (
  tx: Tx,
  row: Pick<Insertable<ProviderDomainTable>, 'provider_id' | 'domain' | 'nonce' | 'created_at'>,
) =>
  tx
    .insertInto('provider_domains')
    .values({
      ...row,
      ...nothingProven,
      is_primary: 0,
      checked_at: null,
      lost_at: null,
      notice: null,
      blocked_by: null,
    })
    .onConflict((conflict) => conflict.columns(['provider_id', 'domain']).doNothing())
    .returning('domain')
    .executeTakeFirst()

const updateSeen = (tx: Tx, { provider_id, domain, nonce }: Seen, set: Updateable<ProviderDomainTable>) =>
  tx
    .updateTable('provider_domains')
    .set(set)
    .where('provider_id', '=', provider_id)
    .where('domain', '=', domain)
    .where('nonce', '=', nonce)

interface Confirmation {
  method: ProofMethod
  at: number
  due_at: number
}

/** Violates the constraint if another provider has proven the domain. Zero rows if the row has changed. */
export const markProven = (tx: Tx, seen: Seen, { method, at, due_at, since }: Confirmation & { since: number }) =>
  updateSeen(tx, seen, {
    ...nothingProven,
    method,
    verified_at: at,
    proven_since: since,
    checked_at: at,
    due_at,
    lost_at: null,
  })
    .where('blocked_by', 'is', null)
    .returning('domain')
    .executeTakeFirst()

/** The same proof was found again. Zero rows if it has changed. */
export const confirmProof = (tx: Tx, seen: Seen, { method, at, due_at }: Confirmation) =>
  updateSeen(tx, seen, { checked_at: at, stale_since: null, due_at })
    .where('method', '=', method)
    .where('verified_at', 'is not', null)
    .returning('domain')
    .executeTakeFirst()

/** Only the proof that was checked. Zero rows if it has changed or was confirmed since. */
export const endProof = (
  tx: Tx,
  {
    provider_id,
    domain,
    nonce,
    method,
    checked_at,
  }: Pick<DomainRow, 'provider_id' | 'domain' | 'nonce' | 'method' | 'checked_at'>,
  { at }: { at: number },
) =>
  updateSeen(tx, { provider_id, domain, nonce }, { ...nothingProven, lost_at: at })
    .where('verified_at', 'is not', null)
    .where('method', '=', method)
    .where('checked_at', checked_at === null ? 'is' : '=', checked_at)
    .returning('domain')
    .executeTakeFirst()

/** Zero rows if the proof is already stale, has changed, or was confirmed since. */
export const markStale = (tx: Tx, row: DomainRow, { at, due_at }: { at: number; due_at: number }) =>
  updateSeen(tx, row, { stale_since: at, due_at })
    .where('method', '=', row.method)
    .where('checked_at', row.checked_at === null ? 'is' : '=', row.checked_at)
    .where('stale_since', 'is', null)
    .where('verified_at', 'is not', null)
    .returning('domain')
    .executeTakeFirst()

export const postpone = (tx: Tx, seen: Seen, due_at: number) =>
  updateSeen(tx, seen, { due_at }).where('due_at', 'is not', null).execute()

/** Zero rows if the provider has proven the domain meanwhile. */
export const beginContest = (tx: Tx, seen: Seen, { method, at, due_at }: Confirmation) =>
  updateSeen(tx, seen, { contested_at: at, contested_by: method, due_at })
    .where('verified_at', 'is', null)
    .where('blocked_by', 'is', null)
    .returning('domain')
    .executeTakeFirst()

export const endContest = (tx: Tx, seen: Seen) =>
  updateSeen(tx, seen, { contested_at: null, contested_by: null, due_at: null })
    .where('verified_at', 'is', null)
    .execute()

/** Zero rows if the notification was already sent. */
export const takeNotice = (tx: Tx, seen: Seen) =>
  updateSeen(tx, seen, { notice: null, due_at: null })
    .where('notice', 'is not', null)
    .returning('domain')
    .executeTakeFirst()

/** Blocks the claim: its proof ends, and it cannot be proven until it is allowed. */
export const blockDomain = (
  tx: Tx,
  { provider_id, domain }: Key,
  { by, at }: { by: 'operator' | 'review'; at: number },
) =>
  tx
    .updateTable('provider_domains')
    .set((row) => ({
      ...nothingProven,
      blocked_by: by,
      lost_at: sql<
        number | null
      >`case when ${row.ref('verified_at')} is null then lost_at else cast(${at} as bigint) end`,
    }))
    .where('provider_id', '=', provider_id)
    .where('domain', '=', domain)
    .where((row) => row.or([row('blocked_by', 'is', null), row('blocked_by', '!=', 'operator')]))
    .returning('domain')
    .executeTakeFirst()

/** Zero rows if it was not blocked by them. */
export const allowDomain = (tx: Tx, { provider_id, domain }: Key, by: 'operator' | 'review') =>
  tx
    .updateTable('provider_domains')
    .set({ blocked_by: null })
    .where('provider_id', '=', provider_id)
    .where('domain', '=', domain)
    .where('blocked_by', '=', by)
    .returning('domain')
    .executeTakeFirst()

/** Restores the proof from before the block as stale: only a check can confirm it. */
export const restoreProof = (
  tx: Tx,
  seen: Seen,
  proof: Pick<DomainRow, 'checked_at'> &
    Record<'verified_at' | 'proven_since' | 'stale_since' | 'due_at', number> & { method: ProofMethod },
) =>
  updateSeen(tx, seen, { ...proof, lost_at: null })
    .where('verified_at', 'is', null)
    .execute()

/** Restores the contest from before the block. */
export const restoreContest = (
  tx: Tx,
  seen: Seen,
  contest: { contested_at: number; contested_by: ProofMethod; due_at: number },
) => updateSeen(tx, seen, contest).where('verified_at', 'is', null).execute()

/** Never the primary domain, and never a blocked one: removing that would free it. */
export const deleteDomain = (tx: Tx, { provider_id, domain }: Key) =>
  tx
    .deleteFrom('provider_domains')
    .where('provider_id', '=', provider_id)
    .where('domain', '=', domain)
    .where('is_primary', '=', 0)
    .where('blocked_by', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Makes another domain primary; the previous one keeps its proof. */
export const setPrimary = async (tx: Tx, { provider_id, domain }: Key) => {
  const own = () => tx.updateTable('provider_domains').where('provider_id', '=', provider_id)
  await own().set({ is_primary: 0 }).where('is_primary', '=', 1).execute()
  await own().set({ is_primary: 1 }).where('domain', '=', domain).execute()
}

export const setWebsite = (tx: Tx, { id, website, at }: { id: string; website: string; at: number }) =>
  tx.updateTable('providers').set({ website, updated_at: at }).where('id', '=', id).execute()

/** Copies the primary domain into the provider's row, which most queries read. */
export const mirrorPrimary = async (tx: Tx, provider_id: string, at: number) => {
  const row = await findPrimary(tx, provider_id)
  await tx
    .updateTable('providers')
    .set({
      domain: row?.domain ?? null,
      domain_nonce: row?.nonce ?? '',
      domain_verified_at: row && statusOfProof(row) === 'proven' ? row.verified_at : null,
      domain_verification_method: row?.method ?? null,
      domain_checked_at: row?.checked_at ?? null,
      domain_stale_since: row?.stale_since ?? null,
      domain_since: row?.proven_since ?? null,
      updated_at: at,
    })
    .where('id', '=', provider_id)
    .execute()
}
