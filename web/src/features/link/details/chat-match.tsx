import type { VerificationResult } from '@countersign/sdk/contract'
import { quoted } from '@countersign/sdk/words'
import { lazy, Suspense } from 'react'
import { link } from '#messages/pages/link.ts'
import { Section } from '../../../ui/layout/section.tsx'

const words = link
// Few links carry an answer.
const AnswerCompare = lazy(() => import('./answer-compare.tsx').then(({ AnswerCompare }) => ({ default: AnswerCompare })))
export const matchId = 'match'

interface ChatMatchProps {
  record: VerificationResult
  /** The proven domain. */
  domain: string | null
}

/** What ties a link to one chat: the visitor's own phrase, and the address of the chat. An unknown provider can name any address. */
export const PhraseBox = ({ record: { challenge, origin }, domain }: ChatMatchProps) => {
  const shownOrigin = domain === null ? null : origin
  if (!challenge && !shownOrigin) return null
  return (
    <div className="outcome-match">
      {challenge && (
        <>
          <p>
            {words.match.isYours} <strong>{quoted(challenge)}</strong>
          </p>
          <p>{words.match.phrase}</p>
        </>
      )}
      {shownOrigin && (
        <>
          <p>
            <strong>{words.match.origin(shownOrigin)}</strong>
          </p>
          {!challenge && <p>{words.match.originWhy}</p>}
        </>
      )}
    </div>
  )
}

/** A link can be copied: how to find out whether it belongs to the visitor's own chat. */
export const ChatMatch = ({ record: { challenge, origin, bound_answer }, domain }: ChatMatchProps) => (
  <Section heading={words.chat.heading} id={matchId}>
    <div className="grid max-w-prose gap-3">
      {domain === null && <p>{words.chat.unknown}</p>}
      <p>{words.chat.forwarded}</p>
      <p>{challenge ? words.chat.comparePhrase : words.chat.givePhrase}</p>
      {domain !== null && origin && <p>{words.chat.compareOrigin(origin)}</p>}
    </div>
    {bound_answer && (
      <Suspense>
        <AnswerCompare bound={bound_answer} provider={domain ?? words.chat.uncheckedProvider} />
      </Suspense>
    )}
  </Section>
)
