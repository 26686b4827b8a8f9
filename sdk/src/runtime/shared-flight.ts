import { abortErrorOf } from '../retry.ts'

/** Work shared by concurrent callers. It is aborted only when all callers have stopped waiting. */
export interface SharedFlight<T> {
  /** The shared result, or `AbortError` as soon as this caller's signal aborts. */
  join(signal?: AbortSignal): Promise<T>
}

export const createSharedFlight = <T>(
  start: (signal: AbortSignal) => Promise<T>,
  onAbandoned: () => void,
): SharedFlight<T> => {
  const controller = new AbortController()
  const outcome = start(controller.signal)
  // Avoids an unhandled rejection after all callers have left.
  outcome.catch(() => {})
  let waiting = 0

  return {
    join: (signal) =>
      new Promise<T>((resolve, reject) => {
        if (signal?.aborted) return reject(abortErrorOf(signal))
        waiting++
        const leave = () => {
          reject(abortErrorOf(signal))
          if (--waiting > 0) return
          onAbandoned()
          controller.abort()
        }
        // Not AbortSignal.any, which would leak memory on a long-lived signal.
        signal?.addEventListener('abort', leave, { once: true })
        outcome.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave))
      }),
  }
}
