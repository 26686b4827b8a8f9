import { useEffect, useRef } from 'react'
import { elapsedMs, readInstant } from './instant.ts'
import type { LinkAnswer } from './link-answer.ts'

const everyMs = 60_000
const whenLookedAtMs = 10_000
/** An answer in the page counts as current for the time a page takes to load. */
const writtenIsNewMs = 2_000

/** Repeats the request while the page is visible, so that the answer is never minutes old. */
export const useAskingAgain = (
  answer: LinkAnswer | undefined,
  { isWritten, ask }: { isWritten: boolean; ask: () => void },
) => {
  const latest = useRef(ask)
  latest.current = ask
  useEffect(() => {
    // All other errors are final, or nearly so.
    if (answer?.kind === 'refusal' && answer.refusal.code !== 'could_not_check') return
    const since = answer?.kind === 'record' ? answer.requestedAt : readInstant()
    const askFor = (ageMs: number) => () => {
      const age = elapsedMs(since, readInstant())
      if (document.visibilityState === 'visible' && age >= ageMs && !isOver(answer, age)) latest.current()
    }
    const [looked, activated] = [askFor(whenLookedAtMs), askFor(0)]
    const timer = setInterval(askFor(0), everyMs)
    document.addEventListener('visibilitychange', looked)
    document.addEventListener('prerenderingchange', activated)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', looked)
      document.removeEventListener('prerenderingchange', activated)
    }
  }, [answer])
  useEffect(() => {
    if (isWritten && performance.now() > writtenIsNewMs) latest.current()
  }, [isWritten])
}

const isOver = (answer: LinkAnswer | undefined, ageMs: number) =>
  answer?.kind === 'record' && Date.parse(answer.record.checked_at) + ageMs >= Date.parse(answer.record.expires_at)
