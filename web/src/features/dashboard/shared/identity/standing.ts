import {
  type Provider,
  type TrustComponent,
  type TrustLevel,
  trustLevels,
  trustThresholds,
} from '@countersign/sdk/contract'

export type Proven = 'domain' | 'email' | 'nothing' | 'unregistered'

type Checked = Pick<Provider, 'verification_level' | 'domain_verified' | 'email_verified'>

export const provenOf = ({ verification_level, domain_verified, email_verified }: Checked): Proven => {
  if (verification_level === 'unregistered') return 'unregistered'
  if (domain_verified) return 'domain'
  return email_verified ? 'email' : 'nothing'
}

type Proof = 'email' | 'domain' | 'use'

/** What is missing for the next trust level: points, or a proof without which points don't count. */
export type Gap =
  | { kind: 'points'; level: TrustLevel; missing: number; needs?: Proof }
  | { kind: 'withheld'; level: TrustLevel; needs: Proof }
  | { kind: 'none' }

type Rated = Pick<Provider, 'trust_level' | 'trust_score' | 'email_verified' | 'domain_verified'> & { is_used: boolean }

/** Whether a bundle was verified and five links were opened. */
export const isUsed = (breakdown: readonly TrustComponent[]) =>
  ['model_verified', 'active_usage'].every((name) =>
    breakdown.some(({ component, missing }) => component === name && missing === null),
  )

const levelOf = (score: number): TrustLevel =>
  trustLevels.findLast((level) => score >= trustThresholds[level]) ?? 'unverified'

/**
 * Levels above `unverified` require a verified email address, above `basic` a verified domain, above `standard` a verified
 * bundle of one's own and five opened links.
 */
const proofFor = (level: TrustLevel, { email_verified, domain_verified, is_used }: Rated): Proof | undefined => {
  if (level !== 'unverified' && !email_verified) return 'email'
  if (level !== 'unverified' && level !== 'basic' && !domain_verified) return 'domain'
  return (level === 'advanced' || level === 'premium') && !is_used ? 'use' : undefined
}

export const gapOf = (rated: Rated): Gap => {
  const { trust_level, trust_score } = rated
  const earned = levelOf(trust_score)
  if (earned !== trust_level) return { kind: 'withheld', level: earned, needs: proofFor(earned, rated) ?? 'domain' }
  const next = trustLevels[trustLevels.indexOf(trust_level) + 1]
  if (next === undefined) return { kind: 'none' }
  const needs = proofFor(next, rated)
  return { kind: 'points', level: next, missing: trustThresholds[next] - trust_score, ...(needs && { needs }) }
}

export type StepName = 'email' | 'domain' | 'profile' | 'model' | 'sign' | 'links'

export interface Step {
  name: StepName
  isDone: boolean
  /** The points it adds to the trust score. */
  worth: number
}

const componentOf = {
  email: 'email_verified',
  domain: 'domain_verified',
  profile: 'complete_profile',
  sign: 'model_verified',
  links: 'active_usage',
}

/** In their recommended order. `models` is the number of active ones. */
export const stepsOf = (breakdown: readonly TrustComponent[], models: number): Step[] => {
  const step = (name: keyof typeof componentOf): Step => {
    const found = breakdown.find(({ component }) => component === componentOf[name])
    const worth = found === undefined ? 0 : found.max_points - found.points
    return { name, isDone: worth === 0, worth }
  }
  return [
    step('email'),
    step('domain'),
    step('profile'),
    { name: 'model', isDone: models > 0, worth: 0 },
    step('sign'),
    step('links'),
  ]
}
