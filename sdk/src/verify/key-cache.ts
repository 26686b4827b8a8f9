import type { Jwks } from '../contract/signing.ts'
import { maxJwksLength, readJwks } from './read-jwks.ts'
import { isObject, isText } from './values.ts'

/**
 * Stores text by the address of a key set: a `Map`, a file or a key-value store. Anyone who can write to it can replace the registry's
 * keys. Entries are validated and age from when they were fetched. If the cache fails or takes longer than a second, keys are fetched
 * from the registry.
 */
export interface JwksCache {
  /** The stored text for an address, if any. */
  get(url: string): Promise<string | null | undefined> | string | null | undefined
  /** Stores a text for an address. */
  set(url: string, text: string): unknown
}

const timeoutMs = 1_000
/** How far the clocks of two machines may differ. */
const skewMs = 5_000

export const createKeyCache = (cache: JwksCache, url: string) => ({
  /** The key set and when it was fetched, in milliseconds since 1970; undefined if there is no usable entry. */
  read: async (now: number): Promise<{ jwks: Jwks; fetchedAt: number } | undefined> => {
    try {
      return readEntry(await inTime(() => cache.get(url)), url, now)
    } catch {
      return undefined
    }
  },
  write: async (jwks: Jwks, fetchedAt: number): Promise<void> => {
    try {
      await inTime(() => cache.set(url, JSON.stringify({ url, fetched_at: fetchedAt, jwks })))
    } catch {
      // A failed write only costs a fetch.
    }
  },
})

const readEntry = (text: unknown, url: string, now: number) => {
  if (!isText(text) || text.length > maxJwksLength * 2) return undefined
  const entry: unknown = JSON.parse(text)
  if (!isObject(entry)) return undefined
  const { fetched_at, jwks } = entry
  // Keys from the future would never expire.
  if (entry.url !== url || typeof fetched_at !== 'number' || !(fetched_at <= now + skewMs)) return undefined
  return { jwks: readJwks(jwks), fetchedAt: Math.min(fetched_at, now) }
}

const inTime = async <T>(work: () => T): Promise<Awaited<T>> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(reject, timeoutMs)
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    clearTimeout(timer)
  }
}
