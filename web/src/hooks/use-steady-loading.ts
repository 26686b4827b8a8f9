import { useEffect, useState } from 'react'

const showAfterMs = 200
const showAtLeastMs = 300

/** Whether to show a loading state: not for quick responses, but then long enough to be read. */
export const useSteadyLoading = (isLoading: boolean) => {
  const [shownAt, setShownAt] = useState<number | null>(null)
  useEffect(() => {
    if (isLoading) {
      const timer = setTimeout(() => setShownAt((at) => at ?? performance.now()), showAfterMs)
      return () => clearTimeout(timer)
    }
    if (shownAt === null) return
    const timer = setTimeout(() => setShownAt(null), Math.max(0, shownAt + showAtLeastMs - performance.now()))
    return () => clearTimeout(timer)
  }, [isLoading, shownAt])
  return { isLoading: isLoading || shownAt !== null, isShown: shownAt !== null }
}
