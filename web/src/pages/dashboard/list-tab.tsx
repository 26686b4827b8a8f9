import type { ReactNode } from 'react'
import { site } from '#messages/site.ts'
import type { useList } from '../../data/use-list.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { Failed } from '../../ui/failed.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useSteadyLoading } from '../../ui/use-steady-loading.ts'
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
  /** Whether it may be empty because of what was asked. */
  isFiltered: boolean
  clear: () => void
  /** The way on where there is nothing at all. */
  firstStep: ReactNode
  filters: ReactNode
  children: (pages: readonly (readonly Item[])[]) => ReactNode
}

// Now and then a person is asked before more comes by itself: else nobody would ever reach the end of the page.
const pagesAtOnce = 10

/** A tab that is one long list of the registry's, in each of its states. */
export const ListTab = <Item,>({ list, words, isFiltered, clear, firstStep, filters, children }: ListTabProps<Item>) => {
  const { items, pages, failure, hasMore, isOfBefore } = list
  const { isLoading, isShown } = useSteadyLoading(items === undefined && failure === undefined)
  const isReady = !isLoading && items !== undefined && items.length > 0
  const isEmpty = !isLoading && items !== undefined && items.length === 0
  const state = isLoading || isOfBefore ? 'loading' : items === undefined ? 'failed' : isEmpty ? 'empty' : 'ready'
  return (
    <TabMain state={state} busy={isLoading || isOfBefore} heading={words.heading} status={words.about}>
      {(!isEmpty || isFiltered) && <div className="mt-6">{filters}</div>}
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 py-2">
        <p role="status" className="text-small">
          {isShown && words.loading}
          {isReady && words.found(items.length, hasMore)}
        </p>
        {isFiltered && <Button onClick={clear}>{site.list.clear}</Button>}
      </div>
      <div className={classes(isOfBefore && 'opacity-60')}>
        {isShown && <SkeletonRows />}
        {isEmpty && (isFiltered ? <Empty heading={words.empty.heading}>{<p>{words.empty.hint}</p>}</Empty> : firstStep)}
        {isReady && pages && children(pages)}
        {failure !== undefined && !isLoading && (
          <div className="mt-6">
            <Failed heading={words.failed} failure={failure} again={list.again} />
          </div>
        )}
        {isReady && hasMore && failure === undefined && (
          <LoadMore isLoading={list.isLoadingMore} loadMore={list.loadMore} isByItself={(pages?.length ?? 0) % pagesAtOnce !== 0} />
        )}
      </div>
    </TabMain>
  )
}
