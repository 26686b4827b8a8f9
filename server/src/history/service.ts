import { type ModelHistory, notFound } from '@countersign/sdk/contract'
import type { Database } from '../db/engine.ts'
import { timeOf } from '../db/times.ts'
import type { Caller } from '../http/callers.ts'
import { findOwnVersion, listEdits, listVersions } from './store.ts'

const fieldsOf = (json: string | null) => (json === null ? {} : (JSON.parse(json) as Record<string, unknown>))

/** The trail of a model, for its owner. */
export const createHistoryService = ({ database }: { database: Database }) => ({
  async ofModel({ provider_id }: Caller, id: string): Promise<ModelHistory> {
    const current = await findOwnVersion(database.read, { provider_id, id })
    if (!current) throw notFound()
    const { api_model_identifier, first_verified_at, created_at, ...named } = current
    const versions = await listVersions(database.read, { provider_id, api_model_identifier })
    const edits = await listEdits(database.read, { provider_id, id })
    return {
      current_version: { ...named, created_at: timeOf(created_at), first_verified_at: timeOf(first_verified_at) },
      edit_history: edits.flatMap(({ at, before, after }) => {
        const was = fieldsOf(before)
        return Object.entries(fieldsOf(after)).map(([field_name, new_value]) => ({
          field_name,
          old_value: was[field_name] ?? null,
          new_value,
          edited_at: timeOf(at),
        }))
      }),
      versions: versions.map(
        ({ created_at: registered_at, superseded_at, archived_at, is_latest, is_public, ...version }) => ({
          ...version,
          created_at: timeOf(registered_at),
          superseded_at: timeOf(superseded_at),
          archived_at: timeOf(archived_at),
          is_latest: is_latest === 1,
          is_public: is_public === 1 && archived_at === null,
        }),
      ),
      total_versions: versions.length,
    }
  },
})

export type HistoryService = ReturnType<typeof createHistoryService>
