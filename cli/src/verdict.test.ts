import { reasons } from '@countersign/sdk/contract'
import { readVerdict } from '@countersign/sdk/verify'
import { describe, expect, it } from 'vitest'
import { plain } from './output.ts'
import { exitOfVerdict, ofOnline, unknown, withAnswer } from './verdict.ts'
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
  const told = { ...read, verification: null, claims: null, live_state: 'not_checked' } as const
  const verdict = ofOnline(
    reason === 'keys_unavailable' ? { ...told, result: 'unknown', reason, cause: null } : { ...told, result: 'not_verified', reason },
  )
  expect([3, 9]).toContain(exitOfVerdict(verdict))
  expect(describeVerdict(verdict, plain)).not.toMatch(/^Verified/)
})

describe('an answer', () => {
  it.each([
    { name: 'the provider’s', claims: { response_hash: 'aa', bound_by: 'provider' }, result: 'verified', reason: null },
    {
      name: 'the one that a bearer attached',
      claims: { response_hash: 'aa', bound_by: 'bearer' },
      result: 'not_verified',
      reason: 'claim_mismatch',
    },
    { name: 'one of whom nobody says who bound it', claims: { response_hash: 'aa' }, result: 'not_verified', reason: 'claim_mismatch' },
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

  it('that a bearer attached is told as that', () => {
    const { checks } = withAnswer({ ...verified, claims: { response_hash: 'aa', bound_by: 'bearer' } }, 'aa')
    expect(checks.at(-1)?.detail).toContain('attached by someone who held the link')
  })

  it('improves nothing', () => {
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
    ofOnline({ checks: [], change: null, live_state: 'checked', reason: null, result: 'verified', claims, verification } as never)

  it.each([
    { name: 'bound by a bearer, though the token says by the provider', claims: provider, bound_answer: bearer, exit: 3 },
    { name: 'bound no more, though the token says so', claims: provider, bound_answer: null, exit: 3 },
    { name: 'of a bearer, where the provider bound another', claims: bearer, bound_answer: { ...provider, response_hash: 'bb' }, exit: 3 },
    { name: 'bound by the provider after the token was minted', claims: {}, bound_answer: provider, exit: 0 },
  ])('$name exits $exit', ({ claims, bound_answer, exit }) => {
    const verdict = withAnswer(of(claims, { bound_to_response: bound_answer !== null, bound_answer }), 'aa')
    expect(exitOfVerdict(verdict)).toBe(exit)
    expect(verdict.checks.at(-1)).toMatchObject({ check: 'answer', passed: exit === 0 })
  })
})

it('survives words that are no words of the contract', () => {
  const odd = { ...verified, result: 'not_verified', reason: 'toString', change: 'constructor' } as never
  expect(describeVerdict(odd, plain)).not.toMatch(/function|native/)
  expect(exitOfVerdict({ result: 'toString' } as never)).toBe(9)
})
