import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { classes } from '../ui/classes.ts'
import { Button } from '../ui/controls/button.tsx'

interface FilterPanelProps {
  /** The label of the button that shows the filters on small screens. */
  label: string
  /** The search field, always shown. */
  search: ReactNode
  /** Filters beside it, if there is room. */
  children: ReactNode
  /** Filters below both. */
  more?: ReactNode
}

/** A list's filters. On a phone, all but the search field are behind a button. */
export const FilterPanel = ({ label, search, children, more }: FilterPanelProps) => {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <search className="grid gap-4 border-line border-y py-5 lg:grid-cols-[2fr_3fr]">
      <div className="grid grid-cols-[1fr_auto] items-end gap-2 md:block">
        {search}
        <Button className="md:hidden" aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
          <SlidersHorizontal aria-hidden size={16} />
          {label}
        </Button>
      </div>
      <div id={id} className={classes(isOpen ? 'grid' : 'hidden md:grid', 'gap-4 lg:contents')}>
        <div className="grid gap-4 md:grid-cols-3">{children}</div>
        {more !== undefined && <div className="lg:col-span-2">{more}</div>}
      </div>
    </search>
  )
}
