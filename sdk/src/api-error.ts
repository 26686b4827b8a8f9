import type { ErrorCode, FieldError, LinkErrorCode, Problem } from './contract/errors.ts'
import type { ExistingModel } from './contract/models.ts'
import type { StagedChange } from './contract/staged.ts'
import type { Change, Check, Reason, Result, VerificationResult } from './contract/verifications.ts'
import { isText } from './verify/values.ts'

/** The call that an error is about. */
export interface FailedCall {
  /** What was called, such as `models.register`. */
  call: string
  /** HTTP method. */
  method: string
  /** Path with its IDs; `[link]` stands for a link or token. */
  path: string
}

interface Details extends Partial<FailedCall> {
  status: number
  code: ErrorCode
  detail: string
  requestId: string | null
  retryable: boolean
  retryAfterMs: number | null
  problem: Problem | null
  /** What the caller may have forgotten; ends the message. */
  hint?: string | undefined
}

const listOf = <Item>(value: unknown): Item[] => (Array.isArray(value) ? value : [])

/** The call with what follows it, or nothing. */
const siteOf = ({ call, method, path }: Partial<FailedCall>, end: string) =>
  call ? `${call}: ${method} ${path}${end}` : ''

/**
 * The registry rejected a request. `code` is stable and `detail` is the registry's sentence; `message` adds the call, its path and
 * the request ID, for logs.
 */
export class ApiError extends Error {
  /** Name of the class. */
  override name = 'ApiError'
  /** HTTP status. */
  declare readonly status: number
  /** Stable code; see the list of errors. */
  declare readonly code: ErrorCode
  /** What the registry says, in a sentence for people. */
  declare readonly detail: string
  /** What was called, such as `models.register`; null if the error was not thrown by a client. */
  declare readonly call: string | null
  /** HTTP method of the request. */
  declare readonly method: string | null
  /** Path of the request with its IDs; `[link]` stands for a link or token. */
  declare readonly path: string | null
  /** Include it in support requests. */
  declare readonly requestId: string | null
  /** Whether the same call may succeed later. */
  declare readonly retryable: boolean
  /** Milliseconds to wait before the next attempt, if the registry says so. */
  declare readonly retryAfterMs: number | null
  /** The problem document (RFC 9457), or null if a server in front of the registry answered. */
  declare readonly problem: Problem | null

  constructor({ hint = '', ...details }: Details, options?: ErrorOptions) {
    const request = details.requestId === null ? '' : ` (request ${details.requestId})`
    const site = siteOf(details, ` answered ${details.status} ${details.code}: `)
    super(`${site}${details.detail}${site && request + hint}`, options)
    Object.assign(this, { call: null, method: null, path: null }, details)
  }
}

/** 400: the request could not be read. */
export class BadRequestError extends ApiError {
  override name = 'BadRequestError'
}

/** 401: the API key is missing, wrong or revoked. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}

/** 403: the API key is valid but does not allow this. */
export class PermissionError extends ApiError {
  override name = 'PermissionError'
}

/** 404: not found, or not visible to this caller. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}

/** 409: a conflict with something that exists; 412: the record has changed since it was read. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'

  /** The existing model version, if that is the conflict. */
  get existing(): ExistingModel | null {
    return (this.problem?.existing_model as ExistingModel | undefined) ?? null
  }
}

/** 202: the provider is protected, so the call of a key waits for a person's approval. Nothing has changed yet. */
export class ChangeStaged extends ApiError {
  override name = 'ChangeStaged'

  /** What waits for approval, with its `id`. */
  get change(): StagedChange {
    return this.problem?.change as StagedChange
  }
}

/** 422: invalid fields. */
export class ValidationError extends ApiError {
  override name = 'ValidationError'

  /** The errors, field by field. */
  get issues(): FieldError[] {
    return listOf(this.problem?.errors)
  }
}

/** 429: too many requests, after the retries. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}

/** 5xx: the registry failed, after the retries. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

/** A link or token that is not verified or could not be checked. */
export class LinkError extends ApiError {
  override name = 'LinkError'
  declare readonly code: LinkErrorCode

