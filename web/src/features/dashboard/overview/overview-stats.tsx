import type { Provider } from '@countersign/sdk/contract'
import type { ReactNode } from 'react'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { formatDay, formatNumber } from '#messages/site.ts'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import { useVerificationsByDay } from './overview.ts'

const words = overviewTab.stats

interface OverviewStatsProps {
  provider: Provider
  glance: { active: number; isMore: boolean } | undefined
}

export const OverviewStats = ({ provider, glance }: OverviewStatsProps) => {
  const { counted, failure } = useVerificationsByDay(provider.id, '30', undefined)
  return (
    <dl className="mt-8 grid grid-cols-1 gap-y-3 border-line border-y py-4 sm:grid-cols-3 sm:divide-x sm:divide-line">
      <Stat name={words.verifications}>{counted ? formatNumber(counted.total) : failure ? words.none : undefined}</Stat>
      <Stat name={words.models}>
        {glance && (glance.isMore ? words.more(glance.active) : formatNumber(glance.active))}
      </Stat>
      <Stat name={words.since}>{provider.created_at ? formatDay(provider.created_at) : words.none}</Stat>
    </dl>
  )
}

const Stat = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex items-baseline justify-between gap-4 sm:block sm:px-5 sm:first:ps-0">
    <dt className="text-muted text-small">{name}</dt>
    <dd className="min-h-8 font-semibold text-h2 tabular-nums">{children ?? <Skeleton className="mt-1 w-16" />}</dd>
  </div>
)
