import { createClient } from '@countersign/sdk'
import { reasons } from '@countersign/sdk/contract'
import { vectors } from '@countersign/sdk/testing'
import { readVerdict } from '@countersign/sdk/verify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { plain } from '../../render/output.ts'
import { exitOfVerdict, ofOnline, unknown, withAnswer, withDeploymentProof } from './verdict.ts'
import { describeVerdict } from './verdict-text.ts'

const verified = {
  ...unknown('', false),
  result: 'verified',
  reason: null,
  checks: [{ check: 'domain', passed: true, detail: '', checked_at: null }],
  claims: { response_hash: 'aa', model_identifier: 'tiny', version: '1' },
  provider: { id: 'prv_1', domain: 'acme.example', domain_verified: true },
} as const

it.each([
  ['verified', 0],
  ['not_verified', 3],
  ['unknown', 9],
] as const)('%s exits %i', (result, exit) => {
  expect(exitOfVerdict({ result })).toBe(exit)
})

it.each(reasons.map((reason) => ({ reason })))('$reason never exits 0', ({ reason }) => {
  const read = readVerdict(undefined, { issuer: 'https://registry.example', at: 0 })
  const shown = { ...read, verification: null, claims: null, live_state: 'not_checked' } as const
  const verdict = ofOnline(
    reason === 'keys_unavailable'
      ? { ...shown, result: 'unknown', reason, cause: null }
      : { ...shown, result: 'not_verified', reason },
  )
  expect([3, 9]).toContain(exitOfVerdict(verdict))
  expect(describeVerdict(verdict, plain)).not.toMatch(/^Verified/)
})

describe('an answer', () => {
  it.each([
    { name: 'the provider’s', claims: { response_hash: 'aa', bound_by: 'provider' }, result: 'verified', reason: null },
    {
      name: 'the answer that a bearer attached',
      claims: { response_hash: 'aa', bound_by: 'bearer' },
      result: 'not_verified',
      reason: 'claim_mismatch',
    },
    {
      name: 'one with an unknown binder',
      claims: { response_hash: 'aa' },
      result: 'not_verified',
      reason: 'claim_mismatch',
    },
    {
      name: 'another one',
      claims: { response_hash: 'bb', bound_by: 'provider' },
      result: 'not_verified',
      reason: 'claim_mismatch',
    },
    { name: 'none is bound', claims: {}, result: 'not_verified', reason: 'claim_mismatch' },
  ])('$name: $result', ({ claims, result, reason }) => {
    expect(withAnswer({ ...verified, claims }, 'aa')).toMatchObject({
      result,
      reason,
      checks: [{ check: 'domain' }, { check: 'answer', passed: result === 'verified' }],
    })
  })

  it('reports an answer attached by a bearer as such', () => {
    const { checks } = withAnswer({ ...verified, claims: { response_hash: 'aa', bound_by: 'bearer' } }, 'aa')
    expect(checks.at(-1)?.detail).toContain('Someone who held the link attached this answer')
  })

  it('doesn’t improve a worse result', () => {
    expect(withAnswer({ ...verified, result: 'not_verified', reason: 'expired' }, 'aa')).toMatchObject({
      result: 'not_verified',
      reason: 'expired',
    })
    expect(withAnswer(unknown('', false), 'aa').result).toBe('unknown')
  })
})

describe('an answer to a token online', () => {
  const bearer = { response_hash: 'aa', bound_by: 'bearer' } as const
  const provider = { response_hash: 'aa', bound_by: 'provider' } as const
  const of = (claims: object, verification: object) =>
    ofOnline({
      checks: [],
      change: null,
      live_state: 'checked',
      reason: null,
      result: 'verified',
      claims,
      verification,
    } as never)

  it.each([
    {
      name: 'bound by a bearer, though the token says by the provider',
      claims: provider,
      bound_answer: bearer,
      exit: 3,
    },
    { name: 'no longer bound, though the token says so', claims: provider, bound_answer: null, exit: 3 },
    {
      name: 'of a bearer when the provider bound another',
      claims: bearer,
      bound_answer: { ...provider, response_hash: 'bb' },
      exit: 3,
    },
    { name: 'bound by the provider after the token was minted', claims: {}, bound_answer: provider, exit: 0 },
  ])('$name exits $exit', ({ claims, bound_answer, exit }) => {
    const verdict = withAnswer(of(claims, { bound_to_response: bound_answer !== null, bound_answer }), 'aa')
    expect(exitOfVerdict(verdict)).toBe(exit)
    expect(verdict.checks.at(-1)).toMatchObject({ check: 'answer', passed: exit === 0 })
  })
})

