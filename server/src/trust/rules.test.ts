import { countCertifications } from '@countersign/sdk/contract'
import { describe, expect, it } from 'vitest'
import { levelOf, profileFields, type TrustFacts, trustBreakdownOf, trustOf } from './rules.ts'

const nothing: TrustFacts = {
  email_verified: false,
  domain_verified: false,
  empty_profile_fields: profileFields,
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
  empty_profile_fields: [],
  compliance_certifications: 3,
  ai_certifications: 1,
  has_verified_bundle: true,
  opened_verifications: 50,
  active_identifiers: 2,
  has_presence: true,
  has_support_at_domain: true,
}

const proven: TrustFacts = { ...nothing, email_verified: true, domain_verified: true }
/** 15 more points. */
const inUse: TrustFacts = { ...proven, has_verified_bundle: true, opened_verifications: 5 }

describe('each component', () => {
  it.each<[keyof TrustFacts, TrustFacts[keyof TrustFacts], string, number]>([
    ['email_verified', true, 'email_verified', 10],
    ['domain_verified', true, 'domain_verified', 15],
    ['empty_profile_fields', profileFields.slice(1), 'complete_profile', 2],
    ['empty_profile_fields', ['logo'], 'complete_profile', 18],
    ['empty_profile_fields', [], 'complete_profile', 20],
    ['compliance_certifications', 1, 'compliance_certifications', 5],
    ['compliance_certifications', 2, 'compliance_certifications', 10],
    ['compliance_certifications', 20, 'compliance_certifications', 10],
    ['ai_certifications', 1, 'ai_certifications', 10],
    ['ai_certifications', 20, 'ai_certifications', 10],
    ['has_verified_bundle', true, 'model_verified', 8],
    ['opened_verifications', 4, 'active_usage', 0],
    ['opened_verifications', 5, 'active_usage', 7],
    ['opened_verifications', 49, 'experienced', 0],
    ['opened_verifications', 50, 'experienced', 5],
    ['active_identifiers', 1, 'multiple_models', 0],
    ['active_identifiers', 2, 'multiple_models', 5],
    ['has_presence', true, 'business_presence', 5],
    ['has_support_at_domain', true, 'dedicated_support', 5],
  ])('%s = %s gives %s %i points', (fact, value, component, points) => {
    const facts = { ...nothing, [fact]: value }
    const [trust_breakdown, { trust_score }] = [trustBreakdownOf(facts), trustOf(facts)]
    const found = trust_breakdown.find((one) => one.component === component)
    expect(found).toMatchObject({ points })
    expect(found?.missing === null).toBe(points === found?.max_points)
    expect(trust_score).toBe(trust_breakdown.reduce((sum, one) => sum + one.points, 0))
    // The result is the same as for the same number of openings at once.
    if (fact !== 'opened_verifications') expect(trust_score).toBe(points)
  })

  it('of the profile names the fields that are still empty, in words', () => {
    const missing = (empty: TrustFacts['empty_profile_fields']) =>
      trustBreakdownOf({ ...everything, empty_profile_fields: empty }).find(
        ({ component }) => component === 'complete_profile',
      )?.missing
    expect(missing(['logo', 'presence'])).toBe('Add to your profile: logo, GitHub or LinkedIn address')
    expect(missing([])).toBeNull()
  })

  it('together give 100', () => {
    const trust_breakdown = trustBreakdownOf(nothing)
    expect(trust_breakdown.map(({ max_points }) => max_points).sort((a, b) => b - a)).toEqual([
      20, 15, 10, 10, 10, 8, 7, 5, 5, 5, 5,
    ])
    expect(trust_breakdown.reduce((sum, { max_points }) => sum + max_points, 0)).toBe(100)
    expect(trust_breakdown.every(({ missing }) => missing !== null)).toBe(true)
  })
})

