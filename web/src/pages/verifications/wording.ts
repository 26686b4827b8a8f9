import type { VerificationResult } from '@countersign/sdk/contract'
import { provenDomain } from '@countersign/sdk/verify'
import { formatTime, messages } from '../../messages/en.ts'
import type { Tone } from '../../ui/status-chip.tsx'
import type { LinkState, Verdict } from './verdict.ts'

const words = messages.link

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

/** What happened, in one or a few sentences, most important first. */
export const failureSentences = ({ state, change, record }: Verdict & { state: FailureState }): string[] => {
  const told = [words.failure.what[state]]
  if (state === 'expired' && record !== null) told.push(words.failure.wasValid(formatTime(record.timestamp), formatTime(record.expires_at)))
  const changed = change === null ? null : words.failure.changed[change]
  if (changed) told.push(changed)
  return told
}

/** The sentence that a screen reader hears when the verdict is there, and again when it changes. */
export const headline = (verdict: Verdict): string => {
  const { state, record } = verdict
  if (state === 'check-failed') return words.doNotRely
  if (state === 'unknown-provider') return words.genuineButUnknown
  if (state === 'failed') return words.failure.what.failed
  if (state === 'verified') return record === null ? '' : words.issuedBy(modelTitle(record), provenDomain(record) ?? '')
  const heading = state === 'could-not-check' ? words.failure.couldNotCheck : words.failure.heading
  return `${heading}. ${failureSentences({ ...verdict, state }).join(' ')}`
}
