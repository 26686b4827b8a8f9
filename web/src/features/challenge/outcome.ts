import { isShown } from '@countersign/sdk/words'
import type { Tone } from '../../ui/values/status-chip.tsx'
import type { Verdict } from '../link/answer/verdict.ts'
import { isSamePhrase } from './phrase.ts'

export type Outcome =
  | { kind: 'match' | 'match-company'; domain: string }
  | { kind: 'match-unknown' | 'none' | 'old' | 'refused' | 'could-not-check' }
  | { kind: 'other'; phrase: string }

export const toneOfOutcome = {
  match: 'ok',
  'match-company': 'info',
  'match-unknown': 'warn',
  none: 'warn',
  old: 'bad',
  other: 'bad',
  refused: 'bad',
  'could-not-check': 'unk',
} as const satisfies Record<Outcome['kind'], Tone>

/** Tolerates a clock that was changed while the page was open. */
const toleranceMs = 5_000

/**
 * What a link means to the person who gave this phrase to an AI `sinceMadeMs` before the check. Only a link that is
 * currently valid can match.
 */
export const evaluateChallenge = ({ state, domain, record }: Verdict, phrase: string, sinceMadeMs: number): Outcome => {
  if (state === 'could_not_check') return { kind: 'could-not-check' }
  if (!isShown(state) || state === 'check_failed' || record === null) return { kind: 'refused' }
  if (!record.challenge) return { kind: 'none' }
  if (!isSamePhrase(record.challenge, phrase)) return { kind: 'other', phrase: record.challenge }
  if (Date.parse(record.timestamp) < Date.parse(record.checked_at) - sinceMadeMs - toleranceMs) return { kind: 'old' }
  if (domain === null) return { kind: 'match-unknown' }
  if (state === 'verified') return { kind: 'match', domain }
  return state === 'provider_only' ? { kind: 'match-company', domain } : { kind: 'match-unknown' }
}

/** Where the chat must be, or that the link named a website that no longer counts. */
export const chatPlaceOf = (outcome: Outcome, { domain, record }: Verdict): { origin: string } | 'lost' | null => {
  // An address counts only from a known provider.
  if (!outcome.kind.startsWith('match') || domain === null || record === null) return null
  if (record.is_origin_lost) return 'lost'
  return record.origin === null ? null : { origin: record.origin }
}
