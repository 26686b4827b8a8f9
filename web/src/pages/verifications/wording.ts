import type { VerificationResult } from '@countersign/sdk/contract'
import type { Step } from '@countersign/sdk/verify'
import { link } from '#messages/link.ts'
import { formatDay } from '#messages/site.ts'
import { quoted } from '../../ui/quoted.ts'
import type { ShapeName } from '../../ui/shape.tsx'
import type { Tone } from '../../ui/status-chip.tsx'
import { type FailureState, isShown, type LinkState, type ShownState } from './link-state.ts'
import type { Verdict } from './verdict.ts'

const words = link

/** The colour of each state. Green has one row, and so has blue. */
export const toneOf = {
  verified: 'ok',
  provider_only: 'info',
  provider_unverified: 'warn',
  domain_stale: 'warn',
  check_failed: 'bad',
  expired: 'bad',
  revoked: 'bad',
  archived: 'bad',
  gone: 'bad',
  mistyped: 'warn',
  malformed: 'warn',
  not_found: 'bad',
  forged: 'bad',
  foreign: 'warn',
  refused: 'bad',
  could_not_check: 'unk',
} as const satisfies Record<LinkState, Tone>

/** The shape in the band: it has to be told apart without its colour. */
export const shapeOf = (state: LinkState): ShapeName => {
  if (state === 'verified') return 'proven'
  if (state === 'provider_only' || state === 'domain_stale') return 'stated'
  if (state === 'provider_unverified' || state === 'could_not_check') return 'missing'
  return toneOf[state] === 'bad' ? 'failed' : 'notice'
}

/** The specification's words beside the band's own. */
export const sealOf = (state: LinkState): string | undefined => {
  if (state === 'verified') return words.seals.verified
  return isShown(state) || state === 'could_not_check' ? undefined : words.seals.failed
}

export const modelTitle = ({ model }: VerificationResult) => (model === null ? '' : `${model.name} ${model.version}`)

/** `checked today`, by the registry's clock and calendar. */
const whenOf = (at: string | null, checkedAt: string): string => {
  if (at === null) return ''
  const dayOf = (time: string | number) => new Date(time).toDateString()
  if (dayOf(at) === dayOf(checkedAt)) return words.checked.today
  return dayOf(at) === dayOf(Date.parse(checkedAt) - 86_400_000) ? words.checked.yesterday : words.checked.on(formatDay(at))
}

/** One step of strength in a sentence. */
export const stepText = ({ words: key, at }: Step, record: VerificationResult, isKnown: boolean): string =>
  words.steps.words[key]({ domain: record.provider?.domain ?? '', when: whenOf(at, record.checked_at), isKnown })

/** Who asked for a link, and for which model. Only a domain stands without quotation marks. */
export const headingOf = (state: ShownState, record: VerificationResult): [who: string, which: string | null] => {
  if (state === 'check_failed') return [words.doNotRely, null]
  if (state === 'provider_unverified') {
    const name = record.provider?.name ?? null
    return [words.about.claimant(name && quoted(name)), null]
  }
  return [record.provider?.domain ?? '', quoted(modelTitle(record))]
}

/** The score in words: not being rated must not read like a failed check. */
export const trustOf = ({ trust_level, trust_score, trust_factors }: NonNullable<VerificationResult['provider']>): string => {
  const rating = words.provider.trust(trust_level, trust_score)
  if (!trust_factors.email_verified) return words.provider.trustWithoutEmail(rating)
  return trust_factors.domain_verified ? rating : words.provider.trustWithoutDomain(rating)
}

/** What to make of a link that proves nothing: the band says what it is. */
export const failureHeading = (state: FailureState): string =>
  toneOf[state] === 'bad' ? words.doNotRely : words.failure.what[state]

/** What happened to a link that proves nothing, in one or a few sentences, most important first. */
export const failureSentences = ({ state, change }: Verdict & { state: FailureState }): readonly string[] => {
  const changed = change === null ? null : words.failure.changed[change]
  if (changed) return changed
  return toneOf[state] === 'bad' ? [words.failure.what[state]] : []
}

/** The sentence that a screen reader hears when the verdict is there, and again when it changes. */
export const headline = (verdict: Verdict): string => {
  const { state, record } = verdict
  if (!isShown(state)) return [`${words.bands[state]}.`, ...failureSentences({ ...verdict, state })].join(' ')
  if (record === null) return words.bands[state]
  return `${words.bands[state]}. ${headingOf(state, record).filter(Boolean).join(' ')}`
}
