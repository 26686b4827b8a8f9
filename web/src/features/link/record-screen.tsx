import type { VerificationResult } from '@countersign/sdk/contract'
import { checkName, headingOf, modelTitle, notesOf, quote, requesterOf, type ShownState } from '@countersign/sdk/words'
import type { ReactNode } from 'react'
import { link } from '#messages/pages/link.ts'
import type { Verdict } from './answer/verdict.ts'
import { ChecksSummary } from './checks-summary.tsx'
import { matchId, PhraseBox } from './details/chat-match.tsx'
import { Moment } from './moment.tsx'
import { RichText } from './rich-text.tsx'
import { StrengthSteps } from './strength-steps.tsx'
import { TimeLeft } from './time-left.tsx'
import { VerdictBand } from './verdict-band.tsx'

const words = link

interface RecordScreenProps {
  verdict: Verdict & { state: ShownState }
  record: VerificationResult
  timeLeftMs: number
  seal?: string | undefined
  /** The actions. */
  children?: ReactNode
}

/** The first screen of a known, unexpired link: what it proves, and what it does not. */
export const RecordScreen = ({ verdict, record, timeLeftMs, seal, children }: RecordScreenProps) => {
  const { state, domain } = verdict
  return (
    <VerdictBand state={state} seal={seal}>
      <Heading state={state} record={record} />
      <About verdict={verdict} record={record}>
        <TimeLeft until={record.expires_at} timeLeftMs={timeLeftMs} />
      </About>
      {state === 'check_failed' ? (
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
      {children}
    </VerdictBand>
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
