import type { Model } from '@countersign/sdk/contract'
import type { Sort } from '../../../lists/sorting.ts'
import type { ModelGroup } from './own-model-groups.ts'
import { needsAttention, statusOf } from './own-model-groups.ts'

/** A line of the list: a model's newest version, or one of its versions. */
export interface ModelRow {
  model: Model
  /** How many versions can be shown below it; 1 for a version itself. */
  versions: number
  isOpen: boolean
  /** Shown below the newest one. */
  isOlder: boolean
}

/**
 * What the list shows. `all` has one row for each model; the others one for each version, because that is what needs something.
 * The last three are what the registry counts as needing attention.
 */
export const modelViews = ['all', 'attention', 'superseded', 'archived', 'invalid', 'failing', 'untied'] as const
export type ModelView = (typeof modelViews)[number]

type Watched = Pick<
  Model,
  'archived_at' | 'superseded_at' | 'is_active' | 'health_check_enabled' | 'health_status' | 'bundle_status'
> &
  Pick<Model, 'bundle_verification_details'>

const isInView: Record<Exclude<ModelView, 'all'>, (model: Watched) => boolean> = {
  attention: needsAttention,
  superseded: (model) => statusOf(model) === 'superseded',
  archived: (model) => statusOf(model) === 'archived',
  invalid: ({ archived_at, bundle_status }) => archived_at === null && bundle_status === 'invalid',
  failing: ({ archived_at, health_check_enabled, health_status }) =>
    archived_at === null && health_check_enabled && health_status === 'unhealthy',
  untied: (model) =>
    model.archived_at === null &&
    model.bundle_status === 'unknown' &&
    model.bundle_verification_details?.reason === 'signer_not_tied',
}

export const visibilities = ['all', 'public', 'private'] as const

export interface Choice {
  text: string
  view: ModelView
  /** Includes archived models in `all`. */
  withArchived: boolean
  visibility: (typeof visibilities)[number]
  sort: Sort
  /** The identifiers whose other versions are shown. */
  opened: ReadonlySet<string>
}

const byName = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true })
const compareText = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)
const fileOrder = ({ bundle_status }: Model) => ['verified', 'unknown', 'error', 'invalid'].indexOf(bundle_status)
const healthOrder = ({ health_check_enabled, health_status }: Model) =>
  health_check_enabled ? ['healthy', 'unknown', 'unhealthy'].indexOf(health_status) : 3

type Compare = (a: Model, b: Model) => number
const comparisons = {
  name: (a, b) =>
    byName.compare(a.display_name, b.display_name) || byName.compare(a.api_model_identifier, b.api_model_identifier),
  version: (a, b) => byName.compare(a.version, b.version),
  file: (a, b) => fileOrder(a) - fileOrder(b),
  visibility: (a, b) => Number(b.is_public) - Number(a.is_public),
  endpoint: (a, b) => healthOrder(a) - healthOrder(b),
  created: (a, b) => compareText(a.created_at, b.created_at),
} satisfies Record<string, Compare>

export const modelSorts = Object.keys(comparisons) as (keyof typeof comparisons)[]
export const usualSort: Sort = { column: 'created', isDescending: true }

/** Equal ones come newest first. */
const compareBy = ({ column, isDescending }: Sort): Compare => {
  const compare = comparisons[column as keyof typeof comparisons]
  return (a, b) =>
    (isDescending ? -1 : 1) * compare(a, b) || compareText(`${b.created_at} ${b.id}`, `${a.created_at} ${a.id}`)
}

const isNamed = (wanted: string) => {
  const text = wanted.trim().toLowerCase()
  return ({ display_name, model_name, version, api_model_identifier, id }: Model) =>
    text === '' ||
    id === wanted.trim() ||
    [display_name, model_name, version, api_model_identifier].some((name) => name.toLowerCase().includes(text))
}

/** One row for each model: its newest version that is not archived, with the others below it if they are opened. */
const rowsOfGroups = (groups: readonly ModelGroup[], withArchived: boolean, opened: Choice['opened']) =>
  groups.flatMap((group) => {
    // A superseded version can still create links, even if the next one was archived.
    const versions = withArchived ? group.versions : group.versions.filter(({ archived_at }) => archived_at === null)
    const newest = versions.includes(group.newest) ? group.newest : versions[0]
    if (newest === undefined) return []
    const isOpen = versions.length > 1 && opened.has(group.identifier)
    return [{ row: { model: newest, versions: versions.length, isOpen, isOlder: false }, versions }]
  })

/** The rows that match the filters. */
export const chooseRows = (groups: readonly ModelGroup[], choice: Choice): ModelRow[] => {
  const { view, visibility } = choice
  const named = isNamed(choice.text)
  const isVisible = ({ is_public }: Model) => visibility === 'all' || is_public === (visibility === 'public')
  const compare = compareBy(choice.sort)
  if (view !== 'all')
    return groups
      .flatMap(({ versions }) => versions.filter((model) => isInView[view](model) && isVisible(model) && named(model)))
      .sort(compare)
      .map((model) => ({ model, versions: 1, isOpen: false, isOlder: false }))
  return rowsOfGroups(groups, choice.withArchived, choice.opened)
    .filter(({ row, versions }) => isVisible(row.model) && versions.some(named))
    .sort((a, b) => compare(a.row.model, b.row.model))
    .flatMap(({ row, versions }) => [
      row,
      ...(row.isOpen
        ? versions
            .filter((model) => model !== row.model)
            .map((model) => ({ model, versions: 1, isOpen: false, isOlder: true }))
        : []),
    ])
}

/** How many rows each view has without other filters. */
export const countViews = (groups: readonly ModelGroup[], withArchived: boolean): Record<ModelView, number> => {
  const count = (view: ModelView) =>
    chooseRows(groups, { view, withArchived, text: '', visibility: 'all', sort: usualSort, opened: new Set() }).length
  return Object.fromEntries(modelViews.map((view) => [view, count(view)])) as Record<ModelView, number>
}
