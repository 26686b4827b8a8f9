import { expect, it } from 'vitest'
import { byText, ordersOf, sortItems } from './sort.ts'

const columns = { name: byText<{ name: string | null }>(({ name }) => name) }
const items = [
  { name: 'b', id: 1 },
  { name: null, id: 2 },
  { name: 'a', id: 3 },
  { name: 'b', id: 4 },
]

it.each([
  { order: 'name', ids: [2, 3, 1, 4] },
  { order: '-name', ids: [1, 4, 3, 2] },
])('sorts by $order and keeps the order of equal items', ({ order, ids }) => {
  expect(sortItems(items, order, columns).map(({ id }) => id)).toEqual(ids)
})

it('offers each column in both directions', () => {
  expect(ordersOf(columns)).toEqual(['name', '-name'])
})
