import { hash } from 'node:crypto'
import Sqlite from 'better-sqlite3'

export interface MintRow {
  display_name: string
  model_type: string
  company_name: string | null
  name_skeleton: string | null
  website: string | null
  api_model_identifier: string
  version: string
  model_digest: string | null
  bundle_status: string
  archived_at: number | null
  superseded_at: number | null
  domain: string | null
  domain_verified_at: number | null
  deployment_id: string | null
  deployment_status: string | null
  authorized_at: number | null
  kid: string
}

interface Waiting {
  row: unknown[]
  done: () => void
}

const keySql = `select k.id, k.provider_id, k.hash from api_keys k join providers p on p.id = k.provider_id
  where k.lookup = (select ?) and k.revoked_at is null and p.deactivated_at is null and p.deleted_at is null`

const mintSql = `select m.api_model_identifier, m.version, m.display_name, m.model_type, m.model_digest, m.bundle_status, m.archived_at, m.superseded_at,
    p.company_name, p.name_skeleton, p.website, p.domain, p.domain_verified_at,
    d.id as deployment_id, d.status as deployment_status, a.authorized_at, (select kid from signing_keys where state = 'active') as kid
  from models m join providers p on p.id = m.provider_id
  left join deployments d on d.provider_id = m.provider_id and d.spki_fingerprint = (select ?) and d.deleted_at is null
  left join authorizations a on a.provider_id = m.provider_id and a.model_id = m.id and a.deployment_id = d.id
  where m.provider_id = (select ?) and m.id = (select ?) and m.deleted_at is null`

const columns = [
  ...[
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
  ],
  ...[
    'snapshot_id',
    'api_key_id',
    'user_fp',
    'challenge',
    'origin',
    'origin_domain',
    'prompt_hash',
    'metadata',
    'opened_at',
  ],
]

const snapshotColumns = [
  ...(['api_model_identifier', 'display_name', 'version', 'model_type', 'model_digest'] as const),
  ...(['company_name', 'name_skeleton', 'website', 'domain'] as const),
]

const trustColumns = [
  'description',
  'logo_url',
  'founded_year',
  'employee_count',
  'hq_city',
  'hq_country',
  'phone_number',
  'support_email',
  'github_url',
  'linkedin_url',
]
const linkSql = `select v.id, v.provider_id, v.model_id, v.deployment_id, v.binding, v.token_digest, v.issued_at, v.expires_at, v.challenge, v.origin,
    v.origin_domain, v.workload_id, v.workload, od.verified_at as origin_verified_at, od.checked_at as origin_checked_at, od.stale_since as origin_stale_since,
    s.domain as minted_domain, s.model_digest as minted_digest, k.state as key_state, ${trustColumns.map((name) => `p.${name}`).join(', ')},
    p.trust_center_url, p.email_verified_at, p.compliance_certifications, p.ai_specific_certifications, p.opened_count, p.domain,
    s.company_name, s.name_skeleton, s.website, p.company_name as now_company_name, p.name_skeleton as now_name_skeleton, p.website as now_website,
    p.domain_verified_at, pd.method as link_domain_method, pd.verified_at as link_domain_verified_at,
    pd.checked_at as link_domain_checked_at, pd.stale_since as link_domain_stale_since, ak.compromised_since as api_key_compromised_since,
    p.deactivated_at as provider_deactivated_at, p.suspended_at as provider_suspended_at, p.deleted_at as provider_deleted_at,
    s.display_name, s.api_model_identifier, s.version, s.model_type, m.display_name as now_display_name, m.version as now_version,
    m.model_type as now_model_type, m.model_digest as now_digest, m.version_number, m.sigstore_bundle_url, m.bundle_status, m.bundle_last_checked,
    m.bundle_verification_details, m.bundle_signer, m.is_public, m.is_latest, m.superseded_at, m.archived_at, m.deleted_at as model_deleted_at,
    d.spki_fingerprint, d.spiffe_id, d.cloud_identity, d.status as deployment_status, d.disabled_at as deployment_disabled_at,
    d.deleted_at as deployment_deleted_at, d.proven_at as deployment_proven_at, a.authorized_at,
    case when v.deployment_id is not null and a.authorized_at is null then (select e.ended_at from ended_authorizations e
      where e.provider_id = v.provider_id and e.deployment_id = v.deployment_id and e.model_id = v.model_id) end as authorization_ended_at,
    bp.response_hash as provider_hash, bp.bound_at as provider_bound_at, bb.response_hash as bearer_hash, bb.bound_at as bearer_bound_at,
    (select count(*) from (select 1 from models where provider_id = p.id and is_latest = 1 and is_active = 1 and deleted_at is null limit 2)) as active_identifiers,
    (select count(*) from (select 1 from models where provider_id = p.id and bundle_status = 'verified' and deleted_at is null limit 1)) as verified_bundles,
    (select o.domain from providers o where o.name_skeleton = s.name_skeleton and o.id <> p.id and o.domain <> coalesce(s.domain, p.domain)
      and o.domain_verified_at is not null and o.is_listed = 1 and o.unfit_name = 0 and o.deactivated_at is null and o.deleted_at is null
      and (p.name_since is null or o.name_since < p.name_since) order by o.name_since, o.domain limit 1) as similar_name_domain
  from verifications v join link_snapshots s on s.provider_id = v.provider_id and s.id = v.snapshot_id
  join providers p on p.id = v.provider_id join models m on m.provider_id = v.provider_id and m.id = v.model_id
  left join provider_domains pd on pd.provider_id = v.provider_id and pd.domain = coalesce(s.domain, p.domain)
  left join provider_domains od on od.provider_id = v.provider_id and od.domain = v.origin_domain
  left join signing_keys k on k.kid = v.kid
  left join api_keys ak on ak.provider_id = v.provider_id and ak.id = v.api_key_id
  left join deployments d on d.provider_id = v.provider_id and d.id = v.deployment_id
  left join authorizations a on a.provider_id = v.provider_id and a.model_id = v.model_id and a.deployment_id = v.deployment_id
  left join bindings bp on bp.provider_id = v.provider_id and bp.verification_id = v.id and bp.bound_by = 'provider'
  left join bindings bb on bb.provider_id = v.provider_id and bb.verification_id = v.id and bb.bound_by = 'bearer'`

