import { useEffect, useRef } from 'react'

/** Throttles refreshes on focus. */
const lookedAtMs = 15_000

/** Calls back when the user returns to this browser tab. */
export const useComingBack = (act: () => unknown) => {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    let next = 0
    const look = () => {
      if (document.visibilityState !== 'visible' || Date.now() < next) return
      next = Date.now() + lookedAtMs
      latest.current()
    }
    document.addEventListener('visibilitychange', look)
    addEventListener('focus', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      removeEventListener('focus', look)
    }
  }, [])
}
