import type { ReactNode } from 'react'
import { site } from '#messages/site.ts'
import { ListRows, useListState } from '../../../lists/list-rows.tsx'
import type { useList } from '../../../lists/use-list.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Empty } from '../../../ui/layout/empty.tsx'
import { TabMain } from './tab-main.tsx'

interface ListTabProps<Item> {
  list: ReturnType<typeof useList<Item>>
  words: {
    heading: string
    about: string
    loading: string
    failed: string
    found: (count: number, hasMore: boolean) => string
    empty: { heading: string; hint: string }
  }
  /** Whether filters may be why it is empty. */
  isFiltered: boolean
  clear: () => void
  /** Shown if there is nothing at all. */
  firstStep: ReactNode
  filters: ReactNode
  children: (pages: readonly (readonly Item[])[]) => ReactNode
}

/** A tab that consists of one paged list. */
export const ListTab = <Item,>({
  list,
  words,
  isFiltered,
  clear,
  firstStep,
  filters,
  children,
}: ListTabProps<Item>) => {
  const state = useListState(list)
  return (
    <TabMain state={state.name} busy={state.isBusy} heading={words.heading} status={words.about}>
      {(!state.isEmpty || isFiltered) && <div className="mt-6">{filters}</div>}
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 py-2">
        <p role="status" className="text-small">
          {state.isSlow && words.loading}
          {state.isReady && words.found(list.items?.length ?? 0, list.hasMore)}
        </p>
        {isFiltered && <Button onClick={clear}>{site.list.clear}</Button>}
      </div>
      <ListRows
        list={list}
        state={state}
        failed={words.failed}
        empty={isFiltered ? <Empty heading={words.empty.heading}>{<p>{words.empty.hint}</p>}</Empty> : firstStep}
      >
        {children}
      </ListRows>
    </TabMain>
  )
}
