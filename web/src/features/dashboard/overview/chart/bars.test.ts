import { expect, it } from 'vitest'
import { peakOf, topOf } from './bars.ts'

const days = (...counts: number[]) =>
  counts.map((verifications, index) => ({ day: `2026-11-${10 + index}`, verifications }))

it.each([
  [[], 4],
  [[0, 0], 4],
  [[3], 4],
  [[5, 2], 6],
  [[9], 10],
  [[10], 10],
  [[11], 20],
  [[61], 80],
  [[1_001], 2_000],
])('ends the axis of %j at %d', (counts, top) => {
  expect(topOf(days(...counts))).toBe(top)
})

it('finds the latest day with the most openings', () => {
  expect(peakOf(days(0, 0))).toBeUndefined()
  expect(peakOf(days(2, 5, 5, 1))).toEqual({ day: '2026-11-12', verifications: 5 })
})
