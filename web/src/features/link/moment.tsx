import { createContext, type ReactNode, useContext, useState } from 'react'
import { formatClock, formatLocalTime, formatTime } from '#messages/site.ts'

interface Utc {
  isShown: boolean
  toggle: () => void
  /** Times of this day have no date. */
  today?: Date | undefined
}

const Utc = createContext<Utc>({ isShown: false, toggle: () => {} })

/** Whether the times of a page are shown in UTC as well, and how to change that. */
export const useUtc = () => useContext(Utc)

export const UtcOnDemand = ({ today, children }: { today?: Date; children: ReactNode }) => {
  const [isShown, setIsShown] = useState(false)
  return <Utc value={{ isShown, toggle: () => setIsShown(!isShown), today }}>{children}</Utc>
}

/** A time in the reader's time zone; UTC on hover, in print, and beside it on demand. */
export const Moment = ({ time }: { time: string }) => {
  const utc = useUtc()
  return (
    <time dateTime={time} title={formatTime(time)}>
      <span className="print:hidden">
        {formatLocalTime(time, utc.today)}
        {utc.isShown && ` (${formatClock(time)})`}
      </span>
      <span className="hidden print:inline">{formatTime(time)}</span>
    </time>
  )
}
