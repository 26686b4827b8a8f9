import { quote } from '@countersign/sdk/words'
import { modelsTab } from '#messages/dashboard/models.ts'
import { formatDay } from '#messages/site.ts'
import { versionName } from '#messages/version-name.ts'
import { type Column, Line, RowTitle } from '../../../lists/row-table.tsx'
import { StatusDot } from '../../../ui/values/status-dot.tsx'
import { bundleToneOf, bundleWordsOf } from '../../models/bundle/bundle-chip.tsx'
import { healthStateOf, healthTones } from './health/health-line.tsx'
import type { ModelRow } from './model-rows.ts'
import { statusOf } from './own-model-groups.ts'

const words = modelsTab
const { columns, card, health } = words

/** Private and withdrawn versions say so; a superseded one says that as well. */
const visibilityOf = ({ model }: ModelRow) => {
  const status = statusOf(model)
  if (status === 'archived') return card.states.archived
  const visibility = model.is_public ? card.isPublic : card.isPrivate
  return status === 'active' ? visibility : `${visibility}, ${card.states[status].toLowerCase()}`
}

const healthOf = ({ model }: ModelRow) => {
  const state = health.states[healthStateOf(model)]
  return model.health_check_enabled && model.uptime_7d !== null ? `${state}, ${health.uptime(model.uptime_7d)}` : state
}

export const modelColumns: readonly Column<ModelRow>[] = [
  {
    key: 'name',
    name: columns.name,
    isSortable: true,
    cell: ({ model, isOlder }) => (
      <RowTitle
        title={isOlder ? card.older1(quote(model.display_name)) : quote(model.display_name)}
        under={model.api_model_identifier}
        onPhone={card.versionOf(model.version, model.api_model_identifier)}
      />
    ),
  },
  {
    key: 'version',
    name: columns.version,
    isSortable: true,
    className: 'hidden w-24 sm:table-cell',
    cell: ({ model, versions }) => (
      <>
        <Line>{versionName(model.version)}</Line>
        {versions > 1 && <span className="block truncate text-micro text-muted">{card.versions(versions)}</span>}
      </>
    ),
  },
  {
    key: 'file',
    name: columns.file,
    isSortable: true,
    className: 'hidden w-32 sm:table-cell',
    cell: ({ model }) => <StatusDot tone={bundleToneOf(model)}>{bundleWordsOf(model)}</StatusDot>,
  },
  {
    key: 'visibility',
    name: columns.visibility,
    isSortable: true,
    className: 'hidden w-24 lg:table-cell',
    cell: (row) => <Line isMuted={!row.model.is_public}>{visibilityOf(row)}</Line>,
  },
  {
    key: 'endpoint',
    name: columns.endpoint,
    isSortable: true,
    className: 'hidden w-36 xl:table-cell',
    cell: (row) => (
      <StatusDot tone={healthTones[healthStateOf(row.model)]} title={healthOf(row)}>
        {health.states[healthStateOf(row.model)]}
      </StatusDot>
    ),
  },
  {
    key: 'created',
    name: columns.created,
    isSortable: true,
    className: 'hidden w-28 xl:table-cell',
    cell: ({ model }) => <Line isMuted>{formatDay(model.created_at)}</Line>,
  },
]
