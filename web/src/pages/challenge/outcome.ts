import { provenDomain } from '@countersign/sdk/verify'
import type { Tone } from '../../ui/status-chip.tsx'
import type { Verdict } from '../verifications/verdict.ts'
import { isSamePhrase } from './phrase.ts'

export type Outcome =
  | { kind: 'match'; domain: string }
  | { kind: 'match-unknown' | 'none' | 'old' | 'refused' | 'could-not-check' }
  | { kind: 'other'; phrase: string }

export const toneOfOutcome = {
  match: 'ok',
  'match-unknown': 'warn',
  none: 'warn',
  old: 'bad',
  other: 'bad',
  refused: 'bad',
  'could-not-check': 'warn',
} as const satisfies Record<Outcome['kind'], Tone>

/** For a clock that was set while the page was open. */
const toleranceMs = 5_000

/**
 * What a link says to somebody who gave this phrase to an AI `sinceMadeMs` before the registry looked. Only a link that is
 * good at this moment can match.
 */
export const judgeChallenge = ({ state, record }: Verdict, phrase: string, sinceMadeMs: number): Outcome => {
  if (state === 'could-not-check') return { kind: 'could-not-check' }
  if ((state !== 'verified' && state !== 'unknown-provider') || record === null) return { kind: 'refused' }
  if (!record.challenge) return { kind: 'none' }
  if (!isSamePhrase(record.challenge, phrase)) return { kind: 'other', phrase: record.challenge }
  if (Date.parse(record.timestamp) < Date.parse(record.checked_at) - sinceMadeMs - toleranceMs) return { kind: 'old' }
  const domain = provenDomain(record)
  return state === 'verified' && domain !== null ? { kind: 'match', domain } : { kind: 'match-unknown' }
}
