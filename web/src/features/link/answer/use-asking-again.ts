import { useEffect, useRef } from 'react'
import { elapsedMs, readInstant } from './instant.ts'
import type { LinkAnswer } from './link-answer.ts'

const everyMs = 60_000
const whenLookedAtMs = 10_000
/** What was written into a page is as good as an answer of now for as long as pages take to come. */
const writtenIsNewMs = 2_000

/** Asks about a link again while somebody looks: what it says of now must not be of a quarter of an hour ago. */
export const useAskingAgain = (answer: LinkAnswer | undefined, { isWritten, ask }: { isWritten: boolean; ask: () => void }) => {
  const latest = useRef(ask)
  latest.current = ask
  useEffect(() => {
    // Any other refusal is final, or as good as that.
    if (answer?.kind === 'refusal' && answer.refusal.code !== 'could_not_check') return
    const since = answer?.kind === 'record' ? answer.askedAt : readInstant()
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
