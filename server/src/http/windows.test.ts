import { expect, it } from 'vitest'
import { createWindows } from './windows.ts'

it('counts each key by itself, from its first count until its window ends', () => {
  const windows = createWindows(60_000)
  expect(windows.add('a', 1, 1_000)).toEqual({ used: 1, endsAt: 61_000 })
  expect(windows.add('b', 5, 40_000)).toEqual({ used: 5, endsAt: 100_000 })
  expect(windows.add('a', 2, 60_999)).toEqual({ used: 3, endsAt: 61_000 })
  expect(windows.find('a', 60_999)).toEqual({ used: 3, endsAt: 61_000 })
  expect(windows.find('a', 61_000)).toBeUndefined()
  expect(windows.add('a', 1, 61_000)).toEqual({ used: 1, endsAt: 121_000 })
})

it('keeps every open window when others are dropped', () => {
  const windows = createWindows(10)
  const expected = new Map<string, { used: number; endsAt: number }>()
  for (let at = 1; at < 2_000; at++) {
    const key = `${(at * 7) % 13}`
    const known = expected.get(key)
    const window = known && known.endsAt > at ? { ...known, used: known.used + 1 } : { used: 1, endsAt: at + 10 }
    expected.set(key, window)
    expect(windows.add(key, 1, at)).toEqual(window)
  }
})
