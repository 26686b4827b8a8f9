import { AbortError, ApiError } from './api-error.ts'
import type { APIPromise } from './api-promise.ts'
import type { LinkErrorCode, Problem } from './contract/errors.ts'
import type { Check, Claims, Reason, VerificationResult } from './contract/verifications.ts'
import { type RequestOptions, requestOptionTypes } from './options.ts'
import { isFar } from './verify/drift.ts'
import { checkExpectation, type Expectation, expectationCheck, unmet } from './verify/expectation.ts'
import { foreignCheck, formatCheck } from './verify/link-checks.ts'
import { formatLinkCode, type LinkReading, readLink } from './verify/link-code.ts'
import { isProof, provenDomain } from './verify/proven-domain.ts'
import { must, refuseUnknown } from './verify/refuse-unknown.ts'
import { readToken } from './verify/token.ts'
import { isText } from './verify/values.ts'
import { type KnownLink, readVerdict, type Verdict } from './verify/verdict.ts'

/** Options of `verifications.check`. */
export interface CheckLinkOptions extends Pick<RequestOptions, 'signal' | 'timeout' | 'maxRetries'> {
  /** Accept links of a provider whose domain is not proven. */
  allowUnverifiedProvider?: boolean | undefined
  /** Exact values that the link must have; another value is `claim_mismatch`. */
  expect?: Expectation | undefined
  /**
   * The registry's public address, if it is not the client's `baseURL`. Links of another origin are `foreign_registry`, without a
   * request.
   */
  issuer?: string | undefined
  /** Milliseconds since 1970; `Date.now` by default. Answers made more than 5 minutes from it are rejected. */
  now?: (() => number) | undefined
}

/** With those of a request. */
const optionNames = { ...requestOptionTypes, expect: true, allowUnverifiedProvider: true, issuer: true, now: true }

interface Details extends Omit<Verdict, 'result' | 'reason' | 'record'> {
  /** What the link was made for; null unless the registry confirms it. */
  verification: KnownLink | null
  /** The token's claims as of minting, if the input was a token the registry knows. `verification` has the current state. */
  claims: Claims | null
  /** `not_checked` if the registry was not asked or gave no valid answer. */
  live_state: 'checked' | 'not_checked'
}

/** The registry's answer about a link, as a value. */
export type LinkVerdict =
  | (Details & {
      /** `verified`, `not_verified`, or `unknown` if the link could not be checked. */
      result: 'verified'
      /** Why the link is not verified; null if it is. See {@link Reason}. */
      reason: null
      verification: KnownLink
    })
  | (Details & { result: 'not_verified'; reason: Reason })
  | (Details & {
      result: 'unknown'
      reason: 'keys_unavailable'
      /** What went wrong, such as a `ConnectionError`. */
      cause: unknown
    })

const checkCall = 'verifications.check'

type Get = (link: string, options?: RequestOptions) => APIPromise<VerificationResult>

export const checkLink = async (
  get: Get,
  baseURL: string,
  input: string,
  options: CheckLinkOptions = {},
): Promise<LinkVerdict> => {
  refuseUnknown(checkCall, 'option', options, optionNames)
  must(isText(input), checkCall, 'input', 'a link, a code or a token')
  const { allowUnverifiedProvider = false, expect = {}, issuer = baseURL, now = Date.now, ...request } = options
  checkExpectation(checkCall, expect)
  const own = new URL(issuer).origin
  const reading = readLink(input)
  const question = questionOf(reading, own)
  if (typeof question !== 'string') return toLinkVerdict(readVerdict(question, { issuer, at: Number.NaN }), null, null)
  const claims = reading.kind === 'token' ? (readToken(reading.token)?.claims ?? null) : null
  const startedAt = performance.now()
  const { answer, isCached, cause } = await ask(get, question, request)
  const checkedAt = Date.parse(
    String(answer && typeof answer === 'object' && 'checked_at' in answer ? answer.checked_at : ''),
  )
  const verdict = readVerdict(answer, {
    issuer,
    at: checkedAt + performance.now() - startedAt,
    link: reading.kind === 'token' ? (claims?.jti ?? '') : question,
  })
  if (isCached || isFar(checkedAt, now()))
    return toLinkVerdict({ ...readVerdict(undefined, { issuer, at: 0 }), doubt: 'not_now' }, null, cause)
  return accept(toLinkVerdict(verdict, verdict.record && claims, cause), allowUnverifiedProvider, expect)
}

