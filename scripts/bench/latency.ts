import { type Measured, measure, median, ratioOfRounds } from './goal.ts'
import type { Sample } from './rounds.ts'

/** Compares the slowest responses with the median, and the median with the bare server's. */
export const latencyGoals = (what: string, ours: readonly Sample[] = [], bare: readonly Sample[] = []): Measured[] => [
  measure(
    { goal: 'G5', name: `${what} p99 / p50`, floor: 6, target: 4 },
    median(ours.map(({ p99, p50 }) => p99 / p50)),
  ),
  measure(
    { goal: 'G5', name: `${what} p50 / bare node:http p50`, floor: 2, target: 1.45 },
    ratioOfRounds(
      ours.map(({ p50 }) => p50),
      bare.map(({ p50 }) => p50),
    ),
  ),
]
