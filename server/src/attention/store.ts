import { type SqlBool, sql } from 'kysely'
import { domainProof } from '../db/proofs.ts'
import type { Db } from '../db/schema.ts'

/** Beyond it the number is a lower bound. */
const mostIncidents = 10_000
/** At most this many of anything else are counted. */
const mostCounted = 100

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

const selectModels = (db: Db, provider_id: string) =>
  db
    .selectFrom('models')
    .select(['id', 'display_name', 'version'])
    .where('provider_id', '=', provider_id)
    .where('deleted_at', 'is', null)
    .where('archived_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(mostCounted)

export const listInvalidBundles = (db: Db, provider_id: string) =>
  selectModels(db, provider_id).where('bundle_status', '=', 'invalid').execute()

/** A valid signature that counts as a third party's until its signer is proven to be the provider's own. */
export const listUntiedBundles = (db: Db, provider_id: string) =>
  selectModels(db, provider_id)
    .where('bundle_status', '=', 'unknown')
    .where('bundle_verification_details', 'like', '%"reason":"signer_not_tied"%')
    .execute()

export const listFailingEndpoints = (db: Db, provider_id: string) =>
  selectModels(db, provider_id).where('health_check_enabled', '=', 1).where('health_status', '=', 'unhealthy').execute()

/** Only deployments that may request links for a model; the others are not expected to. */
const selectDeployments = (db: Db, provider_id: string) =>
  db
    .selectFrom('deployments as d')
    .select(['d.id', 'd.spki_fingerprint'])
    .where('d.provider_id', '=', provider_id)
    .where('d.deleted_at', 'is', null)
    .where((row) =>
      row.exists(
        row
          .selectFrom('authorizations as a')
          .select('a.model_id')
          .whereRef('a.provider_id', '=', 'd.provider_id')
          .whereRef('a.deployment_id', '=', 'd.id'),
      ),
    )
    .orderBy('d.id', 'desc')
    .limit(mostCounted)

export const listDisabledDeployments = (db: Db, provider_id: string) =>
  selectDeployments(db, provider_id).where('d.status', '=', 'disabled').execute()

export const listUnprovenDeployments = (db: Db, provider_id: string) =>
  selectDeployments(db, provider_id).where('d.status', '=', 'enabled').where('d.proven_at', 'is', null).execute()

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
    .limit(mostCounted)
    .execute()

export const findStanding = (db: Db, id: string) =>
  db
    .selectFrom('providers')
    .select(['email', 'email_verified_at'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

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
