import type { BundleRecord, BundleVerdict, DeclaredSigner } from '@countersign/sdk/contract'
import { type Insertable, type Selectable, sql } from 'kysely'
import { bundleColumns } from '../db/bundle-verdicts.ts'
import { primaryProof } from '../db/proofs.ts'
import type { BundleTable, Db, ModelTable, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'
import { noBundle, notYetChecked } from './rules.ts'

interface Subject {
  provider_id: string
  id: string
}

/** A version whose bundle the process that set `claim` will check. */
export interface DueBundle extends Subject {
  claim: number
}

export type BundleFacts = { provider_domain_verified_at: number | null } & Pick<
  Selectable<ModelTable>,
  | 'provider_id'
  | 'id'
  | 'api_model_identifier'
  | 'model_digest'
  | 'sigstore_bundle_url'
  | 'bundle_status'
  | 'bundle_last_checked'
  | 'bundle_verification_details'
  | 'bundle_verdict'
  | 'bundle_due_at'
  | 'bundle_asked_at'
  | 'bundle_failures'
>

const factColumns = [
  'm.provider_id',
  'm.id',
  'm.api_model_identifier',
  'm.model_digest',
  'm.sigstore_bundle_url',
  'm.bundle_verdict',
  'm.bundle_due_at',
  'm.bundle_asked_at',
  'm.bundle_failures',
] as const satisfies `m.${keyof ModelTable}`[]

/* ---- what is due ---- */

/** Those that a user waits for come first. */
export const claimDue = async (
  tx: Tx,
  { at, until, limit }: { at: number; until: number; limit: number },
): Promise<DueBundle[]> => {
  const rows = await tx
    .updateTable('models')
    .set({ bundle_due_at: until })
    .where('id', 'in', (due) =>
      due
        .selectFrom('models as m')
        .innerJoin('providers as p', 'p.id', 'm.provider_id')
        .select('m.id')
        .where('m.bundle_due_at', '<=', at)
        .where('m.deleted_at', 'is', null)
        .where('p.deactivated_at', 'is', null)
        .where('p.deleted_at', 'is', null)
        .orderBy(sql`case when m.bundle_asked_at is null then 1 else 0 end`)
        .orderBy('m.bundle_due_at')
        .orderBy('m.id')
        .limit(limit),
    )
    .where('bundle_due_at', '<=', at)
    .returning(['provider_id', 'id'])
    .execute()
  return rows.map((row) => ({ ...row, claim: until }))
}

/** Not due now: a claimed check is due later, unless something changed since. */
export const postpone = (tx: Tx, { provider_id, id, claim }: DueBundle, until: number) =>
  tx
    .updateTable('models')
    .set({ bundle_due_at: until })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('bundle_due_at', '=', claim)
    .execute()

/** Marks a check as awaited; a bundle being checked right now is checked once more. */
export const askForCheck = (tx: Tx, { provider_id, id, at }: Subject & { at: number }) =>
  tx
    .updateTable('models')
    .set({ bundle_due_at: at, bundle_asked_at: at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/**
 * The same, but claimed by the caller until `until`. Concurrent requests get different times; otherwise the verdict on one upload could
 * be stored for another.
 */
export const claimForCheck = async (
  tx: Tx,
  { provider_id, id, at, until }: Subject & { at: number; until: number },
) => {
  const row = await tx
    .updateTable('models')
    .set({
      bundle_due_at: sql<number>`case when bundle_due_at >= ${until} and bundle_due_at < ${until + 1_000} then bundle_due_at + 1 else ${until} end`,
      bundle_asked_at: at,
    })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('bundle_due_at')
    .executeTakeFirst()
  return row?.bundle_due_at ?? undefined
}

/** All versions with a bundle that a declaration may concern. */
export const askForChecksOf = (
  tx: Tx,
  { provider_id, api_model_identifier, at }: { provider_id: string; api_model_identifier: string | null; at: number },
) => {
  const all = tx
    .updateTable('models')
    .set({ bundle_due_at: at, bundle_asked_at: at })
    .where('provider_id', '=', provider_id)
    .where('bundle_due_at', 'is not', null)
    .where('deleted_at', 'is', null)
  return (api_model_identifier === null ? all : all.where('api_model_identifier', '=', api_model_identifier)).execute()
}

/** Marks one batch of those checked with another trusted root as due; returns how many. */
export const makeDueForRoot = async (
  tx: Tx,
  { root, at, limit }: { root: string; at: number; limit: number },
): Promise<number> => {
  const due = await tx
    .updateTable('models')
    .set({ bundle_due_at: at })
    .where('id', 'in', (others) =>
      others
        .selectFrom('models')
        .select('id')
        .where('bundle_due_at', '>', at)
        .where('bundle_root', '<>', root)
        .limit(limit),
    )
    .where('bundle_due_at', '>', at)
    .returning('id')
    .execute()
  return due.length
}

/* ---- checking ---- */

export const findFacts = (
  db: Db,
  { provider_id, id, at }: Subject & { at: number },
): Promise<BundleFacts | undefined> =>
  db
    .selectFrom('models as m')
    .innerJoin('providers as p', 'p.id', 'm.provider_id')
    .select(factColumns)
    .select(primaryProof('p', at).proven_at.as('provider_domain_verified_at'))
    .select(bundleColumns('m', at))
    .where('m.provider_id', '=', provider_id)
    .where('m.id', '=', id)
    .where('m.deleted_at', 'is', null)
    .executeTakeFirst()

export type StoredBundle = Selectable<BundleTable>

/** What is stored for a version, valid or not. */
export const findStoredBundle = (db: Db, model: Subject): Promise<StoredBundle | undefined> =>
  db
    .selectFrom('bundles')
    .selectAll()
    .where('provider_id', '=', model.provider_id)
    .where('model_id', '=', model.id)
    .executeTakeFirst()

/** The current bundle: one that was received for an earlier address is outdated. */
export const currentOf = (model: Pick<BundleFacts, 'sigstore_bundle_url'>, stored: StoredBundle | undefined) =>
  stored?.url === model.sigstore_bundle_url ? stored : undefined

export const saveBundle = (tx: Tx, bundle: Insertable<BundleTable>) =>
  tx
    .insertInto('bundles')
    .values(bundle)
    .onConflict((conflict) =>
      conflict.columns(['provider_id', 'model_id']).doUpdateSet(({ ref }) => ({
        source: ref('excluded.source'),
        url: ref('excluded.url'),
        bytes: ref('excluded.bytes'),
        sha256: ref('excluded.sha256'),
        received_at: ref('excluded.received_at'),
      })),
    )
    .execute()

interface Written {
  due: DueBundle
  /** What was checked. */
  checked: Pick<BundleFacts, 'model_digest' | 'sigstore_bundle_url'>
  /** SHA-256 of the stored bundle when the check began. */
  stored: string | null
  values: Pick<
    ModelTable,
    | 'bundle_status'
    | 'bundle_last_checked'
    | 'bundle_verification_details'
    | 'bundle_verdict'
    | 'bundle_signer'
    | 'bundle_domain'
    | 'bundle_root'
    | 'bundle_due_at'
  > & { bundle_failures: number }
}

/**
 * Zero rows if something changed since the check was claimed: a change to anything that a verdict depends on moves the claimed time, so a
 * verdict on other bytes, another digest or other signers is never written.
 */
export const writeVerdict = (tx: Tx, { due, checked, stored, values }: Written) =>
  tx
    .updateTable('models')
    .set({ ...values, bundle_asked_at: null })
    .where('provider_id', '=', due.provider_id)
    .where('id', '=', due.id)
    .where('bundle_due_at', '=', due.claim)
    .where('model_digest', checked.model_digest === null ? 'is' : '=', checked.model_digest)
    .where('sigstore_bundle_url', checked.sigstore_bundle_url === null ? 'is' : '=', checked.sigstore_bundle_url)
    .where(({ exists, not, selectFrom }) => {
      const own = selectFrom('bundles')
        .select('sha256')
        .where('provider_id', '=', due.provider_id)
        .where('model_id', '=', due.id)
      return stored === null ? not(exists(own)) : exists(own.where('sha256', '=', stored))
    })
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()

/** The files of a version with their digests, in no particular order. */
export const findFiles = async (db: Db, { provider_id, id }: Subject): Promise<{ name: string; digest: string }[]> => {
  const rows = await db
    .selectFrom('model_files')
    .select('files')
    .where('provider_id', '=', provider_id)
    .where('model_id', '=', id)
    .execute()
  return rows.flatMap(({ files }) =>
    (JSON.parse(files) as [string, number, string][]).map(([name, , digest]) => ({ name, digest })),
  )
}

/* ---- rows to answers ---- */

export const seenOf = (model: BundleFacts) => ({
  bundle_status: model.bundle_status,
  bundle_last_checked: timeOf(model.bundle_last_checked),
  bundle_verification_details:
    model.bundle_verification_details === null ? null : JSON.parse(model.bundle_verification_details),
  verification_status:
    model.bundle_asked_at !== null
      ? ('in_progress' as const)
      : model.bundle_last_checked !== null
        ? ('completed' as const)
        : ('not_started' as const),
})

export const recordOf = (
  model: BundleFacts,
  bundle: StoredBundle | undefined,
  declared_signers: DeclaredSigner[],
): BundleRecord => {
  // An outdated verdict is kept until the next, for the trail.
  const verdict: BundleVerdict | null =
    model.bundle_verdict === null || model.bundle_last_checked === null ? null : JSON.parse(model.bundle_verdict)
  const hasNone = model.sigstore_bundle_url === null && bundle === undefined
  return {
    model_id: model.id,
    ...seenOf(model),
    provider_domain_verified: model.provider_domain_verified_at !== null,
    model_digest: model.model_digest,
    // An upload takes the place of what is at the address.
    bundle_url: bundle?.source === 'upload' ? null : model.sigstore_bundle_url,
    bundle_source: bundle?.source ?? (model.sigstore_bundle_url === null ? null : 'url'),
    bundle_sha256: bundle?.sha256 ?? null,
    bundle_received_at: timeOf(bundle?.received_at ?? null),
    next_check_at: timeOf(model.bundle_due_at),
    reason: verdict?.reason ?? null,
    message: verdict?.message ?? (hasNone ? noBundle : notYetChecked),
    checks: verdict?.checks ?? [],
    method: verdict?.method ?? null,
    signer: verdict?.signer ?? null,
    log: verdict?.log ?? null,
    signed_at: verdict?.signed_at ?? null,
    signed_digest: verdict?.signed_digest ?? null,
    predicate_type: verdict?.predicate_type ?? null,
    trusted_root_date: verdict?.trusted_root_date ?? null,
    declared_signers,
  }
}
