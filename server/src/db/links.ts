import { sql } from 'kysely'
import type { Db, DeploymentTable, ModelTable, SigningKeyState, VerificationTable } from './schema.ts'

/** What decides whether a link is valid now, and which proofs it shows. */
export interface LinkState
  extends Pick<
    VerificationTable,
    'issued_at' | 'expires_at' | 'deployment_id' | 'binding' | 'origin' | 'origin_domain'
  > {
  minted_domain: string | null
  key_state: SigningKeyState | null
  api_key_compromised_since: number | null
  provider_deactivated_at: number | null
  provider_suspended_at: number | null
  provider_deleted_at: number | null
  link_domain_verified_at: number | null
  link_domain_checked_at: number | null
  link_domain_stale_since: number | null
  origin_verified_at: number | null
  origin_checked_at: number | null
  origin_stale_since: number | null
  model_deleted_at: number | null
  archived_at: number | null
  bundle_status: ModelTable['bundle_status']
  deployment_status: DeploymentTable['status'] | null
  deployment_disabled_at: number | null
  deployment_deleted_at: number | null
  deployment_proven_at: number | null
  authorized_at: number | null
  authorization_ended_at: number | null
}

/** Only looked up for links that ended so. An identity of a platform may have ended it earlier than the authorization did. */
const authorizationEndedAt = sql<number | null>`case when v.deployment_id is not null and a.authorized_at is null then (
  select min(ends.at) from (
    select e.ended_at as at from ended_authorizations e
    where e.provider_id = v.provider_id and e.deployment_id = v.deployment_id and e.model_id = v.model_id
    union all
    select w.issuer_refused_at from workloads w where w.provider_id = v.provider_id and w.id = v.workload_id
    union all
    select max(t.at) from events t
    where t.provider_id = v.provider_id and t.subject_id = v.workload_id and t.action = 'workload.removed' and not exists (
      select 1 from workloads w where w.provider_id = v.provider_id and w.id = v.workload_id
    )
  ) ends
) end`.as('authorization_ended_at')

/** The columns of `LinkState`, for `selectFromLinks`. */
export const linkStateColumns = [
  'v.issued_at',
  'v.expires_at',
  'v.deployment_id',
  'v.binding',
  'v.origin',
  'v.origin_domain',
  's.domain as minted_domain',
  'k.state as key_state',
  'ak.compromised_since as api_key_compromised_since',
  'p.deactivated_at as provider_deactivated_at',
  'p.suspended_at as provider_suspended_at',
  'p.deleted_at as provider_deleted_at',
  'pd.verified_at as link_domain_verified_at',
  'pd.checked_at as link_domain_checked_at',
  'pd.stale_since as link_domain_stale_since',
  'od.verified_at as origin_verified_at',
  'od.checked_at as origin_checked_at',
  'od.stale_since as origin_stale_since',
  'm.deleted_at as model_deleted_at',
  'm.archived_at',
  'm.bundle_status',
  'd.status as deployment_status',
  'd.disabled_at as deployment_disabled_at',
  'd.deleted_at as deployment_deleted_at',
  'd.proven_at as deployment_proven_at',
  'a.authorized_at',
  authorizationEndedAt,
] as const

/**
 * Issued links (`v`) with what they name (`s`) and everything that decides whether they are valid now: provider, domain, model, signing
 * key, deployment, authorization.
 */
export const selectFromLinks = (db: Db) =>
  db
    .selectFrom('verifications as v')
    .innerJoin('providers as p', 'p.id', 'v.provider_id')
    .innerJoin('link_snapshots as s', (join) =>
      join.onRef('s.provider_id', '=', 'v.provider_id').onRef('s.id', '=', 'v.snapshot_id'),
    )
    .innerJoin('models as m', (join) =>
      join.onRef('m.provider_id', '=', 'v.provider_id').onRef('m.id', '=', 'v.model_id'),
    )
    // The domain that the link was minted under; without one, the primary domain.
    .leftJoin('provider_domains as pd', (join) =>
      join
        .onRef('pd.provider_id', '=', 'v.provider_id')
        .on('pd.domain', '=', (of) => of.fn.coalesce('s.domain', 'p.domain')),
    )
    .leftJoin('provider_domains as od', (join) =>
      join.onRef('od.provider_id', '=', 'v.provider_id').onRef('od.domain', '=', 'v.origin_domain'),
    )
    .leftJoin('signing_keys as k', 'k.kid', 'v.kid')
    .leftJoin('api_keys as ak', (join) =>
      join.onRef('ak.provider_id', '=', 'v.provider_id').onRef('ak.id', '=', 'v.api_key_id'),
    )
    .leftJoin('deployments as d', (join) =>
      join.onRef('d.provider_id', '=', 'v.provider_id').onRef('d.id', '=', 'v.deployment_id'),
    )
    .leftJoin('authorizations as a', (join) =>
      join
        .onRef('a.provider_id', '=', 'v.provider_id')
        .onRef('a.model_id', '=', 'v.model_id')
        .onRef('a.deployment_id', '=', 'v.deployment_id')
        // A link that a workload asked for ends when its identity is no longer trusted, or its issuer no longer accepted.
        .on((on) =>
          on.or([
            on('v.workload_id', 'is', null),
            on.exists(
              on
                .selectFrom('workloads as w')
                .select('w.id')
                .whereRef('w.provider_id', '=', 'v.provider_id')
                .whereRef('w.id', '=', 'v.workload_id')
                .where('w.issuer_refused_at', 'is', null),
            ),
          ]),
        ),
    )
