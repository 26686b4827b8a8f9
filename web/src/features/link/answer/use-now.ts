import { useEffect, useState } from 'react'
import { readInstant } from './instant.ts'
import type { LinkAnswer } from './link-answer.ts'
import { registryTime } from './verdict.ts'

/** The current time, updated each second until the link expires, and at once when the page becomes visible. */
export const useNow = (answer: LinkAnswer | undefined) => {
  const [now, setNow] = useState(readInstant)
  useEffect(() => {
    if (answer?.kind !== 'record') return
    const { record, requestedAt } = answer
    let timer: ReturnType<typeof setTimeout> | undefined
    const tick = () => {
      clearTimeout(timer)
      const instant = readInstant()
      setNow(instant)
      const leftMs = Date.parse(record.expires_at) - registryTime(record, requestedAt, instant)
      if (leftMs > 0) timer = setTimeout(tick, Math.ceil(leftMs % 1_000) || 1_000)
    }
    tick()
    document.addEventListener('visibilitychange', tick)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', tick)
    }
  }, [answer])
  return now
}
