import { type BundleSigner, describeSigner } from '@countersign/sdk/contract'
import { openReasonOf } from '../db/bundle-verdicts.ts'
import { ownFingerprint } from '../db/deployment-keys.ts'
import { platformFact, shownSubject } from '../db/platform-identities.ts'
import type { Db, ModelTable } from '../db/schema.ts'
import { claimsText, type Fact } from './rules.ts'

/** The IDs to read; all of the provider's if undefined. */
type Only = readonly string[] | undefined

/** Owner of the registry's own facts. */
export const registryOwner = 'registry'

const readProvider = async (db: Db, provider_id: string): Promise<Fact[]> => {
  const provider = await db
    .selectFrom('providers')
    .select(['company_name', 'deactivated_at', 'deleted_at'])
    .where('id', '=', provider_id)
    .executeTakeFirst()
  const state = provider?.deleted_at != null ? 'deleted' : provider?.deactivated_at != null ? 'deactivated' : null
  const standing: Fact = {
    subject: provider_id,
    fact: 'provider',
    type: state === null ? '' : `provider.${state}`,
    isPublic: true,
    clear: { provider: provider_id },
  }
  if (state === 'deleted') return [standing]
  const company_name = provider?.company_name ?? ''
  const named: Fact = {
    subject: provider_id,
    fact: 'name',
    type: 'provider.named',
    isPublic: true,
    clear: { provider: provider_id },
    hidden: { company_name },
  }
  const domains = await db
    .selectFrom('provider_domains')
    .select(['domain', 'method', 'stale_since', 'is_primary'])
    .where('provider_id', '=', provider_id)
    .where('verified_at', 'is not', null)
    .execute()
  const proofs = domains.map(
    ({ domain, method, stale_since }): Fact => ({
      subject: provider_id,
      fact: `domain ${domain}`,
      type: stale_since === null ? 'domain.proven' : 'domain.stale',
      isPublic: true,
      clear: { provider: provider_id, domain, ...(stale_since === null && { method }) },
      ...(stale_since === null && { hidden: { company_name } }),
    }),
  )
  const primary = domains
    .filter(({ is_primary }) => is_primary === 1)
    .map(
      ({ domain }): Fact => ({
        subject: provider_id,
        fact: 'primary',
        type: 'domain.primary',
        isPublic: true,
        clear: { provider: provider_id, domain },
      }),
    )
  return [standing, named, ...proofs, ...primary]
}

type Version = Pick<
  ModelTable,
  'id' | 'is_public' | 'model_digest' | 'bundle_status' | 'bundle_verification_details' | 'bundle_signer'
>

const bundleTypeOf = (version: Version) => {
  const { bundle_status: status } = version
  if (status === 'verified' || status === 'invalid') return `bundle.${status}` as const
  return openReasonOf(version) === 'signer_not_tied' ? 'bundle.third_party' : null
}

const bundleOf = (provider_id: string, version: Version): Fact[] => {
  const type = bundleTypeOf(version)
  if (type === null) return []
  const noted: { signer: BundleSigner | null; digest: string | null } | null =
    version.bundle_signer === null ? null : JSON.parse(version.bundle_signer)
  const signer = noted?.signer ?? null
  const isSigned = type !== 'bundle.invalid'
  return [
    {
      subject: version.id,
      fact: 'bundle',
      type,
      isPublic: version.is_public === 1,
      clear: {
        provider: provider_id,
        model: version.id,
        digest: noted?.digest ?? version.model_digest ?? 'none',
        ...(isSigned && { spki: signer?.key_fingerprint ?? null }),
      },
      ...(isSigned && { hidden: { identity: signer === null ? '' : describeSigner(signer) } }),
    },
  ]
}

