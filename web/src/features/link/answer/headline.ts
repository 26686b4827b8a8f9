import { failureSentences, headingOf, isShown } from '@countersign/sdk/words'
import { link } from '#messages/pages/link.ts'
import type { Verdict } from './verdict.ts'

const words = link

/** The sentence for screen readers when the verdict appears or changes. */
export const headline = (verdict: Verdict): string => {
  const { state, record } = verdict
  if (!isShown(state)) return [`${words.bands[state]}.`, ...failureSentences(state, verdict)].join(' ')
  if (record === null) return words.bands[state]
  return `${words.bands[state]}. ${headingOf(state, record).filter(Boolean).join(' ')}`
}
