import { type Change, changes, type LinkErrorCode, linkErrorOf, type Reason, type VerificationResult } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { link } from '#messages/link.ts'
import type { Instant } from '../../data/instant.ts'
import type { LinkAnswer } from '../../data/verifications.ts'
import { quoted } from '../../ui/quoted.ts'
import { type LinkState, linkStates } from './link-state.ts'
import { readVerdict } from './verdict.ts'
import { askedBy, failureSentences, headline, toneOf, trustOf } from './wording.ts'

const issuedAt = Date.parse('2026-11-20T10:00:00.000Z')
const checkedAt = issuedAt + 60_000
const expiresAt = issuedAt + 900_000
const asked: Instant = { wallMs: 5_000_000, steadyMs: 1_000 }
const at = (elapsedMs: number): Instant => ({ wallMs: asked.wallMs + elapsedMs, steadyMs: asked.steadyMs + elapsedMs })
const iso = (ms: number) => new Date(ms).toISOString()

const trust = {
  trust_level: 'standard',
  trust_score: 30,
  trust_factors: {
    email_verified: true,
    domain_verified: true,
    complete_profile: false,
    compliance_certified: false,
    actively_used: false,
    experienced_provider: false,
  },
} as const

const good: VerificationResult = {
  issuer: 'https://registry.example',
  status: 'verified',
  result: 'verified',
  strength: 'provider',
  reason: null,
  change: null,
  checks: [
    { check: 'signature', passed: true, detail: '', checked_at: iso(checkedAt) },
    { check: 'time', passed: true, detail: '', checked_at: iso(checkedAt) },
    { check: 'domain', passed: true, detail: '', checked_at: iso(checkedAt) },
    { check: 'deployment', passed: true, detail: '', checked_at: iso(checkedAt) },
    { check: 'bundle', passed: null, detail: '', checked_at: null },
  ],
  live_state: 'checked',
  verification_id: 'vrf_06dh0e3x7c9bw4vjz2n8qk5ytm',
  model: {
    id: 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm',
    name: 'Atlas Chat',
    version: '2.1.0',
    version_number: 1,
    type: 'language',
    api_model_identifier: 'atlas-chat',
    model_digest: null,
    sigstore_bundle_url: null,
    bundle_status: 'unknown',
    bundle_last_checked: null,
    bundle_verification_details: null,
    bundle_signer: null,
    is_public: true,
    is_latest: true,
    superseded_at: null,
    archived_at: null,
  },
  provider: {
    id: 'prv_06dh0e3x7c9bw4vjz2n8qk5ytm',
    name: 'Northwind AI',
    website: 'https://northwind.example',
    domain: 'northwind.example',
    domain_verified: true,
    domain_verified_at: iso(issuedAt),
    domain_verification_method: 'dns',
    domain_status: 'proven',
    domain_checked_at: iso(issuedAt),
    ...trust,
  },
  trust_level: 'standard',
  timestamp: iso(issuedAt),
  expires_at: iso(expiresAt),
  checked_at: iso(checkedAt),
  deployment_id: null,
  deployment_info: null,
  later_changes: [],
  challenge: null,
  origin: null,
  bound_to_response: false,
  bound_answer: null,
}

const deployment = {
  deployment_id: 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm',
  spki_fingerprint: '0'.repeat(64),
  spiffe_id: null,
  cloud_identity: null,
  status: 'enabled',
} as const

const provider = (over: Partial<NonNullable<VerificationResult['provider']>>) => good.provider && { ...good.provider, ...over }
const withCheck = (name: string, passed: boolean | null) =>
  good.checks.map((check) => (check.check === name ? { ...check, passed } : check))
const record = (over: Partial<VerificationResult> = {}): LinkAnswer => ({ kind: 'record', record: { ...good, ...over }, askedAt: asked })
const refusal = (code: LinkErrorCode, reason: Reason | null, change: Change | null = null): LinkAnswer => ({
  kind: 'refusal',
  refusal: { code, reason, change, checks: [], verification: null },
})

