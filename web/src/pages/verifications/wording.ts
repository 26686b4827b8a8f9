import type { VerificationResult } from '@countersign/sdk/contract'
import { failureSentences, headingOf, isShown } from '@countersign/sdk/words'
import { link } from '#messages/link.ts'
import type { Verdict } from './verdict.ts'

const words = link

/** The score in words: not being rated must not read like a failed check. */
export const trustOf = ({ trust_level, trust_score, trust_factors }: NonNullable<VerificationResult['provider']>): string => {
  const rating = words.provider.trust(trust_level, trust_score)
  if (!trust_factors.email_verified) return words.provider.trustWithoutEmail(rating)
  return trust_factors.domain_verified ? rating : words.provider.trustWithoutDomain(rating)
}

/** The sentence that a screen reader hears when the verdict is there, and again when it changes. */
export const headline = (verdict: Verdict): string => {
  const { state, record } = verdict
  if (!isShown(state)) return [`${words.bands[state]}.`, ...failureSentences(state, verdict)].join(' ')
  if (record === null) return words.bands[state]
  return `${words.bands[state]}. ${headingOf(state, record).filter(Boolean).join(' ')}`
}
