/** Maximum difference between an answer's time and this machine's clock. */
const driftMs = 300_000
/** A clock before this date was never set. */
const earliestMs = Date.UTC(2026, 0)

/** Whether an answer's time is too far from this machine's clock, if that clock was set. */
export const isFar = (checkedAt: number, now: number): boolean =>
  now > earliestMs && Math.abs(now - checkedAt) > driftMs
