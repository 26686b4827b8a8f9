import { AbortError, LinkError } from './api-error.ts'
import type { Change, Check, Claims, Reason, VerificationResult } from './contract/verifications.ts'
import type { RequestOptions } from './options.ts'
import { checkExpectation, type Expectation, expectationCheck, unmet } from './verify/expectation.ts'
import { foreignCheck, formatCheck } from './verify/link-checks.ts'
import { formatLinkCode, type LinkReading, readLink } from './verify/link-code.ts'
import { provenDomain } from './verify/proven-domain.ts'
import { readToken } from './verify/token.ts'

export interface CheckLinkOptions extends Pick<RequestOptions, 'signal' | 'timeout' | 'maxRetries'> {
  /** Also `verified` where nobody has checked who the provider is. */
  allowUnverifiedProvider?: boolean
  expect?: Expectation
  /**
   * The registry's public address, where it is not the client's `baseURL`. A link of another origin is `foreign_registry`,
   * and nobody is asked about it.
   */
  issuer?: string
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

export const checkLink = async (get: Get, baseURL: string, input: string, options: CheckLinkOptions = {}): Promise<LinkVerdict> => {
  const { allowUnverifiedProvider = false, expect = {}, issuer = baseURL, ...request } = options
  checkExpectation(expect)
  const own = new URL(issuer).origin
  const reading = readLink(input)
  const claims = reading.kind === 'token' ? (readToken(reading.token)?.claims ?? null) : null
  const told: Told = { checks: [], change: null, verification: null, claims, live_state: 'not_checked' }
  const question = questionOf(reading, own)
  if (typeof question !== 'string') return { ...told, result: 'not_verified', ...question }
  try {
    const verification = await get(question, request)
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

/**
 * What the registry is asked: the code or token alone, because the text around it is nobody else's business. A link of
 * another registry, and what cannot be a link of anyone, need no question.
 */
const questionOf = (reading: LinkReading, own: string): string | { reason: Reason; checks: Check[] } => {
  const { kind, origin } = reading
  if (origin !== null && origin !== own) return { reason: 'foreign_registry', checks: [foreignCheck(origin)] }
  if (kind === 'malformed' || kind === 'mistyped') return { reason: kind, checks: [formatCheck(kind)] }
  return kind === 'code' ? formatLinkCode(reading.code) : reading.token
}

const judge = (verification: VerificationResult, told: Told, allowUnverifiedProvider: boolean, expect: Expectation): LinkVerdict => {
  if (verification.result === 'unknown') return { ...told, result: 'unknown', reason: 'keys_unavailable', cause: null }
  const facts = factsOf(verification)
  const missed = unmet(expect, facts)
  const { checked_at } = verification
  const checks = Object.keys(expect).length === 0 ? told.checks : [...told.checks, expectationCheck(expect, facts, checked_at)]
  const isAllowed = allowUnverifiedProvider && verification.status === 'provider_unverified'
  if (verification.result !== 'verified' && !isAllowed)
    return { ...told, checks, result: 'not_verified', reason: verification.reason ?? 'revoked' }
  if (missed.length > 0) return { ...told, checks, result: 'not_verified', reason: 'claim_mismatch' }
  return { ...told, checks, verification, result: 'verified', reason: null }
}

/** What was proven, and nothing that was only said. */
const factsOf = (verification: VerificationResult) => {
  const { provider, model, deployment_info, challenge, origin } = verification
  return {
    provider_domain: provenDomain(verification),
    provider_id: provider?.id,
    model_id: model?.id,
    model_digest: model?.model_digest,
    spki_fingerprint: deployment_info === null || deployment_info.binding === 'self-asserted' ? null : deployment_info.spki_fingerprint,
    challenge,
    origin,
  }
}
