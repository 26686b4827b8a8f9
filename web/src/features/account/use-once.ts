import { useEffect, useRef } from 'react'

/** Does something that must not be done twice, when the page is first shown. */
export const useOnce = (work: () => void) => {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    isDone.current = true
    work()
  })
}
