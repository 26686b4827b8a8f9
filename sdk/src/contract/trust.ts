import { z } from 'zod'
import { textOrNull } from './fields.ts'

/** Levels by score (0 to 100): premium from 70, advanced from 50, standard from 25, basic from 15. */
export const trustLevels = ['unverified', 'basic', 'standard', 'advanced', 'premium'] as const
/** Levels by score: premium from 70, advanced from 50, standard from 25, basic from 15. */
export const TrustLevel = z.enum(trustLevels)
export type TrustLevel = z.infer<typeof TrustLevel>

/** The score from which each trust level begins. */
export const trustThresholds = {
  premium: 70,
  advanced: 50,
  standard: 25,
  basic: 15,
  unverified: 0,
} as const satisfies Record<TrustLevel, number>

/** What counts in the trust score. */
export const TrustFactors = z.strictObject({
  email_verified: z.boolean(),
  domain_verified: z.boolean(),
  complete_profile: z.boolean(),
  compliance_certified: z.boolean(),
  actively_used: z.boolean(),
  experienced_provider: z.boolean(),
})
export type TrustFactors = z.infer<typeof TrustFactors>

/** A component of the score: its points, the maximum, and whether it is self-reported. */
export const TrustComponent = z.strictObject({
  component: z.string(),
  points: z.number(),
  max_points: z.number(),
  missing: textOrNull,
  self_attested: z.boolean(),
})
export type TrustComponent = z.infer<typeof TrustComponent>

/** The trust fields of every public answer about a provider. */
export const trustFields = {
  trust_level: TrustLevel,
  trust_score: z.number().int().min(0).max(100),
  trust_factors: TrustFactors,
}

/** Certifications that count in the score. Others are shown without points. */
export const knownCertifications = {
  compliance: [
    'SOC 2',
    'SOC 3',
    'ISO 9001',
    'ISO 22301',
    'ISO 27001',
    'ISO 27017',
    'ISO 27018',
    'ISO 27701',
    'HIPAA',
    'HITRUST',
    'GDPR',
    'CCPA',
    'PCI DSS',
    'FedRAMP',
    'StateRAMP',
    'TISAX',
    'C5',
    'Cyber Essentials',
    'Cyber Essentials Plus',
    'CSA STAR',
    'IRAP',
    'ENS',
    'EUCS',
  ],
  ai: ['ISO 42001', 'ISO 23894', 'NIST AI RMF', 'EU AI Act', 'IEEE CertifAIEd', 'HITRUST AI'],
} as const

/** Makes spellings such as `SOC2 Type II` and `soc-2` equal. */
const plainName = (name: string) =>
  name
    .toUpperCase()
    .replace(/\/?IEC/g, '')
    .replace(/:\s*(19|20)\d\d$/, '')
    .replace(/TYPE\s*(I{1,2}|1|2)$/, '')
    .replace(/[^A-Z0-9]/g, '')

const plainNames = {
  compliance: new Set(knownCertifications.compliance.map(plainName)),
  ai: new Set(knownCertifications.ai.map(plainName)),
}

/** How many different known certifications a provider names. */
export const countCertifications = (kind: keyof typeof knownCertifications, named: readonly string[]): number =>
  new Set(named.map(plainName).filter((name) => plainNames[kind].has(name))).size
