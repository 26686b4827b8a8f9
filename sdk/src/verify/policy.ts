import type { BundleStatus } from '../contract/bundles.ts'
import type { DeploymentProof } from '../contract/deployments.ts'
import type { Check, Claims, Result, VerificationResult } from '../contract/verifications.ts'
import type { LogCheck } from './log-check.ts'
import { passes } from './proven-domain.ts'
import { must, refuseUnknown } from './refuse-unknown.ts'
import { isText, matches, originOf } from './values.ts'
import { readVerdict } from './verdict.ts'
import { whyNot } from './why-not.ts'

/**
 * Rules for verified links and tokens. Texts are compared exactly. A list allows only its entries, so an empty list allows nothing;
 * an unknown value is never allowed.
 */
export interface PolicyConfig {
  /** The public address of your registry. Answers and tokens of others are rejected. */
  issuer?: string
  /** Domains of providers, such as `acme.example`; only a proven domain counts. */
  providers?: readonly string[]
  /** IDs of versions (`mdl_…`), or a proven domain and an identifier: `acme.example/tiny` allows all its versions. */
  models?: readonly string[]
  /** Digests that the provider states: `sha256:` and 64 hex characters. They count only if it has proven its domain. */
  digests?: readonly string[]
  /** Accepted proofs of the server: `mtls`, `proxy`, `signed`, `workload`. They count only if the provider has proven its domain. */
  deploymentProofs?: readonly DeploymentProof[]
  /** Only the registry knows it, so no offline verdict meets this rule. */
  bundleStatuses?: readonly BundleStatus[]
  /** Maximum age of the link. */
  maxAgeSeconds?: number
  /** `checked`: require an answer of the registry, which alone knows what happened since minting. */
  liveState?: 'checked'
  /** Require that `pinLog` found every fact in a transparency log. What the registry says of its log does not count. */
  logged?: true
  /** Accept a provider without a proven domain. */
  allowUnverifiedProvider?: boolean
  /** Milliseconds since 1970; `Date.now` by default. */
  now?: () => number
}

/** The name of a rule; `result` means that the verdict is not `verified`. */
export type PolicyRule = 'result' | Exclude<keyof PolicyConfig, 'now'>

/** A rule that is not met. `found` is null if nothing was proven. */
export interface Violation {
  /** The rule that is not met. */
  rule: PolicyRule
  /** What the policy asks for. */
  expected: readonly string[] | string | number
  /** What was proven; null if nothing was. */
  found: string | number | null
  /** For people. */
  message: string
}

/** What a policy decides on a verdict. */
export interface PolicyDecision {
  /** Whether the verdict is `verified` and meets every rule. */
  allowed: boolean
  /** The rules that are not met. */
  violations: Violation[]
}

/** The result of `verifier.verify` or `client.verifications.check`; the latter with a `log` that `checkLink` found. */
export type JudgedVerdict = { log?: LogCheck } & (
  | { result: 'verified'; live_state: 'not_checked'; claims: Claims }
  | { result: 'verified'; live_state: 'checked' | 'not_checked'; verification: VerificationResult }
  | { result: Exclude<Result, 'verified'>; reason: string; checks?: readonly Check[]; cause?: unknown }
)

/** What a verdict proves, by rule; null if nothing is proven. */
interface Facts extends Record<ListRule, (string | null | undefined | false)[]> {
  /** In milliseconds. */
  age: number
}

/** The rules with lists, and the noun of each in messages. */
const nouns = {
  issuer: 'registry',
  providers: 'provider',
  models: 'model',
  digests: 'digest',
  deploymentProofs: 'deployment proof',
  bundleStatuses: 'bundle status',
  liveState: 'live state',
  logged: 'log state',
} as const
type ListRule = keyof typeof nouns
const listRules = Object.keys(nouns) as ListRule[]

/* ---- reading a policy ---- */

/** Whether a value is valid, and what is. */
type Form = [fits: (value: unknown) => unknown, what: string]

const listOf = (what: string, form = RegExp(`^(${what})$`)): Form => [
  (value) => Array.isArray(value) && value.every(matches(form)),
  `a list of ${what}`,
]
const only = (what: string | true): Form => [(value) => value === what, `${what}`]
const ofType = (what: string): Form => [(value) => typeof value === what, `a ${what}`]

const forms: Record<keyof PolicyConfig, Form> = {
  issuer: [(value) => isText(value) && /^http/.test(String(originOf(value))), 'an address'],
  providers: listOf('domains', /^[^:/]*$/),
  models: listOf('models', /^/),
  digests: listOf('sha256:[0-9a-f]{64}'),
  deploymentProofs: listOf('mtls|proxy|signed|workload'),
  bundleStatuses: listOf('unknown|verified|invalid|error'),
  maxAgeSeconds: [(value) => (value as number) >= 0 && Number.isFinite(value), 'from 0'],
  liveState: only('checked'),
  logged: only(true),
  allowUnverifiedProvider: ofType('boolean'),
  now: ofType('function'),
}

/**
 * Copies the policy, so that changing a list later has no effect. Rejects rules without a value, which would always be met.
 */
