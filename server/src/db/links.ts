import { sql } from 'kysely'
import type { Db } from './schema.ts'

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

/** Only looked up for links that ended so. */
export const authorizationEndedAt = sql<
  number | null
>`case when v.deployment_id is not null and a.authorized_at is null then (
  select e.ended_at from ended_authorizations e
  where e.provider_id = v.provider_id and e.deployment_id = v.deployment_id and e.model_id = v.model_id
) end`.as('authorization_ended_at')
