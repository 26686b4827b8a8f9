import { type LinkErrorCode, linkErrorOf, type Reason, type VerificationResult } from '@countersign/sdk/contract'
import { vectors } from '@countersign/sdk/testing'
import { type LinkState, linkTones } from '@countersign/sdk/words'
import { describe, expect, it, vi } from 'vitest'
import { providerTrust } from '../details/provider-trust.ts'
import { headline } from './headline.ts'
import type { Instant } from './instant.ts'
import type { LinkAnswer } from './link-answer.ts'
import { readVerdict } from './verdict.ts'

vi.mock('../../../data/registry.ts', () => ({ issuer: 'https://registry.example' }))

const issuedAt = Date.parse('2026-11-20T10:00:00.000Z')
const checkedAt = issuedAt + 60_000
const expiresAt = issuedAt + 900_000
const requested: Instant = { wallMs: 5_000_000, steadyMs: 1_000 }
const at = (elapsedMs: number): Instant => ({
  wallMs: requested.wallMs + elapsedMs,
  steadyMs: requested.steadyMs + elapsedMs,
})
const iso = (ms: number) => new Date(ms).toISOString()

const trust = {
  trust_level: 'standard',
  trust_score: 30,
  trust_factors: {
    email_verified: true,
    domain_verified: true,
    similar_name_domain: null,
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
    ...(['signature', 'key', 'time', 'domain', 'provider', 'model'] as const).map((check) => ({
      check,
      passed: true,
      detail: '',
      checked_at: iso(checkedAt),
    })),
    { check: 'deployment', passed: null, detail: '', checked_at: null },
    { check: 'bundle', passed: null, detail: '', checked_at: null },
  ],
  log: { state: 'logged', size: 9, is_witnessed: false, facts: [] },
  live_state: 'checked',
  link_code: 'W904-2CKW-GDNC-X7S1',
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
    similar_name_domain: null,
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

const provider = (over: Partial<NonNullable<VerificationResult['provider']>>) =>
  good.provider && { ...good.provider, ...over }
const record = (over: Partial<VerificationResult> = {}): LinkAnswer => ({
  kind: 'record',
  record: { ...good, ...over },
  requestedAt: requested,
  token: good.link_code,
})
const refusal = (code: LinkErrorCode, reason: Reason | null): LinkAnswer => ({
  kind: 'refusal',
  refusal: { code, reason, change: null, checks: [], verification: null },
})

describe('the verdict of the page', () => {
  it.each(vectors.verdicts.cases)(
    'matches readVerdict: $name',
    ({ answer, elapsed_ms, expect: { outcome, result } }) => {
      // A response that is not an object never reaches the page: the client throws.
      const isObject = typeof answer === 'object' && answer !== null
      const given =
        isObject && 'code' in answer
          ? { kind: 'refusal', refusal: answer }
          : { kind: 'record', record: answer, requestedAt: requested, token: vectors.verdicts.link }
      const verdict = readVerdict(isObject ? (given as LinkAnswer) : undefined, at(elapsed_ms))
      expect(verdict).toMatchObject({ outcome, result })
      expect(linkTones[verdict.state] === 'ok').toBe(outcome === 'verified')
      expect(headline(verdict)).toMatch(/\w/)
    },
  )
})

describe('the clock', () => {
  const leftMs = expiresAt - checkedAt

  it.each([
    { name: 'a millisecond before the end', now: at(leftMs - 1), state: 'provider_only' },
    { name: 'at the end', now: at(leftMs), state: 'expired' },
    {
      name: 'the wall clock was set back',
      now: { wallMs: 0, steadyMs: requested.steadyMs + leftMs },
      state: 'expired',
    },
    {
      name: 'the computer slept',
      now: { wallMs: requested.wallMs + leftMs, steadyMs: requested.steadyMs },
      state: 'expired',
    },
  ])('$name: $state', ({ now, state }) => {
    expect(readVerdict(record(), now).state).toBe(state)
  })

  it('fails the time check once expired', () => {
    const { checks } = readVerdict(record(), at(leftMs))
    expect(checks.find(({ check }) => check === 'time')?.passed).toBe(false)
  })
})

describe('the state of an answer', () => {
  const expected: Record<keyof typeof linkErrorOf, LinkState> = {
    expired: 'expired',
    bad_signature: 'forged',
    unknown_key: 'forged',
    revoked: 'revoked',
    claim_mismatch: 'forged',
    archived: 'archived',
    suspended: 'revoked',
    foreign_registry: 'foreign',
    malformed: 'malformed',
    mistyped: 'mistyped',
    not_found: 'not_found',
    keys_unavailable: 'could_not_check',
  }
  const reasons = Object.keys(expected) as (keyof typeof linkErrorOf)[]

  it.each(reasons.map((reason) => ({ reason, state: expected[reason] })))(
    'rejected for $reason is $state',
    ({ reason, state }) => {
      expect(readVerdict(refusal(linkErrorOf[reason], reason), at(0)).state).toBe(state)
    },
  )

  it('rejected with an unknown code is a failure', () => {
    expect(readVerdict(refusal('link_of_the_future' as LinkErrorCode, null), at(0)).state).toBe('refused')
  })

  it('that never arrived could not be checked', () => {
    expect(readVerdict(undefined, at(0)).state).toBe('could_not_check')
  })

  it('from another registry could not be checked', () => {
    expect(readVerdict(record({ issuer: 'https://other.example' }), at(0)).state).toBe('could_not_check')
  })
})

describe('the words', () => {
  it('name the domain first, and quote the name of the model', () => {
    expect(headline(readVerdict(record(), at(0)))).toBe(
      'Company confirmed, AI not confirmed. northwind.example “Atlas Chat 2.1.0”',
    )
  })

  it('describe a failed link', () => {
    expect(headline(readVerdict(refusal('link_forged', 'bad_signature'), at(0)))).toBe(
      'Forged link. This registry did not sign this.',
    )
  })

  it.each([
    {
      level: 'unverified',
      email: false,
      domain: true,
      shown: 'Not rated yet: 20 of 100 (the email address is not verified)',
    },
    { level: 'unverified', email: true, domain: false, shown: 'Not rated yet: 20 of 100 (the domain is not verified)' },
    { level: 'standard', email: true, domain: true, shown: 'Standard: 20 of 100' },
  ] as const)('describe $level trust and what is missing: $shown', ({ level, email, domain, shown }) => {
    const trust_factors = { ...trust.trust_factors, email_verified: email, domain_verified: domain }
    const rated = provider({ trust_level: level, trust_score: 20, trust_factors })
    expect(rated && providerTrust(rated)).toBe(shown)
  })
})
