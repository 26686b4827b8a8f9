export interface DayCount {
  day: string
  verifications: number
}

/** A round, even number that is at least the highest bar. */
export const topOf = (days: readonly DayCount[]): number => {
  const most = Math.max(0, ...days.map(({ verifications }) => verifications))
  if (most <= 4) return 4
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 4, 6, 8, 10].map((step) => step * power).find((top) => top >= most && top % 2 === 0) ?? most
}

/** The latest day with the most openings; undefined if no link was opened. */
export const peakOf = (days: readonly DayCount[]): DayCount | undefined =>
  days.reduce<DayCount | undefined>(
    (peak, day) => (day.verifications > 0 && day.verifications >= (peak?.verifications ?? 0) ? day : peak),
    undefined,
  )
