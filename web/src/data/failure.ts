import { ApiError, ConnectionError, TimeoutError, ValidationError } from '@countersign/sdk'
import { site } from '#messages/site.ts'

const words = site.failure

/** What to say of a call that failed, of whatever kind it was: first what the registry says itself. */
export const explainFailure = (failure: unknown): string => {
  if (failure instanceof ApiError) {
    const said = failure.problem === null ? words.unexpectedAnswer(failure.status) : failure.detail
    return failure.retryAfterMs === null ? said : `${said} ${words.tryAgainIn(Math.ceil(failure.retryAfterMs / 1_000))}`
  }
  if (failure instanceof TimeoutError) return words.tooSlow
  if (failure instanceof ConnectionError) return words.noConnection
  return words.unexpected
}

/** What the registry refused, field by field; the first complaint of each. */
export const readFieldErrors = (failure: unknown): Record<string, string> =>
  failure instanceof ValidationError
    ? Object.fromEntries(failure.issues.toReversed().map(({ loc, msg }) => [loc.filter((part) => part !== 'body').join('.'), msg]))
    : {}

export const isNotFound = (failure: unknown) => failure instanceof ApiError && failure.status === 404
