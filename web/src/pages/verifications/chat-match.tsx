import type { VerificationResult } from '@countersign/sdk/contract'
import { provenDomain } from '@countersign/sdk/verify'
import { link } from '#messages/link.ts'
import { Section } from '../../ui/section.tsx'
import { AnswerCompare } from './answer-compare.tsx'

const words = link.chat

/** A link can be copied. What ties it to one chat is a phrase, an address or the answer itself. */
export const ChatMatch = ({ record }: { record: VerificationResult }) => {
  const { challenge, origin, bound_answer } = record
  return (
    <Section heading={words.heading}>
      <div className="grid gap-6">
        {challenge && (
          <div>
            <blockquote className="border-control border-s-4 ps-4 font-semibold text-intro">“{challenge}”</blockquote>
            <p className="mt-2">{words.challenge}</p>
          </div>
        )}
        {origin && (
          <div>
            <p className="font-semibold">{words.origin(origin)}</p>
            <p>{words.originWhy}</p>
          </div>
        )}
        {bound_answer ? (
          <AnswerCompare bound={bound_answer} provider={provenDomain(record) ?? words.uncheckedProvider} />
        ) : (
          <p>{challenge ? words.forwarded : [words.forwarded, words.givePhrase].join(' ')}</p>
        )}
      </div>
    </Section>
  )
}
