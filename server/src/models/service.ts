import {
  type CommunityStats,
  checkOwnProvider,
  invalidField,
  type Model,
  type ModelFile,
  type ModelFileQuery,
  type ModelQuery,
  type NewModel,
  notFound,
  Refusal,
  type RegisteredModel,
} from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { forgetHours } from '../db/health.ts'
import { lockProvider } from '../db/lock.ts'
import { listProvenDomains } from '../db/proofs.ts'
import { retriedAfterClash } from '../db/retry.ts'
import type { Tx } from '../db/schema.ts'
import type { DeploymentService } from '../deployments/service.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { NewId } from '../ids.ts'
import type { ModelFileService } from '../model-files/service.ts'
import { fitBundle } from '../names/bundle-rules.ts'
import {
  identifierProblem,
  type NamesOfModel,
  namesOthersDomain,
  othersDomainWords,
  type Protection,
  problemTogether,
  type ShownTogether,
} from '../names/rules.ts'
import { shownNames } from '../names/store.ts'
import type { Listings } from '../search/listings.ts'
import type { SearchService } from '../search/service.ts'
import type { UsageService } from '../usage/service.ts'
import { createEdits } from './edit.ts'
import { columnsOf, modelOf } from './record.ts'
import { canQuickEdit, daysOfWeeks, registrationRefusal, weeksOf } from './rules.ts'
import {
  findLatestVersion,
  findOwnModel,
  findPublicIncidents,
  findPublicModels,
  findTrust,
  findVersion,
  insertModel,
  listOpenings,
  listOwnModels,
  lockModel,
  type ModelRow,
  markArchived,
  markPublic,
  markUnarchived,
  prepareFindVisibleModel,
  supersede,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  deployments: DeploymentService
  files: ModelFileService
  listings: Pick<Listings, 'modelChanged' | 'modelRegistered'>
  search: SearchService
  protection: Protection
  usage: Pick<UsageService, 'checkModel'>
  now: () => number
  newId: NewId
}

type OwnQuery = Parameters<typeof listOwnModels>[2]

