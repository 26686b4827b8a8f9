import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { rowsPerPage } from './pager.tsx'
import { readPage } from './sorting.ts'
import type { useList } from './use-list.ts'

type Shown<Item> = Pick<
  ReturnType<typeof useList<Item>>,
  'items' | 'hasMore' | 'isLoadingMore' | 'isOfBefore' | 'failure' | 'loadMore'
>

/** The page of a list that the address names. Loads what is before it, because each page begins where the last one ended. */
export const usePagedItems = <Item>(list: Shown<Item>) => {
  const [params] = useSearchParams()
  const { items = [], hasMore, isLoadingMore, isOfBefore, failure, loadMore } = list
  const page = readPage(params.get('page'), hasMore || list.items === undefined ? undefined : items.length, rowsPerPage)
  const end = page * rowsPerPage
  const isShort = list.items !== undefined && items.length < end && hasMore
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that has arrived
  useEffect(() => {
    if (isShort && !isLoadingMore && !isOfBefore && failure === undefined) loadMore()
  }, [isShort, isLoadingMore, isOfBefore, failure, items.length])
  const rows = items.slice(end - rowsPerPage, end)
  return { page, rows, hasNext: items.length > end || hasMore }
}
