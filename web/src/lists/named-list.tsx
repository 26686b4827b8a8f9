import type { ReactNode } from 'react'

interface NamedListProps {
  label: string
  items: readonly { id: string; content: ReactNode }[]
}

/** A scrolling list of names. */
export const NamedList = ({ label, items }: NamedListProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
  <section aria-label={label} tabIndex={0} className="max-h-52 overflow-y-auto border-line border-y py-2">
    <ul className="list-disc ps-5 text-small">
      {items.map(({ id, content }) => (
        <li key={id} className="wrap-anywhere">
          {content}
        </li>
      ))}
    </ul>
  </section>
)
