import type { VerificationResult } from '@countersign/sdk/contract'
import { provenDomain } from '@countersign/sdk/verify'
import { link } from '#messages/link.ts'
import { formatTime } from '#messages/site.ts'
import { quoted } from '../../ui/quoted.ts'
import type { Tone } from '../../ui/status-chip.tsx'
import type { LinkState } from './link-state.ts'
import type { Verdict } from './verdict.ts'

const words = link

export type FailureState = Exclude<LinkState, 'verified' | 'unknown-provider' | 'check-failed'>

/** The colour of each state. Green has one row. */
export const toneOf = {
  verified: 'ok',
  'unknown-provider': 'warn',
  'check-failed': 'bad',
  expired: 'warn',
  revoked: 'bad',
  archived: 'bad',
  gone: 'bad',
  mistyped: 'warn',
  malformed: 'warn',
  'not-found': 'bad',
  forged: 'bad',
  foreign: 'warn',
  failed: 'bad',
  'could-not-check': 'unk',
} as const satisfies Record<LinkState, Tone>

export const modelTitle = ({ model }: VerificationResult) => (model === null ? '' : `${model.name} ${model.version}`)

export const isDeploymentProven = (record: VerificationResult | null): boolean => {
  const deployment = record?.deployment_info ?? null
  return deployment !== null && deployment.binding !== 'self-asserted'
}

/** Whether a deployment proved its key when it asked for the link, or only the provider's API key was shown. */
export const askedBy = (record: VerificationResult, isProviderKnown: boolean): string => {
  if (!isDeploymentProven(record)) return words.asked.unproven
  return isProviderKnown ? words.asked.proven : words.asked.provenByUnknown
}

/** The score in words: not being rated must not read like a failed check. */
export const trustOf = ({ trust_level, trust_score, trust_factors }: NonNullable<VerificationResult['provider']>): string => {
  const rating = words.provider.trust(trust_level, trust_score)
  if (!trust_factors.email_verified) return words.provider.trustWithoutEmail(rating)
  return trust_factors.domain_verified ? rating : words.provider.trustWithoutDomain(rating)
}

/** What happened, in one or a few sentences, most important first. */
export const failureSentences = ({ state, change, record }: Verdict & { state: FailureState }): string[] => {
  const changed = change === null ? null : words.failure.changed[change]
  if (changed) return [...changed]
  const told: string[] = [words.failure.what[state]]
  if (state === 'expired' && record !== null) told.push(words.failure.wasValid(formatTime(record.timestamp), formatTime(record.expires_at)))
  return told
}

/** The status line of a link that proves nothing. */
export const failureStatus = (state: FailureState) => (state === 'could-not-check' ? words.failure.couldNotCheck : words.failure.heading)

/** The sentence that a screen reader hears when the verdict is there, and again when it changes. */
export const headline = (verdict: Verdict): string => {
  const { state, record } = verdict
  if (state === 'check-failed') return words.doNotRely
  if (state === 'unknown-provider') return words.genuineButUnknown
  if (state === 'verified') return record === null ? '' : words.issuedBy(provenDomain(record) ?? '', quoted(modelTitle(record)))
  return `${failureStatus(state)}. ${failureSentences({ ...verdict, state }).join(' ')}`
}
