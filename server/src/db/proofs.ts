import { type SqlBool, sql } from 'kysely'
import type { Db } from './schema.ts'

/*
 * The state of a stored domain proof at a moment. A proof that was not confirmed in time is stale, then lost, even if no job runs, so
 * everything that reads proofs uses this file.
 */

const hourMs = 3_600_000
/** A proof must be confirmed again after this. */
export const recheckAfterMs = 24 * hourMs
/** A proof that was not confirmed for longer than this is stale. */
const overdueAfterMs = 48 * hourMs
/** A proof that was stale for this long is lost. */
export const staleForMs = 72 * hourMs

interface StoredProof {
  verified_at: number | null
  stale_since: number | null
  /** When it was last confirmed. */
  checked_at: number | null
}

/** From a row in memory; `primaryProof` and `domainProof` compute the same in SQL. `lost_at` is null unless the proof expired. */
export const proofAt = ({ verified_at, stale_since, checked_at }: StoredProof, at: number) => {
  const confirmed_at = checked_at ?? verified_at
  const isOverdue = verified_at !== null && confirmed_at !== null && at - confirmed_at > overdueAfterMs
  const since = stale_since ?? (isOverdue ? confirmed_at + overdueAfterMs : null)
  return since !== null && at - since >= staleForMs
    ? { verified_at: null, stale_since: null, lost_at: since + staleForMs }
    : { verified_at, stale_since: since, lost_at: null }
}

/** A moment, or the placeholder for it in a prepared statement. */
export type Moment = number

/** In a subquery, because a plain parameter in a condition makes SQLite plan the join again at every call. */
const momentOf = (at: Moment) => sql<number>`(select cast(${at} as bigint))`

const columnsOf = (names: Record<keyof StoredProof, string>, at: Moment) => {
  const verified_at = sql.ref<number | null>(names.verified_at)
  const stale_since = sql.ref<number | null>(names.stale_since)
  const confirmed_at = sql`coalesce(${sql.ref(names.checked_at)}, ${verified_at})`
  const moment = momentOf(at)
  const isOverdue = sql<SqlBool>`(${verified_at} is not null and ${confirmed_at} < ${moment} - ${sql.lit(overdueAfterMs)})`
  const since = sql<
    number | null
  >`coalesce(${stale_since}, case when ${isOverdue} then ${confirmed_at} + ${sql.lit(overdueAfterMs)} end)`
  return {
    /** Confirmed, and not stale. */
    isProven: sql<SqlBool>`(${verified_at} is not null and ${stale_since} is null and not ${isOverdue})`,
    /** Proven or stale: not lost yet. */
    isKept: sql<SqlBool>`(${verified_at} is not null or ${stale_since} is not null)
      and coalesce(${since}, ${moment}) > ${moment} - ${sql.lit(staleForMs)}`,
    isOverdue,
    /** When it was proven; null unless it is proven now. */
    proven_at: sql<number | null>`case when ${stale_since} is null and not ${isOverdue} then ${verified_at} end`,
    /** Since when it could not be confirmed; null if it is proven or lost. */
    stale_since: sql<number | null>`case when ${since} > ${moment} - ${sql.lit(staleForMs)} then ${since} end`,
    /** When it was lost because it could not be confirmed. */
    lost_at: sql<
      number | null
    >`case when ${since} <= ${moment} - ${sql.lit(staleForMs)} then ${since} + ${sql.lit(staleForMs)} end`,
  }
}

/** A provider's primary domain at a moment. The row of `providers` is called `alias`. */
export const primaryProof = (alias: string, at: Moment) =>
  columnsOf(
    {
      verified_at: `${alias}.domain_verified_at`,
      stale_since: `${alias}.domain_stale_since`,
      checked_at: `${alias}.domain_checked_at`,
    },
    at,
  )

/** A domain at a moment. The row of `provider_domains` is called `alias`. */
export const domainProof = (alias: string, at: Moment) =>
  columnsOf(
    { verified_at: `${alias}.verified_at`, stale_since: `${alias}.stale_since`, checked_at: `${alias}.checked_at` },
    at,
  )

/** IDs of providers whose primary proof is overdue, with the provider as `p`. They were due a while ago, and that has an index. */
export const selectOverdue = (
  at: Moment,
) => sql`select p.id from provider_domains d join providers p on p.id = d.provider_id
  where d.due_at < ${at - recheckAfterMs} and d.is_primary = 1 and ${primaryProof('p', at).isOverdue}`

const listDomainsThat =
  (state: 'isProven' | 'isKept') =>
  async (db: Db, provider_id: string, at: number): Promise<string[]> => {
    const rows = await db
      .selectFrom('provider_domains as d')
      .select('d.domain')
      .where('d.provider_id', '=', provider_id)
      .where(domainProof('d', at)[state])
      .execute()
    return rows.map(({ domain }) => domain)
  }

/** The recently confirmed domains of a provider. */
export const listProvenDomains = listDomainsThat('isProven')

/** The same, with those whose proof is stale. */
export const listKeptDomains = listDomainsThat('isKept')
