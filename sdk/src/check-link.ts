import { AbortError, LinkError } from './api-error.ts'
import type { Change, Check, Claims, Reason, VerificationResult } from './contract/verifications.ts'
import type { RequestOptions } from './options.ts'
import { checkExpectation, type Expectation, unmet } from './verify/expectation.ts'
import { readLink } from './verify/link-code.ts'
import { readToken } from './verify/token.ts'

export interface CheckLinkOptions extends Pick<RequestOptions, 'signal' | 'timeout' | 'maxRetries'> {
  /** Also `verified` where nobody has checked who the provider is. */
  allowUnverifiedProvider?: boolean
  expect?: Expectation
}

interface Told {
  checks: Check[]
  change: Change | null
  verification: VerificationResult | null
  /** What a token claims, where the input was one. */
  claims: Claims | null
  /** `not_checked` where the registry was not asked or did not answer. */
  live_state: 'checked' | 'not_checked'
}

/** The registry's answer about a link, as a value. */
export type LinkVerdict =
  | (Told & { result: 'verified'; reason: null; verification: VerificationResult })
  | (Told & { result: 'not_verified'; reason: Reason })
  | (Told & { result: 'unknown'; reason: 'keys_unavailable'; cause: unknown })

type Get = (link: string, options?: RequestOptions) => Promise<VerificationResult>

export const checkLink = async (get: Get, input: string, options: CheckLinkOptions = {}): Promise<LinkVerdict> => {
  const { allowUnverifiedProvider = false, expect = {}, ...request } = options
  checkExpectation(expect)
  const reading = readLink(input)
  const claims = reading.kind === 'token' ? (readToken(reading.token)?.claims ?? null) : null
  const told: Told = { checks: [], change: null, verification: null, claims, live_state: 'not_checked' }
  // What cannot be a link of anyone needs no question; what has an address is for the registry to judge.
  if (reading.origin === null && (reading.kind === 'malformed' || reading.kind === 'mistyped')) {
    return { ...told, result: 'not_verified', reason: reading.kind, checks: [formatCheck(reading.kind)] }
  }
  try {
    const verification = await get(input, request)
    return judge(
      verification,
      { ...told, verification, checks: verification.checks, change: verification.change, live_state: 'checked' },
      allowUnverifiedProvider,
      expect,
    )
  } catch (error) {
    if (error instanceof AbortError || error instanceof TypeError) throw error
    if (!(error instanceof LinkError)) return { ...told, result: 'unknown', reason: 'keys_unavailable', cause: error }
    const { checks, change, verification, result, reason } = error
    if (result === 'unknown') return { ...told, checks, change, verification, result, reason: 'keys_unavailable', cause: error }
    return { ...told, checks, change, verification, result, reason, live_state: 'checked' }
  }
}

const judge = (verification: VerificationResult, told: Told, allowUnverifiedProvider: boolean, expect: Expectation): LinkVerdict => {
  if (verification.result === 'unknown') return { ...told, result: 'unknown', reason: 'keys_unavailable', cause: null }
  const missed = unmet(expect, factsOf(verification))
  const checks = Object.keys(expect).length === 0 ? told.checks : [...told.checks, expectationCheck(missed, verification.checked_at)]
  const isAllowed = allowUnverifiedProvider && verification.status === 'provider_unverified'
  if (verification.result !== 'verified' && !isAllowed)
    return { ...told, checks, result: 'not_verified', reason: verification.reason ?? 'revoked' }
  if (missed.length > 0) return { ...told, checks, result: 'not_verified', reason: 'claim_mismatch' }
  return { ...told, checks, verification, result: 'verified', reason: null }
}

/** What was proven, and nothing that was only said. */
const factsOf = ({ provider, model, deployment_info, challenge, origin }: VerificationResult) => ({
  provider_domain: provider?.domain_verified ? provider.domain : null,
  provider_id: provider?.id,
  model_id: model?.id,
  model_digest: model?.model_digest,
  spki_fingerprint: deployment_info === null || deployment_info.binding === 'self-asserted' ? null : deployment_info.spki_fingerprint,
  challenge,
  origin,
})

const expectationCheck = (missed: string[], checked_at: string): Check => ({
  check: 'expectation',
  passed: missed.length === 0,
  detail: missed.length === 0 ? 'Everything expected is so' : `Not as expected: ${missed.join(', ')}`,
  checked_at,
})

const formatCheck = (kind: 'malformed' | 'mistyped'): Check => ({
  check: 'format',
  passed: false,
  detail: kind === 'mistyped' ? 'The code is mistyped: compare it character by character' : 'This is not a link, a code or a token',
  checked_at: null,
})
