/** A time on two clocks, because each can fail: the wall clock can be set back, and the steady one may pause during sleep. */
export interface Instant {
  wallMs: number
  steadyMs: number
}

export const readInstant = (): Instant => ({ wallMs: Date.now(), steadyMs: performance.now() })

/** The longer of the two, so that a link never appears valid for too long. */
export const elapsedMs = (from: Instant, to: Instant) =>
  Math.max(0, to.wallMs - from.wallMs, to.steadyMs - from.steadyMs)
