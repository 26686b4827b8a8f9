import { createContext, type ReactNode, useContext, useState } from 'react'
import { formatLocalTime, formatTime, formatTimeBesideUtc } from '#messages/site.ts'

const Utc = createContext({ isShown: false, toggle: () => {} })

/** Whether the times of a page are shown in UTC as well, and how to change that. */
export const useUtc = () => useContext(Utc)

export const UtcOnDemand = ({ children }: { children: ReactNode }) => {
  const [isShown, setIsShown] = useState(false)
  return <Utc value={{ isShown, toggle: () => setIsShown(!isShown) }}>{children}</Utc>
}

/** A time in the reader's time zone; UTC on hover, in print, and beside it on demand. */
export const Moment = ({ time }: { time: string }) => {
  const utc = useUtc()
  return (
    <time dateTime={time} title={formatTime(time)}>
      <span className="print:hidden">{utc.isShown ? formatTimeBesideUtc(time) : formatLocalTime(time)}</span>
      <span className="hidden print:inline">{formatTime(time)}</span>
    </time>
  )
}
