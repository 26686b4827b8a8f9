/** Answers are small or not read to the end; any answer counts as alive. */
export const probe = { maxBytes: 64_000, timeoutMs: 10_000, maxRedirects: 0, allowHttp: true } as const

/** How many models of one host are probed in one run. */
const perHostInOneRun = 6

const hourMs = 3_600_000
export const weekMs = 7 * 24 * hourMs

export const hourOf = (at: number) => at - (at % hourMs)

/** Any status below 500 is an answer, even a missing key. */
export const isAlive = (status: number) => status < 500

/** For a request without a readable response: one that is too large, or redirects elsewhere, still counts as an answer. */
export const isAliveDespite = (kind: unknown) => kind === 'too_large' || kind === 'too_many_redirects'

/** Doubles with each failure after the first, up to an hour; never sooner than the model's own interval. */
export const nextCheckAt = ({
  at,
  intervalSeconds,
  failures,
}: {
  at: number
  intervalSeconds: number
  failures: number
}) => {
  const interval = intervalSeconds * 1_000
  const doubled = interval * 2 ** Math.min(Math.max(failures - 1, 0), 16)
  return at + Math.max(interval, Math.min(doubled, hourMs))
}

export interface WeekOfChecks {
  /** Mean of the hours with checks, from 0 to 1. */
  share: number
  /** How many hours have checks, on how many days (UTC). */
  hours: number
  days: number
}

/**
 * In hundredths of a percent, rounded down: 100 means that it always answered. Null until the checks cover most of the seven days: there
 * are some on six of them, and in three of four hours in which one was due.
 */
export const uptimeOf = ({ share, hours, days }: WeekOfChecks, intervalSeconds: number): number | null => {
  const due = weekMs / Math.max(hourMs, intervalSeconds * 1_000)
  const isCovered = days >= 6 && hours >= due * 0.75
  return isCovered ? Math.floor(share * 10_000 + 1e-6) : null
}

/** Host of an endpoint, by which requests are counted. */
export const hostOf = (endpoint: string) => URL.parse(endpoint)?.hostname ?? ''

/** Models to probe now and those for another run, so that one host with many models does not delay the others. */
export const takeTurns = <T extends { endpoint: string }>(due: readonly T[], requestCounts: Map<string, number>) => {
  const now: T[] = []
  const later: T[] = []
  for (const model of due) {
    const host = hostOf(model.endpoint)
    const count = requestCounts.get(host) ?? 0
    if (count >= perHostInOneRun) later.push(model)
    else {
      requestCounts.set(host, count + 1)
      now.push(model)
    }
  }
  return { now, later }
}

/** Runs the work for every item with bounded concurrency. */
export const inLanes = async <T extends { endpoint: string }>(
  items: readonly T[],
  atOnce: { inAll: number; perHost: number },
  work: (item: T) => Promise<void>,
) => {
  const waiting = [...items]
  const busy = new Map<string, number>()
  const lane = async (): Promise<void> => {
    for (;;) {
      const index = waiting.findIndex(({ endpoint }) => (busy.get(hostOf(endpoint)) ?? 0) < atOnce.perHost)
      const [item] = index < 0 ? [] : waiting.splice(index, 1)
      // A lane ends if all remaining items are of busy hosts; the lanes of these hosts continue with the rest.
      if (!item) return
      const host = hostOf(item.endpoint)
      busy.set(host, (busy.get(host) ?? 0) + 1)
      await work(item).finally(() => busy.set(host, (busy.get(host) ?? 1) - 1))
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: atOnce.inAll }, lane))
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason
}
