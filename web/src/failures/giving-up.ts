import { ApiError } from '@countersign/sdk'
import { type Cache, type Middleware, type SWRConfiguration, unstable_serialize, useSWRConfig } from 'swr'
import { keptCurrent } from '../hooks/kept-current.ts'

/** When each was last requested with success. */
const askedAt = new Map<string, number>()
/** The last request for these failed. */
const failedBefore = new Set<string>()

/** What was requested longer ago, such as a page that the visitor returns to, is not kept after a failure. */
const keptMs = 120_000

/** All other errors are about what was requested. */
const maySucceedLater = (failure: unknown) =>
  !(failure instanceof ApiError) || failure.status === 429 || failure.status >= 500

type TextField = Pick<HTMLInputElement, 'value' | 'defaultValue'>

/**
 * Without its page, what a visitor typed into a form would be lost. React writes the values of fields that it controls, such as filters,
 * to their defaults.
 */
const isTyping = () =>
  [...document.querySelectorAll<HTMLElement & TextField>('form :is(input:not([type=file]), textarea)')].some(
    ({ value, defaultValue }) => value !== '' && value !== defaultValue,
  )

/**
 * If what is known cannot be loaded again, it is kept once, for two minutes, and forgotten if the next request fails too. If the visitor
 * is typing, it is not forgotten, but the failure is known beside it.
 */
export const askOrKeepOnce = async <Data>(
  cache: Cache<Data>,
  name: string,
  ask: () => Promise<Data>,
  written?: Data,
) => {
  const now = Date.now()
  try {
    const answer = await ask()
    failedBefore.delete(name)
    askedAt.set(name, now)
    return answer
  } catch (failure) {
    const known = cache.get(name)?.data ?? written
    if (known !== undefined && maySucceedLater(failure)) {
      const isRecent = now - (askedAt.get(name) ?? now) < keptMs
      if (isRecent && !failedBefore.has(name)) {
        failedBefore.add(name)
        return known
      }
      if (isTyping()) throw failure
    }
    cache.delete(name)
    throw failure
  }
}

const giveUp: Middleware = (useNext) => (key, ask, options) => {
  const { cache } = useSWRConfig()
  const name = unstable_serialize(key)
  const swr = useNext(
    key,
    ask && (async (...parts: unknown[]) => askOrKeepOnce(cache, name, async () => ask(...parts), options.fallbackData)),
    options,
  )
  return swr.error === undefined || cache.get(name)?.data !== undefined ? swr : { ...swr, data: undefined }
}

/**
 * For what pages say of others: kept current, or not shown. A program on another page can use up the visitor's requests, so that a
 * lost proof would stay. While the visitor types, there may be data and an error: pages that have a form say so.
 */
export const currentOrNone = { ...keptCurrent, refreshWhenOffline: true, use: [giveUp] } satisfies SWRConfiguration
