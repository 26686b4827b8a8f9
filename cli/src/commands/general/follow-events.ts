import type { TrailEvent } from '@countersign/sdk/contract'

interface Following {
  /** Events since a moment, newest first. */
  list(since: string): Promise<readonly TrailEvent[]>
  /** Called for each event once, oldest first. */
  print(event: TrailEvent): void
  /** Waits before the next look; rejects when the person interrupts. */
  wait(): Promise<unknown>
}

/** Replicas may write an event a little later than its time says. */
const overlapMs = 10_000

/** Prints events as they happen, starting at a moment, until `wait` rejects. */
export const followEvents = async (from: Date, { list, print, wait }: Following): Promise<never> => {
  let seen = new Set<string>()
  let since = from.getTime()
  for (;;) {
    const found = await list(new Date(since).toISOString())
    for (const event of found.toReversed()) if (!seen.has(event.id)) print(event)
    seen = new Set(found.map(({ id }) => id))
    const newest = found[0]
    if (newest !== undefined) since = Math.max(since, Date.parse(newest.at) - overlapMs)
    await wait()
  }
}
