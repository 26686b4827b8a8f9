import type { VerificationResult } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { lazy, Suspense } from 'react'
import { link } from '#messages/pages/link.ts'
import { Section } from '../../../ui/layout/section.tsx'

const words = link
// Few links have an answer.
const AnswerCompare = lazy(() =>
  import('./answer-compare.tsx').then(({ AnswerCompare }) => ({ default: AnswerCompare })),
)
export const matchId = 'match'

interface ChatMatchProps {
  record: VerificationResult
  /** The proven domain. */
  domain: string | null
}

/** The visitor's phrase and the chat's address, which tie a link to one chat. An unknown provider could name any address. */
export const PhraseBox = ({ record: { challenge, origin }, domain }: ChatMatchProps) => {
  const shownOrigin = domain === null ? null : origin
  if (!challenge && !shownOrigin) return null
  return (
    <div className="outcome-match">
      {challenge && (
        <>
          <p>
            {words.match.isYours} <strong>{quote(challenge)}</strong>
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

/** How to find out whether the link belongs to the visitor's own chat, because links can be copied. */
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
