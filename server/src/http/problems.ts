import { type ErrorCode, errors, type FieldError, type Problem, Refusal } from '@countersign/sdk/contract'
import type { Response } from 'express'
import type { z } from 'zod'
import { type DatabaseFailure, failureOf } from '../db/retry.ts'

type Source = 'body' | 'query'

const pointerOf = (path: readonly PropertyKey[]) =>
  `#${path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')}`

const fieldErrorsOf = (source: Source, issue: z.core.$ZodIssue): FieldError[] => {
  const at = (path: readonly PropertyKey[], msg: string): FieldError => ({
    loc: [source, ...path.map((step) => (typeof step === 'number' ? step : String(step)))],
    msg,
    pointer: pointerOf(path),
  })
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => at([...issue.path, key], `Unknown field "${key.slice(0, 100)}"`))
  return [at(issue.path, issue.message)]
}

/** Names every field that is not valid. */
export const invalidInput = (source: Source, error: z.core.$ZodError): Refusal => {
  const fields = error.issues.flatMap((issue) => fieldErrorsOf(source, issue)).slice(0, 50)
  const detail = fields
    .slice(0, 3)
    .map(({ loc, msg }) => (loc.length > 1 ? `${loc.slice(1).join('.')}: ${msg}` : msg))
    .join('; ')
  return new Refusal('validation_failed', detail, { errors: fields })
}

const databaseRefusals = {
  conflict: ['unavailable', 'Too many changes at once. Try again in a moment.'],
  busy: ['unavailable', 'The database is busy. Try again in a moment.'],
  connection: ['unavailable', 'The database cannot be reached. Try again in a moment.'],
  full: ['storage_full', 'The registry’s disk is full.'],
  broken: ['unavailable', 'The database cannot be read.'],
  unique: ['internal', errors.internal.title],
} as const satisfies Record<DatabaseFailure, readonly [ErrorCode, string]>

/** A refusal that says when to come back. */
export class TooMany extends Refusal {
  readonly retryAfterSeconds: number

  constructor(what: string, seconds: number) {
    super('rate_limited', `Too many ${what}. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`)
    this.retryAfterSeconds = seconds
  }
}

export const sayWhen = (response: Response, refusal: Refusal) => {
  if (refusal instanceof TooMany) response.setHeader('Retry-After', String(refusal.retryAfterSeconds))
}

/** Turns whatever was thrown into a refusal. What we did not foresee becomes `internal`, with the cause kept for the log. */
export const refusalOf = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error
  if (error instanceof URIError) return new Refusal('bad_request', 'The address has a broken percent encoding.', {}, { cause: error })
  const failure = failureOf(error)
  if (failure) return new Refusal(databaseRefusals[failure][0], databaseRefusals[failure][1], {}, { cause: error })
  return new Refusal('internal', errors.internal.title, {}, { cause: error })
}

export const problemOf = (refusal: Refusal, requestId: string): Problem => {
  const { status, title } = errors[refusal.code]
  return {
    type: `urn:countersign:error:${refusal.code}`,
    title,
    status,
    detail: refusal.message,
    code: refusal.code,
    request_id: requestId,
    ...refusal.extensions,
  }
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
