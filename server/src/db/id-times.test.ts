import { expect, it } from 'vitest'
import { createNewId } from '../ids.ts'
import { idsBefore, idsFrom } from './id-times.ts'

const at = Date.parse('2026-11-20T10:15:00.123Z')
const idAt = (time: number) => createNewId(() => time)('evt')

it.each([0, 1, 1_000, 59_000, 86_400_000])(
  'an ID made %i ms after a moment is in the list from that moment, and no earlier ID is',
  (ms) => {
    expect(idAt(at + ms) >= idsFrom('evt', at)).toBe(true)
    expect(idAt(at - ms) <= idsBefore('evt', at)).toBe(true)
  },
)

it('leaves out IDs made hours earlier or later', () => {
  expect(idAt(at - 3_600_000) >= idsFrom('evt', at)).toBe(false)
  expect(idAt(at + 3_600_000) <= idsBefore('evt', at)).toBe(false)
})

it('accepts every time that an ID can contain', () => {
  expect(idsFrom('evt', 0)).toBe('evt_0000000000')
  expect(idsFrom('evt', 5)).toBe('evt_0000000000')
})
