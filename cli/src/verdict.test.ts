import { reasons } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { plain } from './output.ts'
import { describeVerdict, exitOfVerdict, ofOnline, unknown, withAnswer } from './verdict.ts'

const verified = {
  ...unknown('', false),
  result: 'verified',
  reason: null,
  checks: [],
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
  const result = reason === 'keys_unavailable' ? 'unknown' : 'not_verified'
  const verdict = ofOnline({ result, reason, checks: [] } as Parameters<typeof ofOnline>[0])
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
      checks: [{ check: 'answer', passed: result === 'verified' }],
    })
  })

  it('that a bearer attached is told as that', () => {
    const [check] = withAnswer({ ...verified, claims: { response_hash: 'aa', bound_by: 'bearer' } }, 'aa').checks
    expect(check?.detail).toContain('attached by someone who held the link')
  })

  it('improves nothing', () => {
    expect(withAnswer({ ...verified, result: 'not_verified', reason: 'expired' }, 'aa')).toMatchObject({
      result: 'not_verified',
      reason: 'expired',
    })
    expect(withAnswer(unknown('', false), 'aa').result).toBe('unknown')
  })
})

it('tells people the domain before the company, and what is not proven', () => {
  const text = describeVerdict({ ...verified, provider: { ...verified.provider, name: 'Acme AI' } }, plain)
  expect(text.indexOf('acme.example')).toBeLessThan(text.indexOf('Acme AI'))
  expect(text).toContain('does not prove')
  const unproven = describeVerdict({ ...verified, provider: { id: 'prv_1', domain: 'acme.example', domain_verified: false } }, plain)
  expect(unproven).toContain('not verified (says acme.example)')
})
