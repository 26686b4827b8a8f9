import type { VerificationResult } from '@countersign/sdk/contract'
import { endedAtOf, type FailureState, failureHeading, failureSentences, requestSentence } from '@countersign/sdk/words'
import type { ReactNode } from 'react'
import { link } from '#messages/pages/link.ts'
import { registryHost } from '../../data/registry.ts'
import type { Verdict } from './answer/verdict.ts'
import { ChecksSummary } from './checks-summary.tsx'
import { Moment } from './moment.tsx'
import { RichText } from './rich-text.tsx'
import { VerdictBand } from './verdict-band.tsx'

const words = link.failure

interface FailureScreenProps {
  verdict: Verdict & { state: FailureState }
  /** The code as it was opened, if it may be mistyped. */
  opened?: string | null
  seal?: string | undefined
  /** The actions. */
  children?: ReactNode
}

/** The first screen of a link that proves nothing or could not be checked. */
export const FailureScreen = ({ verdict, opened = null, seal, children }: FailureScreenProps) => {
  const { state, record, checks } = verdict
  const happened = failureSentences(state, verdict)
  const next = words.next[state]
  return (
    <VerdictBand state={state} seal={seal}>
      <h1 className="outcome-who">{failureHeading(state)}</h1>
      {opened !== null && (
        <p className="mt-3">
          {words.opened} <code className="font-mono font-semibold">{opened}</code>
        </p>
      )}
      {happened.length > 0 && <p className="outcome-limit">{happened.join(' ')}</p>}
      {record !== null && <WhatItWas record={record} verdict={verdict} />}
      <p className="outcome-limit">{typeof next === 'string' ? next : next(registryHost)}</p>
      <p className="outcome-limit font-semibold">{state === 'could_not_check' ? words.noVerdict : words.noProof}</p>
      {checks.length > 0 && <ChecksSummary checks={checks} />}
      {children}
    </VerdictBand>
  )
}

interface WhatItWasProps {
  record: VerificationResult
  verdict: Verdict
}

const WhatItWas = ({ record, verdict }: WhatItWasProps) => {
  const made = <Moment key="made" time={record.timestamp} />
  const endedAt = endedAtOf(verdict)
  return (
    <p className="outcome-about">
      {requestSentence(record, verdict)}{' '}
      {endedAt ? (
        <RichText
          message={verdict.outcome === 'expired' ? words.expired : words.cancelled}
          parts={[made, <Moment key="ended" time={endedAt} />]}
        />
      ) : (
        <RichText message={words.made} parts={[made]} />
      )}
    </p>
  )
}
