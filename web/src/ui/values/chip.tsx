import type { TrustLevel } from '@countersign/sdk/contract'
import type { ReactNode } from 'react'
import { site } from '#messages/site.ts'

/** A category, not the result of a check: it has no colour. */
export const Chip = ({ children }: { children: ReactNode }) => (
  <span className="inline-block max-w-full rounded-chip border border-control px-1.5 py-0.5 font-normal text-micro">
    {children}
  </span>
)

export const TrustBadge = ({ level }: { level: TrustLevel }) => <Chip>{site.trustLevels[level]}</Chip>