describe('a token online', () => {
  const minted = { provider_domain: 'acme.example', deployment_binding: 'proxy', origin: 'https://lost.example' }
  const about = (claims: object | null, verification: object) =>
    ofOnline({
      ...{ checks: [], change: null, live_state: 'checked', reason: null, result: 'verified' },
      claims,
      verification: { provider: null, bound_to_response: false, bound_answer: null, ...verification },
    } as never).claims

  it('shows the domain, the proof and the origin as they are now, not as they were at minting', () => {
    const now = { deployment_info: { binding: 'self-asserted' }, origin: null }
    expect(about({ ...minted, model_identifier: 'tiny' }, now)).toEqual({
      model_identifier: 'tiny',
      deployment_binding: 'self-asserted',
      bound_to_response: false,
    })
  })

  it('shows the version as the registry shows it now', () => {
    const now = { model: { version: '#2' }, deployment_info: null, origin: null }
    expect(about({ version: '2.0 of lost.example' }, now)).toMatchObject({ version: '#2' })
  })

  it.each([
    { name: 'for a link code', claims: null, subject: 'project_path:acme/chat' },
    { name: 'for a token', claims: { workload_subject: 'project_path:acme/chat' }, subject: 'project_path:acme/chat' },
    { name: 'without a subject that pages withhold', claims: { workload_subject: 'verified' }, subject: null },
  ])('shows which platform vouches for the server $name', ({ claims, subject }) => {
    const workload = { issuer: 'https://gitlab.com', subject }
    expect(about(claims, { deployment_info: { binding: 'workload', workload } })).toMatchObject({
      workload_issuer: workload.issuer,
      workload_subject: subject,
    })
  })
})

it('survives values outside the contract', () => {
  const odd = { ...verified, result: 'not_verified', reason: 'toString', change: 'constructor' } as never
  expect(describeVerdict(odd, plain)).not.toMatch(/function|native/)
  expect(exitOfVerdict({ result: 'toString' } as never)).toBe(9)
})

describe('what the registry answers', () => {
  const { issuer, link, cases } = vectors.verdicts

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const check = async (answer: unknown, elapsedMs: number, allowUnverifiedProvider = false) => {
    const fetch = async () => {
      vi.advanceTimersByTime(elapsedMs)
      const isRefusal = typeof answer === 'object' && answer !== null && 'code' in answer
      return Response.json(answer, { status: isRefusal ? 400 : 200 })
    }
    return createClient({ baseURL: issuer, fetch, maxRetries: 0 }).verifications.check(link, {
      allowUnverifiedProvider,
      now: () => Date.parse(String((answer as { checked_at?: string } | null)?.checked_at)),
    })
  }

  it.each(cases)('reads as readVerdict does in the SDK: $name', async ({ answer, elapsed_ms, expect: expected }) => {
    const shown = await check(answer, elapsed_ms)
    expect(shown).toMatchObject({
      result: expected.result,
      outcome: expected.outcome,
      strength: expected.strength,
      claims: null,
    })
    const verdict = ofOnline(shown)
    expect(verdict).toMatchObject({ result: expected.result, outcome: expected.outcome, strength: expected.strength })
    expect(exitOfVerdict(verdict)).toBe({ verified: 0, not_verified: 3, unknown: 9 }[expected.result])
    expect(exitOfVerdict(withDeploymentProof(verdict)) === 0).toBe(expected.strength === 'deployment')
    const text = describeVerdict(verdict, plain)
    expect(/^Verified/.test(text)).toBe(expected.outcome === 'verified')
    expect(text.startsWith('Company confirmed, AI not confirmed')).toBe(expected.outcome === 'provider_only')
    const isShown = expected.result === 'verified' || expected.outcome === 'provider_unverified'
    expect(/^[●◐○] Company/m.test(text)).toBe(isShown)
    if (verdict.claims === null) expect(text).not.toMatch(/acme\.example|atlas-chat/)
  })

  it.each(cases)(
    'with allowUnverifiedProvider accepts an unverified provider and nothing else: $name',
    async (vector) => {
      const { result, outcome } = vector.expect
      const shown = await check(vector.answer, vector.elapsed_ms, true)
      expect(shown.result).toBe(outcome === 'provider_unverified' ? 'verified' : result)
    },
  )
})

it('requires server proof only for links that are otherwise verified; a refused one is verified in no field', () => {
  const provider = { ...verified, strength: 'provider' } as const
  expect(withDeploymentProof(provider)).toMatchObject({ result: 'not_verified', reason: 'claim_mismatch' })
  for (const refused of [
    withDeploymentProof({ ...provider, outcome: 'provider_only' }),
    withAnswer({ ...provider, outcome: 'verified', strength: 'deployment' }, 'bb'),
  ])
    expect(refused).toMatchObject({ result: 'not_verified', outcome: 'check_failed', strength: null, steps: null })
  expect(withDeploymentProof({ ...provider, strength: 'deployment' }).result).toBe('verified')
  expect(withDeploymentProof(unknown('', false)).result).toBe('unknown')
})
