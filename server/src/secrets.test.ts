import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { hashSecret, newCode, newSecret, normalCode } from './secrets.ts'

it('keeps SHA-256 of 32 random bytes', () => {
  const secret = newSecret()
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(hashSecret(secret)).toBe(hash('sha256', secret, 'hex'))
})

it('accepts a code in lower case, with other separators, and with letters that look like its digits', () => {
  const code = newCode()
  expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
  expect(normalCode(` ${code.toLowerCase().replace('-', ' ')} `)).toBe(code.replace('-', ''))
  expect(normalCode('oIl00-11111')).toBe('0110011111')
})

it('makes codes of 50 random bits: all digits occur, and no code occurs twice', () => {
  const codes = Array.from({ length: 2_000 }, newCode)
  expect(new Set(codes).size).toBe(codes.length)
  expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(32)
})
