import { type ReactNode, useId } from 'react'

interface SectionProps {
  heading: string
  /** For links to it. */
  id?: string
  /** Replaces the margin above. */
  className?: string
  children: ReactNode
}

/** A section of a page, labelled by its heading. */
export const Section = ({ heading, id, className = 'mt-10', children }: SectionProps) => {
  const headingId = useId()
  return (
    <section id={id} aria-labelledby={headingId} className={className}>
      <h2 id={headingId} className="mb-3 font-bold text-h2">
        {heading}
      </h2>
      {children}
    </section>
  )
}
