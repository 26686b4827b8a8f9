import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'

interface FoldProps {
  heading: string
  /** One line beside the heading. */
  summary?: string
  children: ReactNode
}

/** A collapsible section; always open in print. */
export const Fold = ({ heading, summary, children }: FoldProps) => (
  <details className="group border-line border-b">
    <summary className="flex min-h-12 cursor-pointer list-none items-center gap-x-3 py-2 [&::-webkit-details-marker]:hidden">
      <span className="grid gap-x-3 sm:flex sm:items-baseline">
        <h3 className="font-semibold">{heading}</h3>
        {summary !== undefined && <span className="text-muted text-small">{summary}</span>}
      </span>
      <ChevronDown aria-hidden size={18} className="ms-auto shrink-0 group-open:rotate-180 print:hidden" />
    </summary>
    <div className="pb-6">{children}</div>
  </details>
)
