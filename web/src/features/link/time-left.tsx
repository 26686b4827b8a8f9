import { useState } from 'react'
import { link } from '#messages/pages/link.ts'
import { formatMinutesLeft } from '#messages/site.ts'
import { Moment } from './moment.tsx'
import { RichText } from './rich-text.tsx'

const words = link

/** The remaining time; in print, the expiry time. */
export const TimeLeft = ({ until, timeLeftMs }: { until: string; timeLeftMs: number }) => (
  <>
    <span role="timer" aria-live="off" className="print:hidden">
      {words.about.expires(formatMinutesLeft(timeLeftMs))}
    </span>
    <span className="hidden print:inline">
      <RichText message={words.about.expiresAt} parts={[<Moment key="time" time={until} />]} />
    </span>
    <TimeNotices timeLeftMs={timeLeftMs} />
  </>
)

const notices = [
  { atMs: 60_000, text: words.timer.oneMinute },
  { atMs: 300_000, text: words.timer.fiveMinutes },
]

/** Announces to screen readers when five minutes and one minute are left, if the visitor was here before. */
const TimeNotices = ({ timeLeftMs }: { timeLeftMs: number }) => {
  const [atFirstMs] = useState(timeLeftMs)
  const notice = notices.find(({ atMs }) => timeLeftMs <= atMs)
  return (
    <span role="status" className="sr-only">
      {notice !== undefined && atFirstMs > notice.atMs ? notice.text : ''}
    </span>
  )
}
