import type { ReactNode } from 'react'

/** Shown in place of missing data, with what to do about it. */
export const Empty = ({ heading, children }: { heading: string; children?: ReactNode }) => (
  <div className="border-line border-y py-10">
    <p className="font-semibold">{heading}</p>
    {children && (
      <div className="mt-1 grid max-w-prose grid-cols-1 justify-items-start gap-4 text-muted text-small">
        {children}
      </div>
    )}
  </div>
)
