/** A moment on two clocks, because each can stand still: the wall clock may be set back, the other may pause in sleep. */
export interface Instant {
  wallMs: number
  steadyMs: number
}

export const readInstant = (): Instant => ({ wallMs: Date.now(), steadyMs: performance.now() })

/** The longer of the two, so that a link is never shown as valid for longer than it is. */
export const elapsedMs = (from: Instant, to: Instant) => Math.max(0, to.wallMs - from.wallMs, to.steadyMs - from.steadyMs)
