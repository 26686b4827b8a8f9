import { describe, expect, it } from 'vitest'
import { byCodePoints, isInside } from './file-name.ts'

const bytes = (a: string, b: string) => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))

describe('the order of files', () => {
  const names = [
    '',
    'a',
    'a/b',
    'a.txt',
    'ab',
    'ä',
    'é',
    '\ufffd',
    '\uff21',
    '😀',
    '😀a',
    '😁',
    'a😀',
    'a\uff21',
    '𐀀',
    '\ud7ff',
  ]

  it.each(names.flatMap((a) => names.map((b) => ({ a, b }))))('follows UTF-8 for $a and $b', ({ a, b }) => {
    expect(Math.sign(byCodePoints({ name: a }, { name: b }))).toBe(bytes(a, b))
  })
})

describe('the name of a file', () => {
  it.each(['model.safetensors', 'a/b/c.json', '.hidden', 'a..b/...', 'c:d'])('may be %j', (name) => {
    expect(isInside(name)).toBe(true)
  })

  it.each(['', '/etc/passwd', '..', '../outside', 'a/../../outside', './a', 'a//b', 'a/', 'a\\b', 'C:/a', 'a\0b'])(
    'may not be %j',
    (name) => {
      expect(isInside(name)).toBe(false)
    },
  )
})