const readVersions = async (db: Db, provider_id: string, only: Only): Promise<Fact[]> => {
  const rows = await db
    .selectFrom('models as m')
    .leftJoin('models as n', (join) =>
      join.onRef('n.provider_id', '=', 'm.provider_id').onRef('n.id', '=', 'm.successor_id'),
    )
    .select([
      'm.id',
      'm.is_public',
      'm.api_model_identifier',
      'm.display_name',
      'm.version',
      'm.model_digest',
      'm.bundle_status',
      'm.bundle_verification_details',
      'm.bundle_signer',
      'm.archived_at',
      'm.successor_id',
      'n.is_public as is_successor_public',
    ])
    .where('m.provider_id', '=', provider_id)
    .where('m.deleted_at', 'is', null)
    .$if(only !== undefined, (query) => query.where('m.id', 'in', only ?? []))
    .orderBy('m.id')
    .execute()
  return rows.flatMap((row): Fact[] => {
    const of = { subject: row.id, isPublic: row.is_public === 1 }
    const clear = { provider: provider_id, model: row.id }
    return [
      {
        ...of,
        fact: 'version',
        type: 'version.registered',
        clear: { ...clear, digest: row.model_digest },
        hidden: { identifier: row.api_model_identifier, version: row.version, display_name: row.display_name },
      },
      ...(row.successor_id === null
        ? []
        : [
            {
              ...of,
              // A private successor must not show in the version before it.
              isPublic: of.isPublic && row.is_successor_public === 1,
              fact: 'superseded',
              type: 'version.superseded' as const,
              clear,
            },
          ]),
      ...(row.archived_at === null ? [] : [{ ...of, fact: 'archived', type: 'version.archived' as const, clear }]),
      ...bundleOf(provider_id, row),
    ]
  })
}

const readDeployments = async (db: Db, provider_id: string, only: Only): Promise<Fact[]> => {
  const rows = await db
    .selectFrom('authorizations as a')
    .innerJoin('deployments as d', (join) =>
      join.onRef('d.provider_id', '=', 'a.provider_id').onRef('d.id', '=', 'a.deployment_id'),
    )
    .innerJoin('models as m', (join) =>
      join.onRef('m.provider_id', '=', 'a.provider_id').onRef('m.id', '=', 'a.model_id'),
    )
    .select(['d.id', 'd.spki_fingerprint', 'd.status', 'm.id as model_id', 'm.is_public'])
    .where('a.provider_id', '=', provider_id)
    .where('d.deleted_at', 'is', null)
    .$if(only !== undefined, (query) => query.where('a.deployment_id', 'in', only ?? []))
    .orderBy('d.id')
    .orderBy('m.id')
    .execute()
  const authorizations = rows.map(
    ({ id, spki_fingerprint, model_id, is_public }): Fact => ({
      subject: id,
      fact: `authorization ${model_id}`,
      type: 'deployment.authorized',
      isPublic: is_public === 1,
      clear: { provider: provider_id, deployment: id, model: model_id, spki: ownFingerprint(spki_fingerprint) },
    }),
  )
  // Public if a public version names it.
  const disabled = new Map<string, Fact>()
  for (const { id, status, is_public } of rows) {
    if (status === 'enabled') continue
    const isPublic = is_public === 1 || disabled.get(id)?.isPublic === true
    const clear = { provider: provider_id, deployment: id }
    disabled.set(id, { subject: id, fact: 'deployment', type: 'deployment.disabled', isPublic, clear })
  }
  return [...authorizations, ...disabled.values(), ...(await readPlatforms(db, provider_id, only, rows))]
}

/** Identities of platforms that stand for deployments, public if a public version names the deployment. */
const readPlatforms = async (
  db: Db,
  provider_id: string,
  only: Only,
  authorized: readonly { id: string; is_public: number }[],
): Promise<Fact[]> => {
  const rows = await db
    .selectFrom('workloads as w')
    .innerJoin('deployments as d', (join) =>
      join.onRef('d.provider_id', '=', 'w.provider_id').onRef('d.id', '=', 'w.deployment_id'),
    )
    .select(['w.id', 'w.deployment_id', 'w.issuer', 'w.subject', 'w.claims', 'w.audience'])
    .where('w.provider_id', '=', provider_id)
    .where('w.issuer_refused_at', 'is', null)
    .where('d.deleted_at', 'is', null)
    .$if(only !== undefined, (query) => query.where('w.deployment_id', 'in', only ?? []))
    .orderBy('w.id')
    .execute()
  return rows.map(
    ({ id, deployment_id, issuer, subject, claims, audience }): Fact => ({
      subject: deployment_id,
      fact: platformFact(id),
      type: 'platform.trusted',
      isPublic: authorized.some((row) => row.id === deployment_id && row.is_public === 1),
      clear: { provider: provider_id, deployment: deployment_id, workload: id, issuer },
      hidden: {
        subject: shownSubject({ issuer, subject, claims }),
        claims: claimsText({ subject, claims, audience }),
      },
    }),
  )
}

