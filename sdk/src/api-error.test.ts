import { expect, it } from 'vitest'
import { toApiError } from './api-error.ts'
import { type ErrorCode, errors } from './contract/errors.ts'

it('retries every error that the contract declares retryable, and no others below 500', () => {
  const codes = Object.keys(errors) as ErrorCode[]
  const retried = codes.filter((code) => {
    const { status } = errors[code]
    const body = { code, detail: 'Not now.' }
    return toApiError({ status, body, requestId: null, retryAfterMs: null, mayRetry: true }).retryable
  })
  expect(retried).toEqual(codes.filter((code) => 'retryable' in errors[code] || errors[code].status >= 500))
})
