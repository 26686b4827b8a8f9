const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

export type Duration = `${number}${keyof typeof unitMs}`

/**
 * A clock that stands still until a test moves it: `clock.advance('2d')`. It starts now, because browsers and processes use the real
 * time.
 */
export const createClock = (start: number = Date.now()) => {
  let time = start
  return {
    now: () => time,
    advance: (by: Duration) => {
      time += durationMs(by)
    },
    /** Like a wrong clock that is corrected. */
    goBack: (by: Duration) => {
      time -= durationMs(by)
    },
  }
}

const durationMs = (text: Duration): number => {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? []
  if (amount === undefined || unit === undefined) throw new Error(`Not a duration: ${text}`)
  return Number(amount) * unitMs[unit as keyof typeof unitMs]
}
