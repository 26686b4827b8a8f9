import { useLayoutEffect, useRef, useState } from 'react'

/** The distance from the window's top at which a section becomes current. */
const readingLine = 140

/** The last element that starts above the reading line; at the end of the page, the last of all. */
export const useCurrentSection = (ids: readonly string[]): string | undefined => {
  const key = ids.join(' ')
  const [current, setCurrent] = useState(ids[0])
  const seen = useRef(key)
  // Starts listening before the page scrolls to a restored or linked position. Until then, assume the first section:
  // measuring would force a second layout while the page renders.
  useLayoutEffect(() => {
    const names = key.split(' ')
    let frame = 0
    const look = () => {
      frame = 0
      const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
      const above = names.filter(
        (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= readingLine,
      )
      setCurrent((isAtEnd && scrollY > 0 ? names.at(-1) : above.at(-1)) ?? names[0])
    }
    const onScroll = () => {
      frame ||= requestAnimationFrame(look)
    }
    if (seen.current !== key) onScroll()
    seen.current = key
    addEventListener('scroll', onScroll, { passive: true })
    addEventListener('resize', onScroll, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', onScroll)
      removeEventListener('resize', onScroll)
    }
  }, [key])
  return current
}
