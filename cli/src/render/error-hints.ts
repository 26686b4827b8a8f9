import { ApiError } from '@countersign/sdk'
import { Failure } from '../failure.ts'
import { exitOf } from './report.ts'

/** What is known of a call and not of its refusal. */
interface Circumstances {
  url: string
  /** The token of a CI job was sent, from the profile. */
  isJobToken: boolean
}

/** An error, with the cause and the next step that only the one who called can know. */
export const explained = (error: unknown, { url, isJobToken }: Circumstances): unknown => {
  const refusal = error instanceof Failure ? error.cause : error
  if (!(refusal instanceof ApiError)) return error
  const { code, status } = refusal
  if (isJobToken && code === 'unauthorized')
    return new Failure(
      code,
      4,
      'The token of this job is good no longer: it has ended, or its publisher was removed',
      'Sign in again, in a job of a trusted workflow: countersign auth login --oidc. Who owns the provider sees which: countersign publishers list',
      { cause: refusal },
    )
  const hint = status === 404 ? originHint(url) : undefined
  return hint === undefined ? error : new Failure(code, exitOf(code, status), refusal.detail, hint, { cause: refusal })
}

/** Where something else than a registry answers, its path is the first suspect. */
export const originHint = (url: string): string | undefined =>
  URL.canParse(url) && new URL(url).pathname !== '/'
    ? `The address of a registry is its origin, without a path: --api-url ${new URL(url).origin}`
    : undefined
