import { expect, it } from 'vitest'
import { hashSecret } from '../secrets.ts'
import { apiKeyPattern, createApiKey, isSameHash, readApiKey } from './rules.ts'

it('makes distinct keys of one form that can be parsed again', () => {
  const keys = Array.from({ length: 500 }, createApiKey)
  expect(new Set(keys.map(({ key }) => key)).size).toBe(500)
  for (const { key, lookup, hash, prefix } of keys) {
    expect(key).toMatch(apiKeyPattern)
    expect(key).toHaveLength(62)
    expect(readApiKey(key)).toEqual({ lookup })
    expect(prefix).toBe(`csk_${lookup}`)
    expect(isSameHash(hash, hashSecret(key))).toBe(true)
  }
})

it('uses every letter equally often', () => {
  const counts = new Map<string, number>()
  const text = Array.from({ length: 400 }, () => createApiKey().key.slice(13, 56)).join('')
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(62)
  const even = text.length / 62
  for (const [letter, count] of counts) expect(Math.abs(count - even) / even, letter).toBeLessThan(0.5)
})

it('detects every single wrong character, and every swap of two', () => {
  const { key } = createApiKey()
  for (let index = 4; index < key.length; index++) {
    const other = key[index] === 'a' ? 'b' : 'a'
    expect(readApiKey(key.slice(0, index) + other + key.slice(index + 1)), `${index}`).toBeUndefined()
    const [one = '', two = ''] = [key[index - 1], key[index]]
    if (one !== two)
      expect(readApiKey(key.slice(0, index - 1) + two + one + key.slice(index + 1)), `${index}`).toBeUndefined()
  }
})

it.each([
  '',
  'csk_',
  'csk_x',
  'Bearer',
  'eyJhbGciOiJFZERTQSJ9.e30.x',
  `csk_${'a'.repeat(8)}_${'a'.repeat(49)}`,
  ` ${createApiKey().key}`,
  `${createApiKey().key}\n`,
  createApiKey().key.toLowerCase(),
  createApiKey().key.replace('csk', 'csc'),
])('%j is not a key', (text) => {
  expect(readApiKey(text)).toBeUndefined()
})

it('compares hashes of any length', () => {
  expect(isSameHash('abc', 'abc')).toBe(true)
  expect(isSameHash('abc', 'abd')).toBe(false)
  expect(isSameHash('abc', 'abcd')).toBe(false)
})
