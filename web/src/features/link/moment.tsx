import { createContext, useContext } from 'react'
import { formatLocalTime, formatTime } from '#messages/site.ts'

/** Whether times are shown in UTC instead of the reader's time zone. */
export const InUtc = createContext(false)

/** A time in the reader's time zone; UTC on hover, in print and on demand. */
export const Moment = ({ time }: { time: string }) => {
  const isUtc = useContext(InUtc)
  return (
    <time dateTime={time} title={formatTime(time)}>
      <span className="print:hidden">{isUtc ? formatTime(time) : formatLocalTime(time)}</span>
      <span className="hidden print:inline">{formatTime(time)}</span>
    </time>
  )
}
