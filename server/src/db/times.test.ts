import fc from 'fast-check'
import { expect, it } from 'vitest'
import { timeOf } from './times.ts'

it('writes every moment as Date does', () => {
  const written = (at: number) => timeOf(at) === new Date(at).toISOString()
  const moments = [0, -1, 1, 86_399_999, 86_400_000, Date.UTC(2028, 1, 29, 23, 59, 59, 999), Date.UTC(-1, 0), 8.64e15]
  expect(moments.filter((at) => !written(at))).toEqual([])
  fc.assert(fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), written), { numRuns: 5_000 })
})

it('writes null for a missing time', () => {
  expect(timeOf(null)).toBeNull()
})

it('rejects an invalid time', () => {
  for (const at of [Number.NaN, Number.POSITIVE_INFINITY, 8.7e15]) expect(() => timeOf(at)).toThrow(RangeError)
})
