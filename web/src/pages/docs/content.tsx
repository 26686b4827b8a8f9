import { startTransition, useEffect, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { readOfTab } from '../../data/storage.ts'
import { DocsSection } from './docs-section.tsx'
import { sections } from './sections.ts'

/** What a reader sees first. */
const firstSections = 2

/** All sections. Those below the first screen are drawn when that one stands, unless the reader goes to one of them at once. */
export const Content = () => {
  const { hash, key } = useLocation()
  const type = useNavigationType()
  // Where this tab was here before, the place may be far down.
  const mayBeRestored = type === 'POP' && (key !== 'default' || readOfTab('react-router-scroll-positions') !== null)
  const [isWhole, setIsWhole] = useState(mayBeRestored)
  useEffect(() => startTransition(() => setIsWhole(true)), [])
  const drawn = isWhole || hash !== '' ? sections : sections.slice(0, firstSections)
  return drawn.map((section) => <DocsSection key={section.id} section={section} />)
}
