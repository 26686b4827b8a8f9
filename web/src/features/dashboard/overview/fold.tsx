import { ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'

interface FoldProps {
  id: string
  heading: string
  /** The result in a few words, also shown while closed. */
  summary: ReactNode
  children: ReactNode
}

/** A part of the page that opens on a click, or when the address names it. */
export const Fold = ({ id, heading, summary, children }: FoldProps) => {
  const { hash, key } = useLocation()
  const [isOpen, setIsOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second click on the same link opens it again
  useEffect(() => {
    if (hash !== `#${id}`) return
    setIsOpen(true)
    document.getElementById(id)?.scrollIntoView({ block: 'start' })
  }, [hash, id, key])
  return (
    <section id={id} aria-labelledby={`${id}-heading`} className="border-line border-b">
      <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)} className="group">
        <summary className="flex min-h-12 cursor-pointer list-none flex-wrap items-center gap-x-3 py-2 [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden size={16} className="shrink-0 text-muted group-open:rotate-90" />
          <h2 id={`${id}-heading`} className="font-semibold">
            {heading}
          </h2>
          <span className="min-w-0 text-muted text-small">{summary}</span>
        </summary>
        <div className="pt-2 pb-6">{children}</div>
      </details>
    </section>
  )
}
