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

export const groupSorts = ['newest', 'name', 'attention'] as const
export type GroupSort = (typeof groupSorts)[number]
export const visibilities = ['all', 'public', 'private'] as const

interface Choice {
  text: string
  /** Includes archived models. */
  withArchived: boolean
  visibility: (typeof visibilities)[number]
  sort: GroupSort
}

const byName = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true })
const agesOf = ({ newest }: ModelGroup) => `${newest.created_at} ${newest.id}`
const compareNewest = (a: ModelGroup, b: ModelGroup) => (agesOf(a) < agesOf(b) ? 1 : -1)
const comparisons: Record<GroupSort, (a: ModelGroup, b: ModelGroup) => number> = {
  newest: compareNewest,
  name: (a, b) =>
    byName.compare(a.newest.display_name, b.newest.display_name) || byName.compare(a.identifier, b.identifier),
  attention: (a, b) => Number(needsAttention(b.newest)) - Number(needsAttention(a.newest)) || compareNewest(a, b),
}

/** The groups that match the filters, each with its visible versions. */
export const chooseGroups = (
  groups: readonly ModelGroup[],
  { text, withArchived, visibility, sort }: Choice,
): ModelGroup[] => {
  const wanted = text.trim().toLowerCase()
  const names = ({ display_name, model_name, version, api_model_identifier, id }: Model) =>
    [display_name, model_name, version, api_model_identifier].some((name) => name.toLowerCase().includes(wanted)) ||
    id === text.trim()
  return groups
    .flatMap((group) => {
      if (withArchived) return [group]
      const versions = group.versions.filter(({ archived_at }) => archived_at === null)
      if (versions.length === group.versions.length) return [group]
      // A superseded version can still create links, even if the next one was archived.
      const [first] = versions
      return first === undefined ? [] : [{ ...group, newest: first, versions }]
    })
    .filter(({ newest }) => visibility === 'all' || newest.is_public === (visibility === 'public'))
    .filter(({ versions }) => wanted === '' || versions.some(names))
    .sort(comparisons[sort])
}