export const createModelService = ({
  database,
  events,
  deployments,
  files,
  listings,
  search,
  protection,
  usage,
  now,
  newId,
}: Deps) => {
  const findVisibleModel = prepareFindVisibleModel(database)

  const shownModelOf = async (stored: ModelRow): Promise<Model> => {
    const { provider_id, provider_domain, provider_domain_verified_at } = stored
    const provenDomain = provider_domain_verified_at === null ? null : provider_domain
    const row = await shownNames(database.read, { provider_id, domain: provenDomain }, stored, now())
    const provider_name = protection.shown({
      name: row.provider_name,
      skeleton: row.provider_name_skeleton,
      provenDomain,
    })
    return fitBundle(modelOf({ ...row, provider_name }, 'public', now()), [provenDomain])
  }

  const getOwn = async (caller: Caller, id: string): Promise<Model> => {
    const row = await findOwnModel(database.read, { provider_id: caller.provider_id, id, at: now() })
    if (!row) throw notFound()
    return modelOf(row, 'owner', now())
  }

  /** `stored` has the names that an edit keeps. */
  const checkNames = async (tx: Tx, provider_id: string, names: Partial<NamesOfModel>, stored: ShownTogether) => {
    const proven = await listProvenDomains(tx, provider_id, now())
    const field = namesOthersDomain(names, proven)
    if (field) throw invalidField(field, othersDomainWords.model)
    if (names.display_name === undefined && names.version === undefined) return
    const { display_name = stored.display_name, version = stored.version } = names
    const { api_model_identifier } = stored
    const problem = problemTogether({ display_name, api_model_identifier, version }, proven)
    if (problem) throw invalidField(names.version === undefined ? 'display_name' : 'version', problem)
  }

  const registerVersion = async (
    tx: Tx,
    caller: Caller,
    input: NewModel,
    listed: ModelFile[] | undefined,
  ): Promise<RegisteredModel> => {
    const { provider_id } = caller
    const identifier = input.api_model_identifier
    await checkNames(tx, provider_id, input, input)
    const latest = await findLatestVersion(tx, provider_id, identifier)
    const problem = identifierProblem(identifier, await listProvenDomains(tx, provider_id, now()))
    if (problem) throw invalidField('api_model_identifier', problem)
    const refusal = registrationRefusal({
      latest,
      holder: await findVersion(tx, provider_id, identifier, input.version),
      input,
      now: now(),
    })
    if (refusal) throw refusal
    await usage.checkModel(tx, provider_id)

    const at = now()
    const id = newId('mdl')
    const version_number = (latest?.version_number ?? 0) + 1
    if (latest) await supersede(tx, { provider_id, id: latest.id, successor_id: id, at })
    await insertModel(tx, {
      ...columnsOf(input),
      id,
      provider_id,
      version_number,
      predecessor_id: latest?.id ?? null,
      created_at: at,
      digest_at: input.model_digest ? at : null,
      health_due_at: input.health_check_enabled ? at : null,
      bundle_due_at: input.sigstore_bundle_url === undefined ? null : at,
      bundle_asked_at: input.sigstore_bundle_url === undefined ? null : at,
    })
    await listings.modelRegistered(tx, { provider_id, identifier })
    if (listed) await files.add(tx, { provider_id, model_id: id }, listed)
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
      can_quick_edit: canQuickEdit({ created_at: at, first_minted_at: null, is_latest: 1, archived_at: null }, at),
      predecessor_id: latest?.id ?? null,
      authorizations,
    }
  }

  /** A private model and an unknown one get the same answer, except for the owner. */
  const getVisible = async (caller: Caller | undefined, id: string) => {
    const [row] = await findVisibleModel({ id, viewer: caller?.provider_id ?? '', at: now() })
    if (!row) throw notFound()
    return row
  }

  const get = async (caller: Caller | undefined, id: string): Promise<Model> => {
    const row = await getVisible(caller, id)
    if (row.provider_id === caller?.provider_id) return modelOf(row, 'owner', now())
    return shownModelOf(row)
  }

  /** Idempotent for an archived version. */
  const withdraw = async (tx: Tx, { provider_id, actor }: Caller, id: string, reason: string): Promise<boolean> => {
    const archived = await markArchived(tx, { provider_id, id, reason, at: now() })
    if (!archived) return false
    await listings.modelChanged(tx, { provider_id, id })
    await events.record(tx, {
      provider_id,
      actor,
      action: 'model.archived',
      subject: ['model', id],
      after: { archive_reason: reason },
    })
    return true
  }

  /**
   * A version that was public when it was withdrawn is public again; a superseded one stays superseded. Returns whether it was withdrawn.
   */
  const bringBack = async (tx: Tx, { provider_id, actor }: Caller, id: string, reason?: string): Promise<boolean> => {
    const row = await lockModel(tx, { provider_id, id })
    if (!row) throw notFound()
    if (!(await markUnarchived(tx, { provider_id, id, at: now() }))) return false
    await forgetHours(tx, { provider_id, id })
    await listings.modelChanged(tx, { provider_id, id })
    await events.record(tx, {
      provider_id,
      actor,
      action: 'model.unarchived',
      subject: ['model', id],
      before: { archive_reason: row.archive_reason },
      after: { archive_reason: null, ...(reason && { unarchive_reason: reason }) },
    })
    return true
  }

  return {
    /**
     * Versions of a provider are registered one after the other, because concurrent ones would have to start again. The constraints
     * settle the remaining conflicts: the loser reads again and is rejected, or takes the next number.
     */
    async register(caller: Caller, input: NewModel): Promise<RegisteredModel> {
      const listed = files.ordered(input.model_files, input.model_digest)
      return retriedAfterClash(() =>
        database.transaction(
          async (tx) => {
            await lockProvider(database, tx, caller.provider_id)
            return registerVersion(tx, caller, input, listed)
          },
          { writer: caller.provider_id },
        ),
      )
    },

    get,
    getVisible,

    /** The newest version of the model's identifier that the caller may see. */
    async latest(caller: Caller | undefined, id: string): Promise<Model> {
      const row = await getVisible(caller, id)
      const latest = row.provider_id === caller?.provider_id ? row.latest_version_id : row.latest_public_id
      return get(caller, latest ?? id)
    },

    async files(caller: Caller | undefined, id: string, query: ModelFileQuery) {
      const { provider_id } = await getVisible(caller, id)
      return files.list({ provider_id, model_id: id }, query)
    },

    async communityStats(caller: Caller | undefined, id: string): Promise<CommunityStats> {
      const { provider_id, api_model_identifier, opened_count } = await getVisible(caller, id)
      const { total, open, dismissed, last } = await findPublicIncidents(
        database.read,
        { provider_id, api_model_identifier },
        now(),
      )
      const { trust_level } = await findTrust(database.read, provider_id, now())
      const openings = await listOpenings(database.read, { provider_id, model_id: id }, daysOfWeeks(now()))
      const last_incident = last ? new Date(last.created_at).toISOString() : null
      return {
        model_id: id,
        total_verifications: opened_count,
        weeks: weeksOf(openings, now()),
        reports_under_investigation: open,
        unresolved_incidents: open,
        total_reports: total,
        dismissed_reports: dismissed,
        last_incident,
        last_incident_date: last_incident,
        last_incident_status: last?.status ?? null,
        provider_trust_level: trust_level,
      }
    },

    async countDeployments(caller: Caller | undefined, id: string) {
      const row = await getVisible(caller, id)
      if (row.archived_at !== null) return { count: 0 }
      return { count: await deployments.countEnabled({ provider_id: row.provider_id, model_id: id }) }
    },

    async list(query: ModelQuery, reader?: { hasCredentials: boolean }) {
      const { ids, next_cursor } = await search.listModels(query, reader)
      const rows = await findPublicModels(database.read, ids, now())
      return { models: await Promise.all(rows.map(shownModelOf)), next_cursor }
    },

    async listOwn(caller: Caller, provider_id: string, query: OwnQuery) {
      checkOwnProvider(caller, provider_id)
      const { rows, next_cursor } = await listOwnModels(database.read, provider_id, query, now())
      return { models: rows.map((row) => modelOf(row, 'owner', now())), next_cursor }
    },

    withdraw,

    async archive(caller: Caller, id: string, reason: string): Promise<Model> {
      await database.transaction((tx) => withdraw(tx, caller, id, reason), { writer: caller.provider_id })
      return getOwn(caller, id)
    },

    bringBack,

    async unarchive(caller: Caller, id: string, reason?: string): Promise<Model> {
      if (!(await database.transaction((tx) => bringBack(tx, caller, id, reason), { writer: caller.provider_id })))
        throw new Refusal('not_archived', 'This version is not withdrawn, so it cannot be restored.')
      return getOwn(caller, id)
    },

    async setVisibility(caller: Caller, id: string, is_public: boolean): Promise<Model> {
      const { provider_id } = caller
      await database.transaction(
        async (tx) => {
          if (!(await markPublic(tx, { provider_id, id, is_public }))) return
          await listings.modelChanged(tx, { provider_id, id })
          await events.record(tx, {
            provider_id,
            actor: caller.actor,
            action: 'model.visibility_changed',
            subject: ['model', id],
            before: { is_public: !is_public },
            after: { is_public },
          })
        },
        { writer: provider_id },
      )
      const model = await getOwn(caller, id)
      if (is_public && model.archived_at !== null) throw new Refusal('model_archived')
      return model
    },

    ...createEdits({ database, events, files, listings, checkNames, getOwn, now }),
  }
}

export type ModelService = ReturnType<typeof createModelService>
