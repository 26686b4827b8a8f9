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
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const isProviders = bound.bound_by === 'provider'

  const compare = async (event: FormEvent) => {
    event.preventDefault()
    const text = input.current?.value ?? ''
    setOutcome(await compareText(text, bound.response_hash))
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
          onChange={() => setOutcome(null)}
          aria-describedby={`${id}-outcome`}
          className="mt-1.5 block w-full rounded-control border border-control bg-surface px-3 py-2"
        />
        <Button type="submit" className="mt-3">
          {words.compare}
        </Button>
        <p
          id={`${id}-outcome`}
          role="status"
          data-outcome={outcome ?? undefined}
          className="font-semibold not-empty:mt-3 data-[outcome=mismatch]:text-bad"
        >
          {outcome === null ? '' : said[outcome]}
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