describe('the state of a link that the registry knows', () => {
  it.each<{ name: string; over: Partial<VerificationResult>; state: LinkState }>([
    { name: 'verified, domain proven', over: {}, state: 'verified' },
    {
      name: 'provider never proved a domain',
      over: {
        status: 'provider_unverified',
        result: 'not_verified',
        reason: 'provider_unverified',
        provider: provider({ domain_verified: false }),
        checks: withCheck('domain', false),
      },
      state: 'unknown-provider',
    },
    {
      name: 'domain proven only after minting',
      over: { status: 'provider_unverified', result: 'not_verified', reason: 'provider_unverified', checks: withCheck('domain', false) },
      state: 'unknown-provider',
    },
    {
      name: 'status says unverified, all else good',
      over: { status: 'provider_unverified', result: 'not_verified' },
      state: 'unknown-provider',
    },
    { name: 'says verified, domain is not', over: { provider: provider({ domain_verified: false }) }, state: 'unknown-provider' },
    { name: 'says verified, without a domain', over: { provider: provider({ domain: null }) }, state: 'unknown-provider' },
    { name: 'says verified, domain check failed', over: { checks: withCheck('domain', false) }, state: 'unknown-provider' },
    { name: 'says verified, domain not checked', over: { checks: withCheck('domain', null) }, state: 'unknown-provider' },
    { name: 'says verified without any check', over: { checks: [] }, state: 'unknown-provider' },
    { name: 'the bundle is invalid', over: { checks: withCheck('bundle', false) }, state: 'check-failed' },
    { name: 'the signature check failed', over: { checks: withCheck('signature', false) }, state: 'check-failed' },
    { name: 'live state was not looked at', over: { live_state: 'not_checked' }, state: 'could-not-check' },
    { name: 'result unknown', over: { result: 'unknown' }, state: 'could-not-check' },
    { name: 'result not verified, status verified', over: { result: 'not_verified' }, state: 'could-not-check' },
    { name: 'not verified in a good answer', over: { status: 'not_verified', result: 'not_verified' }, state: 'could-not-check' },
    { name: 'no model', over: { model: null }, state: 'could-not-check' },
    { name: 'no provider', over: { provider: null }, state: 'could-not-check' },
    { name: 'over when it was checked', over: { checked_at: iso(expiresAt) }, state: 'expired' },
    { name: 'an end that cannot be read', over: { expires_at: 'soon' }, state: 'expired' },
    { name: 'a time of checking that cannot be read', over: { checked_at: 'now' }, state: 'expired' },
  ])('$name: $state', ({ over, state }) => {
    expect(readVerdict(record(over), at(0)).state).toBe(state)
  })
})

describe('the clock', () => {
  const leftMs = expiresAt - checkedAt

  it.each([
    { name: 'a millisecond before the end', now: at(leftMs - 1), state: 'verified' },
    { name: 'at the end', now: at(leftMs), state: 'expired' },
    { name: 'the wall clock was set back', now: { wallMs: 0, steadyMs: asked.steadyMs + leftMs }, state: 'expired' },
    { name: 'the computer slept', now: { wallMs: asked.wallMs + leftMs, steadyMs: asked.steadyMs }, state: 'expired' },
  ])('$name: $state', ({ now, state }) => {
    expect(readVerdict(record(), now).state).toBe(state)
  })

  it('turns the check of the time when it runs out, and tells it first', () => {
    const { checks } = readVerdict(record(), at(leftMs))
    expect(checks[0]).toMatchObject({ check: 'time', passed: false })
  })
})

describe('the state of a refused link', () => {
  const expected: Record<keyof typeof linkErrorOf, LinkState> = {
    expired: 'expired',
    bad_signature: 'forged',
    unknown_key: 'forged',
    revoked: 'revoked',
    claim_mismatch: 'forged',
    archived: 'archived',
    foreign_registry: 'foreign',
    malformed: 'malformed',
    mistyped: 'mistyped',
    not_found: 'not-found',
    keys_unavailable: 'could-not-check',
  }

  const reasons = Object.keys(expected) as (keyof typeof linkErrorOf)[]

  it.each(reasons.map((reason) => ({ reason, state: expected[reason] })))('$reason: $state', ({ reason, state }) => {
    expect(readVerdict(refusal(linkErrorOf[reason], reason), at(0)).state).toBe(state)
  })

  it('is gone when the model or provider is', () => {
    expect(readVerdict(refusal('link_gone', 'revoked', 'model_deleted'), at(0)).state).toBe('gone')
  })

  it('is a failure where this page does not know the code yet', () => {
    const verdict = readVerdict(refusal('link_of_the_future' as LinkErrorCode, null), at(0))
    expect(verdict.state).toBe('failed')
    expect(headline(verdict)).toMatch(/^Verification Failed\./)
  })

  it('is open when there was no answer', () => {
    expect(readVerdict(undefined, at(0)).state).toBe('could-not-check')
  })

  it('is never good, whatever the record in it says', () => {
    const refused: LinkAnswer = {
      kind: 'refusal',
      refusal: { code: 'link_revoked', reason: 'revoked', change: null, checks: good.checks, verification: good },
    }
    expect(readVerdict(refused, at(0)).state).toBe('revoked')
  })
})

