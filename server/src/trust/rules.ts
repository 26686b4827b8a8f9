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
const experiencedFrom = 50

const linksToOpen = (wanted: number, { opened_verifications }: TrustFacts) =>
  `Have ${wanted} of your verification links opened on distinct networks (${opened_verifications} so far)`

/** A part of the score. */
interface Part {
  component: string
  max_points: number
  points: (facts: TrustFacts) => number
  /** What a provider that has fewer points can do. */
  missing: (facts: TrustFacts) => string
  /** The registry knows it only from the provider. */
  self_attested: boolean
}

const partOf = (
  component: string,
  max_points: number,
  isMet: (facts: TrustFacts) => boolean,
  missing: Part['missing'],
  self_attested = false,
): Part => ({ component, max_points, points: (facts) => (isMet(facts) ? max_points : 0), missing, self_attested })

const parts: readonly Part[] = [
  partOf(
    'email_verified',
    10,
    (facts) => facts.email_verified,
    () => 'Verify your email address',
  ),
  partOf(
    'domain_verified',
    15,
    (facts) => facts.domain_verified,
    () => 'Verify your domain',
  ),
  {
    component: 'complete_profile',
    max_points: 20,
    points: (facts) => Math.round(20 * (1 - facts.empty_profile_fields.length / profileFields.length)),
    missing: (facts) =>
      `Add to your profile: ${facts.empty_profile_fields.map((field) => profileFieldWords[field]).join(', ')}`,
    self_attested: true,
  },
  {
    component: 'compliance_certifications',
    max_points: 10,
    points: (facts) => Math.min(10, 5 * facts.compliance_certifications),
    missing: () => 'Name compliance certifications that are on the list of known ones',
    self_attested: true,
  },
  partOf(
    'ai_certifications',
    10,
    (facts) => facts.ai_certifications > 0,
    () => 'Name an AI-specific certification that is on the list of known ones',
    true,
  ),
  partOf(
    'model_verified',
    8,
    (facts) => facts.has_verified_bundle,
    (facts) =>
      facts.domain_verified
        ? 'Publish a signed bundle for a model'
        : 'Verify your domain, and publish a signed bundle for a model',
  ),
  partOf(
    'active_usage',
    7,
    (facts) => facts.opened_verifications >= usedFrom,
    (facts) => linksToOpen(usedFrom, facts),
  ),
  partOf(
    'multiple_models',
    5,
    (facts) => facts.active_identifiers >= 2,
    () => 'Register a model with a second identifier',
  ),
  partOf(
    'experienced',
    5,
    (facts) => facts.opened_verifications >= experiencedFrom,
    (facts) => linksToOpen(experiencedFrom, facts),
  ),
  partOf(
    'business_presence',
    5,
    (facts) => facts.has_presence,
    () => 'Add your GitHub or LinkedIn address',
    true,
  ),
  partOf(
    'dedicated_support',
    5,
    (facts) => facts.has_support_at_domain,
    () => 'Add a support address at your verified domain',
    true,
  ),
]

/** The points of the score, part by part. */
export const trustBreakdownOf = (facts: TrustFacts): TrustComponent[] =>
  parts.map(({ component, max_points, self_attested, ...part }) => {
    const points = part.points(facts)
    const missing = points >= max_points ? null : part.missing(facts)
    return { component, points, max_points, missing, self_attested }
  })

export const trustOf = (facts: TrustFacts): Trust => {
  const trust_score = parts.reduce((sum, part) => sum + part.points(facts), 0)
  return {
    trust_level: lower(levelOf(trust_score), capOf(facts)),
    trust_score,
    trust_factors: {
      email_verified: facts.email_verified,
      domain_verified: facts.domain_verified,
      complete_profile: facts.empty_profile_fields.length === 0,
      compliance_certified: facts.compliance_certifications > 0,
      actively_used: facts.opened_verifications >= usedFrom,
      experienced_provider: facts.opened_verifications >= experiencedFrom,
    },
  }
}
