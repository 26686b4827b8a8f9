import { abortErrorOf } from '../retry.ts'

/** What runs once for all who asked while it ran. It ends early only when each of them has stopped waiting. */
export interface SharedFlight<T> {
  /** The flight's outcome, or `AbortError` as soon as this caller's signal says stop. */
  join(signal?: AbortSignal): Promise<T>
}

export const createSharedFlight = <T>(start: (signal: AbortSignal) => Promise<T>, onAbandoned: () => void): SharedFlight<T> => {
  const controller = new AbortController()
  const outcome = start(controller.signal)
  // Told to everyone who joined; where all have left, to nobody.
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
        // Not AbortSignal.any: on a signal that outlives the call it would grow with every call.
        signal?.addEventListener('abort', leave, { once: true })
        outcome.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave))
      }),
  }
}
