import type { ReactNode } from 'react'
import { site } from '#messages/site.ts'
import { Button } from '../ui/controls/button.tsx'
import { Empty } from '../ui/layout/empty.tsx'
import { PageMain } from '../ui/layout/page-main.tsx'
import { ListRows, useListState } from './list-rows.tsx'
import type { useList } from './use-list.ts'

interface ListBodyProps<Item> {
  list: ReturnType<typeof useList<Item>>
  words: {
    loading: string
    failed: string
    found: (count: number, hasMore: boolean) => string
    empty: { heading: string; hint: string; none: string }
  }
  /** Whether filters may be why it is empty. */
  isFiltered: boolean
  canClear: boolean
  clear: () => void
  /** Shown if there is nothing at all. */
  firstStep?: ReactNode
  head: ReactNode
  filters: ReactNode
  children: (pages: readonly (readonly Item[])[]) => ReactNode
}

/** A paged list: loading, failed, empty or loaded. */
export const ListBody = <Item,>({
  list,
  words,
  isFiltered,
  canClear,
  clear,
  firstStep,
  head,
  filters,
  children,
}: ListBodyProps<Item>) => {
  const state = useListState(list)
  const count = list.items?.length ?? 0
  return (
    <PageMain state={state.name} busy={state.isBusy} className="mx-auto w-full max-w-site px-4 pt-10 sm:px-6">
      {head}
      {filters}
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 py-2">
        <p role="status" className="text-small">
          {state.isSlow && words.loading}
          {(state.isReady || state.isEmpty) && words.found(count, state.isReady && list.hasMore)}
        </p>
        {canClear && <Button onClick={clear}>{site.list.clear}</Button>}
      </div>
      {/* Keep the footer below the window while the list loads, so that it does not jump. */}
      <ListRows
        list={list}
        state={state}
        failed={words.failed}
        skeletons={12}
        className="min-h-[75svh]"
        empty={
          <Empty heading={words.empty.heading}>
            <p>{isFiltered ? words.empty.hint : words.empty.none}</p>
            {!isFiltered && firstStep}
          </Empty>
        }
      >
        {children}
      </ListRows>
    </PageMain>
  )
}
