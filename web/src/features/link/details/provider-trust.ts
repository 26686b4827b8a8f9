import type { VerificationResult } from '@countersign/sdk/contract'
import { linkDetails } from '#messages/pages/link-details.ts'

const words = linkDetails

/** The score in words: “not rated” must not read like a failed check. */
export const providerTrust = ({
  trust_level,
  trust_score,
  trust_factors,
}: NonNullable<VerificationResult['provider']>): string => {
  const rating = words.provider.trust(trust_level, trust_score)
  if (!trust_factors.email_verified) return words.provider.trustWithoutEmail(rating)
  return trust_factors.domain_verified ? rating : words.provider.trustWithoutDomain(rating)
}
