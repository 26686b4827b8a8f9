import { describe, expect, it } from 'vitest'
import { markAsDatabaseError } from './database-errors.ts'
import { failureOf } from './retry.ts'

const raise = (code: string) => Object.assign(new Error(code), { code })

describe('what failed', () => {
  it.each(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])(
    '%s of the database is a lost connection',
    (code) => {
      expect(failureOf(markAsDatabaseError(raise(code)))).toBe('connection')
    },
  )

  it.each(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])(
    '%s of a file or another service is not',
    (code) => {
      expect(failureOf(raise(code))).toBeUndefined()
    },
  )
})
