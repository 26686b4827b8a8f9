import type { BundleStatus } from '../contract/bundles.ts'
import type { Binding } from '../contract/deployments.ts'
import type { Claims, Result, VerificationResult } from '../contract/verifications.ts'
import { provenDomain } from './proven-domain.ts'
import { refuseUnknown } from './refuse-unknown.ts'

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

/** As a record, so that none can be forgotten. */
const namesOf = <Name extends string>(names: Record<Name, true>): readonly string[] => Object.keys(names)

const one = (name: string, words: string, isFit: (value: unknown) => boolean) => (value: unknown) => {
  if (!isFit(value)) throw new TypeError(`${name} must be ${words}`)
}

const checks: Record<keyof PolicyConfig, (value: unknown) => void> = {
  providers: texts('providers'),
  models: texts('models'),
  digests: texts('digests', /^sha256:[0-9a-f]{64}$/),
  deploymentProofs: texts('deploymentProofs', namesOf<DeploymentProof>({ mtls: true, proxy: true })),
  bundleStatuses: texts('bundleStatuses', namesOf<BundleStatus>({ unknown: true, verified: true, invalid: true, error: true })),
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
    const facts = factsOf(verdict)
    const violations = facts === undefined ? [notVerified(verdict)] : violationsOf(rules, facts, now())
    return { allowed: violations.length === 0, violations }
  }
}

/** So that a list that changes later does not change the policy. */
const copyOf = (config: PolicyConfig): PolicyConfig =>
  Object.fromEntries(Object.entries(config).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]))

const factsOf = (verdict: JudgedVerdict): Facts | undefined => {
  if (verdict.result !== 'verified') return undefined
  if ('verification' in verdict) return onlineFacts(verdict.verification, verdict.live_state)
  return offlineFacts(verdict.claims)
}

const offlineFacts = (claims: Claims): Facts => {
  const domain = claims.provider_domain ?? null
  return {
    domain,
    models: modelNames(claims.model_id, domain, claims.model_identifier),
    digest: claims.model_digest ?? null,
    binding: claims.deployment_binding ?? null,
    bundleStatus: null,
    issuedAt: claims.iat * 1_000,
    liveState: 'not_checked',
  }
}

const onlineFacts = (verification: VerificationResult, liveState: Facts['liveState']): Facts => {
  const { model, deployment_info } = verification
  const domain = provenDomain(verification)
  return {
    domain,
    models: model === null ? [] : modelNames(model.id, domain, model.api_model_identifier),
    digest: model?.model_digest ?? null,
    binding: deployment_info?.binding ?? null,
    bundleStatus: model?.bundle_status ?? null,
    issuedAt: Date.parse(verification.timestamp),
    liveState,
  }
}

const modelNames = (id: string, domain: string | null, identifier: string) => (domain === null ? [id] : [id, `${domain}/${identifier}`])

const notVerified = (verdict: JudgedVerdict): Violation => {
  const why = 'reason' in verdict ? `: ${verdict.reason}` : ''
  return { rule: 'result', expected: 'verified', found: verdict.result, message: `The link is not verified${why}` }
}

const violationsOf = (rules: Omit<PolicyConfig, 'now'>, facts: Facts, now: number): Violation[] => {
  const found: Violation[] = []
  const listed = (rule: PolicyRule, allowed: readonly string[] | undefined, names: readonly (string | null)[], what: string) => {
    if (allowed === undefined || names.some((name) => name !== null && allowed.includes(name))) return
    const [name = null] = names.slice(-1)
    const message = name === null ? `${what} is not known` : `${what} is ${name}, which is not allowed`
    found.push({ rule, expected: allowed, found: name, message })
  }
  if (facts.domain === null && rules.allowUnverifiedProvider !== true) {
    const message = 'Nobody has checked who the provider is'
    found.push({ rule: 'allowUnverifiedProvider', expected: 'a proven domain', found: null, message })
  }
  listed('providers', rules.providers, [facts.domain], 'The provider')
  listed('models', rules.models, facts.models, 'The model')
  listed('digests', rules.digests, [facts.digest], 'The digest')
  listed('deploymentProofs', rules.deploymentProofs, [facts.binding], 'The proof of the deployment')
  listed('bundleStatuses', rules.bundleStatuses, [facts.bundleStatus], 'The status of the bundle')
  if (rules.liveState !== undefined && facts.liveState !== rules.liveState) {
    const message = 'What happened since the link was issued was not checked'
    found.push({ rule: 'liveState', expected: rules.liveState, found: facts.liveState, message })
  }
  if (rules.maxAgeSeconds !== undefined) {
    const age = (now - facts.issuedAt) / 1_000
    const message = `Issued ${Math.ceil(age)} seconds ago, and ${rules.maxAgeSeconds} are allowed`
    if (!(age <= rules.maxAgeSeconds)) found.push({ rule: 'maxAgeSeconds', expected: rules.maxAgeSeconds, found: age, message })
  }
  return found
}
