import { isFromDatabase } from './database-errors.ts'

/** Why a database rejected a statement, as far as callers distinguish it. */
export type DatabaseFailure = 'conflict' | 'busy' | 'connection' | 'full' | 'broken' | 'unique'

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** A connection that could not be made or was lost: system error codes and SQLSTATEs. */
const socketCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOENT'])
const connectionStates = new Set(['57P01', '57P02', '57P03', '53300', '57014', '3D000', '55P03'])

export const failureOf = (error: unknown): DatabaseFailure | undefined => {
  const code = codeOf(error)
  if (code === '40001' || code === '40P01') return 'conflict'
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'busy'
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === '23505')
    return 'unique'
  if (code.startsWith('SQLITE_FULL') || code === '53100') return 'full'
  if (code.startsWith('SQLITE_IOERR') || code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB') return 'broken'
  if (connectionStates.has(code) || code.startsWith('08')) return 'connection'
  if (socketCodes.has(code) && isFromDatabase(error)) return 'connection'
  if (
    error instanceof Error &&
    /connection terminated|timeout exceeded when trying to connect|connection is not open|after calling end on the pool|driver has already been destroyed/i.test(
      error.message,
    )
  )
    return 'connection'
  return undefined
}

const attempts = 12

const pause = (attempt: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(400, 5 * 2 ** attempt)))

/** Retries `work` while the engine reports a conflict with another transaction. */
export const retried = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const failure = failureOf(error)
      if (attempt >= attempts || (failure !== 'conflict' && failure !== 'busy')) throw error
      await pause(attempt)
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
