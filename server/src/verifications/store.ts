import type { DeploymentProof } from '@countersign/sdk/contract'
import { type Insertable, sql } from 'kysely'
import { bundleStatus, isMailboxLost } from '../db/bundle-verdicts.ts'
import { type Database, value } from '../db/engine.ts'
import { selectFromLinks } from '../db/links.ts'
import type {
  BindingTable,
  Db,
  DeploymentTable,
  LinkSnapshotTable,
  ModelTable,
  ProviderDomainTable,
  SigningKeyState,
  Tx,
  VerificationTable,
} from '../db/schema.ts'
import { supersededPublicly } from '../db/versions.ts'
import { similarLinkNameDomain } from '../names/store.ts'
import { selectTrust, type TrustRow } from '../trust/facts.ts'
import type { MintingFacts } from './rules.ts'

/* ---- minting ---- */

export interface MintRow extends MintingFacts {
  display_name: string
  api_model_identifier: string
  version: string
  model_digest: string | null
  bundle_status: ModelTable['bundle_status']
  superseded_at: number | null
  first_minted_at: number | null
  model_type: string
  name_skeleton: string | null
  domain: string | null
  domain_verified_at: number | null
  domain_checked_at: number | null
  domain_stale_since: number | null
  deployment_proven_by: DeploymentProof | null
  last_proven_at: number | null
  last_used_at: number | null
  /** The key that signs now. Read with the rest, so that a rotation or a compromise in another process counts at once. */
  kid: string
}

export const prepareMintFacts = (database: Database) =>
  database.statement<{ provider_id: string; model_id: string; fingerprint: string; at: number }, MintRow>(
    (db, parameter) =>
      db
        .selectFrom('models as m')
        .innerJoin('providers as p', 'p.id', 'm.provider_id')
        .leftJoin('deployments as d', (join) =>
          join
            .onRef('d.provider_id', '=', 'm.provider_id')
            .on('d.spki_fingerprint', '=', value(parameter('fingerprint')))
            .on('d.deleted_at', 'is', null),
        )
        .leftJoin('authorizations as a', (join) =>
          join
            .onRef('a.provider_id', '=', 'm.provider_id')
            .onRef('a.model_id', '=', 'm.id')
            .onRef('a.deployment_id', '=', 'd.id'),
        )
        .select([
          'm.display_name',
          'm.api_model_identifier',
          'm.version',
          'm.model_digest',
          'm.archived_at',
          'm.superseded_at',
          'm.first_minted_at',
          'm.model_type',
          'm.require_deployment_proof',
          'p.company_name',
          'p.name_skeleton',
          'p.email',
          'p.website',
          'p.domain',
          'p.domain_verified_at',
          'p.domain_checked_at',
          'p.domain_stale_since',
          'd.id as deployment_id',
          'd.status as deployment_status',
          'd.spiffe_id as deployment_spiffe_id',
          'd.proven_by as deployment_proven_by',
          'd.last_proven_at',
          'd.last_used_at',
          'a.authorized_at',
          bundleStatus('m', parameter('at')),
          sql<string>`(select k.kid from signing_keys k where k.state = 'active')`.as('kid'),
        ])
        .where('m.provider_id', '=', value(parameter('provider_id')))
        .where('m.id', '=', value(parameter('model_id')))
        .where('m.deleted_at', 'is', null),
  )

/** The deployment that a workload's key stands for now. */
export const findWorkload = (
  db: Db,
  {
    provider_id,
    model_id,
    fingerprint,
    at,
  }: { provider_id: string; model_id: string; fingerprint: string; at: number },
) =>
  db
    .selectFrom('workload_keys as k')
    .innerJoin('workloads as w', (join) =>
      join.onRef('w.provider_id', '=', 'k.provider_id').onRef('w.id', '=', 'k.workload_id'),
    )
    .innerJoin('deployments as d', (join) =>
      join.onRef('d.provider_id', '=', 'w.provider_id').onRef('d.id', '=', 'w.deployment_id'),
    )
    .leftJoin('authorizations as a', (join) =>
      join
        .onRef('a.provider_id', '=', 'd.provider_id')
        .onRef('a.deployment_id', '=', 'd.id')
        .on('a.model_id', '=', model_id),
    )
    .select([
      'w.id as workload_id',
      'w.issuer',
      'w.subject',
      'w.claims',
      'd.id as deployment_id',
      'd.status as deployment_status',
      'd.spiffe_id as deployment_spiffe_id',
      'd.proven_by as deployment_proven_by',
      'd.last_proven_at',
      'd.last_used_at',
      'a.authorized_at',
    ])
    .where('k.provider_id', '=', provider_id)
    .where('k.spki_fingerprint', '=', fingerprint)
    .where('k.expires_at', '>', at)
    .where('w.issuer_refused_at', 'is', null)
    .where('d.deleted_at', 'is', null)
    .executeTakeFirst()

