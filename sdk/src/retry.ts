import { AbortError } from './api-error.ts'

const firstDelayMs = 500
const longestDelayMs = 8_000
/** Nobody waits longer for an answer: a call that must wait longer fails at once. */
export const longestWaitMs = 60_000

/** What `Retry-After` asks for (RFC 9110 §10.2.3); null where it asks for nothing sensible. */
export const readRetryAfter = (value: string | null, nowMs: number): number | null => {
  if (value === null) return null
  const text = value.trim()
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : /^[A-Za-z]{3},/.test(text) ? Date.parse(text) - nowMs : Number.NaN
  return Number.isNaN(waitMs) ? null : Math.max(waitMs, 0)
}

/** How long to wait before the next attempt: doubling from half a second to eight, less up to a quarter by chance. */
export const backOffMs = (attempt: number, random: number): number =>
  Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs) * (1 - random / 4)

/** Waits, unless the signal says stop; then rejects at once with `AbortError`. */
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
