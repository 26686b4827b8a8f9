import { createContext, type ReactNode, use, useId } from 'react'

/** The level of section headings: h2 on a page, h3 in a dialog. */
export const SectionLevel = createContext<'h2' | 'h3'>('h3')

export const FormSection = ({ heading, children }: { heading: string; children: ReactNode }) => {
  const id = useId()
  const Heading = use(SectionLevel)
  return (
    <section aria-labelledby={id} className="border-line border-t pt-5">
      <Heading id={id} className="font-bold">
        {heading}
      </Heading>
      <div className="mt-4 grid gap-5">{children}</div>
    </section>
  )
}
