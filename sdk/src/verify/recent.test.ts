import { expect, it } from 'vitest'
import { createRecent } from './recent.ts'

it('keeps the entries in use, and never exceeds its size', () => {
  const recent = createRecent<number>(10)
  recent.set('used', -1)
  for (let index = 0; index < 100; index++) {
    recent.set(`other-${index}`, index)
    expect(recent.get('used')).toBe(-1)
  }
  const stored = Array.from({ length: 100 }, (_, index) => recent.get(`other-${index}`)).filter(
    (value) => value !== undefined,
  )
  expect(stored.length).toBeGreaterThan(0)
  expect(stored.length).toBeLessThanOrEqual(10)
  expect(recent.get('other-0')).toBeUndefined()
})

it('distinguishes two texts with the same ending', () => {
  const recent = createRecent<number>(10)
  const end = 'e'.repeat(40)
  recent.set(`a${end}`, 1)
  expect(recent.get(`b${end}`)).toBeUndefined()
  expect(recent.get(`a${end}`)).toBe(1)
})
