import {
  type Deployment,
  type DeploymentProof,
  type DeploymentStatus,
  invalidField,
  type NewDeployment,
  notFound,
  Refusal,
} from '@countersign/sdk/contract'
import { noKey } from '../db/deployment-keys.ts'
import type { Database } from '../db/engine.ts'
import { lockProvider } from '../db/lock.ts'
import type { PageQuery } from '../db/paging.ts'
import { listProvenDomains } from '../db/proofs.ts'
import { failureOf } from '../db/retry.ts'
import type { Tx } from '../db/schema.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import { holdsOthersDomain, othersDomainWords } from '../names/rules.ts'
import {
  copyAuthorizations,
  countAuthorizations,
  countEnabled,
  type DeploymentRow,
  deleteAuthorization,
  deploymentOf,
  displaceProxyProofs,
  findModelState,
  findOwnDeployment,
  hasAuthorization,
  insertAuthorization,
  insertDeployment,
  isProvenElsewhere,
  listAuthorizedModels,
  listDeployments,
  listRevokedModels,
  markDeleted,
  markProven,
  markUsed,
  type OwnRow,
  setStatus,
  type Use,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  now: () => number
  newId: NewId
  onFailure: (error: unknown) => void
  isProxyTrusted: boolean
}

const newDeployment = {
  spiffe_id: null,
  cloud_identity: null,
  labels: '{}',
  status: 'enabled',
  proven_at: null,
  proven_by: null,
  last_proven_at: null,
  last_proven_by: null,
  last_proven_workload: null,
  last_used_at: null,
  disabled_at: null,
  deleted_at: null,
} as const

const noteEveryMs = 60_000
const saveUsesAfterMs = 200

type NotedUse = Pick<Use, 'id' | 'proven_by' | 'workload_id'> & Pick<DeploymentRow, 'last_used_at' | 'last_proven_at'>

/** The same words for every owner, so that registering a rival's fingerprint reveals nothing. */
const fingerprintTaken = (cause?: unknown) =>
  new Refusal('deployment_exists', 'SPKI fingerprint already registered', {}, { cause })

const turnClash = (error: unknown): never => {
  throw failureOf(error) === 'unique' ? fingerprintTaken(error) : error
}

