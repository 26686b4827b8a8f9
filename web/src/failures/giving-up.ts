import { ApiError } from '@countersign/sdk'
import { type Cache, type Middleware, type SWRConfiguration, unstable_serialize, useSWRConfig } from 'swr'
import { keptCurrent } from '../hooks/kept-current.ts'

/** The last request for these failed. */
const failedBefore = new Set<string>()

/** All other errors are about what was requested. */
const maySucceedLater = (failure: unknown) =>
  !(failure instanceof ApiError) || failure.status === 429 || failure.status >= 500

/** Without its page, what a visitor types would be lost. */
const isTyping = () => document.querySelector('[role=dialog], input[type=password]:focus, textarea:focus') !== null

/** If what is known cannot be loaded again, it is kept once, and forgotten if the next request fails too and the visitor is not typing. */
export const askOrKeepOnce = async <Data>(
  cache: Cache<Data>,
  name: string,
  ask: () => Promise<Data>,
  written?: Data,
) => {
  try {
    const answer = await ask()
    failedBefore.delete(name)
    return answer
  } catch (failure) {
    const known = cache.get(name)?.data ?? written
    if (known !== undefined && maySucceedLater(failure) && (!failedBefore.has(name) || isTyping())) {
      failedBefore.add(name)
      return known
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
  return swr.error === undefined ? swr : { ...swr, data: undefined }
}

/**
 * For what pages say of others: kept current, or not shown. A program on another page can use up the visitor's requests, so that a
 * lost proof would stay.
 */
export const currentOrNone = { ...keptCurrent, refreshWhenOffline: true, use: [giveUp] } satisfies SWRConfiguration
