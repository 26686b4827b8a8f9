import { expect, it } from 'vitest'
import { describeProgress, formatBytes, formatSeconds } from './progress.ts'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 kB'],
  [1_234_567, '1.2 MB'],
  [5e11, '500.0 GB'],
  [5e15, '5000.0 TB'],
])('writes %i bytes as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

it('fills the bar in proportion to progress', () => {
  expect(describeProgress(0, 100, 0)).toMatch(/^░{24} {3}0%/)
  expect(describeProgress(50, 100, 1)).toMatch(/^█{12}░{12} {2}50% {2}50 B of 100 B {2}50 B\/s$/)
  expect(describeProgress(0, 0, 1)).toMatch(/^█{24} 100%/)
})

it('estimates the remaining time once the speed is known', () => {
  expect(describeProgress(50, 100, 1)).not.toContain('left')
  expect(describeProgress(25, 100, 10)).toMatch(/ {2}30 s left$/)
  expect(describeProgress(100, 100, 10)).not.toContain('left')
})

it.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [200, '3 min 20 s'],
  [7_500, '2 h 5 min'],
])('writes %d seconds as %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text)
})
