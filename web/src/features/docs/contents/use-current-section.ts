import { useLayoutEffect, useRef, useState } from 'react'

/** How far under the upper edge of the window a section counts as the one that is read. */
const readingLine = 140

/** The last of these elements that begins above the reading line; at the end of the page the last of all. */
export const useCurrentSection = (ids: readonly string[]): string | undefined => {
  const key = ids.join(' ')
  const [current, setCurrent] = useState(ids[0])
  const seen = useRef(key)
  // Begins to listen before a place that is restored or named is scrolled to. Until then it is the first, and measuring a page
  // that is still being drawn would draw it twice.
  useLayoutEffect(() => {
    const names = key.split(' ')
    let frame = 0
    const look = () => {
      frame = 0
      const isAtEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2
      const above = names.filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= readingLine)
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
