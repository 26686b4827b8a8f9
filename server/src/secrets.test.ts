import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { hashSecret, newSecret } from './secrets.ts'

it('keeps SHA-256 of 32 random bytes', () => {
  const secret = newSecret()
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(hashSecret(secret)).toBe(hash('sha256', secret, 'hex'))
})
