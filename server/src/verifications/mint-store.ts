import type { DeploymentProof } from '@countersign/sdk/contract'
import { type Insertable, sql } from 'kysely'
import { bundleStatus } from '../db/bundle-verdicts.ts'
import { type Database, value } from '../db/engine.ts'
import type { BindingTable, Db, LinkSnapshotTable, ModelTable, Tx, VerificationTable } from '../db/schema.ts'
import type { MintingFacts } from './mint-rules.ts'

export interface MintRow extends MintingFacts {
  display_name: string
  api_model_identifier: string
  version: string
  version_number: number
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
          'm.version_number',
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

export type Snapshot = Omit<LinkSnapshotTable, 'provider_id' | 'id'>

/** What a link names when it is minted. */
export const snapshotOf = (facts: MintRow): Snapshot => ({
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

export const isSameSnapshot = (one: Snapshot, other: Snapshot): boolean => {
  for (const field in one) if (one[field as keyof Snapshot] !== other[field as keyof Snapshot]) return false
  return true
}

/** Does nothing if it exists: the ID is the digest of the content. */
export const insertSnapshot = (tx: Tx, row: Insertable<LinkSnapshotTable>) =>
  tx
    .insertInto('link_snapshots')
    .values(row)
    .onConflict((conflict) => conflict.columns(['provider_id', 'id']).doNothing())
    .execute()

export const insertVerification = (tx: Tx, row: Insertable<VerificationTable>) =>
  tx.insertInto('verifications').values(row).execute()

/** Locks a key that is not revoked until the transaction ends: a report of the key comes before it or after it. */
export const holdKey = async (tx: Tx, { provider_id, id }: { provider_id: string; id: string }): Promise<boolean> => {
  const held = await tx
    .updateTable('api_keys')
    .set((row) => ({ provider_id: row.ref('provider_id') }))
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return held !== undefined
}

/** Zero rows if this kind of binding exists. */
export const insertBinding = (tx: Tx, row: Insertable<BindingTable>) =>
  tx
    .insertInto('bindings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['provider_id', 'verification_id', 'bound_by']).doNothing())
    .returning('bound_at')
    .executeTakeFirst()