const readSigners = async (db: Db, provider_id: string, only: Only): Promise<Fact[]> => {
  const rows = await db
    .selectFrom('declared_signers')
    .select(['id', 'api_model_identifier', 'signer'])
    .where('provider_id', '=', provider_id)
    .$if(only !== undefined, (query) => query.where('id', 'in', only ?? []))
    .orderBy('id')
    .execute()
  return rows.map(
    ({ id, api_model_identifier, signer }): Fact => ({
      subject: id,
      fact: 'signer',
      type: 'signer.declared',
      isPublic: true,
      clear: { provider: provider_id, signer: id, spki: null },
      hidden: { identity: `${api_model_identifier ?? ''}\n${signer}` },
    }),
  )
}

const keyTypes = {
  next: 'registry_key.added',
  active: 'registry_key.added',
  retired: 'registry_key.retired',
  suspended: 'registry_key.retired',
  compromised: 'registry_key.compromised',
} as const

const readKeys = async (db: Db): Promise<Fact[]> => {
  const rows = await db.selectFrom('signing_keys').select(['kid', 'state', 'public_x']).orderBy('kid').execute()
  return rows.map(
    ({ kid, state, public_x }): Fact => ({
      subject: kid,
      fact: 'key',
      type: keyTypes[state],
      isPublic: true,
      clear: keyTypes[state] === 'registry_key.added' ? { kid, x: public_x } : { kid },
    }),
  )
}

const batch = 500

/** The facts of these subjects, or all of the provider's. A subject without facts has none now. */
export const readFacts = async (db: Db, owner: string, subjects?: readonly string[]): Promise<Fact[]> => {
  if (owner === registryOwner) return readKeys(db)
  const readers = [
    ['mdl_', readVersions],
    ['dep_', readDeployments],
    ['sgn_', readSigners],
  ] as const
  const facts = subjects === undefined || subjects.includes(owner) ? await readProvider(db, owner) : []
  for (const [prefix, read] of readers) {
    const ids = subjects?.filter((id) => id.startsWith(prefix))
    if (ids === undefined) facts.push(...(await read(db, owner, undefined)))
    for (let start = 0; start < (ids?.length ?? 0); start += batch)
      facts.push(...(await read(db, owner, ids?.slice(start, start + batch))))
  }
  return facts
}

/** Versions whose bundle was decided, or is in the log. */
export const listBundles = async (db: Db, provider_id: string): Promise<string[]> => {
  const decided = await db
    .selectFrom('models')
    .select('id')
    .where('provider_id', '=', provider_id)
    .where('bundle_status', 'in', ['verified', 'invalid'])
    .where('deleted_at', 'is', null)
    .execute()
  const logged = await db
    .selectFrom('log_facts')
    .select('subject as id')
    .where('provider_id', '=', provider_id)
    .where('fact', '=', 'bundle')
    .execute()
  return [...new Set([...decided, ...logged].map(({ id }) => id))]
}

/** Deployments that are, or were when it was logged, authorized for a version. */
export const listDeploymentsOf = async (db: Db, provider_id: string, model_id: string): Promise<string[]> => {
  const current = await db
    .selectFrom('authorizations')
    .select('deployment_id as id')
    .where('provider_id', '=', provider_id)
    .where('model_id', '=', model_id)
    .execute()
  return current.map(({ id }) => id)
}

/** The deployment that a platform’s identity stands for, or stood for when it was logged. */
export const listDeploymentsOfPlatform = async (db: Db, provider_id: string, id: string): Promise<string[]> => {
  const logged = await db
    .selectFrom('log_facts')
    .select('subject as id')
    .where('provider_id', '=', provider_id)
    .where('fact', '=', platformFact(id))
    .execute()
  const current = await db
    .selectFrom('workloads')
    .select('deployment_id as id')
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .execute()
  return [...new Set([...logged, ...current].map((row) => row.id))]
}

export const findPredecessor = async (db: Db, provider_id: string, id: string): Promise<string | null> => {
  const row = await db
    .selectFrom('models')
    .select('predecessor_id')
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.predecessor_id ?? null
}

export const hasProvenDomain = async (db: Db, provider_id: string): Promise<boolean> => {
  const row = await db
    .selectFrom('provider_domains')
    .select('domain')
    .where('provider_id', '=', provider_id)
    .where('verified_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
