interface Options {
  waitMs: number
  /** The error for work that waited longer. */
  tooLate: () => Error
}

/** Runs the work of each key one after the other, in the order of the calls. */
export const createQueues = ({ waitMs, tooLate }: Options) => {
  const last = new Map<string, Promise<void>>()

  const waitFor = async (before: Promise<void>) => {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(tooLate()), waitMs)
    try {
      await Promise.race([before, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key)
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    last.set(key, ended)
    const end = () => {
      resolve()
      if (last.get(key) === ended) last.delete(key)
    }
    try {
      if (before) await waitFor(before)
      return await work()
    } finally {
      // After work that gave up waiting, the next still waits for what is before it.
      if (before) void before.then(end)
      else end()
    }
  }
}
