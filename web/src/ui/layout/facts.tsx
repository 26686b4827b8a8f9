import type { ReactNode } from 'react'

/** The key facts under a verdict, side by side. */
export const KeyFacts = ({ children }: { children: ReactNode }) => (
  <dl className="mt-6 grid grid-cols-2 gap-x-4 gap-y-4 border-line border-y py-4 sm:grid-cols-4">{children}</dl>
)

export const KeyFact = ({ name, className, children }: { name: string; className?: string; children: ReactNode }) => (
  <div className={className}>
    <dt className="text-muted text-small">{name}</dt>
    <dd className="font-semibold text-small">{children}</dd>
  </div>
)

/** Names and values in rows. */
export const FactRows = ({ children }: { children: ReactNode }) => <dl className="border-line border-t">{children}</dl>

/** A value of one or two words, on phones beside its name, with a note below. */
export const ShortFactRow = ({ name, note, children }: { name: string; note?: string; children: ReactNode }) => (
  <div className="grid grid-cols-[1fr_auto] gap-x-4 border-line border-b py-2.5 sm:grid-cols-[14rem_1fr]">
    <dt className="text-muted text-small leading-6">{name}</dt>
    <dd>{children}</dd>
    {note !== undefined && <dd className="col-span-2 text-muted text-small sm:col-span-1 sm:col-start-2">{note}</dd>}
  </div>
)

export const FactRow = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-x-4 border-line border-b py-2.5 sm:grid-cols-[14rem_1fr]">
    <dt className="text-muted text-small leading-6">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </div>
)
