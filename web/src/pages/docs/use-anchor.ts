import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** Scrolls to what the address names, smoothly where that is wanted, opens it if it is closed, and lets reading start there. */
export const useAnchor = () => {
  const location = useLocation()
  const type = useNavigationType()
  const arrived = useRef(location)
  useSmoothScrolling()
  useEffect(() => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (!target) return
    if (target instanceof HTMLDetailsElement) target.open = true
    // Back and forward lead to where the reader was. Only an anchor that somebody typed has no entry of its own.
    const isRestored = arrived.current === location || (type === 'POP' && location.key !== 'default')
    // After the scrolling and the focus that follow a change of page.
    const frame = requestAnimationFrame(() => {
      if (!isRestored) target.scrollIntoView()
      focusTargetOf(target)?.focus({ preventScroll: true })
    })
    return () => cancelAnimationFrame(frame)
  }, [location, type])
}

const focusTargetOf = (target: HTMLElement) => {
  if (target instanceof HTMLDetailsElement) return target.querySelector('summary')
  return target.matches('[tabindex]') ? target : (target.closest('section')?.querySelector<HTMLElement>('h2') ?? null)
}

/** Only while this page is shown: another one starts at its top at once. */
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
