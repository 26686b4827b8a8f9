import { type ReactNode, useId } from 'react'

interface SectionProps {
  heading: string
  /** For links to it. */
  id?: string
  /** Replaces the distance to what stands above. */
  className?: string
  children: ReactNode
}

/** A part of a page, named by its heading. */
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
