import { ApiError, TimeoutError } from '@countersign/sdk'
import { useMemo } from 'react'
import { type Cache, type Middleware, type SWRConfiguration, unstable_serialize, useSWRConfig } from 'swr'
import { keptCurrent } from '../hooks/kept-current.ts'

/** When each was last requested with success. */
const askedAt = new Map<string, number>()
/** The last request for these failed. */
const failedBefore = new Set<string>()

/** What was requested longer ago, such as a page that the visitor returns to, is not kept after a failure. */
const keptMs = 120_000
/** How long a request may take while its last answer is shown. */
const patienceMs = 15_000

const ageOf = (name: string) => {
  const now = Date.now()
  return now - (askedAt.get(name) ?? now)
}

const askInTime = <Data>(ask: () => Promise<Data>) =>
  Promise.race([
    ask(),
    new Promise<never>((_, reject) => {
      AbortSignal.timeout(patienceMs).onabort = () => reject(new TimeoutError('No answer'))
    }),
  ])

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
 * If what is known cannot be loaded again within 15 seconds, it is kept once, for two minutes, and forgotten if the next request fails too.
 * With `isKeptForTyping` it is not forgotten while the visitor types, but the failure is known beside it.
 */
export const askOrKeepOnce = async <Data>(
  cache: Cache<Data>,
  name: string,
  ask: () => Promise<Data>,
  { written, isKeptForTyping = false }: { written?: Data | undefined; isKeptForTyping?: boolean } = {},
) => {
  const now = Date.now()
  const readKnown = () => cache.get(name)?.data ?? written
  try {
    const answer = await (readKnown() === undefined ? ask() : askInTime(ask))
    failedBefore.delete(name)
    askedAt.set(name, now)
    return answer
  } catch (failure) {
    const known = readKnown()
    if (known !== undefined && maySucceedLater(failure)) {
      if (!isOld(name) && !failedBefore.has(name)) {
        failedBefore.add(name)
        return known
      }
      if (isKeptForTyping && isTyping()) throw failure
    }
    cache.delete(name)
    throw failure
  }
}

const isOld = (name: string) => ageOf(name) >= keptMs

/** If the visitor returns to what is old, also the other pages of a list, nothing old is shown until the answer arrives. */
export const forgetOld = (cache: Cache, name: string) => {
  if (!isOld(name)) return
  for (const old of [...askedAt.keys()].filter(isOld)) {
    cache.delete(old)
    // A list is also known as a whole.
    cache.delete(`$inf$${old}`)
  }
}

const giveUp =
  (isKeptForTyping: boolean): Middleware =>
  (useNext) =>
  (key, ask, options) => {
    const { cache } = useSWRConfig()
    const name = unstable_serialize(key)
    useMemo(() => forgetOld(cache, name), [cache, name])
    const keeping = { written: options.fallbackData, isKeptForTyping }
    const swr = useNext(
      key,
      ask && (async (...parts: unknown[]) => askOrKeepOnce(cache, name, async () => ask(...parts), keeping)),
      options,
    )
    return swr.error === undefined || cache.get(name)?.data !== undefined ? swr : { ...swr, data: undefined }
  }

/**
 * For what pages say of others: kept current, or not shown. A program on another page can use up the visitor's requests, so that a
 * lost proof would stay.
 */
export const currentOrNone = {
  ...keptCurrent,
  refreshWhenOffline: true,
  use: [giveUp(false)],
} satisfies SWRConfiguration

/** For a page with a form, which would be lost: while the visitor types, there may be data and an error, and the page must say so. */
export const currentOrSaid = { ...currentOrNone, use: [giveUp(true)] } satisfies SWRConfiguration
