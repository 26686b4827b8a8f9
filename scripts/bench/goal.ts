/** A ratio that must reach the floor and should reach the target. If the target is below the floor, less is better. */
export interface Goal {
  goal: string
  name: string
  floor: number
  target: number
}

export interface Measured extends Goal {
  ratio: number
}

/** The result of one goal file: its ratios, with tables and notes. */
export interface Report {
  measured: Measured[]
  /** Lines that explain the ratios. */
  details: string[]
  /** Why a goal could not be measured on this machine. */
  skipped?: string
}

/** Rounded to two decimals, both for output and for the comparison. */
const rounded = (ratio: number) => Math.round(ratio * 1_000) / 1_000

export const measure = (goal: Goal, ratio: number): Measured => ({ ...goal, ratio: rounded(ratio) })

const isLessBetter = ({ floor, target }: Goal) => target < floor

export const reaches = (measured: Measured, mark: number) =>
  isLessBetter(measured) ? measured.ratio <= mark : measured.ratio >= mark

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

/** Rounds are compared in pairs, because a slower machine slows both sides. */
export const ratioOfRounds = (ours: readonly number[], theirs: readonly number[]): number =>
  median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))

/** Every participant starts equally many rounds. */
export const rotated = <T>(items: readonly T[], round: number): T[] =>
  items.map((_, index) => items[(index + round) % items.length] as T)

export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] => {
  const cells = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}