  /** `not_verified`, or `unknown` if it could not be checked. */
  get result(): Exclude<Result, 'verified'> {
    return this.problem?.result === 'unknown' ? 'unknown' : 'not_verified'
  }

  /** Why it is not verified. */
  get reason(): Reason {
    return (this.problem?.reason as Reason | undefined) ?? 'keys_unavailable'
  }

  /** What ended it since it was minted. */
  get change(): Change | null {
    return (this.problem?.change as Change | undefined) ?? null
  }

  /** Every check with its result. */
  get checks(): Check[] {
    return listOf(this.problem?.checks)
  }

  /** What the link was made for, if the registry knows it. */
  get verification(): VerificationResult | null {
    return (this.problem?.verification as VerificationResult | undefined) ?? null
  }
}

/** No valid answer: network, DNS or certificate failure, or an answer that is not the registry's. */
export class ConnectionError extends Error {
  /** Name of the class. */
  override name = 'ConnectionError'
  /** Whether the same call may succeed later. */
  declare readonly retryable: boolean
  /** What happened, without the call. */
  declare readonly detail: string
  /** What was called, such as `models.register`; null if the error was not thrown by a client. */
  declare readonly call: string | null

  constructor(detail: string, options: ErrorOptions & Partial<FailedCall> & { retryable?: boolean | undefined } = {}) {
    super(siteOf(options, ': ') + detail, options)
    this.detail = detail
    this.call = options.call ?? null
    this.retryable = options.retryable ?? true
  }
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  /** Name of the class. */
  override name = 'TimeoutError'
}

/** The caller's signal stopped the call; `cause` is the signal's reason. */
export class AbortError extends Error {
  /** Name of the class. */
  override name = 'AbortError'
}

/** The code, if the answer names none, and the type of the error; by default ApiError. */
const byStatus: Record<number, [code: ErrorCode, type?: typeof ApiError]> = {
  202: ['change_staged', ChangeStaged],
  400: ['bad_request', BadRequestError],
  401: ['unauthorized', AuthenticationError],
  403: ['forbidden', PermissionError],
  404: ['not_found', NotFoundError],
  405: ['method_not_allowed'],
  408: ['unavailable'],
  409: ['already_created', ConflictError],
  412: ['changed_elsewhere', ConflictError],
  413: ['body_too_large'],
  415: ['unsupported_media_type'],
  422: ['validation_failed', ValidationError],
  429: ['rate_limited', RateLimitError],
}

const isProblem = (value: unknown): value is Problem => {
  const { code, detail }: { code?: unknown; detail?: unknown } = Object(value)
  return isText(code) && isText(detail)
}

/** Turns an answer that is not 2xx into an error. */
export const toApiError = (answer: {
  status: number
  body: unknown
  requestId: string | null
  retryAfterMs: number | null
  mayRetry: boolean
  failed?: FailedCall & { hint?: string | undefined }
  host?: string
}) => {
  const { status, body, host = '' } = answer
  const [usualCode, usualType = ApiError] =
    byStatus[status] ?? (status < 500 ? (['bad_request'] as const) : (['unavailable', ServerError] as const))
  const problem = isProblem(body) ? body : null
  const code = problem?.code ?? usualCode
  // Not read from the table of errors, which every page would load (2 kB).
  const temporary = status === 408 || status === 429 || status >= 500 || code === 'idempotency_in_flight'
  const type = problem !== null && /^(link_|could_not_check)/.test(code) ? LinkError : usualType
  return new type({
    ...answer.failed,
    status,
    code,
    detail: problem?.detail ?? `${host} answered with ${status}${status < 500 ? '. Is it a registry?' : ''}`,
    requestId: answer.requestId ?? (isText(problem?.request_id) ? problem.request_id : null),
    retryable: temporary && answer.mayRetry,
    retryAfterMs: answer.retryAfterMs,
    problem,
  })
}
