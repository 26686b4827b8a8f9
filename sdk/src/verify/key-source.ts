import type { Jwks } from '../contract/signing.ts'
import { fetchJson } from './fetch-json.ts'
import { createKeyCache, type JwksCache } from './key-cache.ts'
import { maxJwksLength, readJwks } from './read-jwks.ts'
import { importKeys, type PublicKeys } from './token.ts'

const timeoutMs = 5_000
/** Minimum delay between requests to a registry that does not answer. */
const pauseAfterFailureMs = 1_000

/** Keys to check with; `stale` if they are too old and the registry did not answer. */
export interface CurrentKeys {
  keys: PublicKeys
  stale: boolean
}

export interface KeySource {
  /** Current keys with this `kid`, if already loaded. */
  peek(kid: unknown): CurrentKeys | undefined
  /** The keys to check a token with this `kid`. Rejects if none are available. */
  get(kid: unknown): Promise<CurrentKeys>
}

export interface RemoteKeys {
  url: string
  fetch: typeof globalThis.fetch
  cacheMaxAgeMs: number
  cooldownMs: number
  staleIfErrorMs: number
  jwksCache?: JwksCache | undefined
  now(): number
}

/** Keys given by the caller; nothing is fetched. */
export const createFixedKeys = (jwks: Jwks): KeySource => {
  let current: CurrentKeys | undefined
  const imported = importKeys(jwks).then((keys) => {
    current = { keys, stale: false }
    return current
  })
  return { peek: () => current, get: () => imported }
}

/**
 * A registry's keys, fetched when first needed, when too old, and for an unknown `kid` at most once per cooldown. Keys in the shared
 * cache count from the time another process fetched them.
 */
export const createRemoteKeys = (options: RemoteKeys): KeySource => {
  const { cacheMaxAgeMs, cooldownMs, staleIfErrorMs, now } = options
  const cache = options.jwksCache === undefined ? undefined : createKeyCache(options.jwksCache, options.url)
  let current: CurrentKeys | undefined
  let fetchedAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let failure: { cause: unknown } | undefined
  let pending: Promise<void> | undefined
  let reading: Promise<void> | undefined

  const accept = (keys: PublicKeys, at: number) => {
    current = { keys, stale: false }
    fetchedAt = at
    if (at < triedAt) return
    triedAt = at
    failure = undefined
  }

  const load = async () => {
    const startedAt = now()
    triedAt = startedAt
    try {
      const given = { ...options, maxLength: maxJwksLength, timeoutMs }
      const jwks = readJwks(await fetchJson(`No keys from ${options.url}`, options.url, given))
      accept(await importKeys(jwks), startedAt)
      await cache?.write(jwks, startedAt)
    } catch (cause) {
      failure = { cause }
    } finally {
      pending = undefined
    }
  }

  const readCache = async () => {
    try {
      const entry = await cache?.read(now())
      if (entry !== undefined && entry.fetchedAt > fetchedAt) accept(await importKeys(entry.jwks), entry.fetchedAt)
    } finally {
      reading = undefined
    }
  }

  const settle = (kid: unknown): CurrentKeys => {
    const age = now() - fetchedAt
    const isKnown = current?.keys.has(kid as string)
    if (current !== undefined && age < cacheMaxAgeMs && (isKnown || failure === undefined)) return current
    if (current !== undefined && isKnown && age < cacheMaxAgeMs + staleIfErrorMs)
      return { keys: current.keys, stale: true }
    throw failure?.cause ?? new Error('No current keys')
  }

  const isFresh = () => now() - fetchedAt < cacheMaxAgeMs

  const peek = (kid: unknown) => (isFresh() && current?.keys.has(kid as string) ? current : undefined)

  const mayAsk = () => {
    const waitMs = isFresh() ? cooldownMs : failure === undefined ? 0 : Math.min(cooldownMs, pauseAfterFailureMs)
    return now() - triedAt >= waitMs
  }

  const isFetchDue = (kid: unknown) => pending === undefined && peek(kid) === undefined && mayAsk()

  return {
    peek,
    get: async (kid) => {
      if (cache !== undefined && isFetchDue(kid)) {
        reading ??= readCache()
        await reading
      }
      if (isFetchDue(kid)) pending = load()
      await pending
      return settle(kid)
    },
  }
}
