import { type RefObject, useEffect, useState } from 'react'

const restedMs = 150

/** Whether an element has been in the viewport for a moment; stays true afterwards. */
export const useSeen = (place: RefObject<Element | null>) => {
  const [isSeen, setIsSeen] = useState(false)
  useEffect(() => {
    if (isSeen || place.current === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(([entry]) => {
      clearTimeout(timer)
      if (entry?.isIntersecting) timer = setTimeout(() => setIsSeen(true), restedMs)
    })
    observer.observe(place.current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [place, isSeen])
  return isSeen
}
