import { type Model, type ModelQuery, type NewModel, notFound, Refusal, type RegisteredModel } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { retriedAfterClash } from '../db/retry.ts'
import type { Tx } from '../db/schema.ts'
import type { DeploymentService } from '../deployments/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import { canQuickEdit, registrationRefusal } from './rules.ts'
import {
  columnsOf,
  findLatestVersion,
  findOwnModel,
  findVisibleModel,
  hasVersion,
  insertModel,
  listOwnModels,
  listPublicModels,
  markArchived,
  modelOf,
  supersede,
} from './store.ts'

interface Needs {
  database: Database
  events: EventRecorder
  deployments: DeploymentService
  now: () => number
  newId: NewId
}

type OwnQuery = Parameters<typeof listOwnModels>[2]

export const createModelService = ({ database, events, deployments, now, newId }: Needs) => {
  const getOwn = async (caller: Caller, id: string): Promise<Model> => {
    const row = await findOwnModel(database.read, caller.provider_id, id)
    if (!row) throw notFound()
    return modelOf(row, 'owner', now())
  }

  const registerVersion = async (tx: Tx, caller: Caller, input: NewModel): Promise<RegisteredModel> => {
    const { provider_id } = caller
    const identifier = input.api_model_identifier
    const latest = await findLatestVersion(tx, provider_id, identifier)
    const refusal = registrationRefusal({
      latest,
      hasVersion: await hasVersion(tx, provider_id, identifier, input.version),
      input,
      now: now(),
    })
    if (refusal) throw refusal

    const at = now()
    const id = newId('mdl')
    const version_number = (latest?.version_number ?? 0) + 1
    if (latest) await supersede(tx, { provider_id, id: latest.id, successor_id: id, at })
    await insertModel(tx, { ...columnsOf(input), id, provider_id, version_number, predecessor_id: latest?.id ?? null, created_at: at })
    const authorizations = latest
      ? await deployments.carryOver(tx, caller, { from: latest.id, to: id, copy: input.copy_authorizations })
      : { previous: 0, copied: 0 }
    const { display_name, version } = input
    const model_digest = input.model_digest ?? null
    if (latest) {
      await events.record(tx, {
        provider_id,
        actor: caller.actor,
        action: 'model.superseded',
        subject: ['model', latest.id],
        after: { successor_id: id },
      })
    }
    await events.record(tx, {
      provider_id,
      actor: caller.actor,
      action: 'model.registered',
      subject: ['model', id],
      after: { api_model_identifier: identifier, version, version_number, model_digest, is_public: input.is_public },
    })
    return {
      model_id: id,
      display_name,
      api_model_identifier: identifier,
      version,
      version_number,
      model_digest,
      message: latest ? 'New model version created' : 'Model registered',
      can_quick_edit: canQuickEdit({ created_at: at, first_verified_at: null, archived_at: null }, at),
      predecessor_id: latest?.id ?? null,
      authorizations,
    }
  }

  return {
    /** The constraints settle races: who loses one reads again and is refused, or takes the next number. */
    register(caller: Caller, input: NewModel): Promise<RegisteredModel> {
      return retriedAfterClash(() => database.transaction((tx) => registerVersion(tx, caller, input)))
    },

    /** A private model and an unknown one answer alike to everyone but the owner. */
    async get(caller: Caller | undefined, id: string): Promise<Model> {
      const row = await findVisibleModel(database.read, id, caller?.provider_id)
      if (!row) throw notFound()
      return modelOf(row, row.provider_id === caller?.provider_id ? 'owner' : 'public', now())
    },

    async countDeployments(caller: Caller | undefined, id: string) {
      const row = await findVisibleModel(database.read, id, caller?.provider_id)
      if (!row) throw notFound()
      return { count: await deployments.countEnabled({ provider_id: row.provider_id, model_id: id }) }
    },

    async list(query: ModelQuery) {
      const { rows, next_cursor } = await listPublicModels(database, query)
      return { models: rows.map((row) => modelOf(row, 'public', now())), next_cursor }
    },

    async listOwn(caller: Caller, provider_id: string, query: OwnQuery) {
      if (provider_id !== caller.provider_id) throw new Refusal('forbidden', 'This key belongs to another provider.')
      const { rows, next_cursor } = await listOwnModels(database.read, provider_id, query)
      return { models: rows.map((row) => modelOf(row, 'owner', now())), next_cursor }
    },

    /** Archiving what is archived changes nothing. */
    async archive(caller: Caller, id: string, reason: string): Promise<Model> {
      const { provider_id } = caller
      await database.transaction(async (tx) => {
        const archived = await markArchived(tx, { provider_id, id, reason, at: now() })
        if (archived)
          await events.record(tx, {
            provider_id,
            actor: caller.actor,
            action: 'model.archived',
            subject: ['model', id],
            after: { reason },
          })
      })
      return getOwn(caller, id)
    },
  }
}

export type ModelService = ReturnType<typeof createModelService>
