import type { Check, VerificationResult } from '@countersign/sdk/contract'
import { provenDomain } from '@countersign/sdk/verify'
import { lazy, type ReactNode, Suspense } from 'react'
import { link } from '#messages/link.ts'
import { formatTime } from '#messages/site.ts'
import { quoted } from '../../ui/quoted.ts'
import { RichText } from '../../ui/rich-text.tsx'
import { StatusChip, VerdictRule } from '../../ui/status-chip.tsx'
import { ChatMatch } from './chat-match.tsx'
import { CheckList } from './check-list.tsx'
import { LinkActions } from './link-actions.tsx'
import { LinkFacts, PaperHead, PrintFacts } from './link-facts.tsx'
import { Means, NotProven } from './meaning.tsx'
import { RecordDetails } from './record-details.tsx'
import { domainCheckOf } from './verdict.ts'
import { askedBy, modelTitle, toneOf } from './wording.ts'

const words = link
const RecordAfterwards = lazy(() => import('./record-afterwards.tsx').then(({ RecordAfterwards }) => ({ default: RecordAfterwards })))

interface RecordPageProps {
  token: string
  state: 'verified' | 'unknown-provider' | 'check-failed'
  record: VerificationResult
  checks: Check[]
  timeLeftMs: number
  checkAgain: () => void
}

/** A link that was issued here and is within its time: what it proves, what it does not, and how to compare. */
export const RecordPage = ({ token, state, record, checks, timeLeftMs, checkAgain }: RecordPageProps) => {
  const isFailed = state === 'check-failed'
  // What a visitor has to do comes before what we did, unless a failed check has already decided.
  return (
    <>
      <PaperHead until={record.expires_at} />
      <VerdictRule tone={toneOf[state]} />
      <Sentence state={state} record={record} />
      {record.model?.superseded_at && <p className="mt-4 border-control border-s-2 ps-3 text-small">{words.superseded}</p>}
      <LinkFacts record={record} timeLeftMs={timeLeftMs} />
      <PrintFacts record={record} />
      {!isFailed && <ChatMatch record={record} />}
      <CheckList checks={checks} />
      <p className="mt-3 text-muted text-small print:hidden">
        {words.checkedAt(formatTime(record.checked_at))}{' '}
        <button type="button" onClick={checkAgain} className="link min-h-6 cursor-pointer">
          {words.checkAgain}
        </button>
      </p>
      {isFailed && <ChatMatch record={record} />}
      <NotProven record={record} />
      {state === 'verified' && <Means model={quoted(modelTitle(record))} domain={provenDomain(record) ?? ''} />}
      <RecordDetails record={record} isCurrent />
      <Suspense>
        <RecordAfterwards token={token} record={record} />
      </Suspense>
      <LinkActions token={token} model={record.model} />
    </>
  )
}

const Sentence = ({ state, record }: Pick<RecordPageProps, 'state' | 'record'>) => {
  const domain = provenDomain(record)
  const company = record.provider?.name ?? null
  if (state === 'verified' && domain !== null) {
    return (
      <Heading
        status={<VerifiedStatus />}
        sentence={
          <RichText
            message={words.issuedBy}
            parts={[
              <bdi key="domain">{domain}</bdi>,
              <bdi key="model" className="font-medium">
                {quoted(modelTitle(record))}
              </bdi>,
            ]}
          />
        }
        asked={askedBy(record, true)}
      >
        {company === null ? null : <bdi>{words.company(quoted(company))}</bdi>}
      </Heading>
    )
  }
  if (state === 'check-failed') {
    return (
      <Heading status={<StatusChip tone="bad">{words.statusCheckFailed}</StatusChip>} sentence={words.doNotRely}>
        {words.doNotRelyWhy}
      </Heading>
    )
  }
  return (
    <Heading
      status={<StatusChip tone="warn">{words.statusUnknownProvider}</StatusChip>}
      sentence={words.genuineButUnknown}
      asked={askedBy(record, false)}
    >
      {[words.unknownClaims(quoted(modelTitle(record)), company && quoted(company)), domainCheckOf(record)?.detail, words.anyName]
        .filter(Boolean)
        .join(' ')}
    </Heading>
  )
}

const VerifiedStatus = () => (
  <>
    <span className="font-semibold text-small">{words.status}</span>
    <StatusChip tone="ok">{words.badge}</StatusChip>
  </>
)

interface HeadingProps {
  status: ReactNode
  sentence: ReactNode
  /** Who asked for the link. */
  asked?: string
  children: ReactNode
}

const Heading = ({ status, sentence, asked, children }: HeadingProps) => (
  <>
    <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 sm:mt-5">{status}</p>
    <h1 className="heading-verdict mt-2">{sentence}</h1>
    <div className="mt-3 grid max-w-prose gap-1 text-muted text-small sm:text-body">
      {asked !== undefined && <p className="text-ink">{asked}</p>}
      {children !== null && <p>{children}</p>}
    </div>
  </>
)
