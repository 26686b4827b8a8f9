/** Anything that waits for the database. */
export interface Wait {
  /** Call it when the wait ended; `answered` if the database sent anything, even an error. */
  end: (answered: boolean) => void
}

interface Limits {
  limitMs?: number
  /** When the work began that this wait is a part of. */
  since?: number
  /** A migration, whose statements may take long. */
  isLong?: boolean
}

interface Waiting {
  at: number
  since: number
  limitMs: number
  isLong: boolean
  abort: (reason: Error) => void
}

interface Options {
  /** Asks the database on a new connection. Rejects if it does not answer in time. */
  probe: () => Promise<void>
  onChange?: ((isSilent: boolean) => void) | undefined
  /** Called while something has waited for more than half a second, one call at a time. */
  onSlow?: (() => Promise<void>) | undefined
  quietMs?: number
  lookEveryMs?: number
  askAgainMs?: number
}

const slowMs = 400

/** The state of a connection that was lost, as PostgreSQL names it. */
const connectionFailure = '08006'

const failure = (message: string, code = connectionFailure) => Object.assign(new Error(message), { code })

/**
 * Notices a database that keeps its connections open but does not respond: a frozen server, or a network that drops packets. When nothing
 * has answered for a second, it asks on a new connection. Without an answer, everything that waits is aborted, and new work is rejected
 * at once until the database answers again. A slow statement alone does not count as silence.
 */
export const createSilenceWatch = ({
  probe,
  onChange,
  onSlow,
  quietMs = 1_000,
  lookEveryMs = 150,
  askAgainMs = 600,
}: Options) => {
  const waiting = new Set<Waiting>()
  let answeredAt = performance.now()
  let isSilent = false
  let isProbing = false
  let isClosed = false

  const abortAll = (isDue: (one: Waiting) => boolean, reason: Error) => {
    for (const one of [...waiting]) if (isDue(one)) one.abort(reason)
  }

  const hasAnswer = () =>
    probe().then(
      () => true,
      () => false,
    )

  /** Repeats the probe without waiting for earlier ones, which may have been lost. */
  const nextAnswer = () =>
    new Promise<void>((resolve) => {
      const asking = setInterval(() => {
        if (isClosed) return end()
        probe().then(end, () => {})
      }, askAgainMs)
      asking.unref()
      const end = () => {
        clearInterval(asking)
        resolve()
      }
    })

  const waitForAnswer = async () => {
    isSilent = true
    onChange?.(true)
    abortAll(() => true, failure('The database does not answer'))
    await nextAnswer()
    isSilent = false
    if (!isClosed) onChange?.(false)
  }

  const ask = async () => {
    isProbing = true
    if (!(await hasAnswer()) && !isClosed) await waitForAnswer()
    answeredAt = performance.now()
    isProbing = false
  }

  let isAskingWhy = false
  const askWhySlow = (at: number) => {
    if (!onSlow || isAskingWhy || isSilent) return
    if (![...waiting].some((one) => !one.isLong && at - one.at > slowMs)) return
    isAskingWhy = true
    void onSlow().finally(() => {
      isAskingWhy = false
    })
  }

  const look = () => {
    const at = performance.now()
    abortAll((one) => at - one.at > one.limitMs, failure('The database took too long'))
    askWhySlow(at)
    if (isProbing || at - answeredAt < quietMs) return
    for (const one of waiting) if (at - one.at >= quietMs) return void ask()
  }
  // After a pause of this process, such as a busy machine, first read what has been answered meanwhile.
  const timer = setInterval(() => setImmediate(look), lookEveryMs)
  timer.unref()

  return {
    /** `abort` is called at most while the wait lasts. Throws while the database is silent. */
    start: (
      abort: (reason: Error) => void,
      { limitMs = Number.POSITIVE_INFINITY, since, isLong = false }: Limits = {},
    ): Wait => {
      if (isSilent) throw failure('The database does not answer')
      const at = performance.now()
      const one = { at, since: since ?? at, limitMs, isLong, abort }
      waiting.add(one)
      return {
        end: (answered) => {
          waiting.delete(one)
          if (answered) answeredAt = performance.now()
        },
      }
    },

    /** Aborts work that began so long ago, except migrations. */
    abortOlder: (ageMs: number, reason: Error) => {
      const at = performance.now()
      abortAll(({ since, isLong }) => !isLong && at - since > ageMs, reason)
    },

    close: () => {
      isClosed = true
      clearInterval(timer)
    },
  }
}
