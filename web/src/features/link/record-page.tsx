import type { VerificationResult } from '@countersign/sdk/contract'
import { checkName, headingOf, modelTitle, notesOf, quote, requesterOf, type ShownState } from '@countersign/sdk/words'
import { lazy, type ReactNode, Suspense } from 'react'
import { link } from '#messages/pages/link.ts'
import { QuickActions } from './actions/quick-actions.tsx'
import type { Verdict } from './answer/verdict.ts'
import { ChecksSummary, detailsId } from './checks-summary.tsx'
import { ChatMatch, matchId, PhraseBox } from './details/chat-match.tsx'
import { Moment } from './moment.tsx'
import { NotProven } from './not-proven.tsx'
import { PrintFacts, PrintHead } from './print-only.tsx'
import { RichText } from './rich-text.tsx'
import { StrengthSteps } from './strength-steps.tsx'
import { TimeLeft } from './time-left.tsx'
import { VerdictBand } from './verdict-band.tsx'

const words = link
const EvidenceAndActions = lazy(() =>
  import('./evidence-and-actions.tsx').then(({ EvidenceAndActions }) => ({ default: EvidenceAndActions })),
)

interface RecordPageProps {
  token: string
  verdict: Verdict & { state: ShownState }
  record: VerificationResult
  timeLeftMs: number
  checkAgain: () => void
}

/** A known, unexpired link: what it proves, what it does not, and how to compare it with the chat. */
export const RecordPage = ({ token, verdict, record, timeLeftMs, checkAgain }: RecordPageProps) => {
  const { state, domain } = verdict
  const isFailed = state === 'check_failed'
  return (
    <>
      <PrintHead until={record.expires_at} />
      <VerdictBand state={state}>
        <Heading state={state} record={record} />
        <About verdict={verdict} record={record}>
          <TimeLeft until={record.expires_at} timeLeftMs={timeLeftMs} />
        </About>
        {isFailed ? (
          <FailedChecks verdict={verdict} />
        ) : (
          <>
            <PhraseBox record={record} domain={domain} />
            <StrengthSteps verdict={verdict} record={record} />
            <p className="outcome-limit">
              {words.limit[state]}{' '}
              <a href={`#${matchId}`} className="link">
                {domain === null ? words.limit.whatToDo : words.limit.howToBeSure}
              </a>
            </p>
          </>
        )}
        <ChecksSummary checks={verdict.checks} />
        <QuickActions
          token={token}
          model={record.model}
          trust={isFailed ? 'none' : domain === null ? 'unconfirmed' : 'confirmed'}
        />
      </VerdictBand>
      <PrintFacts record={record} />
      {!isFailed && <ChatMatch record={record} domain={domain} />}
      <NotProven record={record} domain={domain} />
      <div id={detailsId}>
        <Suspense>
          <EvidenceAndActions token={token} verdict={verdict} record={record} checkAgain={checkAgain} />
        </Suspense>
      </div>
    </>
  )
}

/** Company and model. Self-reported names are in quotation marks. */
const Heading = ({ state, record }: { state: ShownState; record: VerificationResult }) => {
  const [who, which] = headingOf(state, record)
  return (
    <h1 className="outcome-who">
      <bdi>{who}</bdi>
      {which !== null && (
        <>
          {' '}
          <bdi className="outcome-which">{which}</bdi>
        </>
      )}
    </h1>
  )
}

const About = ({
  verdict: { state, domain },
  record,
  children,
}: {
  verdict: Verdict
  record: VerificationResult
  children: ReactNode
}) => {
  const { provider } = record
  const at = <Moment key="at" time={record.timestamp} />
  const requester = requesterOf(state, domain, record)
  const [message, name] =
    requester === null
      ? [words.about.requestedFor, <bdi key="name">{quote(modelTitle(record))}</bdi>]
      : [words.about.requestedBy, <bdi key="name">{requester}</bdi>]
  return (
    <>
      <p className="outcome-about">
        {state === 'check_failed' && `${words.doNotRelyWhy} `}
        <RichText message={message} parts={[name, at]} /> {children}
        {requester !== null && provider?.name && (
          <>
            {' '}
            <bdi>{words.about.company(quote(provider.name))}</bdi>
          </>
        )}
      </p>
      {notesOf(record).map((note) => (
        <p key={note} className="mt-2 border-control border-s-2 ps-3 text-small">
          {note}
        </p>
      ))}
    </>
  )
}

/** Failed checks come first. */
const FailedChecks = ({ verdict }: { verdict: Verdict }) => (
  <ul className="mt-4 grid gap-2">
    {verdict.checks
      .filter(({ passed }) => passed === false)
      .map(({ check, detail }) => (
        <li key={check}>
          <strong>{checkName(check)}.</strong> {detail}
        </li>
      ))}
  </ul>
)