export type FoundWorkload = NonNullable<Awaited<ReturnType<typeof findWorkload>>>

export const verificationColumns = [
  'id',
  'provider_id',
  'model_id',
  'deployment_id',
  'binding',
  'kid',
  'code_key',
  'token_digest',
  'issued_at',
  'expires_at',
  'snapshot_id',
  'api_key_id',
  'user_fp',
  'challenge',
  'origin',
  'origin_domain',
  'prompt_hash',
  'metadata',
  'opened_at',
  'workload_id',
  'workload',
  'nonce',
] as const satisfies (keyof VerificationTable)[]

/** From now on the version cannot be edited in place; waits for an edit in progress. */
export const markMinted = (tx: Tx, { provider_id, id, at }: { provider_id: string; id: string; at: number }) =>
  tx
    .updateTable('models')
    .set({ first_minted_at: at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('first_minted_at', 'is', null)
    .execute()

/** What a link names when it is minted. */
export const snapshotOf = (facts: MintRow): Omit<LinkSnapshotTable, 'provider_id' | 'id'> => ({
  api_model_identifier: facts.api_model_identifier,
  display_name: facts.display_name,
  version: facts.version,
  model_type: facts.model_type,
  model_digest: facts.model_digest,
  company_name: facts.company_name,
  website: facts.website,
  domain: facts.domain_verified_at === null ? null : facts.domain,
  name_skeleton: facts.name_skeleton,
})

/** Does nothing if it exists: the ID is the digest of the content. */
export const insertSnapshot = (tx: Tx, row: Insertable<LinkSnapshotTable>) =>
  tx
    .insertInto('link_snapshots')
    .values(row)
    .onConflict((conflict) => conflict.columns(['provider_id', 'id']).doNothing())
    .execute()

export const insertVerification = (tx: Tx, row: Insertable<VerificationTable>) =>
  tx.insertInto('verifications').values(row).execute()

/** Zero rows if this kind of binding exists. */
export const insertBinding = (tx: Tx, row: Insertable<BindingTable>) =>
  tx
    .insertInto('bindings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['provider_id', 'verification_id', 'bound_by']).doNothing())
    .returning('bound_at')
    .executeTakeFirst()

/* ---- reading ---- */

type Verification = Pick<
  VerificationTable,
  | 'id'
  | 'provider_id'
  | 'model_id'
  | 'deployment_id'
  | 'binding'
  | 'kid'
  | 'token_digest'
  | 'issued_at'
  | 'expires_at'
  | 'user_fp'
  | 'challenge'
  | 'origin'
  | 'origin_domain'
  | 'workload_id'
  | 'workload'
>

interface Bindings {
  provider_hash: string | null
  provider_digest: string | null
  provider_bound_at: number | null
  bearer_hash: string | null
  bearer_digest: string | null
  bearer_bound_at: number | null
}

/** The current state of what a link names. */
interface Later {
  now_display_name: string
  now_version: string
  now_model_type: string
  now_digest: string | null
  now_company_name: string | null
  now_name_skeleton: string | null
  now_website: string | null
  similar_name_domain: string | null
}

export interface LinkRow extends Verification, Bindings, TrustRow, Later {
  minted_domain: string | null
  minted_digest: string | null
  key_state: SigningKeyState | null
  api_key_compromised_since: number | null
  company_name: string | null
  name_skeleton: string | null
  website: string | null
  provider_deactivated_at: number | null
  provider_suspended_at: number | null
  provider_deleted_at: number | null
  link_domain_method: ProviderDomainTable['method']
  link_domain_verified_at: number | null
  link_domain_checked_at: number | null
  link_domain_stale_since: number | null
  origin_verified_at: number | null
  origin_stale_since: number | null
  origin_checked_at: number | null
  display_name: string
  api_model_identifier: string
  version: string
  version_number: number
  model_type: string
  sigstore_bundle_url: string | null
  bundle_status: ModelTable['bundle_status']
  bundle_last_checked: number | null
  bundle_verification_details: string | null
  bundle_signer: string | null
  is_mailbox_lost: number
  is_public: number
  superseded_at: number | null
  archived_at: number | null
  model_deleted_at: number | null
  spki_fingerprint: string | null
  spiffe_id: string | null
  cloud_identity: string | null
  deployment_status: DeploymentTable['status'] | null
  deployment_disabled_at: number | null
  deployment_deleted_at: number | null
  deployment_proven_at: number | null
  authorized_at: number | null
  authorization_ended_at: number | null
}

const selectLinks = (db: Db, at: number) =>
  selectFromLinks(db)
    .leftJoin('provider_domains as od', (join) =>
      join.onRef('od.provider_id', '=', 'v.provider_id').onRef('od.domain', '=', 'v.origin_domain'),
    )
    .leftJoin('bindings as bp', (join) =>
      join
        .onRef('bp.provider_id', '=', 'v.provider_id')
        .onRef('bp.verification_id', '=', 'v.id')
        .on('bp.bound_by', '=', sql.lit('provider')),
    )
    .leftJoin('bindings as bb', (join) =>
      join
        .onRef('bb.provider_id', '=', 'v.provider_id')
        .onRef('bb.verification_id', '=', 'v.id')
        .on('bb.bound_by', '=', sql.lit('bearer')),
    )
    .select([
      'v.id',
      'v.provider_id',
      'v.model_id',
      'v.deployment_id',
      'v.binding',
      'v.kid',
      'v.token_digest',
      'v.issued_at',
      'v.expires_at',
      'v.user_fp',
      'v.challenge',
      'v.origin',
      'v.origin_domain',
      'v.workload_id',
      'v.workload',
      's.domain as minted_domain',
      's.model_digest as minted_digest',
      'bp.response_hash as provider_hash',
      'bp.token_digest as provider_digest',
      'bp.bound_at as provider_bound_at',
      'bb.response_hash as bearer_hash',
      'bb.token_digest as bearer_digest',
      'bb.bound_at as bearer_bound_at',
      'k.state as key_state',
      'ak.compromised_since as api_key_compromised_since',
      's.company_name',
      's.name_skeleton',
      's.website',
      'p.company_name as now_company_name',
      'p.name_skeleton as now_name_skeleton',
      'p.website as now_website',
      'p.deactivated_at as provider_deactivated_at',
      'p.suspended_at as provider_suspended_at',
      'p.deleted_at as provider_deleted_at',
      'pd.method as link_domain_method',
      'pd.verified_at as link_domain_verified_at',
      'pd.checked_at as link_domain_checked_at',
      'pd.stale_since as link_domain_stale_since',
      'od.verified_at as origin_verified_at',
      'od.stale_since as origin_stale_since',
      'od.checked_at as origin_checked_at',
      's.display_name',
      's.api_model_identifier',
      's.version',
      's.model_type',
      'm.display_name as now_display_name',
      'm.version as now_version',
      'm.model_type as now_model_type',
      'm.model_digest as now_digest',
      'm.version_number',
      'm.sigstore_bundle_url',
      'm.bundle_status',
      'm.bundle_last_checked',
      'm.bundle_verification_details',
      'm.bundle_signer',
      sql<number>`case when ${isMailboxLost('m', at)} then 1 else 0 end`.as('is_mailbox_lost'),
      'm.is_public',
      supersededPublicly.as('superseded_at'),
      'm.archived_at',
      'm.deleted_at as model_deleted_at',
      'd.spki_fingerprint',
      'd.spiffe_id',
      'd.cloud_identity',
      'd.status as deployment_status',
      'd.disabled_at as deployment_disabled_at',
      'd.deleted_at as deployment_deleted_at',
      'd.proven_at as deployment_proven_at',
      'a.authorized_at',
      // Only looked up for links that ended so.
      sql<number | null>`case when v.deployment_id is not null and a.authorized_at is null then (
        select e.ended_at from ended_authorizations e
        where e.provider_id = v.provider_id and e.deployment_id = v.deployment_id and e.model_id = v.model_id
      ) end`.as('authorization_ended_at'),
    ])
    .select(selectTrust(at))
    .select(similarLinkNameDomain(at))

export const prepareFindByCode = (database: Database) =>
  database.statement<{ code_key: string; at: number }, LinkRow>((db, parameter) =>
    selectLinks(db, parameter('at')).where('v.code_key', '=', value(parameter('code_key'))),
  )

export const prepareFindById = (database: Database) =>
  database.statement<{ provider_id: string; id: string; at: number }, LinkRow>((db, parameter) =>
    selectLinks(db, parameter('at'))
      .where('v.provider_id', '=', value(parameter('provider_id')))
      .where('v.id', '=', value(parameter('id'))),
  )
