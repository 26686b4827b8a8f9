import type { TrustComponent, TrustLevel } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { type Gap, gapOf, provenOf, stepsOf } from './standing.ts'

describe('the proofs of a provider', () => {
  it.each([
    { name: 'details are missing', level: 'unregistered', email: true, domain: false, is: 'unregistered' },
    { name: 'the domain', level: 'verified', email: true, domain: true, is: 'domain' },
    { name: 'the domain alone', level: 'verified', email: false, domain: true, is: 'domain' },
    { name: 'the email address', level: 'partially_verified', email: true, domain: false, is: 'email' },
    { name: 'nothing', level: 'unverified', email: false, domain: false, is: 'nothing' },
  ] as const)('$name: $is', ({ level, email, domain, is }) => {
    expect(provenOf({ verification_level: level, email_verified: email, domain_verified: domain })).toBe(is)
  })
})

interface Case {
  level: TrustLevel
  score: number
  email: boolean
  domain: boolean
  used?: boolean
  gap: Gap
}

describe('the way to the next trust level', () => {
  it.each([
    { level: 'basic', score: 18, email: true, domain: true, gap: { kind: 'points', level: 'standard', missing: 7 } },
    {
      level: 'basic',
      score: 18,
      email: true,
      domain: false,
      gap: { kind: 'points', level: 'standard', missing: 7, needs: 'domain' },
    },
    {
      level: 'unverified',
      score: 12,
      email: false,
      domain: false,
      gap: { kind: 'points', level: 'basic', missing: 3, needs: 'email' },
    },
    { level: 'basic', score: 15, email: true, domain: true, gap: { kind: 'points', level: 'standard', missing: 10 } },
    { level: 'unverified', score: 14, email: true, domain: true, gap: { kind: 'points', level: 'basic', missing: 1 } },
    { level: 'advanced', score: 69, email: true, domain: true, gap: { kind: 'points', level: 'premium', missing: 1 } },
    { level: 'premium', score: 70, email: true, domain: true, gap: { kind: 'none' } },
    {
      level: 'basic',
      score: 55,
      email: true,
      domain: false,
      gap: { kind: 'withheld', level: 'advanced', needs: 'domain' },
    },
    {
      level: 'unverified',
      score: 30,
      email: false,
      domain: true,
      gap: { kind: 'withheld', level: 'standard', needs: 'email' },
    },
    {
      level: 'unverified',
      score: 20,
      email: false,
      domain: false,
      gap: { kind: 'withheld', level: 'basic', needs: 'email' },
    },
    {
      level: 'standard',
      score: 55,
      email: true,
      domain: true,
      used: false,
      gap: { kind: 'withheld', level: 'advanced', needs: 'use' },
    },
    {
      level: 'standard',
      score: 40,
      email: true,
      domain: true,
      used: false,
      gap: { kind: 'points', level: 'advanced', missing: 10, needs: 'use' },
    },
  ] satisfies Case[])(
    'from $level with $score points, email $email, domain $domain',
    ({ level, score, email, domain, used = true, gap }: Case) => {
      expect(
        gapOf({
          trust_level: level,
          trust_score: score,
          email_verified: email,
          domain_verified: domain,
          is_used: used,
        }),
      ).toEqual(gap)
    },
  )
})

it('lists the steps with the points each still adds', () => {
  const part = (component: string, points: number, max_points: number): TrustComponent => ({
    component,
    points,
    max_points,
    missing: points === max_points ? null : 'something',
    self_attested: false,
  })
  const breakdown = [
    part('email_verified', 10, 10),
    part('domain_verified', 0, 15),
    part('complete_profile', 14, 20),
    part('model_verified', 0, 8),
    part('active_usage', 7, 7),
  ]
  const shown = (models: number) =>
    stepsOf(breakdown, models).map(({ name, isDone, worth }) => `${name} ${isDone ? 'done' : worth}`)
  expect(shown(0)).toEqual(['email done', 'domain 15', 'profile 6', 'model 0', 'sign 8', 'links done'])
  expect(shown(1)[3]).toBe('model done')
})
