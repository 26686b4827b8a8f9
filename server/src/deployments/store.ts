import type { Deployment, DeploymentProof } from '@countersign/sdk/contract'
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import { ownFingerprint } from '../db/deployment-keys.ts'
import { type PageQuery, readPage } from '../db/paging.ts'
import { isPlatformTrusted } from '../db/platform-proofs.ts'
import type { Db, DeploymentTable, Tx } from '../db/schema.ts'
import { timeOf } from '../db/times.ts'

export type DeploymentRow = Selectable<DeploymentTable>
export type OwnRow = DeploymentRow & { is_platform_trusted: SqlBool }

interface Own {
  provider_id: string
  id: string
}

const selectOwn = (db: Db, provider_id: string) =>
  db
    .selectFrom('deployments as d')
    .selectAll('d')
    .select(isPlatformTrusted('d').as('is_platform_trusted'))
    .where('d.provider_id', '=', provider_id)
    .where('d.deleted_at', 'is', null)

export const findOwnDeployment = (db: Db, { provider_id, id }: Own): Promise<OwnRow | undefined> =>
  selectOwn(db, provider_id).where('d.id', '=', id).executeTakeFirst()

export const insertDeployment = (tx: Tx, deployment: Insertable<DeploymentTable>) =>
  tx.insertInto('deployments').values(deployment).execute()

