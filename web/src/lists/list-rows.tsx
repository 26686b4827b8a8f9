import { type ReactNode, useEffect } from 'react'
import { Failed } from '../failures/failed.tsx'
import { useSteadyLoading } from '../hooks/use-steady-loading.ts'
import { classes } from '../ui/classes.ts'
import { SkeletonRows } from '../ui/layout/skeleton.tsx'
import { LoadMore } from './load-more.tsx'
import type { useList } from './use-list.ts'

type List<Item> = ReturnType<typeof useList<Item>>

/** The state of a paged list. */
export const useListState = <Item,>(
  list: Pick<List<Item>, 'items' | 'failure' | 'hasMore' | 'isOfBefore' | 'again'>,
) => {
  const { items, failure, hasMore, isOfBefore } = list
  // All shown items have left the list, and more can be loaded.
  const isUsedUp = items?.length === 0 && hasMore
  const { isLoading, isShown } = useSteadyLoading((items === undefined || isUsedUp) && failure === undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time they are used up
  useEffect(() => {
    if (isUsedUp) list.again()
  }, [isUsedUp])
  const isReady = !isLoading && items !== undefined && items.length > 0
  const isEmpty = !isLoading && items?.length === 0 && !isUsedUp
  const settled = items === undefined || isUsedUp ? 'failed' : isEmpty ? 'empty' : 'ready'
  return {
    name: isLoading || isOfBefore ? 'loading' : settled,
    isBusy: isLoading || isOfBefore,
    /** It has been loading long enough to show it. */
    isSlow: isShown,
    isLoading,
    isReady,
    isEmpty,
  }
}

interface ListRowsProps<Item> {
  list: List<Item>
  state: ReturnType<typeof useListState<Item>>
  /** The heading if loading fails. */
  failed: string
  /** Shown if the list is empty. */
  empty: ReactNode
  skeletons?: number
  className?: string
  children: (pages: readonly (readonly Item[])[]) => ReactNode
}

// Regularly ask before loading more; otherwise no one could reach the footer.
const pagesAtOnce = 10

/** The rows of a list, or its loading, failed or empty state. */
export const ListRows = <Item,>({
  list,
  state,
  failed,
  empty,
  skeletons,
  className,
  children,
}: ListRowsProps<Item>) => {
  const { pages, failure, hasMore, isOfBefore } = list
  return (
    <div className={classes(className, isOfBefore && 'opacity-60')}>
      {state.isSlow && <SkeletonRows {...(skeletons !== undefined && { count: skeletons })} />}
      {state.isEmpty && empty}
      {state.isReady && pages && children(pages)}
      {failure !== undefined && !state.isLoading && (
        <div className="mt-6">
          <Failed heading={failed} failure={failure} again={list.again} />
        </div>
      )}
      {state.isReady && hasMore && failure === undefined && (
        <LoadMore
          isLoading={list.isLoadingMore}
          loadMore={list.loadMore}
          isByItself={(pages?.length ?? 0) % pagesAtOnce !== 0}
        />
      )}
    </div>
  )
}
