import type { TrailEvent, TrailSubject } from '@countersign/sdk/contract'
import { useSearchParams } from 'react-router-dom'
import { activityTab } from '#messages/dashboard/activity.ts'
import { TextField } from '../../../forms/field.tsx'
import { ChoiceField } from '../../../forms/filter-fields.tsx'
import { changeQuery } from '../../../hooks/change-query.ts'
import { useUrlChoice } from '../../../hooks/use-url-choice.ts'
import { useUrlText } from '../../../hooks/use-url-text.ts'
import { FilterPanel } from '../../../lists/filter-panel.tsx'
import { ListTable } from '../../../lists/list-table.tsx'
import { FirstStep } from '../shared/first-step.tsx'
import { ListTab } from '../shared/list-tab.tsx'
import { EventCells } from './event-cells.tsx'
import { queryOf } from './filters.ts'
import { useActivity } from './own-activity.ts'
import { actionWords } from './sentence.ts'

const words = activityTab
const { filters } = words
const kinds = ['all', ...(Object.keys(words.kinds) as TrailSubject[])] as const
const names = ['kind', 'action', 'id', 'since', 'until'] as const
const command = 'countersign events list --since 2026-01-01'

const actionsOf = (kind: (typeof kinds)[number]) =>
  ['all', ...(kind === 'all' ? actionWords.keys() : Object.keys(words.actions[kind]))] as const

// A stable reference, so that unchanged pages don't re-render.
const keyOf = ({ id }: TrailEvent) => id
const rowOf = (event: TrailEvent) => <EventCells event={event} />

/** The provider's audit log, filtered by the address. */
export const ActivityTab = () => {
  const [params, setParams] = useSearchParams()
  const [kind, chooseKind] = useUrlChoice('kind', kinds)
  const actions = actionsOf(kind)
  const [action, chooseAction] = useUrlChoice('action', actions as unknown as readonly [string, ...string[]])
  const id = useUrlText('id')
  const [since, until] = [params.get('since') ?? '', params.get('until') ?? '']
  const choose = (name: string, value: string) => setParams(changeQuery(name, value), { preventScrollReset: true })
  const clear = () => {
    id.setText('')
    setParams({ tab: 'activity' }, { preventScrollReset: true })
  }
  const list = useActivity(queryOf({ kind, action, id: id.inAddress, since, until }))
  return (
    <ListTab<TrailEvent>
      list={list}
      words={words}
      isFiltered={names.some((name) => params.get(name))}
      clear={clear}
      firstStep={<FirstStep {...words.firstStep} command={command} />}
      filters={
        <FilterPanel
          label={filters.show}
          search={
            <TextField
              type="search"
              label={filters.id}
              hint={filters.idHint}
              value={id.text}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => id.setText(target.value)}
            />
          }
          more={
            <div className="grid gap-4 sm:grid-cols-2 lg:max-w-lg">
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
          }
        >
          <ChoiceField
            label={filters.kind}
            value={kind}
            choices={kinds}
            nameOf={(choice) => (choice === 'all' ? filters.allKinds : words.kinds[choice])}
            choose={chooseKind}
          />
          <ChoiceField
            className="md:col-span-2"
            label={filters.action}
            value={action}
            choices={actions}
            nameOf={(choice) => actionWords.get(choice)?.name ?? filters.allActions}
            choose={chooseAction}
          />
        </FilterPanel>
      }
    >
      {(pages) => (
        <ListTable
          list={list.list}
          label={words.list}
          columns={Object.values(words.columns)}
          grid="lg:grid-cols-[12rem_minmax(0,1fr)]"
          pages={pages}
          keyOf={keyOf}
          rowOf={rowOf}
        />
      )}
    </ListTab>
  )
}
