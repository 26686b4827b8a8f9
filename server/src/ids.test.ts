import { ModelId } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { createNewId } from './ids.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const bytesOf = (id: string): number[] => {
  const bits = Array.from(id.slice(4), (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Array.from({ length: 16 }, (_, index) => Number.parseInt(bits.slice(index * 8, index * 8 + 8), 2))
}

it('makes UUIDs of version 7 that contain their time', () => {
  const at = Date.UTC(2026, 10, 20, 12)
  const id = createNewId(() => at)('mdl')
  expect(ModelId.safeParse(id).success).toBe(true)
  const bytes = bytesOf(id)
  expect(bytes.slice(0, 6).reduce((time, byte) => time * 256 + byte, 0)).toBe(at)
  expect((bytes[6] ?? 0) >> 4).toBe(7)
  expect((bytes[8] ?? 0) >> 6).toBe(2)
})

it('makes IDs that sort in order of creation, even more than fit into a millisecond', () => {
  const newId = createNewId(() => 1_000)
  const ids = Array.from({ length: 20_000 }, () => newId('vrf'))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

it('keeps the order when the clock goes back', () => {
  const times = [5_000, 5_001, 4_000, 4_001, 5_001, 6_000, 0]
  let index = 0
  const newId = createNewId(() => times[index++] ?? 0)
  const ids = times.map(() => newId('evt'))
  expect(ids.toSorted()).toEqual(ids)
})

it('does not repeat an ID of another replica made at the same moment', () => {
  const makers = Array.from({ length: 8 }, () => createNewId(() => 1_000))
  const ids = makers.flatMap((newId) => Array.from({ length: 1_000 }, () => newId('mdl')))
  expect(new Set(ids).size).toBe(ids.length)
})
