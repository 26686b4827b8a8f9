import type { VerificationResult } from '@countersign/sdk/contract'
import { hashResponse } from '@countersign/sdk/verify'
import { type FormEvent, useId, useRef, useState } from 'react'
import { answerCompare } from '#messages/pages/answer-compare.ts'
import { Button } from '../../../ui/controls/button.tsx'

const words = answerCompare

type Outcome = 'match' | 'mismatch' | 'empty' | 'unable'

interface AnswerCompareProps {
  bound: NonNullable<VerificationResult['bound_answer']>
  provider: string
}

/** Compares pasted text with the attached answer, in the browser. */
export const AnswerCompare = ({ bound, provider }: AnswerCompareProps) => {
  const id = useId()
  const input = useRef<HTMLTextAreaElement>(null)
  const [compared, setCompared] = useState<{ outcome: Outcome; response_hash: string } | null>(null)
  // Another answer may be attached while the page is open.
  const outcome = compared?.response_hash === bound.response_hash ? compared.outcome : undefined
  const isProviders = bound.bound_by === 'provider'

  const compare = async (event: FormEvent) => {
    event.preventDefault()
    const text = input.current?.value ?? ''
    const { response_hash } = bound
    const outcome = await compareText(text, response_hash)
    // The text may have been changed meanwhile.
    if (input.current?.value === text) setCompared({ outcome, response_hash })
    if (text.trim() === '') input.current?.focus()
  }

  const said = {
    match: isProviders ? words.match.provider(provider) : words.match.bearer,
    mismatch: words.mismatch,
    empty: words.empty,
    unable: words.unable,
  }
  return (
    <form onSubmit={compare} noValidate className="mt-6">
      <p>{isProviders ? words.byProvider(provider) : words.byBearer}</p>
      <div className="print:hidden">
        <label htmlFor={id} className="mt-4 block font-semibold text-small">
          {words.label}
        </label>
        <textarea
          ref={input}
          id={id}
          rows={4}
          autoComplete="off"
          spellCheck={false}
          onChange={() => setCompared(null)}
          aria-describedby={`${id}-outcome`}
          className="mt-1.5 block w-full rounded-control border border-control bg-surface px-3 py-2"
        />
        <Button type="submit" className="mt-3">
          {words.compare}
        </Button>
        <p
          id={`${id}-outcome`}
          role="status"
          data-outcome={outcome}
          className="font-semibold not-empty:mt-3 data-[outcome=mismatch]:text-bad"
        >
          {outcome && said[outcome]}
        </p>
      </div>
    </form>
  )
}

/** Copying often changes spaces at the ends, and forms convert line ends to LF: accept those variants. */
const compareText = async (text: string, hash: string): Promise<Outcome> => {
  const trimmed = text.trim()
  if (trimmed === '') return 'empty'
  try {
    const spellings = [text, trimmed, `${trimmed}\n`].flatMap((spelling) => [
      spelling,
      spelling.replaceAll('\n', '\r\n'),
    ])
    const hashes = await Promise.all([...new Set(spellings)].map((spelling) => hashResponse(spelling)))
    return hashes.includes(hash) ? 'match' : 'mismatch'
  } catch {
    return 'unable'
  }
}
