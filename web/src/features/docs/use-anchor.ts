import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** Whether this document has shown an address. Only its first one was opened as such. */
let hasArrived = false

/** How long what loads above an anchor may move it. */
const settlingMs = 5_000

/** Scrolls to the address's anchor (smoothly if wanted), opens it if closed, and moves the focus there. */
export const useAnchor = () => {
  const location = useLocation()
  const type = useNavigationType()
  const arrived = useRef(location)
  useSmoothScrolling()
  useEffect(() => {
    const isFirst = !hasArrived && location.key === 'default' && isNewVisit()
    hasArrived = true
    const target = document.getElementById(location.hash.slice(1))
    if (!target) return
    if (target instanceof HTMLDetailsElement) target.open = true
    // Back, forward and reload restore the scroll position. An anchor typed into the address bar has no history entry of its own.
    const isTyped = location.key === 'default' && arrived.current !== location
    const isWanted = type !== 'POP' || isTyped || isFirst
    const settled = new AbortController()
    // Runs after the scrolling and focus change of a navigation.
    const frame = requestAnimationFrame(() => {
      if (isWanted) holdInView(target, isFirst ? 'instant' : 'auto', settled.signal)
      focusTargetOf(target)?.focus({ preventScroll: true })
    })
    const timer = setTimeout(() => settled.abort(), settlingMs)
    // Readers who move on stay where they are.
    for (const event of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
      addEventListener(event, () => settled.abort(), { signal: settled.signal, passive: true })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      settled.abort()
    }
  }, [location, type])
}

/** Neither reloaded nor restored from the history. */
const isNewVisit = () =>
  performance.getEntriesByType('navigation').every((entry) => 'type' in entry && entry.type === 'navigate')

/** Scrolls to an element, and again when fonts or sections that load later move it. */
const holdInView = (target: HTMLElement, behavior: ScrollBehavior, signal: AbortSignal) => {
  target.scrollIntoView({ behavior })
  let height = document.body.offsetHeight
  const observer = new ResizeObserver(() => {
    if (document.body.offsetHeight === height) return
    height = document.body.offsetHeight
    target.scrollIntoView({ behavior })
  })
  observer.observe(document.body)
  signal.addEventListener('abort', () => observer.disconnect())
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
