import { ApiError, ChangeStaged, ConnectionError, TimeoutError } from '@countersign/sdk'
import { Failure } from '../failure.ts'
import { exitOf, reportOf } from './report.ts'
import { shellWord } from './shell-word.ts'

/** What is known about a call besides its error. */
interface Circumstances {
  url: string
  /** The token of a CI job was sent, from the profile. */
  isJobToken: boolean
  /** The variable that the key came from; it wins over every saved key. */
  variable(): string | undefined
  /** A request was sent to the address for mutual TLS. */
  usedTlsUrl: boolean
}

/** An error, with the cause and next step that only the caller can know. */
export const withHint = (error: unknown, { url, isJobToken, variable, usedTlsUrl }: Circumstances): unknown => {
  const refusal = error instanceof Failure ? error.cause : error
  if (usedTlsUrl && refusal instanceof ConnectionError && !(refusal instanceof TimeoutError)) {
    const { message, hint, exit_code } = reportOf(refusal)
    const own = hint?.replace('--api-url or COUNTERSIGN_API_URL', '--tls-url or COUNTERSIGN_TLS_URL') ?? null
    return new Failure('network', exit_code, message, own, { cause: refusal })
  }
  if (refusal instanceof ConnectionError && /^The answer is/.test(refusal.detail)) {
    const { hint, exit_code } = reportOf(refusal)
    const message = refusal.detail
      .replace(/^The answer is/, `The answer of ${url} is`)
      .replace(/: check its address$/, '')
    return new Failure('network', exit_code, message, hint, { cause: refusal })
  }
  if (!(refusal instanceof ApiError)) return error
  const { code, status } = refusal
  if (refusal instanceof ChangeStaged)
    return new Failure(code, exitOf(code, status), refusal.detail, approvalHint(refusal, url), { cause: refusal })
  if (isJobToken && code === 'unauthorized')
    return new Failure(
      code,
      4,
      'The token of this job is no longer valid: it has expired, or its publisher was removed',
      'Sign in again from a job of a trusted workflow: countersign auth login --oidc. The provider’s owner can list them: countersign publishers list',
      { cause: refusal },
    )
  const source = code === 'unauthorized' ? variable() : undefined
  if (source !== undefined)
    return new Failure(
      code,
      4,
      refusal.detail,
      `The key is from ${source}: correct the variable, or unset it to use a saved key`,
      { cause: refusal },
    )
  const hint = status === 404 ? originHint(url) : undefined
  return hint === undefined ? error : new Failure(code, exitOf(code, status), refusal.detail, hint, { cause: refusal })
}

const approvalHint = ({ change }: ChangeStaged, url: string) =>
  `Approve it at ${new URL(`/dashboard?tab=settings&section=changes&change=${change.id}`, url).href}\nWait for it with: countersign changes show ${shellWord(change.id)} --wait`

/** If something other than a registry answers, the path is the most likely mistake. */
export const originHint = (url: string): string | undefined =>
  URL.canParse(url) && new URL(url).pathname !== '/'
    ? `A registry’s address has no path: --api-url ${shellWord(new URL(url).origin)}`
    : undefined
