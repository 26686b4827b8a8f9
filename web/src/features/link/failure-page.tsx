import type { VerificationResult } from '@countersign/sdk/contract'
import { type FailureState, failureHeading, failureSentences, modelTitle, quote } from '@countersign/sdk/words'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { link } from '#messages/pages/link.ts'
import { registryHost } from '../../data/registry.ts'
import { openedCode } from '../../data/typed-link.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { QuickActions } from './actions/quick-actions.tsx'
import type { Verdict } from './answer/verdict.ts'
import { LinkBox } from './box/link-box.tsx'
import { ChecksSummary, detailsId } from './checks-summary.tsx'
import { Moment } from './moment.tsx'
import { PrintFacts, PrintHead } from './print-only.tsx'
import { RichText } from './rich-text.tsx'
import { VerdictBand } from './verdict-band.tsx'

const words = link.failure
const RecordDetails = lazy(() =>
  import('./details/record-details.tsx').then(({ RecordDetails }) => ({ default: RecordDetails })),
)

interface FailurePageProps {
  token: string
  verdict: Verdict & { state: FailureState }
  isAsking: boolean
  ask: () => void
}

/** A link that proves nothing or could not be checked: what happened, what to do, and what it was for. */
export const FailurePage = ({ token, verdict, isAsking, ask }: FailurePageProps) => {
  const { state, record, checks, domain } = verdict
  const isOpen = state === 'could_not_check'
  const happened = failureSentences(state, verdict)
  const next = words.next[state]
  const opened = state === 'mistyped' ? openedCode(token) : null
  return (
    <>
      <PrintHead />
      <VerdictBand state={state}>
        <h1 className="outcome-who">{failureHeading(state)}</h1>
        {opened !== null && (
          <p className="mt-3">
            {words.opened} <code className="font-mono font-semibold">{opened}</code>
          </p>
        )}
        {happened.length > 0 && <p className="outcome-limit">{happened.join(' ')}</p>}
        {record !== null && <WhatItWas record={record} domain={domain} isOver={state === 'expired'} />}
        <p className="outcome-limit">{typeof next === 'string' ? next : next(registryHost)}</p>
        <p className="outcome-limit font-semibold">{isOpen ? words.noVerdict : words.noProof}</p>
        {checks.length > 0 && <ChecksSummary checks={checks} />}
        {record !== null && <QuickActions token={token} model={record.model} trust="none" />}
      </VerdictBand>
      {canBeTypedAgain(state) && (
        <div className="mt-6">
          <LinkBox text={opened ?? undefined} />
        </div>
      )}
      <div className="mt-6 flex flex-wrap gap-3 print:hidden">
        {isOpen && (
          <Button look="primary" aria-disabled={isAsking} onClick={() => isAsking || ask()}>
            {isAsking ? link.actions.asking : link.actions.again}
          </Button>
        )}
        <Button asChild look={isOpen || canBeTypedAgain(state) ? 'plain' : 'primary'}>
          <Link to="/">{link.actions.home}</Link>
        </Button>
      </div>
      <p className="mt-6 text-muted text-small">{words.seeds[state]}</p>
      {record !== null && <PrintFacts record={record} />}
      <div id={detailsId}>
        <Suspense>
          {(record !== null || checks.length > 0) && (
            <RecordDetails record={record} checks={checks} isCurrent={false} />
          )}
        </Suspense>
      </div>
      {isUnknownReason(state) && (
        <Section heading={words.reasonsHeading}>
          <ul className="grid list-disc gap-1.5 ps-5 text-muted">
            {words.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

interface WhatItWasProps {
  record: VerificationResult
  domain: string | null
  /** It expired, and was not revoked before. */
  isOver: boolean
}

const WhatItWas = ({ record, domain, isOver }: WhatItWasProps) => {
  const model = quote(modelTitle(record))
  const made = <Moment key="made" time={record.timestamp} />
  const endedAt = isOver ? record.expires_at : record.model?.archived_at
  return (
    <p className="outcome-about">
      {domain === null ? words.wasClaimed(model) : words.wasFor(domain, model)}{' '}
      {endedAt ? (
        <RichText
          message={isOver ? words.wasValid : words.cancelled}
          parts={[made, <Moment key="ended" time={endedAt} />]}
        />
      ) : (
        <RichText message={words.made} parts={[made]} />
      )}
    </p>
  )
}

const canBeTypedAgain = (state: FailureState) => state === 'mistyped' || state === 'malformed' || state === 'not_found'

/** Only if the reason is unknown. */
const isUnknownReason = (state: FailureState) => state === 'not_found' || state === 'refused'
