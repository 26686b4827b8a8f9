import type { Check } from '../contract/verifications.ts'

const unreadable = {
  malformed: 'This is not a link, a code or a token',
  mistyped: 'The code is mistyped',
  not_a_token: 'This is not a verification token',
} as const

/** The check of input that is not a link. */
export const formatCheck = (kind: keyof typeof unreadable): Check => ({
  check: 'format',
  passed: false,
  detail: unreadable[kind],
  checked_at: null,
})

/** The check of a link that belongs to another registry. */
export const foreignCheck = (origin: string): Check => ({
  check: 'issuer',
  passed: false,
  detail: `This link belongs to ${origin}, not to this registry`,
  checked_at: null,
})