/** Handwritten SQL on the registry's tables, and one durable transaction for all rows of one turn of the event loop. */
export const openStore = (file: string) => {
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.pragma('cache_size = -65536')
  const insert = database.prepare(
    `insert into verifications (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
  const insertAll = database.transaction((rows: readonly Waiting[]) => {
    for (const { row } of rows) insert.run(row)
  })
  const insertSnapshot =
    database.prepare(`insert or ignore into link_snapshots (provider_id, id, ${snapshotColumns.join(', ')})
    values (?, ?, ${snapshotColumns.map(() => '?').join(', ')})`)
  const snapshots = new Map<string, string>()
  const findKey = database.prepare(keySql)
  const findMint = database.prepare(mintSql)
  const findSigningKey = database.prepare('select private_encrypted from signing_keys where kid = ?')
  const findByCode = database.prepare(`${linkSql} where v.code_key = (select ?)`)
  const findById = database.prepare(`${linkSql} where v.provider_id = (select ?) and v.id = (select ?)`)
  let waiting: Waiting[] = []

  const flush = () => {
    const batch = waiting
    waiting = []
    insertAll.immediate(batch)
    for (const { done } of batch) done()
  }

  return {
    findKey: (lookup: string) => findKey.get(lookup) as { id: string; provider_id: string; hash: string } | undefined,
    findMint: (fingerprint: string, provider_id: string, model_id: string) =>
      findMint.get(fingerprint, provider_id, model_id) as MintRow | undefined,
    findSigningKey: (kid: string) => (findSigningKey.get(kid) as { private_encrypted: string }).private_encrypted,
    findByCode: (code_key: string) => findByCode.get(code_key),
    findById: (provider_id: string, id: string) => findById.get(provider_id, id),
    /** Snapshots are written once and then cached. */
    freeze: (provider_id: string, facts: MintRow) => {
      const content = snapshotColumns.map((name) => facts[name])
      const text = JSON.stringify([provider_id, content])
      const known = snapshots.get(text)
      if (known !== undefined) return known
      const id = hash('sha256', text, 'base64url').slice(0, 32)
      insertSnapshot.run(provider_id, id, ...content)
      snapshots.set(text, id)
      return id
    },
    insert: (row: unknown[], done: () => void) => {
      if (waiting.push({ row, done }) === 1) setImmediate(flush)
    },
  }
}

export type Store = ReturnType<typeof openStore>
