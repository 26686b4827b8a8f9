import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as node from './base64url-node.ts'
import * as web from './base64url-web.ts'

describe.each([
  { name: 'node', decode: node.decodeBase64url },
  { name: 'web', decode: web.decodeBase64url },
])('base64url under $name', ({ decode }) => {
  it('decodes what was encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(Array.from(decode(Buffer.from(bytes).toString('base64url')) ?? [-1])).toEqual(Array.from(bytes))
      }),
    )
  })

  it.each([
    { name: 'padding', text: 'QQ==' },
    { name: 'one character too many', text: 'QUJDR' },
    { name: 'the other alphabet', text: 'ab+/' },
    { name: 'a space', text: 'QUJ D' },
    { name: 'a line break', text: 'QUJD\n' },
    { name: 'a letter of another script', text: 'QUJ\u0141' },
    { name: 'a stray bit after one byte', text: 'QR' },
    { name: 'a stray bit after two bytes', text: 'QUJ' },
  ])('rejects $name', ({ text }) => {
    expect(decode(text)).toBeUndefined()
  })
})

it('gives the same answer on both platforms for any text', () => {
  const nearly = fc.string({ unit: fc.constantFrom(...'ABab01-_+/= \u0141'), maxLength: 12 })
  fc.assert(
    fc.property(nearly, (text) => {
      const [left, right] = [node.decodeBase64url(text), web.decodeBase64url(text)]
      return left === undefined
        ? right === undefined
        : right !== undefined && Buffer.from(left).equals(Buffer.from(right))
    }),
    { numRuns: 5_000 },
  )
})

it('encodes every ASCII character as its byte, on both platforms', () => {
  const ascii = Array.from({ length: 128 }, (_, code) => code)
  for (const { asciiBytes } of [node, web]) expect(Array.from(asciiBytes(String.fromCharCode(...ascii)))).toEqual(ascii)
})
