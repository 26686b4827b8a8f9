import { expect, it } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

const fill = (max: number, items: readonly string[]) => {
  const queue = createFairQueue<string>(max)
  const displaced = items.map((item) => queue.add(item.charAt(0), item))
  const taken = Array.from({ length: queue.length() }, () => queue.next())
  return { displaced: displaced.filter((item) => item !== undefined), taken, rest: queue.next() }
}

it('takes one of each group in turn', () => {
  expect(fill(10, ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])).toEqual({
    displaced: [],
    taken: ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'],
    rest: undefined,
  })
})

it.each([
  { items: ['a1', 'a2', 'a3', 'a4'], displaced: ['a4'], taken: ['a1', 'a2', 'a3'] },
  { items: ['a1', 'a2', 'a3', 'b1', 'b2'], displaced: ['a3', 'b2'], taken: ['a1', 'b1', 'a2'] },
  { items: ['a1', 'b1', 'c1', 'd1'], displaced: ['d1'], taken: ['a1', 'b1', 'c1'] },
])('makes room only by dropping from a larger group: $items', ({ items, displaced, taken }) => {
  expect(fill(3, items)).toEqual({ displaced, taken, rest: undefined })
})
