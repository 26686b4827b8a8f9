import { isFromDatabase } from './database-errors.ts'

/** Why a database rejected a statement, as far as callers distinguish the reasons. */
export type DatabaseFailure = 'conflict' | 'busy' | 'locked' | 'connection' | 'readonly' | 'full' | 'broken' | 'unique'

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** A connection that could not be made or was lost. */
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Classes of SQLSTATE: connection lost, sign-in rejected, too many connections, stopped by the operator. */
const connectionClasses = ['08', '28', '53', '57']

/** SQLSTATEs, and codes that only SQLite uses. */
const failures: Readonly<Record<string, DatabaseFailure>> = {
  40001: 'conflict',
  '40P01': 'conflict',
  23505: 'unique',
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  // A lock that did not come free, and a statement that took too long.
  '55P03': 'locked',
  57014: 'locked',
  25006: 'readonly',
  SQLITE_READONLY: 'readonly',
  53100: 'full',
  '58030': 'broken',
  XX001: 'broken',
  XX002: 'broken',
  SQLITE_CORRUPT: 'broken',
  SQLITE_NOTADB: 'broken',
  '3D000': 'connection',
  '25P03': 'connection',
}

export const failureOf = (error: unknown): DatabaseFailure | undefined => {
  const code = codeOf(error)
  const known = failures[code]
  if (known) return known
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'busy'
  if (code.startsWith('SQLITE_FULL')) return 'full'
  if (code.startsWith('SQLITE_IOERR') || code.startsWith('SQLITE_CORRUPT')) return 'broken'
  if (/^[0-9A-Z]{5}$/.test(code) && connectionClasses.includes(code.slice(0, 2))) return 'connection'
  if (socketCodes.has(code) && isFromDatabase(error)) return 'connection'
  if (
    error instanceof Error &&
    /connection terminated|timeout exceeded when trying to connect|connection is not open|connection error and is not queryable|client was closed|after calling end on the pool|driver has already been destroyed/i.test(
      error.message,
    )
  )
    return 'connection'
  return undefined
}

const attempts = 12
/** A database that another process has locked is reported within a second. */
const busyEndMs = 700

const pause = (attempt: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(400, 5 * 2 ** attempt)))

/** Retries `work` while the engine reports a conflict with another transaction. */
export const retried = async <T>(work: () => Promise<T>): Promise<T> => {
  const started = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const failure = failureOf(error)
      if (failure !== 'conflict' && failure !== 'busy') throw error
      const spent = performance.now() - started
      if (failure === 'busy' ? spent > busyEndMs : attempt >= attempts) throw error
      await pause(failure === 'busy' ? Math.min(attempt, 4) : attempt)
    }
  }
}

/**
 * Retries a transaction after a unique constraint settled a race against it: the second attempt sees the winner and can answer with the
 * right error or take the next number.
 */
export const retriedAfterClash = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= 200 || failureOf(error) !== 'unique') throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(attempt, 20)))
    }
  }
}
