import type { ReactNode } from 'react'
import { site } from '#messages/site.ts'
import type { useList } from '../data/use-list.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import { Empty } from './empty.tsx'
import { Failed } from './failed.tsx'
import { LoadMore } from './load-more.tsx'
import { PageMain } from './page-main.tsx'
import { SkeletonRows } from './skeleton.tsx'
import { useSteadyLoading } from './use-steady-loading.ts'

interface ListBodyProps<Item> {
  list: ReturnType<typeof useList<Item>>
  words: {
    loading: string
    failed: string
    found: (count: number, hasMore: boolean) => string
    empty: { heading: string; hint: string; none: string }
  }
  /** Whether it may be empty because of what was asked. */
  isFiltered: boolean
  canClear: boolean
  clear: () => void
  /** The way on where there is nothing at all. */
  firstStep?: ReactNode
  head: ReactNode
  filters: ReactNode
  children: (pages: readonly (readonly Item[])[]) => ReactNode
}

// Now and then a person is asked before more comes by itself: else nobody would ever reach the foot of the page.
const pagesAtOnce = 10

/** A page of a list in each of its states. */
export const ListBody = <Item,>({ list, words, isFiltered, canClear, clear, firstStep, head, filters, children }: ListBodyProps<Item>) => {
  const { items, pages, failure, hasMore, isOfBefore } = list
  const { isLoading, isShown } = useSteadyLoading(items === undefined && failure === undefined)
  const isReady = !isLoading && items !== undefined && items.length > 0
  const state = isLoading ? 'loading' : items === undefined ? 'failed' : items.length === 0 ? 'empty' : 'ready'

  return (
    <PageMain
      state={isOfBefore ? 'loading' : state}
      busy={isLoading || isOfBefore}
      className="mx-auto w-full max-w-site px-4 pt-10 sm:px-6"
    >
      {head}
      {filters}
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 py-2">
        <p role="status" className="text-small">
          {isShown && words.loading}
          {isReady && words.found(items.length, hasMore)}
          {state === 'empty' && words.found(0, false)}
        </p>
        {canClear && <Button onClick={clear}>{site.list.clear}</Button>}
      </div>
      {/* The foot of the page stays below the window, however many there are: it would jump. */}
      <div className={classes('min-h-[75svh]', isOfBefore && 'opacity-60')}>
        {isShown && <SkeletonRows count={12} />}
        {state === 'empty' && (
          <Empty heading={words.empty.heading}>
            <p>{isFiltered ? words.empty.hint : words.empty.none}</p>
            {!isFiltered && firstStep}
          </Empty>
        )}
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
    </PageMain>
  )
}
