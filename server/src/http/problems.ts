import { type ErrorCode, errors, problemOf, Refusal } from '@countersign/sdk/contract'
import type { Response } from 'express'
import { type DatabaseFailure, failureOf } from '../db/retry.ts'

const databaseRefusals = {
  conflict: ['unavailable', 'Too many changes at once. Try again in a moment.'],
  busy: ['unavailable', 'The database is busy. Try again in a moment.'],
  locked: ['unavailable', 'The database is busy. Try again in a moment.'],
  readonly: ['unavailable', 'The database accepts no changes at the moment. Try again later.'],
  connection: ['unavailable', 'The database cannot be reached. Try again in a moment.'],
  full: ['storage_full', 'The registry’s disk is full.'],
  broken: ['unavailable', 'The database cannot be read.'],
  unique: ['internal', errors.internal.title],
} as const satisfies Record<DatabaseFailure, readonly [ErrorCode, string]>

/** An error that says when to retry. */
export class TooMany extends Refusal {
  constructor(what: string, seconds: number) {
    const detail = `Too many ${what}. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`
    // Collecting the stacks of all errors took 7% of the event loop under a flood, and this one says nothing about our code.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super('rate_limited', detail, {}, { retryAfterSeconds: seconds })
    Error.stackTraceLimit = stackTraceLimit
  }
}

export const sayWhen = (response: Response, { retryAfterSeconds }: Refusal) => {
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(retryAfterSeconds))
}

/** Turns anything thrown into a `Refusal`. Unexpected errors become `internal`, with the cause kept for the log. */
export const refusalOf = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error
  if (error instanceof URIError)
    return new Refusal('bad_request', 'The address has a broken percent encoding.', {}, { cause: error })
  const failure = failureOf(error)
  if (failure) return new Refusal(databaseRefusals[failure][0], databaseRefusals[failure][1], {}, { cause: error })
  return new Refusal('internal', errors.internal.title, {}, { cause: error })
}

/** Answers with a problem document (RFC 9457). */
export const sendProblem = (response: Response, refusal: Refusal, requestId: string) => {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const problem = problemOf(refusal, requestId)
  sayWhen(response, refusal)
  if ('retryable' in errors[refusal.code] && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', '1')
  if (problem.status === 401) response.setHeader('WWW-Authenticate', 'Bearer realm="countersign"')
  response.statusCode = problem.status
  response.setHeader('Content-Type', 'application/problem+json')
  response.end(JSON.stringify(problem))
}
