import { tokenLifetimeSeconds } from '../contract/limits.ts'
import type { Change, Check, Reason, Result, Strength, VerificationResult } from '../contract/verifications.ts'
import { isProtected } from './insecure-http.ts'
import { isProof, passes, provenDomain } from './proven-domain.ts'
import { isObject, isText, matches, originOf } from './values.ts'

/** The outcome of a link in one word, the key of its texts. */
export type Outcome =
  | 'verified'
  | 'provider_only'
  | 'provider_unverified'
  | 'check_failed'
  | 'expired'
  | 'revoked'
  | 'archived'
  | 'gone'
  | 'malformed'
  | 'mistyped'
  | 'not_found'
  | 'forged'
  | 'foreign'
  | 'refused'
  | 'could_not_check'

/** Why an answer could not be used. */
export type Doubt =
  | 'no_answer'
  | 'unreadable'
  | 'other_registry'
  | 'other_link'
  | 'not_now'
  | 'not_live'
  | 'contradiction'

/** The key of a step's text. */
export type StepWords =
  | 'not_checked'
  | 'domain_dns'
  | 'domain_file'
  | 'domain_stale'
  | 'domain_claimed'
  | 'server_mtls'
  | 'server_proxy'
  | 'server_signed'
  | 'server_workload'
  | 'server_of_unknown'
  | 'server_named'
  | 'server_none'
  | 'file_signed'
  | 'file_signed_by_other'
  | 'file_digest'
  | 'file_none'

/** How far one thing is proven: the provider, the server or the model file. */
export interface Step {
  /** `proven`, `stated` by the provider, or `missing`. */
  state: 'proven' | 'stated' | 'missing'
  /** Key of the sentence that explains it. */
  words: StepWords
  /** When the registry last confirmed it, if known. */
  at: string | null
}

/** How far a link is proven. All steps are `missing` unless the link is verified, or only its provider is unverified. */
export interface Steps {
  /** The provider’s domain. */
  provider: Step
  /** The server that asked for the link. */
  server: Step
  /** The model file. */
  model_file: Step
}

/** A record with its model and its provider, as every record has that `readVerdict` accepts. */
export type KnownLink = VerificationResult & { [Part in 'model' | 'provider']: NonNullable<VerificationResult[Part]> }

/** The verdict on a link, from a registry's answer. */
export interface Verdict {
  /** The verdict. */
  result: Result
  /** Null only if verified. */
  reason: Reason | null
  /** What ended the link; null if nothing did. */
  change: Change | null
  /** What to show. */
  outcome: Outcome
  /** What a verified link proves. */
  strength: Strength
  /** The provider's proven domain, even after the link has ended. It does not mean that the link is valid. */
  domain: string | null
  /** How far provider, server and model file are proven. */
  steps: Steps
  /** Checks that may be shown. None has passed unless the registry knows the link. */
  checks: Check[]
  /** What the link was made for; null unless the registry confirms it. */
  record: KnownLink | null
  /** Set only if the result is `unknown`. */
  doubt: Doubt | null
}

/** Options of `readVerdict`. */
export interface ReadVerdictOptions {
  /** The registry's public address. */
  issuer: string
  /** Milliseconds since 1970 by the registry's clock: the answer's `checked_at` plus the time since. */
  at: number
  /** The link that was checked: a code as `formatLinkCode` writes it, or the `jti` of a token. */
  link?: string | undefined
}

const step = (state: Step['state'], words: StepWords, at: string | null = null): Step => ({ state, words, at })

const noStep = () => step('missing', 'not_checked')

/** A known link that is no longer valid. */
const isEnd = matches(/^(expired|revoked|archived)$/) as (
  outcome: unknown,
) => outcome is 'expired' | 'revoked' | 'archived'

/** The possible reasons of each error `link_…`, the usual one first. */
const refusals: Readonly<Record<string, readonly [Reason, ...Reason[]]>> = {
  malformed: ['malformed'],
  mistyped: ['mistyped'],
  forged: ['bad_signature', 'unknown_key', 'claim_mismatch'],
  unknown: ['not_found'],
  foreign: ['foreign_registry'],
  expired: ['expired'],
  revoked: ['revoked'],
  archived: ['archived'],
  suspended: ['suspended'],
  gone: ['revoked'],
}

type Fields = Record<string, unknown>

/** Whether these fields are texts; names with a question mark may be null. */
const hasTexts = (value: unknown, names: string): value is Fields =>
  isObject(value) &&
  names.split(' ').every((name) => {
    const text = value[name.replace('?', '')]
    return isText(text) || (text === null && name.endsWith('?'))
  })

const isCheck = (value: unknown): value is Check =>
  hasTexts(value, 'check detail') && (value.passed === null || typeof value.passed === 'boolean')

const isPageOrigin = (text: unknown) =>
  originOf(text) === text && /^http/.test(String(text)) && isProtected(String(text))

