import { expect, it } from 'vitest'
import { shownTime } from './shown-time.ts'

it.each([
  ['2026-11-21T01:04:59.999Z', '21 Nov 2026, 01:04 UTC'],
  [Date.UTC(2027, 0, 1), '1 Jan 2027, 00:00 UTC'],
  ['soon', 'soon'],
])('shows %s as %s', (at, shown) => {
  expect(shownTime(at)).toBe(shown)
})
