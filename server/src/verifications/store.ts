import { sql } from 'kysely'
import { isMailboxLost } from '../db/bundle-verdicts.ts'
import { type Database, value } from '../db/engine.ts'
import { type LinkState, linkStateColumns, selectFromLinks } from '../db/links.ts'
import type { Db, ProviderDomainTable, VerificationTable } from '../db/schema.ts'
import { supersededPublicly } from '../db/versions.ts'
import { similarLinkNameDomain } from '../names/store.ts'
import { selectTrust, type TrustRow } from '../trust/facts.ts'

type Verification = Pick<
  VerificationTable,
  'id' | 'provider_id' | 'model_id' | 'kid' | 'token_digest' | 'user_fp' | 'challenge' | 'workload_id' | 'workload'
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

export interface LinkRow extends LinkState, Verification, Bindings, TrustRow, Later {
  minted_digest: string | null
  company_name: string | null
  name_skeleton: string | null
  website: string | null
  link_domain_method: ProviderDomainTable['method']
  display_name: string
  api_model_identifier: string
  version: string
  /** Instead of a version that contains a domain which its provider no longer proves. The token still contains the version. */
  shown_version?: string
  version_number: number
  model_type: string
  sigstore_bundle_url: string | null
  bundle_last_checked: number | null
  bundle_verification_details: string | null
  bundle_signer: string | null
  is_mailbox_lost: number
  is_public: number
  superseded_at: number | null
  spki_fingerprint: string | null
  spiffe_id: string | null
  cloud_identity: string | null
  deployment_disabled_at: number | null
  authorization_ended_at: number | null
}

const selectLinks = (db: Db, at: number) =>
  selectFromLinks(db)
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
    .select(linkStateColumns)
    .select([
      'v.id',
      'v.provider_id',
      'v.model_id',
      'v.kid',
      'v.token_digest',
      'v.user_fp',
      'v.challenge',
      'v.workload_id',
      'v.workload',
      's.model_digest as minted_digest',
      'bp.response_hash as provider_hash',
      'bp.token_digest as provider_digest',
      'bp.bound_at as provider_bound_at',
      'bb.response_hash as bearer_hash',
      'bb.token_digest as bearer_digest',
      'bb.bound_at as bearer_bound_at',
      's.company_name',
      's.name_skeleton',
      's.website',
      'p.company_name as now_company_name',
      'p.name_skeleton as now_name_skeleton',
      'p.website as now_website',
      'pd.method as link_domain_method',
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
      'm.bundle_last_checked',
      'm.bundle_verification_details',
      'm.bundle_signer',
      sql<number>`case when ${isMailboxLost('m', at)} then 1 else 0 end`.as('is_mailbox_lost'),
      'm.is_public',
      supersededPublicly.as('superseded_at'),
      'd.spki_fingerprint',
      'd.spiffe_id',
      'd.cloud_identity',
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
