import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'react-router-dom'

/** Scrolls to what the address names, smoothly where that is wanted, opens it if it is closed, and lets reading start there. */
export const useAnchor = () => {
  const location = useLocation()
  useSmoothScrolling()
  useEffect(() => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (!target) return
    if (target instanceof HTMLDetailsElement) target.open = true
    // After the focus that follows a change of page.
    const frame = requestAnimationFrame(() => focusTargetOf(target)?.focus({ preventScroll: true }))
    return () => cancelAnimationFrame(frame)
  }, [location])
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
