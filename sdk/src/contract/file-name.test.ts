import { describe, expect, it } from 'vitest'
import { byCodePoints } from './file-name.ts'

const bytes = (a: string, b: string) => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))

describe('the order of files', () => {
  const names = ['', 'a', 'a/b', 'a.txt', 'ab', 'ä', 'é', '\ufffd', '\uff21', '😀', '😀a', '😁', 'a😀', 'a\uff21', '𐀀', '\ud7ff']

  it.each(names.flatMap((a) => names.map((b) => ({ a, b }))))('is that of UTF-8 for $a and $b', ({ a, b }) => {
    expect(Math.sign(byCodePoints({ name: a }, { name: b }))).toBe(bytes(a, b))
  })
})
