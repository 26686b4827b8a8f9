import type { LinkVerdict } from '@countersign/sdk'
import type {
  Change,
  Check,
  Claims,
  DeploymentProof,
  Reason,
  Result,
  Strength,
  VerificationResult,
} from '@countersign/sdk/contract'
import type { LogCheck } from '@countersign/sdk/log/facts'
import { type OfflineVerdict, type Outcome, provenDomain, type Step, type Steps } from '@countersign/sdk/verify'
import { stepText } from '@countersign/sdk/words'
import { lookUp } from '../../look-up.ts'
import { quotedDetailOf } from '../../render/detail.ts'

/** The output of `verify --json`. */
export interface Verdict {
  result: Result
  reason: Reason | 'not_logged' | null
  change: Change | null
  /** Null for a token that was checked offline. */
  outcome: Outcome | null
  strength: Strength
  /** How far company, server and model file are proven; null unless the registry just answered. */
  steps: Record<keyof Steps, { state: Step['state']; text: string; at: string | null }> | null
  checks: readonly Check[]
  /** Contents of the link or token; proven only if `result` is `verified`. */
  claims: Readonly<Record<string, unknown>> | null
  provider:
    | (Readonly<{ id: string; domain: string | null; domain_verified: boolean }> & Readonly<Record<string, unknown>>)
    | null
  model: Readonly<Record<string, unknown>> | null
  offline: boolean
  live_state: 'checked' | 'not_checked'
  /** What the transparency log proves; only if asked. */
  log?: LogCheck
}

const exits = { verified: 0, not_verified: 3, unknown: 9 } as const satisfies Record<Result, number>

export const exitOfVerdict = ({ result }: Pick<Verdict, 'result'>) => lookUp(exits, result) ?? exits.unknown

export const unknown = (detail: string, offline: boolean): Verdict => ({
  result: 'unknown',
  reason: 'keys_unavailable',
  change: null,
  outcome: null,
  strength: null,
  steps: null,
  checks: [{ check: 'key', passed: null, detail, checked_at: null }],
  claims: null,
  provider: null,
  model: null,
  offline,
  live_state: 'not_checked',
})

export const ofOffline = (verdict: OfflineVerdict): Verdict => {
  const claims = 'claims' in verdict && verdict.claims !== undefined ? verdict.claims : null
  return {
    result: verdict.result,
    reason: verdict.result === 'verified' ? null : verdict.reason,
    change: null,
    outcome: null,
    strength: verdict.result === 'verified' ? strengthOf(verdict.claims) : null,
    steps: null,
    checks: verdict.result === 'verified' ? sayWhatIsMissing(verdict) : verdict.checks,
    claims,
    provider: claims && {
      id: claims.provider_id,
      domain: claims.provider_domain ?? null,
      domain_verified: claims.provider_domain !== undefined,
    },
    model: claims && {
      id: claims.model_id,
      api_model_identifier: claims.model_identifier,
      version: claims.version,
      model_digest: claims.model_digest ?? null,
    },
    offline: true,
    live_state: 'not_checked',
  }
}

/** What the token itself shows about checks that were not made. */
const sayWhatIsMissing = ({ checks, claims }: Extract<OfflineVerdict, { result: 'verified' }>) => {
  const details: Partial<Record<Check['check'], string>> = {
    ...(strengthOf(claims) !== 'deployment' && { deployment: 'No server identified itself' }),
    ...(claims.bound_to_response && {
      answer:
        claims.bound_by === 'provider'
          ? 'The provider bound an answer; compare it with yours'
          : 'Someone who held the link attached a text; the provider did not bind it',
    }),
  }
  return checks.map((check) => ({ ...check, detail: details[check.check] ?? check.detail }))
}

export const ofOnline = (verdict: LinkVerdict): Verdict => {
  const { result, reason, checks, change, verification, claims, live_state, outcome, strength, steps, domain } = verdict
  const isCurrent = outcome === 'verified' || outcome === 'provider_only' || outcome === 'provider_unverified'
  const describeStep = (step: Step, record: VerificationResult) => ({
    state: step.state,
    text: stepText(step, record, domain !== null),
    at: step.at,
  })
  return {
    result,
    reason,
    change,
    outcome,
    strength,
    steps:
      isCurrent && verification !== null
        ? {
            provider: describeStep(steps.provider, verification),
            server: describeStep(steps.server, verification),
            model_file: describeStep(steps.model_file, verification),
          }
        : null,
    checks:
      verdict.result === 'unknown' && checks.length === 0 ? unknown(messageOfCause(verdict), false).checks : checks,
    claims: verification === null ? null : { ...(claims ?? claimsOf(verification)), ...currentOf(verification) },
    provider: verification?.provider ?? null,
    model: verification?.model ?? null,
    offline: false,
    live_state,
  }
}