/** Whether another provider has proven possession of this key in a handshake with us or by a signature. A proxy's word can still be displaced. */
export const isProvenElsewhere = async (
  db: Db,
  { provider_id, fingerprint }: { provider_id: string; fingerprint: string },
): Promise<boolean> => {
  const row = await db
    .selectFrom('deployments')
    .select('id')
    .where('spki_fingerprint', '=', fingerprint)
    .where('provider_id', '!=', provider_id)
    .where('proven_at', 'is not', null)
    .where('proven_by', '!=', 'proxy')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export const listDeployments = (db: Db, provider_id: string, page: PageQuery, model_id?: string) => {
  // The index for this order has the same condition.
  const own = selectOwn(db, provider_id).where(sql<SqlBool>`d.created_at >= 0`)
  const authorized = (id: string) =>
    own.where('d.id', 'in', (of) =>
      of
        .selectFrom('authorizations as a')
        .select('a.deployment_id')
        .where('a.provider_id', '=', provider_id)
        .where('a.model_id', '=', id),
    )
  const order = { key: sql.ref('d.created_at'), keyType: 'number', id: sql.ref('d.id'), direction: 'desc' } as const
  return readPage(model_id === undefined ? own : authorized(model_id), order, page)
}

type AuthorizedModel = Deployment['authorized_models'][number]

/** The models that each of these deployments is authorized for. */
export const listAuthorizedModels = async (
  db: Db,
  provider_id: string,
  deploymentIds: readonly string[],
): Promise<Map<string, AuthorizedModel[]>> => {
  const byDeployment = new Map<string, AuthorizedModel[]>(deploymentIds.map((id) => [id, []]))
  if (deploymentIds.length === 0) return byDeployment
  const rows = await db
    .selectFrom('authorizations as a')
    .innerJoin('models as m', (join) =>
      join.onRef('m.provider_id', '=', 'a.provider_id').onRef('m.id', '=', 'a.model_id'),
    )
    .select(['a.deployment_id', 'm.id', 'm.model_name as name', 'm.display_name', 'm.version'])
    .where('a.provider_id', '=', provider_id)
    .where('a.deployment_id', 'in', deploymentIds)
    .where('m.deleted_at', 'is', null)
    .orderBy('a.authorized_at')
    .execute()
  for (const { deployment_id, ...model } of rows) byDeployment.get(deployment_id)?.push(model)
  return byDeployment
}

type RevokedModel = Deployment['revoked_models'][number]

/** How many revoked models a deployment shows, and how many are read for a page of them. */
const shownRevoked = 20
const readRevoked = 2_000

/** The models that each of these deployments is no longer authorized for, the last ones first. */
export const listRevokedModels = async (
  db: Db,
  provider_id: string,
  deploymentIds: readonly string[],
): Promise<Map<string, RevokedModel[]>> => {
  const byDeployment = new Map<string, RevokedModel[]>(deploymentIds.map((id) => [id, []]))
  if (deploymentIds.length === 0) return byDeployment
  const rows = await db
    .selectFrom('ended_authorizations as e')
    .innerJoin('models as m', (join) =>
      join.onRef('m.provider_id', '=', 'e.provider_id').onRef('m.id', '=', 'e.model_id'),
    )
    .select(['e.deployment_id', 'e.ended_at', 'm.id', 'm.model_name as name', 'm.display_name', 'm.version'])
    .where('e.provider_id', '=', provider_id)
    .where('e.deployment_id', 'in', deploymentIds)
    .where('m.deleted_at', 'is', null)
    .orderBy('e.ended_at', 'desc')
    .orderBy('e.model_id', 'desc')
    .limit(readRevoked)
    .execute()
  for (const { deployment_id, ended_at, ...model } of rows) {
    const models = byDeployment.get(deployment_id)
    if (models && models.length < shownRevoked) models.push({ ...model, revoked_at: timeOf(ended_at) })
  }
  return byDeployment
}

/** Zero rows if it already has that status, or does not exist. */
export const setStatus = (
  tx: Tx,
  { provider_id, id, status, at }: Own & { status: DeploymentRow['status']; at: number },
) =>
  tx
    .updateTable('deployments')
    .set({ status, disabled_at: status === 'disabled' ? at : null })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('status', '!=', status)
    .returning('id')
    .executeTakeFirst()

/** The row stays for the trail; its authorizations are deleted, but not when earlier ones ended: links may have ended then. */
export const markDeleted = async (tx: Tx, { provider_id, id, at }: Own & { at: number }) => {
  const deleted = await tx
    .updateTable('deployments')
    .set({ deleted_at: at })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('spki_fingerprint')
    .executeTakeFirst()
  if (deleted)
    await tx
      .deleteFrom('authorizations')
      .where('provider_id', '=', provider_id)
      .where('deployment_id', '=', id)
      .execute()
  return deleted
}

/** Takes the key from a provider whose only proof came from a proxy. */
export const displaceProxyProofs = (
  tx: Tx,
  { provider_id, fingerprint }: { provider_id: string; fingerprint: string },
) =>
  tx
    .updateTable('deployments')
    .set({ proven_at: null, proven_by: null })
    .where('spki_fingerprint', '=', fingerprint)
    .where('provider_id', '!=', provider_id)
    .where('proven_by', '=', 'proxy')
    .where('proven_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .returning(['provider_id', 'id'])
    .execute()

/** Fails on the constraint if another provider proved the same key first. A handshake or a signature replaces a proxy's word. */
export const markProven = (tx: Tx, { provider_id, id, by, at }: Own & { by: DeploymentProof; at: number }) =>
  tx
    .updateTable('deployments')
    .set({
      proven_at: at,
      proven_by: by,
      last_proven_at: at,
      last_proven_by: by,
      last_proven_workload: null,
      last_used_at: at,
    })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where((where) =>
      where.or([where('proven_at', 'is', null), ...(by !== 'proxy' ? [where('proven_by', '=', 'proxy')] : [])]),
    )
    .returning('id')
    .executeTakeFirst()

export interface Use {
  provider_id: string
  id: string
  at: number
  /** Null if the deployment was only named. */
  proven_by: DeploymentProof | null
  /** The platform identity that proved it. */
  workload_id: string | null
}

/** Another replica may have recorded a later use, possibly of the other kind: each keeps its latest. */
export const markUsed = (tx: Tx, { provider_id, id, at, proven_by, workload_id }: Use) => {
  const column = proven_by === null ? 'last_used_at' : 'last_proven_at'
  const latest = sql<number>`case when last_used_at > ${at} then last_used_at else cast(${at} as bigint) end`
  return tx
    .updateTable('deployments')
    .set({
      last_used_at: latest,
      ...(proven_by !== null && { last_proven_at: at, last_proven_by: proven_by, last_proven_workload: workload_id }),
    })
    .where('provider_id', '=', provider_id)
    .where('id', '=', id)
    .where((where) => where.or([where(column, 'is', null), where(column, '<=', at)]))
    .execute()
}

/* ---- authorizations ---- */

interface Authorization {
  provider_id: string
  model_id: string
  deployment_id: string
}

/** Inserts only while both sides exist and belong to the caller; zero rows if it already existed or a side is missing. */
export const insertAuthorization = async (
  tx: Tx,
  { provider_id, model_id, deployment_id, at }: Authorization & { at: number },
) => {
  const inserted = await tx
    .insertInto('authorizations')
    .columns(['provider_id', 'model_id', 'deployment_id', 'authorized_at'])
    .expression((of) =>
      of
        .selectFrom('models as m')
        .innerJoin('deployments as d', 'd.provider_id', 'm.provider_id')
        .select([
          'm.provider_id',
          'm.id',
          'd.id as deployment_id',
          sql<number>`cast(${at} as bigint)`.as('authorized_at'),
        ])
        .where('m.provider_id', '=', provider_id)
        .where('m.id', '=', model_id)
        .where('m.deleted_at', 'is', null)
        .where('m.archived_at', 'is', null)
        .where('d.id', '=', deployment_id)
        .where('d.deleted_at', 'is', null),
    )
    .onConflict((conflict) => conflict.columns(['provider_id', 'model_id', 'deployment_id']).doNothing())
    .returning('authorized_at')
    .executeTakeFirst()
  if (inserted)
    await tx
      .deleteFrom('ended_authorizations')
      .where('provider_id', '=', provider_id)
      .where('deployment_id', '=', deployment_id)
      .where('model_id', '=', model_id)
      .execute()
  return inserted
}

export const hasAuthorization = async (
  db: Db,
  { provider_id, model_id, deployment_id }: Authorization,
): Promise<boolean> => {
  const row = await db
    .selectFrom('authorizations')
    .select('authorized_at')
    .where('provider_id', '=', provider_id)
    .where('model_id', '=', model_id)
    .where('deployment_id', '=', deployment_id)
    .executeTakeFirst()
  return row !== undefined
}

/** The time stays, because the links that end with it say when. */
export const deleteAuthorization = async (
  tx: Tx,
  { provider_id, model_id, deployment_id, at }: Authorization & { at: number },
) => {
  const deleted = await tx
    .deleteFrom('authorizations')
    .where('provider_id', '=', provider_id)
    .where('model_id', '=', model_id)
    .where('deployment_id', '=', deployment_id)
    .returning('deployment_id')
    .executeTakeFirst()
  if (deleted)
    await tx
      .insertInto('ended_authorizations')
      .values({ provider_id, model_id, deployment_id, ended_at: at })
      .onConflict((conflict) =>
        conflict.columns(['provider_id', 'deployment_id', 'model_id']).doUpdateSet({ ended_at: at }),
      )
      .execute()
  return deleted
}

export const findModelState = async (db: Db, { provider_id, model_id }: Omit<Authorization, 'deployment_id'>) => {
  const row = await db
    .selectFrom('models')
    .select('archived_at')
    .where('provider_id', '=', provider_id)
    .where('id', '=', model_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && (row.archived_at === null ? 'current' : 'archived')
}

export const countAuthorizations = async (
  tx: Tx,
  { provider_id, model_id }: Omit<Authorization, 'deployment_id'>,
): Promise<number> => {
  const { count } = await tx
    .selectFrom('authorizations')
    .select(sql<number>`count(*)`.as('count'))
    .where('provider_id', '=', provider_id)
    .where('model_id', '=', model_id)
    .executeTakeFirstOrThrow()
  return count
}

/** Copies the authorizations of one version to another in one statement. */
export const copyAuthorizations = (
  tx: Tx,
  { provider_id, from, to, at }: { provider_id: string; from: string; to: string; at: number },
) =>
  tx
    .insertInto('authorizations')
    .columns(['provider_id', 'model_id', 'deployment_id', 'authorized_at'])
    .expression((of) =>
      of
        .selectFrom('authorizations')
        .select([
          'provider_id',
          sql<string>`cast(${to} as text)`.as('model_id'),
          'deployment_id',
          sql<number>`cast(${at} as bigint)`.as('authorized_at'),
        ])
        .where('provider_id', '=', provider_id)
        .where('model_id', '=', from),
    )
    .execute()

/** Not one without a key whose platform identity was removed or is no longer trusted. */
const canProveItself = sql<SqlBool>`(d.spki_fingerprint not like 'none %' or exists (
  select 1 from workloads w where w.provider_id = d.provider_id and w.deployment_id = d.id and w.issuer_refused_at is null))`

/** How many enabled deployments are authorized for a model and can prove themselves. */
export const countEnabled = async (
  db: Db,
  { provider_id, model_id }: Omit<Authorization, 'deployment_id'>,
): Promise<number> => {
  const { count } = await db
    .selectFrom('authorizations as a')
    .innerJoin('deployments as d', (join) =>
      join.onRef('d.provider_id', '=', 'a.provider_id').onRef('d.id', '=', 'a.deployment_id'),
    )
    .select(sql<number>`count(*)`.as('count'))
    .where('a.provider_id', '=', provider_id)
    .where('a.model_id', '=', model_id)
    .where('d.status', '=', 'enabled')
    .where('d.deleted_at', 'is', null)
    .where(canProveItself)
    .executeTakeFirstOrThrow()
  return count
}

/** What proves it now. A proxy's word also ends with a handshake of another provider. */
const proofsOf = (row: OwnRow, isProxyTrusted: boolean) => {
  const { proven_at, proven_by, last_proven_at, last_proven_by, is_platform_trusted } = row
  const countsFirst = proven_by !== 'proxy' || isProxyTrusted
  const countsLast =
    last_proven_by === 'proxy'
      ? isProxyTrusted && proven_at !== null
      : last_proven_by !== 'workload' || Boolean(is_platform_trusted)
  return {
    ...(countsFirst ? { proven_at: timeOf(proven_at), proven_by } : { proven_at: null, proven_by: null }),
    ...(countsLast
      ? { last_proven_at: timeOf(last_proven_at), last_proven_by }
      : { last_proven_at: null, last_proven_by: null }),
  }
}

export const deploymentOf = (
  row: OwnRow,
  {
    authorized_models,
    revoked_models,
    isProxyTrusted,
  }: Pick<Deployment, 'authorized_models' | 'revoked_models'> & { isProxyTrusted: boolean },
): Deployment => ({
  deployment_id: row.id,
  provider_id: row.provider_id,
  spki_fingerprint: ownFingerprint(row.spki_fingerprint),
  spiffe_id: row.spiffe_id,
  cloud_identity: row.cloud_identity,
  labels: JSON.parse(row.labels),
  status: row.status,
  disabled_at: timeOf(row.disabled_at),
  created_at: timeOf(row.created_at),
  ...proofsOf(row, isProxyTrusted),
  last_used_at: timeOf(row.last_used_at),
  authorized_models,
  revoked_models,
})
