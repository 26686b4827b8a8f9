import { AbortError, type ApiError } from './api-error.ts'
import type { APIPromise } from './api-promise.ts'
import type { LinkErrorCode, Problem } from './contract/errors.ts'
import type { Check, Claims, Reason, VerificationResult } from './contract/verifications.ts'
import { type RequestOptions, requestOptionTypes } from './options.ts'
import { isFar } from './verify/drift.ts'
import { checkExpectation, type Expectation, expectationCheck } from './verify/expectation.ts'
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
  const question = questionOf(readLink(input), own)
  if (typeof question !== 'string') return toLinkVerdict(readVerdict(question, { issuer, at: Number.NaN }), null, null)
  // Null for a code.
  const claims = readToken(question)?.claims ?? null
  const startedAt = performance.now()
  const { answer, isCached, cause } = await ask(get, question, request)
  const checkedAt = Date.parse(Object(answer).checked_at)
  const verdict = readVerdict(answer, {
    issuer,
    at: checkedAt + performance.now() - startedAt,
    link: claims?.jti ?? question,
  })
  const isOld = isCached || isFar(checkedAt, now())
  if (isOld || (claims && verdict.record && isOther(verdict.record, claims)))
    return toLinkVerdict({ ...nothing(), doubt: isOld ? 'not_now' : 'contradiction' }, null, cause)
  return accept(toLinkVerdict(verdict, verdict.record && claims, cause), allowUnverifiedProvider, expect)
}

interface RegistryAnswer {
  answer: VerificationResult | Problem | null | undefined
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
    // Only answers of the registry have a problem document.
    return { answer: (cause as Partial<ApiError>).problem, isCached: false, cause }
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

/** It has a record if it is verified, else a reason. */
const toLinkVerdict = ({ record, ...verdict }: Verdict, claims: Claims | null, cause: unknown) => {
  const isUnknown = verdict.result === 'unknown'
  return {
    ...verdict,
    verification: record,
    claims,
    // Without a record or an error it was rejected without a request.
    live_state: record || (cause && !isUnknown) ? 'checked' : 'not_checked',
    ...(isUnknown && { cause }),
  } as LinkVerdict
}

/** The verdict without an answer. */
const nothing = () => readVerdict(undefined, { issuer: '', at: 0 })

/** Compares the link with what the caller accepts and expects. */
const accept = (verdict: LinkVerdict, allowUnverifiedProvider: boolean, expect: Expectation): LinkVerdict => {
  const { verification, outcome } = verdict
  if (verification === null) return verdict
  const facts = factsOf(verification)
  const expected = Object.keys(expect).length > 0 && expectationCheck(expect, facts, verification.checked_at)
  const checks = expected ? [...verdict.checks, expected] : verdict.checks
  const isGood = verdict.result === 'verified' || (allowUnverifiedProvider && outcome === 'provider_unverified')
  if (!isGood) return { ...verdict, checks }
  if (expected && !expected.passed) {
    // Those of a link that was not checked.
    const { strength, steps } = nothing()
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

/**
 * Whether an answer says something of a link that its token does not. It may say less, such as no origin after that was lost. Only the
 * provider's binding is final: it replaces another's, and can follow the token.
 */
const isOther = (verification: KnownLink, claims: Claims): boolean => {
  const { bound_by, response_hash } = verification.bound_answer ?? {}
  return (
    (bound_by === 'provider' && claims.bound_by === bound_by && claims.response_hash !== response_hash) ||
    Object.entries(factsOf(verification)).some(([name, value]) => value && value !== claims[name])
  )
}

/** Proven facts only, by the names of their claims. */
const factsOf = (verification: KnownLink) => {
  const { provider, model, deployment_info, challenge, origin } = verification
  const proven = isProof(deployment_info?.binding) ? deployment_info : null
  return {
    provider_domain: provenDomain(verification),
    provider_id: provider.id,
    model_id: model.id,
    model_identifier: model.api_model_identifier,
    model_digest: model.model_digest,
    deployment_id: verification.deployment_id,
    deployment_binding: proven?.binding,
    spki_fingerprint: proven?.spki_fingerprint,
    workload_issuer: deployment_info?.workload?.issuer,
    workload_subject: deployment_info?.workload?.subject,
    challenge,
    origin,
    iat: Date.parse(verification.timestamp) / 1_000,
    exp: Date.parse(verification.expires_at) / 1_000,
  }
}
