import { type SqlBool, sql } from 'kysely'
import { isPlatformTrusted } from '../db/platform-proofs.ts'
import { domainProof } from '../db/proofs.ts'
import type { Db } from '../db/schema.ts'

/** Beyond it the number is a lower bound. */
const mostIncidents = 10_000
/** At most this many are loaded. */
const mostKeys = 100

/** Open reports among the newest ten thousand, and how many of each kind came with a link. */
export const countOpenIncidents = async (db: Db, provider_id: string) => {
  const newest = db
    .selectFrom('incidents')
    .select(['status', 'severity', 'is_verified_report'])
    .where('provider_id', '=', provider_id)
    .orderBy('id', 'desc')
    .limit(mostIncidents)
  const isCritical = sql<SqlBool>`n.severity = 'critical'`
  const counted = (condition: typeof isCritical) =>
    sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`
  const { all, critical, verified, both } = await db
    .selectFrom(newest.as('n'))
    .where('n.status', 'in', ['reported', 'investigating'])
    .select((of) => [
      of.fn.countAll<number>().as('all'),
      counted(isCritical).as('critical'),
      counted(sql<SqlBool>`n.is_verified_report = 1`).as('verified'),
      counted(sql<SqlBool>`${isCritical} and n.is_verified_report = 1`).as('both'),
    ])
    .executeTakeFirstOrThrow()
  return { all: Number(all), critical: Number(critical), verified: Number(verified), both: Number(both) }
}

/** How many there are, and the newest three. */
export interface Sample<Row> {
  count: number
  rows: Row[]
}

const mostSubjects = 3
const total = sql<number>`count(*)`.as('count')

const sampleModels = async (db: Db, provider_id: string, condition: ReturnType<typeof sql<SqlBool>>) => {
  const models = db
    .selectFrom('models')
    .where('provider_id', '=', provider_id)
    .where('deleted_at', 'is', null)
    .where('archived_at', 'is', null)
    .where(condition)
  const [{ count }, rows] = await Promise.all([
    models.select(total).executeTakeFirstOrThrow(),
    models.select(['id', 'display_name', 'version']).orderBy('id', 'desc').limit(mostSubjects).execute(),
  ])
  return { count: Number(count), rows }
}

export const findInvalidBundles = (db: Db, provider_id: string) =>
  sampleModels(db, provider_id, sql`bundle_status = 'invalid'`)

/** A valid signature that counts as a third party's until its signer is proven to be the provider's own. */
export const findUntiedBundles = (db: Db, provider_id: string) =>
  sampleModels(
    db,
    provider_id,
    sql`bundle_status = 'unknown' and bundle_verification_details like '%"reason":"signer_not_tied"%'`,
  )

export const findFailingEndpoints = (db: Db, provider_id: string) =>
  sampleModels(db, provider_id, sql`health_check_enabled = 1 and health_status = 'unhealthy'`)

const sampleDeployments = async (db: Db, provider_id: string, condition: ReturnType<typeof sql<SqlBool>>) => {
  const deployments = db
    .selectFrom('deployments')
    .where('provider_id', '=', provider_id)
    .where('deleted_at', 'is', null)
    .where(condition)
  const [{ count }, rows] = await Promise.all([
    deployments.select(total).executeTakeFirstOrThrow(),
    deployments.select(['id', 'spki_fingerprint']).orderBy('id', 'desc').limit(mostSubjects).execute(),
  ])
  return { count: Number(count), rows }
}

export const findDisabledDeployments = (db: Db, provider_id: string) =>
  sampleDeployments(db, provider_id, sql`status = 'disabled'`)

/** Without those that a platform vouches for, or that have no key of their own. */
export const findUnprovenDeployments = (db: Db, provider_id: string, isProxyTrusted: boolean) =>
  sampleDeployments(
    db,
    provider_id,
    sql`status = 'enabled' and spki_fingerprint not like 'none %'
      and (proven_at is null ${isProxyTrusted ? sql`` : sql`or proven_by = 'proxy'`}) and not ${isPlatformTrusted('deployments')}`,
  )

/** People's keys that expire soon, the first to expire first. */
export const listEndingKeys = (
  db: Db,
  { provider_id, at, before }: { provider_id: string; at: number; before: number },
) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'expires_at'])
    .where('provider_id', '=', provider_id)
    .where('publisher_id', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .where('expires_at', '<=', before)
    .orderBy('expires_at')
    .limit(mostKeys)
    .execute()

export const findStanding = (db: Db, id: string) =>
  db
    .selectFrom('providers')
    .select(['email', 'email_verified_at', 'domain', 'domain_verified_at', 'domain_stale_since'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Changes by compromised keys that wait for the owner's decision. */
export const countWaitingReviews = async (db: Db, provider_id: string): Promise<number> => {
  const row = await db
    .selectFrom('key_reviews')
    .select(total)
    .where('provider_id', '=', provider_id)
    .where('decision', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Domains whose proof was lost, or could not be checked last time. */
export const listFailedDomains = (db: Db, { provider_id, at }: { provider_id: string; at: number }) => {
  const proof = domainProof('d', at)
  return db
    .selectFrom('provider_domains as d')
    .select([
      'd.domain',
      'd.checked_at',
      proof.stale_since.as('stale_since'),
      sql<number | null>`coalesce(d.lost_at, ${proof.lost_at})`.as('lost_at'),
    ])
    .where('d.provider_id', '=', provider_id)
    .where((row) => row.or([row('d.stale_since', 'is not', null), row('d.lost_at', 'is not', null), proof.isOverdue]))
    .orderBy('d.domain')
    .execute()
}

/** At most 20 changes by keys and jobs, and a few that take effect later. */
export const listWaitingChanges = (db: Db, { provider_id, at }: { provider_id: string; at: number }) =>
  db
    .selectFrom('changes')
    .select(['id', 'endpoint', 'state', 'expires_at'])
    .where('provider_id', '=', provider_id)
    .where('state', 'in', ['open', 'delayed'])
    .where('expires_at', '>', at)
    .orderBy('id')
    .execute()
