import type { BundleStatus } from '../contract/bundles.ts'
import type { Binding } from '../contract/deployments.ts'
import type { Claims, Result, VerificationResult } from '../contract/verifications.ts'
import { refuseUnknown } from './refuse-unknown.ts'
import { readVerdict } from './verdict.ts'

/** How a deployment can be proven; a self-asserted one is not. */
export type DeploymentProof = Exclude<Binding, 'self-asserted'>

/**
 * What must hold of a verified link or token. Texts are compared exactly. A list allows what it names: an empty one allows
 * nothing, and what is not known is not in any list.
 */
export interface PolicyConfig {
  /** Domains of providers, such as `acme.example`; only a proven domain counts. */
  providers?: readonly string[]
  /** Ids of versions (`mdl_…`), or a proven domain and an identifier: `acme.example/tiny` is every version of it. */
  models?: readonly string[]
  /** `sha256:` and 64 hex. */
  digests?: readonly string[]
  deploymentProofs?: readonly DeploymentProof[]
  /** Known to the registry only: no offline verdict meets it. */
  bundleStatuses?: readonly BundleStatus[]
  /** Since the link was issued. */
  maxAgeSeconds?: number
  /** `checked`: only the registry's own answer counts, because nobody else knows what happened since minting. */
  liveState?: 'checked'
  /** Also where nobody has checked who the provider is. */
  allowUnverifiedProvider?: boolean
  /** Milliseconds since 1970; `Date.now` by default. */
  now?: () => number
}

export type PolicyRule = 'result' | Exclude<keyof PolicyConfig, 'now'>

/** A rule that is not met. `found` is null where nothing was proven. */
export interface Violation {
  rule: PolicyRule
  expected: readonly string[] | string | number
  found: string | number | null
  /** For people. */
  message: string
}

export interface PolicyDecision {
  allowed: boolean
  violations: Violation[]
}

/** What `verifier.verify` or `client.verifications.check` answered. */
export type JudgedVerdict =
  | { result: 'verified'; live_state: 'not_checked'; claims: Claims }
  | { result: 'verified'; live_state: 'checked' | 'not_checked'; verification: VerificationResult }
  | { result: Exclude<Result, 'verified'>; reason: string }

/** What a verdict proves. */
interface Facts {
  domain: string | null
  models: string[]
  digest: string | null
  binding: Binding | null
  bundleStatus: BundleStatus | null
  issuedAt: number
  liveState: 'checked' | 'not_checked'
}

/* ---- reading a policy ---- */

const texts = (name: string, allowed?: readonly string[] | RegExp) => (value: unknown) => {
  const isFit = (text: unknown) =>
    typeof text === 'string' && (allowed === undefined || (allowed instanceof RegExp ? allowed.test(text) : allowed.includes(text)))
  if (!Array.isArray(value) || !value.every(isFit))
    throw new TypeError(`${name} must be a list of ${allowed instanceof RegExp ? allowed.source : (allowed?.join(', ') ?? 'texts')}`)
}

const one = (name: string, words: string, isFit: (value: unknown) => boolean) => (value: unknown) => {
  if (!isFit(value)) throw new TypeError(`${name} must be ${words}`)
}

const checks: Record<keyof PolicyConfig, (value: unknown) => void> = {
  providers: texts('providers'),
  models: texts('models'),
  digests: texts('digests', /^sha256:[0-9a-f]{64}$/),
  deploymentProofs: texts('deploymentProofs', ['mtls', 'proxy'] satisfies DeploymentProof[]),
  bundleStatuses: texts('bundleStatuses', ['unknown', 'verified', 'invalid', 'error'] satisfies BundleStatus[]),
  maxAgeSeconds: one('maxAgeSeconds', 'a number from 0', (value) => typeof value === 'number' && value >= 0 && value < Infinity),
  liveState: one('liveState', '"checked"', (value) => value === 'checked'),
  allowUnverifiedProvider: one('allowUnverifiedProvider', 'true or false', (value) => typeof value === 'boolean'),
  now: one('now', 'a function', (value) => typeof value === 'function'),
}

/** A rule that is named and has no value would always be met, so it is refused too. */
const checkConfig = (config: PolicyConfig) => {
  refuseUnknown('rule', config, checks)
  for (const [name, value] of Object.entries(config)) checks[name as keyof PolicyConfig](value)
}

/* ---- judging ---- */

/**
 * Makes a decision about verdicts: allowed only where the verdict is `verified` and every rule holds. Nothing is
 * asked of anybody. Throws TypeError for a policy with an unknown rule or a value that can never be met.
 */
