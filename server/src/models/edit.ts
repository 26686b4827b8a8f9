import {
  checkUnchanged,
  invalidField,
  limits,
  type Model,
  type ModelEdit,
  notFound,
  Refusal,
  type TrailAction,
  tagOfModel,
  type UndoObstacle,
} from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { forgetHours } from '../db/health.ts'
import { listProvenDomains } from '../db/proofs.ts'
import { retriedAfterClash } from '../db/retry.ts'
import { endSamples } from '../db/samples.ts'
import type { Tx } from '../db/schema.ts'
import type { EventRecorder } from '../events/service.ts'
import type { Caller } from '../http/callers.ts'
import type { ModelFileService } from '../model-files/service.ts'
import { isFitModel, modelNames, type NamesOfModel, type ShownTogether } from '../names/rules.ts'
import type { Listings } from '../search/listings.ts'
import { columnsOfValues, modelOf, valuesOf } from './record.ts'
import {
  bundleAfter,
  changesOf,
  monitoringAfter,
  noVerdict,
  renamingRefusal,
  statedIn,
  uncheckedBundle,
  type Values,
  whyEditClosed,
  withConsequences,
} from './rules.ts'
import {
  findDigestTime,
  findLatestVersion,
  findOwnModel,
  findVersion,
  lockModel,
  type ModelRecord,
  updateModel,
} from './store.ts'

interface Deps {
  database: Database
  events: EventRecorder
  files: Pick<ModelFileService, 'ordered' | 'replace'>
  listings: Pick<Listings, 'modelChanged'>
  checkNames: (tx: Tx, provider_id: string, names: Partial<NamesOfModel>, stored: ShownTogether) => Promise<void>
  getOwn: (caller: Caller, id: string) => Promise<Model>
  now: () => number
}

interface TakenOver {
  action: TrailAction
  /** New values, next to the row that they are written to. */
  fields: (row: ModelRecord) => Readonly<Record<string, unknown>>
  /** What is recorded with them but not shown. */
  columns?: (row: ModelRecord) => Partial<ModelRecord>
}

interface FormerEdit {
  /** Of its event. */
  id: string
  action: TrailAction
  before: Values
  after: Values
}

/** What begins a new history of checks. */
const monitored = ['endpoint', 'health_check_enabled', 'health_interval_seconds']

/** What the landing page shows of a version. */
const shownOfSample = ['display_name', 'version', 'model_digest']

