import { useEffect, useMemo, useRef } from 'react'
import useSWRInfinite from 'swr/infinite'
import { useComingBack } from '../hooks/use-coming-back.ts'

interface Page<Item> {
  items: Item[]
  cursor: string | null
}

interface KeptPage<Item> extends Page<Item> {
  /** Of which list, so that the one before is not taken for this one. */
  list: string
}

/**
 * A list that the registry gives page by page: `ask` gets the cursor of the page, null for the first. `key` names the
 * list and everything that it depends on; null asks for nothing. The list before stays until the first answer. What is
 * kept of a list from an earlier visit is shown at once; with `isAskedAgain` it is asked for again, as who works on a
 * list has to see what became of it.
 */
export const useList = <Item, More extends object = object>(
  key: readonly unknown[] | null,
  ask: (cursor: string | null) => Promise<Page<Item> & More>,
  { isAskedAgain = false }: { isAskedAgain?: boolean } = {},
) => {
  const list = JSON.stringify(key)
  const keyOf = (index: number, before: Page<Item> | null) => {
    if (key === null || before?.cursor === null) return null
    return [...key, index === 0 ? null : (before?.cursor ?? null)]
  }
  const { data, error, size, setSize, isValidating, mutate } = useSWRInfinite<KeptPage<Item> & More, unknown>(
    keyOf,
    async (parts: readonly unknown[]) => ({ ...(await ask(parts.at(-1) as string | null)), list }),
    { revalidateFirstPage: false, revalidateOnFocus: false, persistSize: true, keepPreviousData: true },
  )
  const isOfBefore = data?.[0] !== undefined && data[0].list !== list
  const pages = useMemo(() => (isOfBefore && error !== undefined ? undefined : data?.map(({ items }) => items)), [data, isOfBefore, error])
  const items = useMemo(() => pages?.flat(), [pages])
  const isMissing = data !== undefined && !isOfBefore && data.length < size
  const refresh = useRef(() => undefined as unknown)
  refresh.current = () => {
    if (!isAskedAgain || data === undefined || isOfBefore) return
    let asked = 0
    const isAskedFor = (page: unknown) => page === undefined || asked++ < mostAskedAgain
    return mutate((before) => before, { revalidate: isAskedFor })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list that comes into sight
  useEffect(() => void refresh.current(), [list])
  useComingBack(isAskedAgain, () => refresh.current())
  return {
    /** Undefined before the first answer. */
    items,
    /** The same, page by page: a page stays the same array while others come. */
    pages,
    failure: error,
    hasMore: !isOfBefore && data?.at(-1)?.cursor != null,
    isLoadingMore: isMissing && error === undefined,
    isLoading: isValidating,
    /** What its first page says beside its items, such as how many there are. */
    first: isOfBefore ? undefined : data?.[0],
    /** Names the list that is shown. */
    list: data?.[0]?.list ?? list,
    /** What is shown is the list before, until this one answers. */
    isOfBefore: isOfBefore && error === undefined,
    /**
     * Changes items where they stand, or takes them out by answering nothing; nothing is asked for. `recount` learns how
     * many went, and mends what the first page says beside its items.
     */
    change(change: (item: Item) => Item | undefined, recount: (first: More, gone: number) => More = (first) => first) {
      return mutate(
        (before) => {
          const after = before?.map((page) => ({ ...page, items: changeItems(page.items, change) }))
          const gone = countItems(before) - countItems(after)
          return gone === 0 ? after : after?.map((page, index) => (index === 0 ? { ...page, ...recount(page, gone) } : page))
        },
        { revalidate: false },
      )
    },
    loadMore: () => void setSize(size + 1),
    /** Asks again for what is missing, or else for everything. */
    again: () => void (isMissing ? setSize(size) : mutate()),
  }
}

/** Who has come far down a long list is not made to wait for all of it. */
const mostAskedAgain = 10

const countItems = (pages: readonly { items: readonly unknown[] }[] = []) => pages.reduce((count, { items }) => count + items.length, 0)

/** The same array where nothing changed, so that what shows it need not be drawn again. */
const changeItems = <Item>(items: Item[], change: (item: Item) => Item | undefined): Item[] => {
  const changed = items.flatMap((item) => change(item) ?? [])
  return changed.length === items.length && changed.every((item, index) => item === items[index]) ? items : changed
}
