import {
  type TrustComponent,
  type TrustFactors,
  type TrustLevel,
  trustLevels,
  trustThresholds,
} from '@countersign/sdk/contract'

/** Each is worth 2 points; with the name that people use for it. */
const profileFieldWords = {
  description: 'description',
  logo: 'logo',
  founded_year: 'founding year',
  employee_count: 'company size',
  hq_city: 'headquarters city',
  hq_country: 'headquarters country',
  phone_number: 'phone number',
  support_email: 'support email',
  presence: 'GitHub or LinkedIn address',
  trust_center_url: 'trust center address',
} as const
export type ProfileField = keyof typeof profileFieldWords
export const profileFields = Object.keys(profileFieldWords) as ProfileField[]

/** What the score is computed from. Everything here is read from the record, never from what a caller sends. */
export interface TrustFacts {
  email_verified: boolean
  domain_verified: boolean
  empty_profile_fields: readonly ProfileField[]
  compliance_certifications: number
  ai_certifications: number
  has_verified_bundle: boolean
  opened_verifications: number
  active_identifiers: number
  has_presence: boolean
  has_support_at_domain: boolean
}

export interface Trust {
  trust_level: TrustLevel
  trust_score: number
  trust_factors: TrustFactors
  trust_breakdown: TrustComponent[]
}

export const levelOf = (score: number): TrustLevel =>
  [...trustLevels].reverse().find((level) => score >= trustThresholds[level]) ?? 'unverified'

const lower = (a: TrustLevel, b: TrustLevel): TrustLevel => (trustLevels.indexOf(a) < trustLevels.indexOf(b) ? a : b)

/** What was proven caps the level, however many points a provider gets by itself. */
const capOf = ({
  email_verified,
  domain_verified,
  has_verified_bundle,
  opened_verifications,
}: TrustFacts): TrustLevel => {
  if (!email_verified) return 'unverified'
  if (!domain_verified) return 'basic'
  return has_verified_bundle && opened_verifications >= usedFrom ? 'premium' : 'standard'
}

/** This many links opened by other people, on distinct networks and days, count as use. */
const usedFrom = 5

const componentsOf = (facts: TrustFacts): TrustComponent[] => {
  const all = (
    component: string,
    max_points: number,
    isMet: boolean,
    missing: string,
    self_attested = false,
  ): TrustComponent => ({
    component,
    points: isMet ? max_points : 0,
    max_points,
    missing: isMet ? null : missing,
    self_attested,
  })
  const share = (component: string, max_points: number, points: number, missing: string): TrustComponent => ({
    component,
    points,
    max_points,
    missing: points >= max_points ? null : missing,
    self_attested: true,
  })
  return [
    all('email_verified', 10, facts.email_verified, 'Verify your email address'),
    all('domain_verified', 15, facts.domain_verified, 'Verify your domain'),
    share(
      'complete_profile',
      20,
      Math.round(20 * (1 - facts.empty_profile_fields.length / profileFields.length)),
      `Add to your profile: ${facts.empty_profile_fields.map((field) => profileFieldWords[field]).join(', ')}`,
    ),
    share(
      'compliance_certifications',
      10,
      Math.min(10, 5 * facts.compliance_certifications),
      'Name compliance certifications that are on the list of known ones',
    ),
    all(
      'ai_certifications',
      10,
      facts.ai_certifications > 0,
      'Name an AI-specific certification that is on the list of known ones',
      true,
    ),
    all(
      'model_verified',
      8,
      facts.has_verified_bundle,
      facts.domain_verified
        ? 'Publish a signed bundle for a model'
        : 'Verify your domain, and publish a signed bundle for a model',
    ),
    all(
      'active_usage',
      7,
      facts.opened_verifications >= usedFrom,
      `Have 5 of your verification links opened on distinct networks (${facts.opened_verifications} so far)`,
    ),
    all('multiple_models', 5, facts.active_identifiers >= 2, 'Register a model with a second identifier'),
    all(
      'experienced',
      5,
      facts.opened_verifications >= 50,
      `Have 50 of your verification links opened on distinct networks (${facts.opened_verifications} so far)`,
    ),
    all('business_presence', 5, facts.has_presence, 'Add your GitHub or LinkedIn address', true),
    all('dedicated_support', 5, facts.has_support_at_domain, 'Add a support address at your verified domain', true),
  ]
}

export const trustOf = (facts: TrustFacts): Trust => {
  const trust_breakdown = componentsOf(facts)
  const trust_score = trust_breakdown.reduce((sum, { points }) => sum + points, 0)
  return {
    trust_level: lower(levelOf(trust_score), capOf(facts)),
    trust_score,
    trust_factors: {
      email_verified: facts.email_verified,
      domain_verified: facts.domain_verified,
      complete_profile: facts.empty_profile_fields.length === 0,
      compliance_certified: facts.compliance_certifications > 0,
      actively_used: facts.opened_verifications >= usedFrom,
      experienced_provider: facts.opened_verifications >= 50,
    },
    trust_breakdown,
  }
}