/** Changing the fields of a version. */
export const createEdits = ({ database, events, files, listings, checkNames, getOwn, now }: Deps) => {
  /** Writes the fields that differ, their consequences and one event. Returns the names of the changed fields. */
  const change = async (
    tx: Tx,
    caller: Caller,
    row: ModelRecord,
    action: TrailAction,
    edit: Readonly<Record<string, unknown>>,
    columns: Partial<ModelRecord> = {},
  ): Promise<string[]> => {
    const given = Object.fromEntries(
      Object.entries(withConsequences(row, edit)).filter(([, value]) => value !== undefined),
    )
    const changes = changesOf(valuesOf(row, Object.keys(given)), given)
    if (!changes) {
      if (Object.keys(columns).length > 0) await updateModel(tx, row, columns)
      return []
    }
    const proven = row.unfit_name === 1 ? await listProvenDomains(tx, row.provider_id, now()) : []
    const monitoring = { endpoint: row.endpoint, health_check_enabled: row.health_check_enabled === 1 }
    await updateModel(tx, row, {
      ...columnsOfValues(changes.after),
      ...monitoringAfter(monitoring, { ...monitoring, ...changes.after }, now()),
      ...bundleAfter(row, { ...row, ...changes.after }, now()),
      ...('model_digest' in changes.after && { digest_at: changes.after.model_digest === null ? null : now() }),
      ...columns,
      ...(row.unfit_name === 1 && { unfit_name: isFitModel({ ...row, ...changes.after }, proven) ? 0 : 1 }),
    })
    if (monitored.some((name) => name in changes.after)) await forgetHours(tx, row)
    await listings.modelChanged(tx, row)
    await events.record(tx, {
      provider_id: row.provider_id,
      actor: caller.actor,
      action,
      subject: ['model', row.id],
      ...changes,
    })
    const changed = Object.keys(changes.after)
    if (changed.some((name) => shownOfSample.includes(name)))
      await endSamples(tx, events, { provider_id: row.provider_id, actor: caller.actor, model_id: row.id })
    return changed
  }

  return {
    /** Within an hour of the registration and before a link names the version; the statement that locks the row decides. */
    async quickEdit(
      caller: Caller,
      id: string,
      { api_model_identifier, model_files, ...edit }: ModelEdit,
      ifMatch?: string,
    ): Promise<Model> {
      const { provider_id } = caller
      const editOnce = async (tx: Tx) => {
        const row = await lockModel(tx, { provider_id, id, newerThan: now() - limits.quickEditSeconds * 1_000 })
        if (!row) {
          const own = await findOwnModel(tx, { provider_id, id, at: now() })
          if (!own) throw notFound()
          if (own.archived_at !== null)
            throw new Refusal('model_archived', 'This version was archived. It can no longer be edited.')
          throw new Refusal(
            'quick_edit_closed',
            `${whyEditClosed(own)} Only the latest version can be edited, within an hour of its registration and before its first link.`,
          )
        }
        if (ifMatch !== undefined) {
          const shown = await findOwnModel(tx, { provider_id, id, at: now() })
          checkUnchanged(ifMatch, () => tagOfModel(shown ? modelOf(shown, 'owner', now()) : {}))
        }
        if (api_model_identifier !== undefined && api_model_identifier !== row.api_model_identifier)
          throw invalidField('api_model_identifier', 'The identifier of a model never changes')
        await checkNames(tx, provider_id, edit, row)
        const holder =
          edit.version === undefined
            ? undefined
            : await findVersion(tx, provider_id, row.api_model_identifier, edit.version)
        if (holder && holder.id !== id)
          throw renamingRefusal({
            holder,
            latest: await findLatestVersion(tx, provider_id, row.api_model_identifier),
            now: now(),
          })
        const listed = files.ordered(
          model_files,
          edit.model_digest === undefined ? row.model_digest : edit.model_digest,
        )
        const isOther = edit.model_digest !== undefined && edit.model_digest !== row.model_digest
        const [fields, columns] = listed
          ? [{ ...edit, ...noVerdict }, uncheckedBundle({ ...row, ...edit }, now())]
          : [edit, {}]
        await change(tx, caller, row, 'model.edited', fields, columns)
        if (listed || isOther) await files.replace(tx, { provider_id, model_id: id }, listed)
      }
      await retriedAfterClash(() => database.transaction(editOnce, { writer: provider_id }))
      return getOwn(caller, id)
    },

    /** Puts fields back to what they were before an edit, if no one has changed them since. Returns what prevents it. */
    async undoEdit(
      tx: Tx,
      caller: Caller,
      id: string,
      { id: event, action, before, after }: FormerEdit,
    ): Promise<UndoObstacle | undefined> {
      const { provider_id } = caller
      const row = await lockModel(tx, { provider_id, id })
      if (!row) return 'gone'
      // Links name the version as it is. It can be archived and registered again.
      if (action === 'model.edited' && row.first_minted_at !== null) return 'named_by_links'
      const [was, is] = [statedIn(before), statedIn(after)]
      if (changesOf(valuesOf(row, Object.keys(is)), is)) return 'changed_since'
      const { version } = was
      const holder =
        typeof version === 'string' && (await findVersion(tx, provider_id, row.api_model_identifier, version))
      if (holder && holder.id !== id) return 'changed_since'
      if (
        modelNames.some((name) => name in was) &&
        !isFitModel({ ...row, ...was }, await listProvenDomains(tx, provider_id, now()))
      )
        return 'changed_since'
      const hasDigest = 'model_digest' in was
      const edit = hasDigest ? { digest_source: row.digest_source ?? undefined, ...was } : was
      const columns =
        typeof was.model_digest === 'string'
          ? { digest_at: (await findDigestTime(tx, { provider_id, id, event })) ?? row.created_at }
          : {}
      await change(tx, caller, row, action === 'model.synced' ? 'model.edited' : action, edit, columns)
      if (hasDigest) await files.replace(tx, { provider_id, model_id: id }, undefined)
      return undefined
    },

    /** Fields that were read elsewhere, at any time in a version's life. Returns the names of the changed fields. */
    async takeOver(caller: Caller, id: string, { action, fields, columns }: TakenOver): Promise<string[]> {
      const { provider_id } = caller
      return database.transaction(
        async (tx) => {
          const row = await lockModel(tx, { provider_id, id })
          if (!row) throw notFound()
          return change(tx, caller, row, action, fields(row), columns?.(row))
        },
        { writer: provider_id },
      )
    },
  }
}