/** Whether all fields that are used have the right form. */
const isRecord = (value: unknown): value is KnownLink =>
  hasTexts(
    value,
    'issuer status result live_state verification_id link_code timestamp expires_at checked_at reason? change? challenge? origin?',
  ) &&
  [value.timestamp, value.expires_at, value.checked_at].every((time) => Date.parse(String(time)) > 0) &&
  hasTexts(value.model, 'id name version api_model_identifier bundle_status') &&
  hasTexts(value.provider, 'id domain_status name? domain?') &&
  /^(([a-z0-9-]+\.)+[a-z0-9-]+|null)$/.test(String(value.provider.domain)) &&
  (value.origin === null || isPageOrigin(value.origin)) &&
  (value.deployment_info === null || hasTexts(value.deployment_info, 'binding status')) &&
  Array.isArray(value.checks) &&
  value.checks.every(isCheck)

const unknown = (doubt: Doubt): Verdict => ({
  ...notVerified('could_not_check', 'keys_unavailable'),
  result: 'unknown',
  doubt,
})

const notVerified = (
  outcome: Outcome,
  reason: Reason,
  change: Change | null = null,
  record: KnownLink | null = null,
  checks: Check[] = [],
): Verdict => ({
  result: 'not_verified',
  reason,
  change,
  outcome,
  strength: null,
  domain: record && provenDomain(record),
  steps: { provider: noStep(), server: noStep(), model_file: noStep() },
  checks,
  record,
  doubt: null,
})

/**
 * Reads a registry's answer about a link: a record or a problem document. Accepts any value. Every surface decides with this
 * function. The first matching row applies:
 *
 * | answer | result | outcome |
 * |---|---|---|
 * | neither a record nor a problem document | `unknown` | `could_not_check` |
 * | from a registry other than `issuer` | `unknown` | `could_not_check` |
 * | about a link other than `link` | `unknown` | `could_not_check` |
 * | an error `link_…` whose result is not `verified` or `unknown` | `not_verified` | by its code |
 * | any other problem document | `unknown` | `could_not_check` |
 * | a record without live state | `unknown` | `could_not_check` |
 * | `status`, `result`, `reason` and `change` disagree | `unknown` | `could_not_check` |
 * | a record of a link that has ended | `not_verified` | by its reason |
 * | past its `expires_at`, or `at` is not a time | `not_verified` | `expired` |
 * | a check failed (other than `domain`, where the status is `provider_unverified`) | `not_verified` | `check_failed` |
 * | a check that every verified link passes is missing | `unknown` | `could_not_check` |
 * | an impossible check passed, or a bundle check without a proven domain, a verified bundle, a digest or the provider's own signer | `unknown` | `could_not_check` |
 * | an impossible time or lifetime, a withdrawn model, an invalid bundle, a deployment that is not enabled | `unknown` | `could_not_check` |
 * | domain, its proof, deployment, bound answer or `strength` contradict each other | `unknown` | `could_not_check` |
 * | status `provider_unverified` | `not_verified` | `provider_unverified` |
 * | verified, by `strength` | `verified` | `verified` or `provider_only` |
 *
 * Only for live answers. For tokens offline, use `createVerifier`.
 *
 * @returns The {@link Verdict}.
 * @example
 * ```ts
 * const answer = await (await fetch('https://registry.example/api/v1/verify/W904-2CKW-GDNC-X7S1')).json()
 * const { outcome, domain } = readVerdict(answer, { issuer: 'https://registry.example', at: Date.now() })
 * ```
 */
export const readVerdict = (answer: unknown, { issuer, at, link }: ReadVerdictOptions): Verdict => {
  if (!isObject(answer)) return unknown('no_answer')
  const isOther = (address: unknown) => (originOf(address) ?? '') !== originOf(issuer)
  const isOtherLink = ({ link_code, verification_id }: VerificationResult) =>
    ![link_code, verification_id, undefined].includes(link)
  if (isText(answer.code))
    return answer.issuer !== undefined && isOther(answer.issuer)
      ? unknown('other_registry')
      : readRefusal(answer, (record) => isOther(record.issuer) || isOtherLink(record))
  if (!isRecord(answer)) return unknown('unreadable')
  if (isOther(answer.issuer)) return unknown('other_registry')
  return isOtherLink(answer) ? unknown('other_link') : readRecord(answer, at)
}

/** Other outcomes have the name of their error. */
const otherNames: Readonly<Record<string, Outcome>> = { unknown: 'not_found', suspended: 'revoked' }

const readRefusal = (answer: Fields, isOther: (record: VerificationResult) => boolean): Verdict => {
  const { code, result = 'not_verified', change, verification } = answer
  const [link, name = ''] = String(code).split('_')
  if (result !== 'not_verified' || link !== 'link') return unknown('no_answer')
  const reasons = Object.hasOwn(refusals, name) ? refusals[name] : undefined
  const outcome = reasons === undefined ? 'refused' : (otherNames[name] ?? (name as Outcome))
  const record = isEnd(outcome) && isRecord(verification) && !isOther(verification) ? verification : null
  const checks = Array.isArray(answer.checks) ? answer.checks.filter(isCheck) : []
  return notVerified(
    outcome,
    reasons?.find((reason) => reason === answer.reason) ?? reasons?.[0] ?? 'revoked',
    (isEnd(outcome) || outcome === 'gone') && isText(change) ? (change as Change) : null,
    record,
    // No check passes for an unknown link.
    record === null ? checks.map((check) => ({ ...check, passed: check.passed && null })) : checks,
  )
}

