import { describe, expect, it } from 'vitest'
import { actOfKey } from './row-keys.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const second = { at: 1, count: 3, canChoose: true }

describe('a key on a row', () => {
  it.each([
    { name: 'goes down', key: 'ArrowDown', on: second, act: { kind: 'move', to: 2 } },
    { name: 'goes up', key: 'ArrowUp', on: second, act: { kind: 'move', to: 0 } },
    { name: 'stays on the last row', key: 'ArrowDown', on: { ...second, at: 2 }, act: { kind: 'move', to: 2 } },
    { name: 'stays on the first row', key: 'ArrowUp', on: { ...second, at: 0 }, act: { kind: 'move', to: 0 } },
    { name: 'goes to the first row', key: 'Home', on: second, act: { kind: 'move', to: 0 } },
    { name: 'goes to the last row', key: 'End', on: second, act: { kind: 'move', to: 2 } },
    { name: 'selects the row', key: ' ', on: second, act: { kind: 'choose' } },
    { name: 'scrolls where nothing can be selected', key: ' ', on: { ...second, canChoose: false }, act: undefined },
    { name: 'opens the row as any link', key: 'Enter', on: second, act: undefined },
    { name: 'does nothing in an empty list', key: 'ArrowDown', on: { ...second, count: 0 }, act: undefined },
  ])('$name', ({ key, on, act }) => {
    expect(actOfKey({ ...plain, key }, on)).toEqual(act)
  })

  it('is left to the browser with Ctrl, Alt, Shift or the command key', () => {
    for (const held of Object.keys(plain))
      expect(actOfKey({ ...plain, [held]: true, key: 'ArrowDown' }, second)).toBeUndefined()
  })
})
