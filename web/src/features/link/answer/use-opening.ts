import { useEffect, useRef } from 'react'
import { countOpening } from './link-answer.ts'

const readAfterMs = 2_000

/** Counts a valid link as opened after two visible seconds, so that previews and scanners don't count. */
export const useOpening = (token: string, isGood: boolean) => {
  const isCounted = useRef(false)
  useEffect(() => {
    if (!isGood) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const watch = () => {
      clearTimeout(timer)
      if (document.visibilityState !== 'visible' || isCounted.current) return
      timer = setTimeout(() => {
        isCounted.current = true
        countOpening(token)
      }, readAfterMs)
    }
    watch()
    document.addEventListener('visibilitychange', watch)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', watch)
    }
  }, [token, isGood])
}
