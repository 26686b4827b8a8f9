import type { Model } from '@countersign/sdk/contract'

/** The versions of one identifier, newest first. */
export interface ModelGroup {
  identifier: string
  newest: Model
  versions: readonly Model[]
}

export type ModelStatus = 'archived' | 'active' | 'superseded' | 'inactive'

type Lived = Pick<Model, 'archived_at' | 'superseded_at' | 'is_active'>

/** Superseded does not mean withdrawn: only versions archived by their owner are shown as archived. */
export const statusOf = ({ archived_at, superseded_at, is_active }: Lived): ModelStatus => {
  if (archived_at !== null) return 'archived'
  if (superseded_at !== null) return 'superseded'
  return is_active ? 'active' : 'inactive'
}

export const groupModels = (models: readonly Model[]): ModelGroup[] =>
  [...Map.groupBy(models, (model) => model.api_model_identifier)].flatMap(([identifier, unsorted]) => {
    const versions = unsorted.toSorted((a, b) => b.version_number - a.version_number)
    const newest = versions.find(({ is_latest }) => is_latest) ?? versions[0]
    return newest === undefined ? [] : [{ identifier, newest, versions }]
  })

type Watched = Pick<Model, 'archived_at' | 'health_check_enabled' | 'health_status' | 'bundle_status'>

/** Its endpoint is not responding, or its bundle is invalid or could not be checked. */
export const needsAttention = ({ archived_at, health_check_enabled, health_status, bundle_status }: Watched) =>
  archived_at === null &&
  ((health_check_enabled && health_status === 'unhealthy') || bundle_status === 'invalid' || bundle_status === 'error')
