import type { VerificationResult } from '@countersign/sdk/contract'
import { provenDomain } from '@countersign/sdk/verify'
import { useState } from 'react'
import { link } from '#messages/link.ts'
import { formatTime, formatTimeLeft, site } from '#messages/site.ts'
import { isDevelopmentRegistry, registryHost } from '../../data/registry.ts'
import { KeyFact, KeyFacts } from '../../ui/facts.tsx'

const words = link

interface LinkFactsProps {
  record: VerificationResult
  timeLeftMs: number
  /** It ended by its time, not by something else before. */
  isOver?: boolean
}

/** The four facts under the sentence. Without time left, when it ended or would have. */
export const LinkFacts = ({ record, timeLeftMs, isOver = false }: LinkFactsProps) => (
  <KeyFacts>
    <Domain record={record} />
    <KeyFact name={words.facts.version}>{record.model?.version ?? words.facts.none}</KeyFact>
    <KeyFact name={words.facts.issued}>{formatTime(record.timestamp)}</KeyFact>
    {timeLeftMs > 0 ? (
      <KeyFact name={words.facts.expiresIn} className="print:hidden">
        <span role="timer" aria-label={words.timer.label} aria-live="off" className="tabular-nums">
          {formatTimeLeft(timeLeftMs)}
        </span>
        <span className="block text-micro text-muted">{words.facts.until(record.expires_at)}</span>
        <TimeNotices timeLeftMs={timeLeftMs} />
      </KeyFact>
    ) : (
      <KeyFact name={isOver ? words.facts.validUntil : words.facts.wouldExpire}>{formatTime(record.expires_at)}</KeyFact>
    )}
  </KeyFacts>
)

const Domain = ({ record }: { record: VerificationResult }) => {
  const proven = provenDomain(record)
  if (proven !== null) return <KeyFact name={words.facts.domain}>{proven}</KeyFact>
  return <KeyFact name={words.facts.claimedDomain}>{record.provider?.domain ?? words.facts.none}</KeyFact>
}

const notices = [
  { atMs: 60_000, text: words.timer.oneMinute },
  { atMs: 300_000, text: words.timer.fiveMinutes },
]

/** Tells those who do not see the clock when five minutes and one minute are left; only what they were here to pass. */
const TimeNotices = ({ timeLeftMs }: { timeLeftMs: number }) => {
  const [atFirstMs] = useState(timeLeftMs)
  const notice = notices.find(({ atMs }) => timeLeftMs <= atMs)
  return (
    <span role="status" className="sr-only">
      {notice !== undefined && atFirstMs > notice.atMs ? notice.text : ''}
    </span>
  )
}

/** On paper there is no header, and no clock that runs out. */
export const PaperHead = ({ until }: { until?: string }) => (
  <div className="hidden pb-3 print:block">
    <p className="font-semibold">{words.print.head(registryHost)}</p>
    {isDevelopmentRegistry && <p>{site.layout.development}</p>}
    {until !== undefined && <p>{words.print.paper(formatTime(until))}</p>}
  </div>
)

/** On paper the clock says nothing: the address, the two times and the whole digest instead. */
export const PrintFacts = ({ record }: { record: VerificationResult }) => (
  <dl className="hidden py-4 print:block">
    {[
      [words.print.url, `${location.origin}${location.pathname}`],
      [words.print.issued, formatTime(record.timestamp)],
      [words.print.expires, formatTime(record.expires_at)],
      [words.print.digest, record.model?.model_digest ?? words.facts.none],
    ].map(([name, value]) => (
      <div key={name} className="flex gap-4">
        <dt className="w-40 shrink-0">{name}</dt>
        <dd className="min-w-0 font-mono text-small">{value}</dd>
      </div>
    ))}
  </dl>
)
