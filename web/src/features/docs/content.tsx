import { startTransition, useEffect, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { readOfTab } from '../../data/storage.ts'
import { DocsSection } from './docs-section.tsx'
import { sections } from './sections.ts'

/** Render the first sections at once and the rest in small steps, so that no step takes long. */
const atOnce = 2

/** All sections. Those below the first screen render later, unless the reader goes to one of them at once. */
export const Content = () => {
  const { hash, key } = useLocation()
  const type = useNavigationType()
  // On returning to the page, the scroll position may be far down.
  const mayBeRestored = type === 'POP' && (key !== 'default' || readOfTab('react-router-scroll-positions') !== null)
  const [count, setCount] = useState(mayBeRestored ? sections.length : atOnce)
  useEffect(() => {
    if (count < sections.length) startTransition(() => setCount(count + atOnce))
  }, [count])
  const drawn = hash === '' ? sections.slice(0, count) : sections
  return drawn.map((section) => <DocsSection key={section.id} section={section} />)
}
