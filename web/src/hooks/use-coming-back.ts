import { useEffect, useRef } from 'react'

/** Who goes to and fro is not asked for at every step. */
export const lookedAtMs = 15_000

/** Each time that somebody comes back to this tab of the browser. */
export const useComingBack = (isWanted: boolean, act: () => unknown) => {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (!isWanted) return
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
  }, [isWanted])
}
