import { describe, expect, it } from 'vitest'
import { type TrustFacts, trustOf } from './rules.ts'

const nothing: TrustFacts = {
  email_verified: false,
  domain_verified: false,
  profile_fields: 0,
  compliance_certifications: 0,
  ai_certifications: 0,
  has_verified_bundle: false,
  opened_verifications: 0,
  active_identifiers: 0,
  has_presence: false,
  has_support_at_domain: false,
}
const everything: TrustFacts = {
  email_verified: true,
  domain_verified: true,
  profile_fields: 10,
  compliance_certifications: 3,
  ai_certifications: 1,
  has_verified_bundle: true,
  opened_verifications: 50,
  active_identifiers: 2,
  has_presence: true,
  has_support_at_domain: true,
}

describe('trust', () => {
  it.each([
    { name: 'nothing', facts: nothing, score: 0, level: 'unverified' },
    { name: 'everything', facts: everything, score: 100, level: 'premium' },
    { name: 'everything but the e-mail', facts: { ...everything, email_verified: false }, score: 90, level: 'unverified' },
    { name: 'everything but the domain', facts: { ...everything, domain_verified: false }, score: 85, level: 'basic' },
    { name: 'e-mail and domain only', facts: { ...nothing, email_verified: true, domain_verified: true }, score: 25, level: 'standard' },
    { name: 'e-mail alone', facts: { ...nothing, email_verified: true }, score: 10, level: 'unverified' },
    { name: 'half a profile', facts: { ...nothing, email_verified: true, profile_fields: 5 }, score: 20, level: 'basic' },
    { name: 'one certification', facts: { ...nothing, compliance_certifications: 1 }, score: 5, level: 'unverified' },
    { name: 'four opened verifications', facts: { ...nothing, opened_verifications: 4 }, score: 0, level: 'unverified' },
    { name: 'five opened verifications', facts: { ...nothing, opened_verifications: 5 }, score: 7, level: 'unverified' },
  ])('gives $level with $score for $name', ({ facts, score, level }) => {
    expect(trustOf(facts)).toMatchObject({ trust_score: score, trust_level: level })
  })

  it('marks what the provider only claims', () => {
    const claimed = trustOf(everything).trust_breakdown.filter(({ self_attested }) => self_attested)
    expect(claimed.map(({ component }) => component)).toEqual([
      'complete_profile',
      'compliance_certifications',
      'ai_certifications',
      'business_presence',
      'dedicated_support',
    ])
  })
})
