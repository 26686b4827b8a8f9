import { ApiError, ConnectionError, TimeoutError, ValidationError } from '@countersign/sdk'
import type { ErrorCode } from '@countersign/sdk/contract'
import { site } from '#messages/site.ts'
import { isOnline } from '../hooks/use-online.ts'

const words = site.failure

/** What to say of a call that failed, of whatever kind it was: first what the registry says itself, else that of its status. */
export const explainFailure = (failure: unknown, wordsOfStatus: (status: number) => string = words.unexpectedAnswer): string => {
  if (failure instanceof ApiError) {
    const said = failure.problem === null ? wordsOfStatus(failure.status) : failure.detail
    return failure.retryAfterMs === null ? said : `${said} ${words.tryAgainIn(Math.ceil(failure.retryAfterMs / 1_000))}`
  }
  if (failure instanceof TimeoutError && isOnline()) return words.tooSlow
  if (failure instanceof ConnectionError) return isOnline() ? words.noConnection : words.offline
  return words.unexpected
}

/** What the registry refused, field by field; the first complaint of each. */
export const readFieldErrors = (failure: unknown): Record<string, string> =>
  failure instanceof ValidationError
    ? Object.fromEntries(failure.issues.toReversed().map(({ loc, msg }) => [loc.filter((part) => part !== 'body').join('.'), msg]))
    : {}

/** Whether the registry refused with this code. */
export const isRefusal = (failure: unknown, code: ErrorCode) =>
  failure instanceof ApiError && failure.problem !== null && failure.code === code

export const hasFieldErrors = (failure: unknown) => failure instanceof ValidationError && failure.issues.length > 0

export const isAnswered = (failure: unknown) => failure instanceof ApiError

/** Whether there was no answer at all. */
export const isUnanswered = (failure: unknown) => failure instanceof ConnectionError

/** Whether the call failed, answered or not; else it is a fault of this page. */
export const isOfCall = (failure: unknown) => isAnswered(failure) || isUnanswered(failure)

export const isNotFound = (failure: unknown) => failure instanceof ApiError && failure.status === 404
