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

interface Component {
  component: string
  max_points: number
  /** Whether a provider has all points, or which fraction of them. */
  earned: (facts: TrustFacts) => boolean | number
  /** What a provider with fewer points can do. */
  missing: string | ((facts: TrustFacts) => string)
  /** Only the provider states this. */
  self_attested?: true
}

const components: readonly Component[] = [
  {
    component: 'email_verified',
    max_points: 10,
    earned: (facts) => facts.email_verified,
    missing: 'Verify your email address',
  },
  {
    component: 'domain_verified',
    max_points: 15,
    earned: (facts) => facts.domain_verified,
    missing: 'Verify your domain',
  },
  {
    component: 'complete_profile',
    max_points: 20,
    earned: (facts) => 1 - facts.empty_profile_fields.length / profileFields.length,
    missing: (facts) =>
      `Add to your profile: ${facts.empty_profile_fields.map((field) => profileFieldWords[field]).join(', ')}`,
    self_attested: true,
  },
  {
    component: 'compliance_certifications',
    max_points: 10,
    earned: (facts) => Math.min(1, facts.compliance_certifications / 2),
    missing: 'Name compliance certifications that are on the list of known ones',
    self_attested: true,
  },
  {
    component: 'ai_certifications',
    max_points: 10,
    earned: (facts) => facts.ai_certifications > 0,
    missing: 'Name an AI-specific certification that is on the list of known ones',
    self_attested: true,
  },
  {
    component: 'model_verified',
    max_points: 8,
    earned: (facts) => facts.has_verified_bundle,
    missing: (facts) =>
      facts.domain_verified
        ? 'Publish a signed bundle for a model'
        : 'Verify your domain, and publish a signed bundle for a model',
  },
  {
    component: 'active_usage',
    max_points: 7,
    earned: (facts) => facts.opened_verifications >= usedFrom,
    missing: (facts) => linksToOpen(usedFrom, facts),
  },
  {
    component: 'multiple_models',
    max_points: 5,
    earned: (facts) => facts.active_identifiers >= 2,
    missing: 'Register a model with a second identifier',
  },
  {
    component: 'experienced',
    max_points: 5,
    earned: (facts) => facts.opened_verifications >= experiencedFrom,
    missing: (facts) => linksToOpen(experiencedFrom, facts),
  },
  {
    component: 'business_presence',
    max_points: 5,
    earned: (facts) => facts.has_presence,
    missing: 'Add your GitHub or LinkedIn address',
    self_attested: true,
  },
  {
    component: 'dedicated_support',
    max_points: 5,
    earned: (facts) => facts.has_support_at_domain,
    missing: 'Add a support address at your verified domain',
    self_attested: true,
  },
]

const pointsOf = ({ max_points, earned }: Component, facts: TrustFacts) =>
  Math.round(max_points * Number(earned(facts)))

/** The points of the score, component by component. */
export const trustBreakdownOf = (facts: TrustFacts): TrustComponent[] =>
  components.map((each) => {
    const { component, max_points, missing, self_attested = false } = each
    const points = pointsOf(each, facts)
    const advice = typeof missing === 'string' ? missing : missing(facts)
    return { component, points, max_points, missing: points < max_points ? advice : null, self_attested }
  })

export const trustOf = (facts: TrustFacts): Trust => {
  const trust_score = components.reduce((sum, component) => sum + pointsOf(component, facts), 0)
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
