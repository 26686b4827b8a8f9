import { useMemo } from 'react'
import useSWRInfinite from 'swr/infinite'

interface Page<Item> {
  items: Item[]
  cursor: string | null
}

/**
 * A list that the registry gives page by page: `ask` gets the cursor of the page, null for the first. `key` names the
 * list and everything that it depends on; null asks for nothing.
 */
export const useList = <Item>(key: readonly unknown[] | null, ask: (cursor: string | null) => Promise<Page<Item>>) => {
  const keyOf = (index: number, before: Page<Item> | null) => {
    if (key === null || before?.cursor === null) return null
    return [...key, index === 0 ? null : (before?.cursor ?? null)]
  }
  const { data, error, size, setSize, isValidating, mutate } = useSWRInfinite<Page<Item>, unknown>(
    keyOf,
    (parts: readonly unknown[]) => ask(parts.at(-1) as string | null),
    { revalidateFirstPage: false, persistSize: true, keepPreviousData: true },
  )
  const items = useMemo(() => data?.flatMap((page) => page.items), [data])
  const isMissing = data !== undefined && data.length < size
  return {
    /** Undefined before the first answer. */
    items,
    failure: error,
    hasMore: data?.at(-1)?.cursor != null,
    isLoadingMore: isMissing && error === undefined,
    isLoading: isValidating,
    loadMore: () => void setSize(size + 1),
    again: () => void mutate(),
  }
}
