/** How far an answer's time may be from the clock of this machine. */
const driftMs = 300_000
/** A clock that stands before this was never set. */
const earliestMs = Date.UTC(2026, 0)

/** Whether an answer is one of another day, as far as this machine knows what day it is. */
export const isFar = (checkedAt: number, now: number): boolean => now > earliestMs && Math.abs(now - checkedAt) > driftMs
