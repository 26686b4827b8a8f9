import { ApiError, ConnectionError, TimeoutError, ValidationError } from '@countersign/sdk'
import type { ErrorCode } from '@countersign/sdk/contract'
import { site } from '#messages/site.ts'
import { isOnline } from '../hooks/use-online.ts'

const words = site.failure

const isTooSlow = (failure: unknown) =>
  failure instanceof TimeoutError ||
  (failure instanceof ConnectionError && failure.cause instanceof DOMException && failure.cause.name === 'TimeoutError')

/** The message for any failed request: the registry's own, otherwise one by status. */
export const explainFailure = (
  failure: unknown,
  wordsOfStatus: (status: number) => string = words.unexpectedAnswer,
): string => {
  if (failure instanceof ApiError) {
    const said = failure.problem === null ? wordsOfStatus(failure.status) : failure.detail
    return failure.retryAfterMs === null ? said : `${said} ${words.tryAgainIn(Math.ceil(failure.retryAfterMs / 1_000))}`
  }
  if (isTooSlow(failure) && isOnline()) return words.tooSlow
  if (failure instanceof ConnectionError) return isOnline() ? words.noConnection : words.offline
  return words.unexpected
}

/** The registry's validation errors: the first message of each field. */
export const readFieldErrors = (failure: unknown): Record<string, string> =>
  failure instanceof ValidationError
    ? Object.fromEntries(
        failure.issues.toReversed().map(({ loc, msg }) => [loc.filter((part) => part !== 'body').join('.'), msg]),
      )
    : {}

/** Whether the registry answered with this error code. */
export const isRefusal = (failure: unknown, code: ErrorCode) =>
  failure instanceof ApiError && failure.problem !== null && failure.code === code

export const hasFieldErrors = (failure: unknown) => failure instanceof ValidationError && failure.issues.length > 0

export const isAnswered = (failure: unknown) => failure instanceof ApiError

/** Whether there was no response. */
export const isUnanswered = (failure: unknown) => failure instanceof ConnectionError

/** Whether the request failed, with or without a response; otherwise the fault is in this page. */
export const isOfCall = (failure: unknown) => isAnswered(failure) || isUnanswered(failure)

export const isNotFound = (failure: unknown) => failure instanceof ApiError && failure.status === 404
