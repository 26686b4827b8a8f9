import { useEffect, useMemo, useRef } from 'react'
import { type Arguments, unstable_serialize, useSWRConfig } from 'swr'
import useSWRInfinite from 'swr/infinite'
import { askOrKeepOnce, forgetOld } from '../failures/giving-up.ts'
import { everyMinute } from '../hooks/kept-current.ts'
import { useComingBack } from '../hooks/use-coming-back.ts'
import { isReloaded as isPageReloaded } from './reloading.ts'

interface Page<Item> {
  items: Item[]
  cursor: string | null
}

interface KeptPage<Item> extends Page<Item> {
  /** Identifies the list, so that the previous one is not mistaken for it. */
  list: string
}

/**
 * A paged list from the registry: `ask` receives the page's cursor, null for the first. `key` identifies the
 * list and everything it depends on; null loads nothing. The previous list is shown until the first response.
 * A list from an earlier visit is shown at once, unless it is older than two minutes; after a minute it is also reloaded, and with
 * `isReloaded` always, for lists that the user edits. Every list is reloaded when the visitor returns to this browser tab, and each minute
 * while it is visible, pages after the tenth every five minutes. If that fails twice in a row, or once for what is older than two minutes,
 * the list is no longer shown. With `isKept`, every list is shown, under the dashboard's notice.
 */
export const useList = <Item, More extends object = object>(
  key: readonly unknown[] | null,
  ask: (cursor: string | null) => Promise<Page<Item> & More>,
  { isReloaded = false, isKept = false }: { isReloaded?: boolean; isKept?: boolean } = {},
) => {
  const { cache } = useSWRConfig()
  const list = JSON.stringify(key)
  const keyOf = (index: number, before: Page<Item> | null) => {
    if (key === null || before?.cursor === null) return null
    return [...key, index === 0 ? null : (before?.cursor ?? null)]
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list shown
  useMemo(() => isKept || forgetOld(cache, unstable_serialize(keyOf(0, null))), [list])
  const { data, error, size, setSize, isValidating, mutate } = useSWRInfinite<KeptPage<Item> & More, unknown>(
    keyOf,
    async (parts: readonly unknown[]) => {
      const name = unstable_serialize(parts)
      const askPage = async () => {
        const page = { ...(await ask(parts.at(-1) as string | null)), list }
        answeredAt.set(name, Date.now())
        return page
      }
      return isKept ? askPage() : askOrKeepOnce(cache, name, askPage)
    },
    {
      ...reloadedHere,
      revalidateFirstPage: false,
      persistSize: true,
      keepPreviousData: true,
    },
  )
  const isOfBefore = data?.[0] !== undefined && data[0].list !== list
  const isForgotten = (_: unknown, index: number) =>
    cache.get(unstable_serialize(keyOf(index, data?.[index - 1] ?? null)))?.data === undefined
  const isGone = error !== undefined && (isOfBefore || data?.some(isForgotten) === true)
  const pages = useMemo(() => (isGone ? undefined : data?.map(({ items }) => items)), [data, isGone])
  const items = useMemo(() => pages?.flat(), [pages])
  const isMissing = data !== undefined && !isOfBefore && data.length < size
  const refresh = useRef(() => undefined as unknown)
  refresh.current = () => {
    // The call below would forget the failure until the response arrives.
    if (error !== undefined) return mutate()
    if (data === undefined || isOfBefore) return
    let index = 0
    const shouldReload = (page: unknown, parts: Arguments) =>
      isPageReloaded(index++, ageOf(parts)) || page === undefined
    return mutate((before) => before, { revalidate: shouldReload })
  }
  const isOld = () => key !== null && ageOf([...key, null]) > everyMinute
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list shown
  useEffect(() => void ((isReloaded || isOld()) && refresh.current()), [list])
  useComingBack(() => refresh.current())
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && refresh.current(), everyMinute)
    return () => clearInterval(timer)
  }, [])
  return {
    /** Undefined before the first response. */
    items,
    /** The same items by page: a page keeps its array while others load. */
    pages,
    failure: error,
    hasMore: !isOfBefore && data?.at(-1)?.cursor != null,
    isLoadingMore: isMissing && error === undefined,
    isLoading: isValidating,
    /** The first page's other data, such as the total. */
    first: isOfBefore ? undefined : data?.[0],
    /** Identifies the shown list. */
    list: data?.[0]?.list ?? list,
    /** The previous list is shown until this one has loaded. */
    isOfBefore: isOfBefore && error === undefined,
    /**
     * Changes items in place, or removes them by returning undefined, without a request. `recount` receives the number
     * removed and corrects the first page's other data.
     */
    change(change: (item: Item) => Item | undefined, recount: (first: More, gone: number) => More = (first) => first) {
      return mutate(
        (before) => {
          const after = before?.map((page) => ({ ...page, items: changeItems(page.items, change) }))
          const gone = countItems(before) - countItems(after)
          return gone === 0
            ? after
            : after?.map((page, index) => (index === 0 ? { ...page, ...recount(page, gone) } : page))
        },
        { revalidate: false },
      )
    },
    loadMore: () => void setSize(size + 1),
    /** Retries what is missing, or reloads everything. */
    again: () => void (isMissing && !isGone ? setSize(size) : mutate()),
  }
}

/** SWR itself would take cached pages for an answer, and forget the failure. */
const reloadedHere = {
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  refreshInterval: 0,
  shouldRetryOnError: false,
}

/** When each page last arrived. */
const answeredAt = new Map<string, number>()

const ageOf = (parts: Arguments) => {
  const now = Date.now()
  return now - (answeredAt.get(unstable_serialize(parts)) ?? now)
}

const countItems = (pages: readonly { items: readonly unknown[] }[] = []) =>
  pages.reduce((count, { items }) => count + items.length, 0)

/** Returns the same array if nothing changed, to avoid re-rendering. */
const changeItems = <Item>(items: Item[], change: (item: Item) => Item | undefined): Item[] => {
  const changed = items.flatMap((item) => change(item) ?? [])
  return changed.length === items.length && changed.every((item, index) => item === items[index]) ? items : changed
}