describe('the checks', () => {
  it('are told failed first and not checked last', () => {
    const { checks } = readVerdict(record({ checks: withCheck('deployment', false) }), at(0))
    expect(checks.map(({ passed }) => passed)).toEqual([false, true, true, true, null])
  })

  it('never count a deployment that was only named', () => {
    const deployment_info = { ...deployment, binding: 'self-asserted' } as const
    const { checks } = readVerdict(record({ deployment_info }), at(0))
    expect(checks.find(({ check }) => check === 'deployment')?.passed).toBeNull()
  })
})

describe('the words', () => {
  it.each(linkStates.map((state) => ({ state })))('$state has a headline, and only verified is green', ({ state }) => {
    const verdict = { state, reason: null, change: null, checks: good.checks, record: good }
    expect(headline(verdict)).toMatch(/\w/)
    expect(toneOf[state] === 'ok').toBe(state === 'verified')
    expect(/verified ai model|cryptographically/i.test(headline(verdict))).toBe(false)
  })

  it('names the domain of a verified link first, and quotes the name of the model', () => {
    expect(headline(readVerdict(record(), at(0)))).toBe('northwind.example issued this link for “Atlas Chat 2.1.0”.')
  })

  it('lets no name end its quotation and go on as our sentence', () => {
    for (const name of ['X”. openai.example issued this link for “Y', 'X". Y', '„X‟ «Y» ＂Z'])
      expect(quoted(name)).toMatch(/^“[^"“”„‟«»＂]*”$/)
  })

  it.each([
    { name: 'no deployment', binding: null, isProven: false },
    { name: 'one that was only named', binding: 'self-asserted', isProven: false },
    { name: 'one that showed its certificate', binding: 'mtls', isProven: true },
    { name: 'one behind a trusted proxy', binding: 'proxy', isProven: true },
  ] as const)('say whether a deployment proved itself: $name', ({ binding, isProven }) => {
    const asking = { ...good, deployment_info: binding && { ...deployment, binding } }
    const { proven, provenByUnknown, unproven } = link.asked
    expect(askedBy(asking, true)).toBe(isProven ? proven : unproven)
    expect(askedBy(asking, false)).toBe(isProven ? provenByUnknown : unproven)
  })

  it.each([
    { level: 'unverified', email: false, domain: true, told: 'Not rated yet: 20 of 100 (the e-mail address is not verified)' },
    { level: 'unverified', email: true, domain: false, told: 'Not rated yet: 20 of 100 (the domain is not verified)' },
    { level: 'standard', email: true, domain: true, told: 'Standard: 20 of 100' },
  ] as const)('say of $level trust what is missing: $told', ({ level, email, domain, told }) => {
    const trust_factors = { ...trust.trust_factors, email_verified: email, domain_verified: domain }
    const rated = provider({ trust_level: level, trust_score: 20, trust_factors })
    expect(rated && trustOf(rated)).toBe(told)
  })

  it.each(changes.filter((change) => change !== 'expired').map((change) => ({ change })))('$change is told', ({ change }) => {
    const told = failureSentences({ state: 'revoked', reason: 'revoked', change, checks: [], record: null })
    expect(told).toHaveLength(2)
  })

  it('leaves out a change that this page does not know yet', () => {
    const told = failureSentences({ state: 'revoked', reason: 'revoked', change: 'of_the_future' as Change, checks: [], record: null })
    expect(told).toEqual(['This link is no longer valid.'])
  })

  it('says when an expired link was valid', () => {
    const told = failureSentences({ state: 'expired', reason: 'expired', change: 'expired', checks: [], record: good })
    expect(told).toContain('It was valid from 20 Nov 2026, 10:00 UTC to 20 Nov 2026, 10:15 UTC.')
  })
})