export const createDeploymentService = ({ database, events, now, newId, onFailure, isProxyTrusted }: Deps) => {
  const noted = new Map<string, number>()
  let unsaved: Use[] = []

  const saveUses = () => {
    const uses = unsaved
    unsaved = []
    database
      .quickTransaction(async (tx) => {
        for (const use of uses) await markUsed(tx, use)
      })
      .catch(onFailure)
  }

  const answersOf = async (provider_id: string, rows: OwnRow[]): Promise<Deployment[]> => {
    const ids = rows.map(({ id }) => id)
    const [authorized, revoked] = await Promise.all([
      listAuthorizedModels(database.read, provider_id, ids),
      listRevokedModels(database.read, provider_id, ids),
    ])
    return rows.map((row) =>
      deploymentOf(row, {
        authorized_models: authorized.get(row.id) ?? [],
        revoked_models: revoked.get(row.id) ?? [],
        isProxyTrusted,
      }),
    )
  }

  const getOwn = async ({ provider_id }: Caller, id: string): Promise<Deployment> => {
    const row = await findOwnDeployment(database.read, { provider_id, id })
    const [answer] = row ? await answersOf(provider_id, [row]) : []
    if (!answer) throw notFound()
    return answer
  }

  /* ---- each with its event, in the same transaction; false if nothing changes ---- */

  const changeStatus = async (
    tx: Tx,
    { provider_id, actor }: Caller,
    id: string,
    status: DeploymentStatus,
  ): Promise<boolean> => {
    const changed = await setStatus(tx, { provider_id, id, status, at: now() })
    if (changed)
      await events.record(tx, { provider_id, actor, action: `deployment.${status}`, subject: ['deployment', id] })
    return changed !== undefined
  }

  const remove = async (tx: Tx, { provider_id, actor }: Caller, id: string): Promise<boolean> => {
    const deleted = await markDeleted(tx, { provider_id, id, at: now() })
    if (deleted)
      await events.record(tx, {
        provider_id,
        actor,
        action: 'deployment.deleted',
        subject: ['deployment', id],
        before: deleted,
      })
    return deleted !== undefined
  }

  const authorization = (model_id: string, deployment_id: string) =>
    ['authorization', `${model_id} ${deployment_id}`] as const

  /** When it was given; undefined if it already existed or a side is missing. */
  const giveAuthorization = async (tx: Tx, { provider_id, actor }: Caller, model_id: string, deployment_id: string) => {
    const at = now()
    if (!(await insertAuthorization(tx, { provider_id, model_id, deployment_id, at }))) return undefined
    await events.record(tx, {
      provider_id,
      actor,
      action: 'deployment.authorized',
      subject: authorization(model_id, deployment_id),
    })
    return at
  }

  const takeAuthorization = async (
    tx: Tx,
    { provider_id, actor }: Caller,
    model_id: string,
    deployment_id: string,
  ): Promise<boolean> => {
    if (!(await deleteAuthorization(tx, { provider_id, model_id, deployment_id, at: now() }))) return false
    await events.record(tx, {
      provider_id,
      actor,
      action: 'deployment.revoked',
      subject: authorization(model_id, deployment_id),
    })
    return true
  }

  return {
    async register(caller: Caller, input: NewDeployment): Promise<Deployment> {
      const { provider_id } = caller
      const id = newId('dep')
      await database
        .transaction(async (tx) => {
          if (holdsOthersDomain(input.cloud_identity ?? null, await listProvenDomains(tx, provider_id, now()), 'label'))
            throw invalidField('cloud_identity', othersDomainWords.model)
          if (await isProvenElsewhere(tx, { provider_id, fingerprint: input.spki_fingerprint }))
            throw fingerprintTaken()
          await insertDeployment(tx, {
            ...newDeployment,
            id,
            provider_id,
            spki_fingerprint: input.spki_fingerprint,
            spiffe_id: input.spiffe_id ?? null,
            cloud_identity: input.cloud_identity ?? null,
            labels: JSON.stringify(input.labels ?? {}),
            created_at: now(),
          })
          await events.record(tx, {
            provider_id,
            actor: caller.actor,
            action: 'deployment.registered',
            subject: ['deployment', id],
            after: { spki_fingerprint: input.spki_fingerprint },
          })
        })
        .catch(turnClash)
      return getOwn(caller, id)
    },

    /** An own deployment with this ID, or a new one without a key of its own. */
    async ensure(tx: Tx, { provider_id, actor }: Caller, wanted: string | undefined): Promise<string> {
      if (wanted !== undefined) {
        if (!(await findOwnDeployment(tx, { provider_id, id: wanted }))) throw notFound()
        return wanted
      }
      const id = newId('dep')
      await insertDeployment(tx, { ...newDeployment, id, provider_id, spki_fingerprint: noKey(id), created_at: now() })
      await events.record(tx, { provider_id, actor, action: 'deployment.registered', subject: ['deployment', id] })
      return id
    },

    async list({ provider_id }: Caller, page: PageQuery) {
      const { rows, next_cursor } = await listDeployments(database.read, provider_id, page)
      return { deployments: await answersOf(provider_id, rows), next_cursor }
    },

    async listOfModel({ provider_id }: Caller, model_id: string, page: PageQuery) {
      if (!(await findModelState(database.read, { provider_id, model_id }))) throw notFound()
      const { rows, next_cursor } = await listDeployments(database.read, provider_id, page, model_id)
      return { deployments: await answersOf(provider_id, rows), next_cursor }
    },

    countEnabled(of: { provider_id: string; model_id: string }): Promise<number> {
      return countEnabled(database.read, of)
    },

    changeStatus,
    remove,
    giveAuthorization,
    takeAuthorization,

    async setStatus(caller: Caller, id: string, status: DeploymentStatus): Promise<Deployment> {
      await database.transaction((tx) => changeStatus(tx, caller, id, status))
      return getOwn(caller, id)
    },

    async delete(caller: Caller, id: string) {
      await database.transaction(async (tx) => {
        if (!(await remove(tx, caller, id))) throw notFound()
      })
      return { message: 'Deployment deleted', deployment_id: id }
    },

    /** Authorization is explicit, for each model and each deployment. */
    async authorize(caller: Caller, model_id: string, deployment_id: string) {
      const { provider_id } = caller
      const authorized_at = await database.transaction(async (tx) => {
        const at = await giveAuthorization(tx, caller, model_id, deployment_id)
        if (at === undefined) {
          if (await hasAuthorization(tx, { provider_id, model_id, deployment_id }))
            throw new Refusal('already_authorized', 'Deployment already authorized for this model')
          if ((await findModelState(tx, { provider_id, model_id })) === 'archived')
            throw new Refusal('model_archived', 'This version is archived; no deployment can be authorized for it.')
          throw notFound()
        }
        return at
      })
      return {
        message: 'Deployment authorized for model',
        model_id,
        deployment_id,
        authorized_at: new Date(authorized_at).toISOString(),
      }
    },

    async revoke(caller: Caller, model_id: string, deployment_id: string) {
      await database.transaction(async (tx) => {
        // Giving it again without presence is decided under the same lock.
        await lockProvider(database, tx, caller.provider_id)
        if (!(await takeAuthorization(tx, caller, model_id, deployment_id))) throw notFound()
      })
      return { message: 'Model authorization revoked', model_id, deployment_id }
    },

    /** Authorizations are not inherited by a new version; its registration may ask to copy them. */
    async carryOver(tx: Tx, caller: Caller, { from, to, copy }: { from: string; to: string; copy: boolean }) {
      const { provider_id } = caller
      const previous = await countAuthorizations(tx, { provider_id, model_id: from })
      if (!copy || previous === 0) return { previous, copied: 0 }
      await copyAuthorizations(tx, { provider_id, from, to, at: now() })
      await events.record(tx, {
        provider_id,
        actor: caller.actor,
        action: 'deployment.authorizations_copied',
        subject: ['model', to],
        after: { from, count: previous },
      })
      return { previous, copied: previous }
    },

    /**
     * Records the first time a deployment proved that it holds its key. From then on the fingerprint belongs to its provider alone. A
     * handshake with us or a signature outranks a proxy's word, for this provider and against another.
     */
    async noteProof(caller: Caller, { id, by, fingerprint }: { id: string; by: DeploymentProof; fingerprint: string }) {
      const { provider_id } = caller
      await database
        .transaction(async (tx) => {
          const displaced = by !== 'proxy' ? await displaceProxyProofs(tx, { provider_id, fingerprint }) : []
          for (const other of displaced)
            await events.record(tx, {
              provider_id: other.provider_id,
              actor: 'registry',
              action: 'deployment.proof_displaced',
              subject: ['deployment', other.id],
            })
          const proven = await markProven(tx, { provider_id, id, by, at: now() })
          if (proven)
            await events.record(tx, {
              provider_id,
              actor: caller.actor,
              action: 'deployment.proven',
              subject: ['deployment', id],
              after: { by },
            })
        })
        .catch(turnClash)
    },

    /** Records that a link was minted for it, at most once a minute. The link does not wait for it, and deployments share the commit. */
    noteUse({ provider_id }: Caller, { id, proven_by, workload_id, last_used_at, last_proven_at }: NotedUse) {
      const at = now()
      const name = `${proven_by !== null} ${id}`
      if (at - Math.max((proven_by === null ? last_used_at : last_proven_at) ?? 0, noted.get(name) ?? 0) < noteEveryMs)
        return
      if (noted.size > 10_000) noted.clear()
      noted.set(name, at)
      if (unsaved.push({ provider_id, id, at, proven_by, workload_id }) === 1)
        setTimeout(saveUses, saveUsesAfterMs).unref()
    },
  }
}

export type DeploymentService = ReturnType<typeof createDeploymentService>
