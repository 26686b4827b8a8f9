import { AbortError } from './api-error.ts'

const firstDelayMs = 500
const longestDelayMs = 8_000
/** A call that would have to wait longer fails at once. */
export const longestWaitMs = 60_000

/** Reads `Retry-After` (RFC 9110 §10.2.3); null if it is missing or invalid. */
export const readRetryAfter = (value: string | null, nowMs: number): number | null => {
  if (value === null) return null
  const text = value.trim()
  const waitMs = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1_000
    : /^[A-Za-z]{3},/.test(text)
      ? Date.parse(text) - nowMs
      : Number.NaN
  return Number.isNaN(waitMs) ? null : Math.max(waitMs, 0)
}

/** Delay before the next attempt: doubles from 0.5 to 8 seconds, minus a random part of up to a quarter. */
export const backOffMs = (attempt: number, random: number): number =>
  Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs) * (1 - random / 4)

/** Waits. Rejects with `AbortError` as soon as the signal aborts. */
export const pause = (waitMs: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    const timer = setTimeout(done, waitMs)
    const stop = () => {
      clearTimeout(timer)
      reject(abortErrorOf(signal))
    }
    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop, { once: true })
  })

export const abortErrorOf = (signal?: AbortSignal) => new AbortError('The call was aborted', { cause: signal?.reason })
