import { type ReactNode, useId } from 'react'
import { classes } from './classes.ts'

/** A part of a page, named by its heading. */
export const Section = ({ heading, className, children }: { heading: string; className?: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes('mt-10', className)}>
      <h2 id={id} className="mb-3 font-bold text-h2">
        {heading}
      </h2>
      {children}
    </section>
  )
}
