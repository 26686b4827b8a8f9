import { createSecretKey } from 'node:crypto'
import { expect, it } from 'vitest'
import { appCode } from '../../../tests/support/authenticator-app.ts'
import { codeAt, createAuthenticators } from './authenticators.ts'

// The vectors of RFC 6238, appendix B, with six digits.
it.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('makes the code of RFC 6238 at %i seconds', (seconds, code) => {
  expect(codeAt(Buffer.from('12345678901234567890'), Math.floor(seconds / 30))).toBe(code)
})

const authenticators = createAuthenticators({ key: createSecretKey(Buffer.alloc(32, 1)), host: 'registry.example' })
it('accepts an unused code of this step or the ones beside it, and only for its person', () => {
  const { sealed, secret, uri } = authenticators.begin({ id: 'per_1', email: 'ada@acme.example' })
  expect(uri).toBe(
    `otpauth://totp/Countersign%20(registry.example)%3Aada%40acme.example?secret=${secret}&issuer=Countersign%20%28registry.example%29`,
  )
  const [step, at] = [1_000, 1_000 * 30_000 + 29_999]
  const stepOf = (of: number, last = 0) =>
    authenticators.stepOf(sealed, 'per_1', { code: appCode(secret, of * 30_000), at, last })
  expect([-2, -1, 0, 1, 2].map((away) => stepOf(step + away))).toEqual([undefined, 999, 1_000, 1_001, undefined])
  expect(stepOf(step, step)).toBeUndefined()
  expect(() => authenticators.stepOf(sealed, 'per_2', { code: '000000', at, last: 0 })).toThrow()
})
