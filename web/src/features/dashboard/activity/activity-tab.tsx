import type { TrailEvent, TrailSubject } from '@countersign/sdk/contract'
import { trailColumns } from '@countersign/sdk/contract/csv'
import { useSearchParams } from 'react-router-dom'
import { activityTab } from '#messages/dashboard/activity.ts'
import { formatTime } from '#messages/site.ts'
import { TextField } from '../../../forms/field.tsx'
import { addressWith, changeQuery } from '../../../hooks/change-query.ts'
import { useAddressDialog } from '../../../hooks/use-address-dialog.ts'
import { useUrlChoice } from '../../../hooks/use-url-choice.ts'
import { useUrlText } from '../../../hooks/use-url-text.ts'
import { ExportButton } from '../../../lists/export-button.tsx'
import { ChoiceBox, SearchBox, SortBox } from '../../../lists/list-bar.tsx'
import { type Column, Line, RowTitle } from '../../../lists/row-table.tsx'
import { newestFirst, textOf } from '../../../lists/sorting.ts'
import { usePagedItems } from '../../../lists/use-paged-items.ts'
import { useSort } from '../../../lists/use-sort.ts'
import { FirstStep } from '../shared/first-step.tsx'
import { ListBar, ListTab } from '../shared/list-tab.tsx'
import { addressOf } from '../shared/tab-names.ts'
import { EventDetails } from './event-details.tsx'
import { maxId, queryOf } from './filters.ts'
import { readActivity, useActivity } from './own-activity.ts'
import { actionWords, describeEvent } from './sentence.ts'

const words = activityTab
const { filters } = words
const kinds = ['all', ...(Object.keys(words.kinds) as TrailSubject[])] as const
const names = ['kind', 'action', 'id', 'since', 'until'] as const
const command = 'countersign events list --since 2026-01-01'

const actionsOf = (kind: (typeof kinds)[number]) =>
  ['all', ...(kind === 'all' ? actionWords.keys() : Object.keys(words.actions[kind]))] as const

const columns: readonly Column<TrailEvent>[] = [
  {
    key: 'what',
    name: words.columns.what,
    cell: (event) => <RowTitle title={describeEvent(event)} under={`${formatTime(event.at)} · ${event.subject_id}`} />,
  },
  {
    key: 'created',
    name: words.columns.time,
    isSortable: true,
    className: 'hidden w-52 sm:table-cell',
    cell: ({ at }) => <Line isMuted>{formatTime(at)}</Line>,
  },
]

const idOf = ({ id }: TrailEvent) => id
const onlyThis = ({ subject_id }: TrailEvent) => `${addressOf('activity')}&id=${encodeURIComponent(subject_id)}`

/** The provider's audit log, filtered by the address. */
export const ActivityTab = () => {
  const [params, setParams] = useSearchParams()
  const [kind, chooseKind] = useUrlChoice('kind', kinds)
  const actions = actionsOf(kind)
  const [action, chooseAction] = useUrlChoice('action', actions as unknown as readonly [string, ...string[]])
  const id = useUrlText('id')
  const [since, until] = [params.get('since') ?? '', params.get('until') ?? '']
  const details = useAddressDialog('event')
  const choose = (name: string, value: string) => setParams(changeQuery(name, value), { preventScrollReset: true })
  const clear = () => {
    id.setText('')
    setParams({ tab: 'activity' }, { preventScrollReset: true })
  }
  const { sort, sortBy, chooseSort } = useSort(['created'], newestFirst, ['created'])
  const filter = queryOf({ kind, action, id: id.inAddress, since, until })
  const query = { ...filter, sort: textOf(sort) as 'created' | '-created' }
  const list = useActivity(query)
  const paged = usePagedItems(list)
  const isFiltered = names.some((name) => params.get(name))
  const detailsOf = (event: TrailEvent) => addressWith(params, 'event', event.id)
  const opened = list.items?.find((event) => event.id === details.value)
  return (
    <ListTab<TrailEvent>
      list={list}
      paged={paged}
      words={words}
      columns={columns}
      sort={sort}
      sortBy={sortBy}
      idOf={idOf}
      nameOf={describeEvent}
      addressOf={detailsOf}
      menuOf={(event) => [
        { label: words.changes, to: detailsOf(event) },
        { label: words.onlyThis, to: onlyThis(event) },
      ]}
      isFiltered={isFiltered}
      clear={clear}
      firstStep={<FirstStep {...words.firstStep} command={command} />}
      filters={
        <>
          <div className="flex flex-wrap items-center gap-2">
            <SearchBox label={filters.id} placeholder={filters.idHint} maxLength={maxId} text={id} />
            <ChoiceBox
              label={filters.kind}
              value={kind}
              choices={kinds.map((value) => ({
                value,
                name: value === 'all' ? filters.allKinds : words.kinds[value],
              }))}
              choose={chooseKind}
            />
            <ChoiceBox
              label={filters.action}
              value={action}
              choices={actions.map((value) => ({ value, name: actionWords.get(value)?.name ?? filters.allActions }))}
              choose={chooseAction}
            />
            <SortBox className="sm:hidden" columns={columns} sort={sort} choose={chooseSort} />
          </div>
          <div className="grid grid-cols-2 gap-2 sm:max-w-md">
            <TextField
              type="date"
              label={filters.since}
              value={since}
              onChange={({ target }) => choose('since', target.value)}
            />
            <TextField
              type="date"
              label={filters.until}
              value={until}
              onChange={({ target }) => choose('until', target.value)}
            />
          </div>
        </>
      }
      bar={
        <ListBar found={words.found(list.items?.length ?? 0, list.hasMore)} isFiltered={isFiltered} clear={clear}>
          <ExportButton<TrailEvent>
            list="activity"
            filters={names.map((name) => params.get(name) ?? '').filter((value) => value !== '')}
            columns={trailColumns}
            rows={() => readActivity(query)}
            hasLines
          />
        </ListBar>
      }
    >
      {opened && <EventDetails event={opened} onClose={details.close} />}
    </ListTab>
  )
}