export const policy = (config: PolicyConfig): ((verdict: JudgedVerdict) => PolicyDecision) => {
  checkConfig(config)
  const { now = Date.now, ...rules } = copyOf(config)
  return (verdict) => {
    const at = now()
    const facts = factsOf(verdict, at)
    const violations = facts === undefined ? [notVerified(verdict)] : violationsOf(rules, facts, at)
    return { allowed: violations.length === 0, violations }
  }
}

/** So that a list that changes later does not change the policy. */
const copyOf = (config: PolicyConfig): PolicyConfig =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]))

/** What a verdict proves; nothing where it is not verified. Its answer is read again: it may contradict itself, and its time may be over. */
const factsOf = (verdict: JudgedVerdict, now: number): Facts | undefined => {
  if (verdict.result !== 'verified') return undefined
  if (!('verification' in verdict)) return factsOfClaims(verdict.claims, null, 'not_checked')
  const { verification } = verdict
  if (!verification) return undefined
  // The clock of this machine may be behind the registry's.
  const at = Math.max(now, Date.parse(verification.checked_at))
  const { record, outcome, domain } = readVerdict(verification, { issuer: verification.issuer, at })
  const isGood = outcome === 'verified' || outcome === 'provider_only' || outcome === 'provider_unverified'
  if (!isGood || !record?.model) return undefined
  const { model, deployment_info, timestamp } = record
  const claims = {
    provider_domain: domain,
    model_id: model.id,
    model_identifier: model.api_model_identifier,
    model_digest: model.model_digest,
    deployment_binding: deployment_info?.binding,
    iat: Date.parse(timestamp) / 1_000,
  }
  return factsOfClaims(claims, model.bundle_status, verdict.live_state)
}

type Proven = { [Name in 'provider_domain' | 'model_digest' | 'deployment_binding']?: Claims[Name] | null } & Pick<
  Claims,
  'model_id' | 'model_identifier' | 'iat'
>

const factsOfClaims = (claims: Proven, bundleStatus: BundleStatus | null, liveState: Facts['liveState']): Facts => {
  const { provider_domain: domain = null, model_id: id } = claims
  return {
    domain,
    models: domain === null ? [id] : [id, `${domain}/${claims.model_identifier}`],
    digest: claims.model_digest ?? null,
    binding: claims.deployment_binding ?? null,
    bundleStatus,
    issuedAt: claims.iat * 1_000,
    liveState,
  }
}

const notVerified = (verdict: JudgedVerdict): Violation => {
  // A verdict that says verified and is refused all the same contradicts itself, or its time is over.
  const { result: found, reason } = 'reason' in verdict ? verdict : { result: 'unknown', reason: 'no longer verified' }
  return { rule: 'result', expected: 'verified', found, message: `The link is not verified: ${reason}` }
}

const violationsOf = (rules: Omit<PolicyConfig, 'now'>, facts: Facts, now: number): Violation[] => {
  const found: Violation[] = []
  const listed = (rule: PolicyRule, allowed: readonly string[] | undefined, ...names: (string | null)[]) => {
    if (allowed === undefined || names.some((name) => name !== null && allowed.includes(name))) return
    const [name = null] = names.slice(-1)
    const message = `${rule} does not allow ${name ?? 'what is unknown'}`
    found.push({ rule, expected: allowed, found: name, message })
  }
  if (facts.domain === null && rules.allowUnverifiedProvider !== true) {
    const message = 'Nobody has checked who the provider is'
    found.push({ rule: 'allowUnverifiedProvider', expected: 'a proven domain', found: null, message })
  }
  listed('providers', rules.providers, facts.domain)
  listed('models', rules.models, ...facts.models)
  listed('digests', rules.digests, facts.digest)
  listed('deploymentProofs', rules.deploymentProofs, facts.binding)
  listed('bundleStatuses', rules.bundleStatuses, facts.bundleStatus)
  if (rules.liveState !== undefined && facts.liveState !== rules.liveState) {
    const message = 'Live state was not checked'
    found.push({ rule: 'liveState', expected: rules.liveState, found: facts.liveState, message })
  }
  if (rules.maxAgeSeconds !== undefined) {
    const age = (now - facts.issuedAt) / 1_000
    const message = `Issued ${Math.ceil(age)} seconds ago`
    if (!(age <= rules.maxAgeSeconds)) found.push({ rule: 'maxAgeSeconds', expected: rules.maxAgeSeconds, found: age, message })
  }
  return found
}