interface RegistryAnswer {
  answer: VerificationResult | Problem | undefined
  /** Whether it came from a cache. */
  isCached: boolean
  cause: unknown
}

/** The registry's answer, or the cause of its absence. Throws only errors of the caller. */
const ask = async (get: Get, question: string, request: RequestOptions): Promise<RegistryAnswer> => {
  try {
    const { data, response } = await get(question, request).withResponse()
    // Several caches may write a list.
    return { answer: data, isCached: Number(response.headers.get('Age')) !== 0, cause: null }
  } catch (cause) {
    if (cause instanceof AbortError || cause instanceof TypeError) throw cause
    return { answer: cause instanceof ApiError ? (cause.problem ?? undefined) : undefined, isCached: false, cause }
  }
}

/**
 * What to send to the registry: only the code or token, because the text around it is private. Links of other registries and
 * unreadable input are rejected without a request.
 */
const questionOf = (reading: LinkReading, own: string): string | { code: LinkErrorCode; checks: Check[] } => {
  const { kind, origin } = reading
  if (origin !== null && origin !== own) return { code: 'link_foreign', checks: [foreignCheck(origin)] }
  if (kind === 'malformed' || kind === 'mistyped') return { code: `link_${kind}`, checks: [formatCheck(kind)] }
  return kind === 'code' ? formatLinkCode(reading.code) : reading.token
}

const toLinkVerdict = (
  { result, reason, record, ...rest }: Verdict,
  claims: Claims | null,
  cause: unknown,
): LinkVerdict => {
  const details = { ...rest, verification: record, claims }
  if (result === 'unknown') return { ...details, live_state: 'not_checked', result, reason: 'keys_unavailable', cause }
  // Rejected without a request.
  const live_state = cause === null && record === null ? 'not_checked' : 'checked'
  if (result === 'verified' && record !== null)
    return { ...details, live_state, result, reason: null, verification: record }
  return { ...details, live_state, result: 'not_verified', reason: reason ?? 'revoked' }
}

/** Compares the link with what the caller accepts and expects. */
const accept = (verdict: LinkVerdict, allowUnverifiedProvider: boolean, expect: Expectation): LinkVerdict => {
  const { verification, outcome } = verdict
  if (verification === null) return verdict
  const facts = factsOf(verification)
  const isExpecting = Object.keys(expect).length > 0
  const checks = isExpecting
    ? [...verdict.checks, expectationCheck(expect, facts, verification.checked_at)]
    : verdict.checks
  const isGood = verdict.result === 'verified' || (allowUnverifiedProvider && outcome === 'provider_unverified')
  if (!isGood) return { ...verdict, checks }
  if (unmet(expect, facts).length > 0) {
    // Those of a link that was not checked.
    const { strength, steps } = readVerdict(undefined, { issuer: verification.issuer, at: 0 })
    return {
      ...verdict,
      checks,
      result: 'not_verified',
      reason: 'claim_mismatch',
      outcome: 'check_failed',
      strength,
      steps,
    }
  }
  return { ...verdict, checks, verification, result: 'verified', reason: null }
}

/** Proven facts only. */
const factsOf = (verification: VerificationResult) => {
  const { provider, model, deployment_info, challenge, origin } = verification
  return {
    provider_domain: provenDomain(verification),
    provider_id: provider?.id,
    model_id: model?.id,
    model_digest: model?.model_digest,
    spki_fingerprint: isProof(deployment_info?.binding) ? deployment_info?.spki_fingerprint : null,
    challenge,
    origin,
  }
}
