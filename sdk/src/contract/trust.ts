import { z } from 'zod'
import { textOrNull } from './fields.ts'

/** From a score of 0 to 100: premium from 70, advanced from 50, standard from 25, basic from 15. */
export const trustLevels = ['unverified', 'basic', 'standard', 'advanced', 'premium'] as const
export const TrustLevel = z.enum(trustLevels)
export type TrustLevel = z.infer<typeof TrustLevel>

export const trustThresholds = { premium: 70, advanced: 50, standard: 25, basic: 15, unverified: 0 } as const satisfies Record<
  TrustLevel,
  number
>

export const TrustFactors = z.strictObject({
  email_verified: z.boolean(),
  domain_verified: z.boolean(),
  complete_profile: z.boolean(),
  compliance_certified: z.boolean(),
  actively_used: z.boolean(),
  experienced_provider: z.boolean(),
})
export type TrustFactors = z.infer<typeof TrustFactors>

/** One component of the score: what it gives, what it could give, and whether the provider merely claims it. */
export const TrustComponent = z.strictObject({
  component: z.string(),
  points: z.number(),
  max_points: z.number(),
  missing: textOrNull,
  self_attested: z.boolean(),
})
export type TrustComponent = z.infer<typeof TrustComponent>

/** What every public answer about a provider says of its trust. */
export const trustFields = {
  trust_level: TrustLevel,
  trust_score: z.number().int().min(0).max(100),
  trust_factors: TrustFactors,
}