const readConfig = (config: PolicyConfig): PolicyConfig => {
  refuseUnknown('policy', 'rule', config, forms)
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(config)) {
    const [fits, what] = forms[name as keyof PolicyConfig]
    must(fits(value), 'policy', name, what)
    copy[name] = Array.isArray(value) ? [...value] : name === 'issuer' ? originOf(value) : value
  }
  return copy
}

/* ---- deciding ---- */

/**
 * Decides on verdicts: allowed only if the verdict is `verified` and meets every rule. Sends no requests.
 *
 * @returns A function that takes a verdict and returns a {@link PolicyDecision}.
 * @throws `TypeError` for an unknown rule or an invalid value, with what is valid.
 * @example
 * ```ts
 * const decide = policy({ providers: ['acme.example'], deploymentProofs: ['mtls', 'signed'], liveState: 'checked' })
 * const { allowed, violations } = decide(await client.verifications.check('W904-2CKW-GDNC-X7S1'))
 * if (!allowed) console.error(violations.map(({ message }) => message).join('\n'))
 * ```
 */
export const policy = (config: PolicyConfig): ((verdict: JudgedVerdict) => PolicyDecision) => {
  const { now = Date.now, ...rules } = readConfig(config)
  return (verdict) => {
    const at = now()
    const facts = factsOf(verdict, at)
    const violations = facts === undefined ? [notVerified(verdict)] : violationsOf(rules, facts)
    return { allowed: violations.length === 0, violations }
  }
}

/** The default clock tolerance of `createVerifier`. */
const clockToleranceMs = 5_000

/** What a verified verdict proves. Its answer is read again, because it may be contradictory or expired by now. */
const factsOf = (verdict: JudgedVerdict, now: number): Facts | undefined => {
  if (verdict.result !== 'verified') return undefined
  const shared = { liveState: [verdict.live_state], logged: [verdict.log?.state] }
  if (!('verification' in verdict)) {
    const { claims } = verdict
    if (!(now < claims.exp * 1_000 + clockToleranceMs)) return undefined
    return {
      ...namesOf(
        claims.iss,
        claims.provider_domain,
        claims.model_id,
        claims.model_identifier,
        claims.model_digest,
        claims.deployment_binding,
      ),
      age: now - claims.iat * 1_000,
      ...shared,
    }
  }
  const { verification } = verdict
  if (!verification) return undefined
  // This machine's clock may be behind the registry's.
  const at = Math.max(now, Date.parse(verification.checked_at))
  const { record, result, outcome, domain, checks } = readVerdict(verification, { issuer: verification.issuer, at })
  if (!(result === 'verified' || outcome === 'provider_unverified') || !record) return undefined
  const { model, deployment_info, timestamp } = record
  const isChecked = model.bundle_status !== 'verified' || passes(checks, 'bundle')
  return {
    ...namesOf(
      record.issuer,
      domain,
      model.id,
      model.api_model_identifier,
      model.model_digest,
      deployment_info?.binding,
      isChecked && model.bundle_status,
    ),
    age: at - Date.parse(timestamp),
    ...shared,
  }
}

/** What the provider states or approves needs its domain: identifier, digest, server and signature. */
const namesOf = (
  issuer: string,
  domain: string | null | undefined,
  id: string,
  identifier: string,
  digest: string | null | undefined,
  proof: string | null | undefined,
  bundle?: BundleStatus | false,
) => ({
  issuer: [originOf(issuer)],
  providers: [domain],
  models: domain ? [id, `${domain}/${identifier}`] : [id],
  digests: [domain && digest],
  deploymentProofs: [domain && proof],
  bundleStatuses: [domain && bundle],
})

const notVerified = (verdict: JudgedVerdict): Violation => {
  // A `verified` verdict that gets here is contradictory or expired.
  const given =
    'reason' in verdict && verdict.reason !== null ? verdict : { result: 'unknown', reason: 'expired or contradictory' }
  return {
    rule: 'result',
    expected: 'verified',
    found: given.result,
    message: `The link is not verified: ${whyNot(given)}`,
  }
}

const violationsOf = (rules: Omit<PolicyConfig, 'now'>, facts: Facts): Violation[] => {
  const violations: Violation[] = []
  const { maxAgeSeconds = Infinity, allowUnverifiedProvider } = rules
  const age = facts.age / 1_000
  if (!facts.providers[0] && !allowUnverifiedProvider)
    violations.push({
      rule: 'allowUnverifiedProvider',
      expected: 'a proven domain',
      found: null,
      message: 'The provider has no proven domain',
    })
  for (const rule of listRules) {
    const expected = rules[rule] === true ? 'logged' : rules[rule]
    const found = facts[rule].at(-1) || null
    const isMet = facts[rule].some((name) => name && [expected].flat().includes(name))
    if (expected && !isMet)
      violations.push({
        rule,
        expected,
        found,
        message: `The ${nouns[rule]} ${found ? `${found} is not allowed` : 'is not known'}`,
      })
  }
  // An unreadable time counts as too old.
  if (!(age <= maxAgeSeconds))
    violations.push({
      rule: 'maxAgeSeconds',
      expected: maxAgeSeconds,
      found: age,
      message: `The link was issued ${Math.ceil(age)} seconds ago`,
    })
  return violations
}
