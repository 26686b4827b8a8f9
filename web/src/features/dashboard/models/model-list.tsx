import type { Model } from '@countersign/sdk/contract'
import { useDeferredValue, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { modelsTab } from '#messages/dashboard/models.ts'
import { formatNumber, site } from '#messages/site.ts'
import { useMay } from '../../../data/role.ts'
import { maxSearchText } from '../../../data/search-limits.ts'
import { changeQuery } from '../../../hooks/change-query.ts'
import { useUrlChoice } from '../../../hooks/use-url-choice.ts'
import { useUrlText } from '../../../hooks/use-url-text.ts'
import { ExportButton } from '../../../lists/export-button.tsx'
import { ChoiceBox, SavedFilters, SearchBox, SortBox } from '../../../lists/list-bar.tsx'
import { Pager, rowsPerPage } from '../../../lists/pager.tsx'
import { RowTable } from '../../../lists/row-table.tsx'
import { readPage } from '../../../lists/sorting.ts'
import { useSelection } from '../../../lists/use-selection.ts'
import { useSort } from '../../../lists/use-sort.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Switch } from '../../../ui/controls/switch.tsx'
import { Empty } from '../../../ui/layout/empty.tsx'
import { addressOf } from '../shared/tab-names.ts'
import type { OpenDialog } from './dialogs/dialog-names.ts'
import { modelColumns } from './model-columns.tsx'
import { chooseRows, countViews, type ModelRow, modelSorts, modelViews, usualSort, visibilities } from './model-rows.ts'
import { ModelsBulk } from './models-bulk.tsx'
import { nameOf } from './names.ts'
import type { ModelGroup } from './own-model-groups.ts'
import { versionMenu } from './version-menu.ts'

const words = modelsTab
const { filters } = words

/** Always offered; the others only if they lead to something. */
const usualViews: readonly string[] = ['all', 'attention', 'superseded', 'archived']

const csvColumns = [
  'id',
  'api_model_identifier',
  'display_name',
  'model_name',
  'version',
  'version_number',
  'model_type',
  'is_public',
  'is_active',
  'is_latest',
  'created_at',
  'first_verified_at',
  'superseded_at',
  'archived_at',
  'archive_reason',
  'bundle_status',
  'provider_domain_verified',
  'model_digest',
  'endpoint',
  'health_status',
  'uptime_7d',
  'release_date',
  'huggingface_model_id',
] as const satisfies (keyof Model)[]

const kind = {
  idOf: ({ model }: ModelRow) => model.id,
  nameOf: ({ model }: ModelRow) => nameOf(model),
}

export const useWithArchived = () => {
  const [archived, choose] = useUrlChoice('archived', ['no', 'yes'])
  return [archived === 'yes', (isOn: boolean) => choose(isOn ? 'yes' : 'no')] as const
}

/** The owner's models, as the address filters and sorts them. */
export const ModelList = ({ groups, open }: { groups: readonly ModelGroup[]; open: OpenDialog }) => {
  const [params, setParams] = useSearchParams()
  const may = useMay()
  const canChoose = may('models.setVisibility') || may('models.archive')
  const search = useUrlText('search')
  const text = useDeferredValue(search.text)
  const [withArchived, showArchived] = useWithArchived()
  const [view, chooseView] = useUrlChoice('view', modelViews)
  const [visibility, chooseVisibility] = useUrlChoice('visibility', visibilities)
  const { sort, sortBy, chooseSort } = useSort(modelSorts, usualSort, ['created'])
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(
    () => chooseRows(groups, { text, view, withArchived, visibility, sort, opened }),
    [groups, text, view, withArchived, visibility, sort, opened],
  )
  const counts = useMemo(() => countViews(groups, withArchived), [groups, withArchived])
  const models = useMemo(() => rows.map(({ model }) => model), [rows])
  const selection = useSelection(useMemo(() => models.map(({ id }) => id), [models]))
  const page = readPage(params.get('page'), rows.length, rowsPerPage)
  const shown = rows.slice((page - 1) * rowsPerPage, page * rowsPerPage)
  const listed = rows.filter(({ isOlder }) => !isOlder).length
  const isNarrowed = text.trim() !== '' || visibility !== 'all' || view !== 'all'

  const unfold = (identifier: string) =>
    setOpened((before) => {
      const after = new Set(before)
      if (!after.delete(identifier)) after.add(identifier)
      return after
    })
  const detailsOf = ({ model }: ModelRow) => {
    const after = new URLSearchParams(params)
    after.set('details', model.id)
    return `?${after}`
  }
  const clear = () => {
    search.setText('')
    setParams({ tab: 'models', ...(withArchived && { archived: 'yes' }) }, { preventScrollReset: true })
  }
  return (
    <>
      <search aria-label={filters.label} className="grid grid-cols-1 gap-3">
        <SavedFilters
          current={view}
          filters={modelViews
            .filter((each) => usualViews.includes(each) || each === view || counts[each] > 0)
            .map((each) => ({
              key: each,
              name: filters.views[each],
              count: counts[each],
              to: `${addressOf('models')}${each === 'all' ? '' : `&view=${each}`}`,
            }))}
        />
        <div className="flex flex-wrap items-center gap-2">
          <SearchBox label={filters.search} placeholder={filters.placeholder} maxLength={maxSearchText} text={search} />
          <ChoiceBox
            label={filters.visibility}
            value={visibility}
            choices={visibilities.map((value) => ({ value, name: filters.visibilities[value] }))}
            choose={chooseVisibility}
          />
          <SortBox className="xl:hidden" columns={modelColumns} sort={sort} choose={chooseSort} />
        </div>
      </search>
      {/* Stays mounted when the list becomes empty, to report the result of archiving. */}
      <ModelsBulk
        models={models}
        selection={selection}
        found={filters.found(listed, counts.all)}
        tools={
          <>
            <Switch label={filters.archived} isOn={withArchived} onSwitch={showArchived} />
            {isNarrowed && (
              <Button look="text" className="min-h-8! py-0!" onClick={clear}>
                {site.list.clear}
              </Button>
            )}
            <span className="ms-auto flex gap-2">
              <ExportButton<Model>
                list="models"
                filters={[...(view === 'all' ? [] : [view]), ...(visibility === 'all' ? [] : [visibility])]}
                columns={csvColumns}
                rows={() => rows.filter(({ isOlder }) => !isOlder).map(({ model }) => model)}
              />
            </span>
          </>
        }
      />
      {shown.length > 0 && (
        <>
          <RowTable<ModelRow>
            label={words.list}
            columns={modelColumns}
            rows={shown}
            sort={sort}
            sortBy={sortBy}
            selection={canChoose ? selection : undefined}
            chooseAll={words.bulk.chooseAll(rows.length)}
            addressOf={detailsOf}
            menuOf={(row) => versionMenu(row, { open, unfold, now: Date.now(), may })}
            {...kind}
          />
          <Pager
            page={page}
            count={shown.length}
            total={formatNumber(rows.length)}
            hasNext={page * rowsPerPage < rows.length}
            canChoose={canChoose}
          />
        </>
      )}
      {rows.length === 0 && (
        <Empty heading={words.empty.heading}>
          <p>{isNarrowed ? words.empty.noMatch : words.empty.allArchived}</p>
          {!isNarrowed && (
            <Button onClick={() => setParams(changeQuery('archived', 'yes'), { preventScrollReset: true })}>
              {words.empty.showArchived}
            </Button>
          )}
          {isNarrowed && view !== 'all' && <Button onClick={() => chooseView('all')}>{filters.views.all}</Button>}
        </Empty>
      )}
    </>
  )
}
