import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** Scrolls to the address's anchor (smoothly if wanted), opens it if closed, and moves the focus there. */
export const useAnchor = () => {
  const location = useLocation()
  const type = useNavigationType()
  const arrived = useRef(location)
  useSmoothScrolling()
  useEffect(() => {
    const target = document.getElementById(location.hash.slice(1))
    if (!target) return
    if (target instanceof HTMLDetailsElement) target.open = true
    // Back, forward and reload restore the scroll position. An anchor typed into the address bar has no history entry of its own.
    const isTyped = location.key === 'default' && arrived.current !== location
    // Runs after the scrolling and focus change of a navigation.
    const frame = requestAnimationFrame(() => {
      if (type !== 'POP' || isTyped) target.scrollIntoView()
      focusTargetOf(target)?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [location, type])
}

const focusTargetOf = (target: HTMLElement) => {
  if (target instanceof HTMLDetailsElement) return target.querySelector('summary')
  return target.matches('[tabindex]') ? target : (target.closest('section')?.querySelector<HTMLElement>('h2') ?? null)
}

/** Only while this page is shown: another page must start at its top at once. */
const useSmoothScrolling = () => {
  useLayoutEffect(() => {
    const { style } = document.documentElement
    if (!matchMedia('(prefers-reduced-motion: no-preference)').matches) return
    style.scrollBehavior = 'smooth'
    return () => {
      style.scrollBehavior = ''
    }
  }, [])
}
