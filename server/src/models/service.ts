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
    await insertModel(tx, { ...rowOf(input), id, provider_id, version_number, predecessor_id: latest?.id ?? null, created_at: at })
    const authorizations = latest
      ? await deployments.carryOver(tx, caller, { from: latest.id, to: id, copy: input.copy_authorizations })
      : { previous: 0, copied: 0 }
    const { display_name, version } = input
    const model_digest = input.model_digest ?? null
    if (latest) {
      await events.record(tx, {
        provider_id,
        actor: caller.key_id,
        action: 'model.superseded',
        subject: ['model', latest.id],
        after: { successor_id: id },
      })
    }
    await events.record(tx, {
      provider_id,
      actor: caller.key_id,
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

    getOwn,

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
            actor: caller.key_id,
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

/** A registration as columns; what the registry decides itself is added by the caller. */
const rowOf = (input: NewModel) => ({
  display_name: input.display_name,
  model_name: input.model_name,
  api_model_identifier: input.api_model_identifier,
  version: input.version,
  description: input.description,
  endpoint: input.endpoint,
  model_type: input.model_type,
  family_name: input.family_name ?? null,
  model_family_id: input.model_family_id ?? null,
  language: input.language ?? null,
  release_date: input.release_date ?? null,
  training_cutoff: input.training_cutoff ?? null,
  architecture: input.architecture ?? null,
  context_window: input.context_window ?? null,
  model_size: input.model_size ?? null,
  model_card_url: input.model_card_url ?? null,
  github_repo_url: input.github_repo_url ?? null,
  huggingface_url: input.huggingface_url ?? null,
  huggingface_model_id: input.huggingface_model_id ?? null,
  paper_url: input.paper_url ?? null,
  capabilities: JSON.stringify(input.capabilities ?? []),
  input_types: JSON.stringify(input.input_types ?? []),
  output_types: JSON.stringify(input.output_types ?? []),
  serving_regions: JSON.stringify(input.serving_regions ?? []),
  tls_version: input.tls_version ?? null,
  uptime_sla: input.uptime_sla ?? null,
  avg_response_time: input.avg_response_time ?? null,
  performance_benchmarks: input.performance_benchmarks ? JSON.stringify(input.performance_benchmarks) : null,
  health_check_enabled: input.health_check_enabled ? (1 as const) : (0 as const),
  health_status: 'unknown' as const,
  uptime_7d: null,
  model_digest: input.model_digest ?? null,
  digest_source: input.model_digest ? (input.digest_source ?? 'stated') : null,
  sigstore_bundle_url: input.sigstore_bundle_url ?? null,
  bundle_status: 'unknown' as const,
  bundle_last_checked: null,
  bundle_verification_details: null,
  require_deployment_proof: input.require_deployment_proof ? (1 as const) : (0 as const),
  is_public: input.is_public ? (1 as const) : (0 as const),
  is_active: 1 as const,
  is_latest: 1 as const,
  is_archived: 0 as const,
  is_demo: 0 as const,
  successor_id: null,
  first_verified_at: null,
  superseded_at: null,
  archived_at: null,
  archive_reason: null,
  deleted_at: null,
})