/** Whether the token says that its server had proven its key. */
const strengthOf = ({ provider_domain, deployment_binding }: Claims): Strength =>
  provider_domain === undefined
    ? null
    : deployment_binding !== undefined && Object.hasOwn(proofs, deployment_binding)
      ? 'deployment'
      : 'provider'

const proofs: Readonly<Record<DeploymentProof, true>> = { mtls: true, proxy: true, signed: true, workload: true }

const messageOfCause = ({ cause, doubt }: Extract<LinkVerdict, { result: 'unknown' }>) =>
  cause instanceof Error
    ? quotedDetailOf(cause)
    : doubt === 'contradiction'
      ? 'The registry’s answer contradicts itself or the token'
      : 'The registry did not answer'

/** What a token for this link would say, under the same names, as the registry reports it now. */
const claimsOf = (verification: VerificationResult) => {
  const { verification_id, timestamp, expires_at, provider, model, deployment_info, deployment_id, challenge } =
    verification
  return {
    jti: verification_id,
    iat: Math.floor(Date.parse(timestamp) / 1_000),
    exp: Math.floor(Date.parse(expires_at) / 1_000),
    model_id: model?.id,
    provider_id: provider?.id,
    model_identifier: model?.api_model_identifier,
    version: model?.version,
    model_digest: model?.model_digest ?? undefined,
    deployment_id: deployment_id ?? undefined,
    spki_fingerprint: deployment_info?.spki_fingerprint,
    challenge: challenge ?? undefined,
  }
}

/**
 * What may have changed since the token was minted: a domain, origin or name may have been lost, an answer bound. The subject of a
 * platform may be one that the registry shows to no one.
 */
const currentOf = (verification: VerificationResult) => ({
  ...(verification.model && { version: verification.model.version }),
  provider_domain: provenDomain(verification) ?? undefined,
  deployment_binding: verification.deployment_info?.binding,
  workload_issuer: verification.deployment_info?.workload?.issuer,
  workload_subject: verification.deployment_info?.workload?.subject,
  origin: verification.origin ?? undefined,
  ...bindingOf(verification),
})

const bindingOf = ({ bound_to_response, bound_answer }: VerificationResult) => ({
  bound_to_response,
  response_hash: bound_answer?.response_hash,
  bound_by: bound_answer?.bound_by,
})

/**
 * Compares an answer with the bound one; it can only make a verified result worse. Anyone who holds a token can attach a text to
 * it: only the provider's binding proves that the model wrote it.
 */
export const withAnswer = (verdict: Verdict, answerHash: string): Verdict => {
  if (verdict.claims === null) return verdict
  const { response_hash, bound_by } = verdict.claims
  const isSame = response_hash === answerHash
  const isUnknown = response_hash === undefined && verdict.result !== 'verified'
  const passed = isUnknown ? null : isSame && bound_by === 'provider'
  const detail = passed
    ? 'The provider bound this answer'
    : isSame
      ? 'Someone who held the link attached this answer; the provider did not bind it'
      : response_hash === undefined
        ? isUnknown
          ? 'It is unknown whether an answer is bound'
          : 'No answer is bound'
        : 'A different answer was bound'
  const check: Check = { check: 'answer', passed, detail, checked_at: null }
  const others = verdict.checks.filter((each) => each.check !== 'answer')
  const checks = [...others, check]
  return passed || verdict.result !== 'verified'
    ? { ...verdict, checks }
    : { ...refused(verdict, 'not_verified', 'claim_mismatch'), checks }
}

/** A verified link that does not meet what the caller requires: no part of the output says more than the result. */
export const refused = (
  verdict: Verdict,
  result: 'not_verified' | 'unknown',
  reason: NonNullable<Verdict['reason']>,
): Verdict => ({
  ...verdict,
  result,
  reason,
  outcome: verdict.outcome && (result === 'unknown' ? 'could_not_check' : 'check_failed'),
  strength: null,
  steps: null,
})

/** Accepts only links that also prove the server that asked for them. */
export const withDeploymentProof = (verdict: Verdict): Verdict => {
  if (verdict.result !== 'verified' || verdict.strength === 'deployment') return verdict
  const check: Check = {
    check: 'deployment',
    passed: false,
    detail: 'No server identified itself, and --require-deployment-proof requires one',
    checked_at: null,
  }
  const checks = [...verdict.checks.filter((each) => each.check !== 'deployment'), check]
  return { ...refused(verdict, 'not_verified', 'claim_mismatch'), checks }
}