/** A link in a record or in its provider's list. */
export interface LinkSummary {
  /** The verdict. */
  result: Result
  /** What a verified link proves. */
  strength: Strength
  /** Why the link is not verified. */
  reason: Reason | null
  /** What ended the link. */
  change: Change | null
  /** When the link expires. */
  expires_at: string
}

/**
 * The outcome of a summary; `could_not_check` if it contradicts itself. `readVerdict` starts with it.
 *
 * @returns The {@link Outcome}.
 * @example
 * ```ts
 * const outcome = outcomeOf(verification, Date.now())
 * ```
 */
export const outcomeOf = ({ result, strength, reason, change, expires_at }: LinkSummary, at: number): Outcome => {
  const isVerified = result === 'verified' && (strength === 'deployment' || strength === 'provider') && reason === null
  const isRefused = result === 'not_verified' && strength === null
  if (isRefused && isEnd(reason)) return reason
  if (change !== null || !(isVerified || (isRefused && reason === 'provider_unverified'))) return 'could_not_check'
  // An unreadable time counts as expired.
  if (!(at < Date.parse(expires_at))) return 'expired'
  if (!isVerified) return 'provider_unverified'
  return strength === 'deployment' ? 'verified' : 'provider_only'
}

const readRecord = (record: KnownLink, at: number): Verdict => {
  const { status, result, strength, reason, change, checks, model, provider, deployment_info: deployment } = record
  const outcome = outcomeOf(record, at)
  const isVerified = result === 'verified'
  const isUnverifiedProvider = reason === 'provider_unverified'
  if (record.live_state !== 'checked') return unknown('not_live')
  if (
    outcome === 'could_not_check' ||
    status !== (isVerified ? result : isUnverifiedProvider ? reason : 'not_verified')
  )
    return unknown('contradiction')
  if (!isVerified && !isUnverifiedProvider) return notVerified(outcome, reason ?? 'revoked', change, record, checks)
  if (outcome === 'expired') {
    const over = checks.map((check) => (check.check === 'time' ? { ...check, passed: false } : check))
    return notVerified(outcome, outcome, outcome, record, over)
  }
  if (checks.some(({ check, passed }) => passed === false && !(check === 'domain' && isUnverifiedProvider)))
    return notVerified('check_failed', 'revoked', null, record, checks)

  const hasPassed = (name: string) => passes(checks, name)
  const isSigned = hasPassed('bundle')
  const method = provider.domain_verification_method
  const issued = Date.parse(record.timestamp)
  const lifetime = Date.parse(record.expires_at) - issued
  const domain = provenDomain(record)
  const proof = isProof(deployment?.binding) ? deployment.binding : null
  if (
    !'signature key time provider model'.split(' ').every(hasPassed) ||
    // Only the visitor can make these checks.
    'digest answer chat expectation'.split(' ').some(hasPassed) ||
    !(lifetime > 0 && lifetime <= tokenLifetimeSeconds * 1_000) ||
    issued > at + 5_000 ||
    !record.bound_to_response !== !record.bound_answer ||
    model.archived_at ||
    model.bundle_status === 'invalid' ||
    (isSigned &&
      !(
        domain &&
        model.bundle_status === 'verified' &&
        model.model_digest &&
        model.bundle_verification_details?.signer_tied !== false
      )) ||
    deployment?.deployment_id !== (record.deployment_id ?? undefined) ||
    (deployment && deployment.status !== 'enabled') ||
    hasPassed('deployment') !== (proof !== null) ||
    (isVerified && (strength === 'deployment') !== (proof !== null)) ||
    isVerified !== Boolean(domain) ||
    (isVerified && provider.domain_status !== 'proven') ||
    (domain && !(method === 'dns' || method === 'file'))
  )
    return unknown('contradiction')

  const steps: Steps = {
    provider: domain
      ? step('proven', `domain_${method ?? 'dns'}`, provider.domain_checked_at)
      : provider.domain_status === 'stale'
        ? step('stated', 'domain_stale', provider.domain_checked_at)
        : step('missing', 'domain_claimed'),
    server: proof
      ? domain
        ? step('proven', `server_${proof}`)
        : step('stated', 'server_of_unknown')
      : deployment
        ? step('stated', 'server_named')
        : step('missing', 'server_none'),
    model_file: isSigned
      ? step('proven', 'file_signed', model.bundle_last_checked)
      : model.bundle_status === 'unknown' && model.bundle_verification_details?.signer_tied === false
        ? step('stated', 'file_signed_by_other')
        : model.model_digest
          ? step('stated', 'file_digest')
          : step('missing', 'file_none'),
  }
  return { ...notVerified(outcome, 'provider_unverified', null, record, checks), result, reason, strength, steps }
}
