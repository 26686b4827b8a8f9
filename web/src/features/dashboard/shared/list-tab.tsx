import type { ReactNode } from 'react'
import { site } from '#messages/site.ts'
import { Failed } from '../../../failures/failed.tsx'
import { useListState } from '../../../lists/list-rows.tsx'
import { Pager } from '../../../lists/pager.tsx'
import { type Column, type RowKind, RowTable } from '../../../lists/row-table.tsx'
import type { Sort } from '../../../lists/sorting.ts'
import type { useList } from '../../../lists/use-list.ts'
import type { usePagedItems } from '../../../lists/use-paged-items.ts'
import type { useSelection } from '../../../lists/use-selection.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Empty } from '../../../ui/layout/empty.tsx'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { TabMain } from './tab-main.tsx'

interface ListTabProps<Item> extends RowKind<Item> {
  list: ReturnType<typeof useList<Item>>
  words: {
    heading: string
    about: string
    loading: string
    failed: string
    list: string
    empty: { heading: string; hint: string }
  }
  /** The page of the list that is shown. */
  paged: ReturnType<typeof usePagedItems<Item>>
  columns: readonly Column<Item>[]
  /** Undefined if the list has one order. */
  sort?: Sort
  sortBy?: (column: string) => void
  /** How many match, in words, if known. */
  total?: string | undefined
  /** Whether filters may be why it is empty. */
  isFiltered: boolean
  clear: () => void
  /** Buttons beside the heading. */
  actions?: ReactNode
  /** Shown if there is nothing at all. */
  firstStep: ReactNode
  filters?: ReactNode
  /** The line above the rows: how many there are, and what can be done with them. */
  bar: ReactNode
  selection?: ReturnType<typeof useSelection>
  chooseAll?: string
  /** Dialogs. */
  children?: ReactNode
}

/** A tab with one list that the registry sends page by page. */
export const ListTab = <Item extends object>(props: ListTabProps<Item>) => {
  const {
    list,
    paged,
    words,
    total,
    isFiltered,
    clear,
    actions,
    firstStep,
    filters,
    bar,
    selection,
    children,
    ...table
  } = props
  const state = useListState(list)
  const { page, rows, hasNext } = paged
  return (
    <TabMain state={state.name} busy={state.isBusy} heading={words.heading} status={words.about} actions={actions}>
      {filters !== undefined && (!state.isEmpty || isFiltered) && (
        <search className="mt-6 grid grid-cols-1 gap-3">{filters}</search>
      )}
      <p role="status" className="sr-only">
        {state.isSlow && words.loading}
      </p>
      {state.isReady && bar}
      {state.isSlow && <SkeletonRows />}
      {state.isEmpty &&
        (isFiltered ? (
          <div className="mt-6">
            <Empty heading={words.empty.heading}>
              <p>{words.empty.hint}</p>
              <Button onClick={clear}>{site.list.clear}</Button>
            </Empty>
          </div>
        ) : (
          <div className="mt-6">{firstStep}</div>
        ))}
      {state.isReady && (
        <div className={list.isOfBefore ? 'opacity-60' : undefined}>
          <RowTable<Item> label={words.list} rows={rows} selection={selection} {...table} />
          <Pager page={page} count={rows.length} total={total} hasNext={hasNext} canChoose={selection !== undefined} />
        </div>
      )}
      {list.failure !== undefined && !state.isLoading && (
        <div className="mt-6">
          <Failed heading={words.failed} failure={list.failure} again={list.again} />
        </div>
      )}
      {children}
    </TabMain>
  )
}

/** The line above rows that cannot be selected. */
export const ListBar = ({
  found,
  isFiltered,
  clear,
  children,
}: {
  found: string
  isFiltered: boolean
  clear: () => void
  children: ReactNode
}) => (
  <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 py-1.5">
    <p role="status" className="text-small">
      {found}
    </p>
    {isFiltered && (
      <Button look="text" className="min-h-8! py-0!" onClick={clear}>
        {site.list.clear}
      </Button>
    )}
    <span className="ms-auto flex gap-2">{children}</span>
  </div>
)
