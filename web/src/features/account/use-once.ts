import { useEffect, useRef } from 'react'

/** Runs an effect exactly once, when the page is first shown. */
export const useOnce = (work: () => void) => {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    isDone.current = true
    work()
  })
}
