import { type ReactNode, useId } from 'react'

interface SectionProps {
  heading: string
  /** Replaces the distance to what stands above. */
  className?: string
  children: ReactNode
}

/** A part of a page, named by its heading. */
export const Section = ({ heading, className = 'mt-10', children }: SectionProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className={className}>
      <h2 id={id} className="mb-3 font-bold text-h2">
        {heading}
      </h2>
      {children}
    </section>
  )
}