describe('the levels', () => {
  it.each([
    [0, 'unverified'],
    [14, 'unverified'],
    [15, 'basic'],
    [24, 'basic'],
    [25, 'standard'],
    [49, 'standard'],
    [50, 'advanced'],
    [69, 'advanced'],
    [70, 'premium'],
    [100, 'premium'],
  ])('of %i is %s', (score, level) => {
    expect(levelOf(score)).toBe(level)
  })

  it.each([
    {
      name: 'just below basic',
      facts: { ...nothing, email_verified: true, empty_profile_fields: profileFields.slice(2) },
      score: 14,
      level: 'unverified',
    },
    { name: 'basic', facts: { ...nothing, email_verified: true, has_presence: true }, score: 15, level: 'basic' },
    {
      name: 'at standard without a domain',
      facts: { ...nothing, email_verified: true, empty_profile_fields: profileFields.slice(5), has_presence: true },
      score: 25,
      level: 'basic',
    },
    { name: 'standard', facts: proven, score: 25, level: 'standard' },
    {
      name: 'just below advanced',
      facts: { ...inUse, empty_profile_fields: profileFields.slice(2), compliance_certifications: 1 },
      score: 49,
      level: 'standard',
    },
    { name: 'advanced', facts: { ...inUse, compliance_certifications: 2 }, score: 50, level: 'advanced' },
    {
      name: 'just below premium',
      facts: {
        ...inUse,
        empty_profile_fields: profileFields.slice(7),
        compliance_certifications: 2,
        has_presence: true,
      },
      score: 69,
      level: 'advanced',
    },
    {
      name: 'premium',
      facts: {
        ...inUse,
        compliance_certifications: 2,
        ai_certifications: 1,
        has_presence: true,
        has_support_at_domain: true,
      },
      score: 70,
      level: 'premium',
    },
    {
      name: 'at premium without a verified bundle of its own',
      facts: { ...everything, has_verified_bundle: false },
      score: 92,
      level: 'standard',
    },
    {
      name: 'at premium without five opened links',
      facts: { ...everything, opened_verifications: 4 },
      score: 88,
      level: 'standard',
    },
    {
      name: 'at premium without an email',
      facts: { ...everything, email_verified: false },
      score: 90,
      level: 'unverified',
    },
  ])('of facts: $name', ({ facts, score, level }) => {
    expect(trustOf(facts)).toMatchObject({ trust_score: score, trust_level: level })
  })
})

describe('certifications', () => {
  it.each([
    ['compliance', ['SOC2', 'soc 2 Type II', 'ISO/IEC 27001:2022', 'ISO27001'], 2],
    ['compliance', ['etc.', 'none', 'SOC', 'very secure', ''], 0],
    ['compliance', ['HIPAA', 'PCI-DSS', 'gdpr'], 3],
    ['ai', ['ISO 42001', 'ISO/IEC 42001:2023', 'SOC 2'], 1],
    ['ai', ['AI', 'etc.'], 0],
  ] as const)('of %s named %j count only if they are known: %i', (kind, named, count) => {
    expect(countCertifications(kind, named)).toBe(count)
  })
})

describe('the six factors', () => {
  const none = {
    email_verified: false,
    domain_verified: false,
    complete_profile: false,
    compliance_certified: false,
    actively_used: false,
    experienced_provider: false,
  }
  it.each([
    { facts: {}, factors: {} },
    { facts: { email_verified: true }, factors: { email_verified: true } },
    { facts: { domain_verified: true }, factors: { domain_verified: true } },
    { facts: { empty_profile_fields: profileFields.slice(9) }, factors: {} },
    { facts: { empty_profile_fields: profileFields.slice(10) }, factors: { complete_profile: true } },
    { facts: { compliance_certifications: 1 }, factors: { compliance_certified: true } },
    { facts: { ai_certifications: 1 }, factors: {} },
    { facts: { opened_verifications: 5 }, factors: { actively_used: true } },
    { facts: { opened_verifications: 50 }, factors: { actively_used: true, experienced_provider: true } },
  ])('of $facts are $factors', ({ facts, factors }) => {
    expect(trustOf({ ...nothing, ...facts }).trust_factors).toEqual({ ...none, ...factors })
  })
})

describe('trust', () => {
  it.each([
    { name: 'nothing', facts: nothing, score: 0, level: 'unverified' },
    { name: 'everything', facts: everything, score: 100, level: 'premium' },
    {
      name: 'everything but the email',
      facts: { ...everything, email_verified: false },
      score: 90,
      level: 'unverified',
    },
    { name: 'everything but the domain', facts: { ...everything, domain_verified: false }, score: 85, level: 'basic' },
    {
      name: 'email and domain only',
      facts: { ...nothing, email_verified: true, domain_verified: true },
      score: 25,
      level: 'standard',
    },
    { name: 'email alone', facts: { ...nothing, email_verified: true }, score: 10, level: 'unverified' },
    {
      name: 'half a profile',
      facts: { ...nothing, email_verified: true, empty_profile_fields: profileFields.slice(5) },
      score: 20,
      level: 'basic',
    },
    { name: 'one certification', facts: { ...nothing, compliance_certifications: 1 }, score: 5, level: 'unverified' },
    {
      name: 'four opened verifications',
      facts: { ...nothing, opened_verifications: 4 },
      score: 0,
      level: 'unverified',
    },
    {
      name: 'five opened verifications',
      facts: { ...nothing, opened_verifications: 5 },
      score: 7,
      level: 'unverified',
    },
  ])('gives $level with $score for $name', ({ facts, score, level }) => {
    expect(trustOf(facts)).toMatchObject({ trust_score: score, trust_level: level })
  })

  it('marks self-reported points', () => {
    const claimed = trustBreakdownOf(everything).filter(({ self_attested }) => self_attested)
    expect(claimed.map(({ component }) => component)).toEqual([
      'complete_profile',
      'compliance_certifications',
      'ai_certifications',
      'business_presence',
      'dedicated_support',
    ])
    // Pages and docs say that up to 50 of the 100 points are self-reported.
    expect(claimed.reduce((sum, { max_points }) => sum + max_points, 0)).toBe(50)
  })
})
