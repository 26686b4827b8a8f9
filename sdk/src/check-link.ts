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
  /** The registry's public address. With it a link of another origin is `foreign_registry`, and nobody is asked. */
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

export const checkLink = async (get: Get, input: string, options: CheckLinkOptions = {}): Promise<LinkVerdict> => {
  const { allowUnverifiedProvider = false, expect = {}, issuer, ...request } = options
  checkExpectation(expect)
  const own = issuer === undefined ? null : new URL(issuer).origin
  const reading = readLink(input)
  const claims = reading.kind === 'token' ? (readToken(reading.token)?.claims ?? null) : null
  const told: Told = { checks: [], change: null, verification: null, claims, live_state: 'not_checked' }
  const refused = refuseHere(reading, own)
  if (refused !== undefined) return { ...told, result: 'not_verified', ...refused }
  try {
    const verification = await get(linkIn(reading, own) ?? input, request)
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

/** What needs no question: a link of another registry, and what cannot be a link of anyone. An address may be the registry's. */
const refuseHere = (reading: LinkReading, own: string | null): { reason: Reason; checks: Check[] } | undefined => {
  const { kind, origin } = reading
  if (origin !== null && own === null) return undefined
  if (origin !== null && origin !== own) return { reason: 'foreign_registry', checks: [foreignCheck(origin)] }
  return kind === 'malformed' || kind === 'mistyped' ? { reason: kind, checks: [formatCheck(kind)] } : undefined
}

/** The link without the text around it, which is nobody else's business. */
const linkIn = (reading: LinkReading, own: string | null): string | undefined => {
  const prefix = (path: string) => (reading.origin === null || own !== null ? '' : `${reading.origin}${path}`)
  if (reading.kind === 'code') return `${prefix('/v/')}${formatLinkCode(reading.code)}`
  return reading.kind === 'token' ? `${prefix('/verify/')}${reading.token}` : undefined
}

const judge = (verification: VerificationResult, told: Told, allowUnverifiedProvider: boolean, expect: Expectation): LinkVerdict => {
  if (verification.result === 'unknown') return { ...told, result: 'unknown', reason: 'keys_unavailable', cause: null }
  const missed = unmet(expect, factsOf(verification))
  const { checked_at } = verification
  const checks =
    Object.keys(expect).length === 0 ? told.checks : [...told.checks, expectationCheck(missed, provenDomain(verification), checked_at)]
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
