import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { formatNumber } from '#messages/site.ts'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import { addressOf } from '../shared/tab-names.ts'
import { useAttention } from '../shared/use-attention.ts'
import { useUsage, useVerificationsByDay } from './overview.ts'

const words = overviewTab.figures

/** The figures of the provider; each links to the page that lists what it counts. */
export const Figures = ({ providerId }: { providerId: string }) => {
  const opened = useVerificationsByDay(providerId, '30', undefined)
  const { usage, failure } = useUsage(providerId)
  const { attention, failure: attentionFailure } = useAttention(providerId)
  const critical = attention?.items.find(({ kind }) => kind === 'incident_critical')?.count ?? 0
  return (
    <dl className="mt-6 grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Figure
        name={words.verifications}
        value={opened.counted?.total}
        isFailed={opened.failure !== undefined}
        to={addressOf('verifications')}
      >
        {opened.counted && words.inPeriod(opened.counted.in_period)}
      </Figure>
      <Figure
        name={words.models}
        value={usage?.active_models}
        isFailed={failure !== undefined}
        to={addressOf('models')}
      >
        {usage && words.ofVersions(usage.stored.models.count)}
      </Figure>
      <Figure
        name={words.reports}
        value={attention?.open_incidents}
        isFailed={attentionFailure !== undefined}
        to={`${addressOf('incidents')}&status=open`}
      >
        {attention && words.critical(critical)}
      </Figure>
      <Figure name={words.links} value={usage?.links.today} isFailed={failure !== undefined} to="#usage">
        {usage && words.ofQuota(usage.links.limit)}
      </Figure>
    </dl>
  )
}

interface FigureProps {
  name: string
  /** Undefined while loading. */
  value: number | undefined
  isFailed: boolean
  to: string
  children: ReactNode
}

const Figure = ({ name, value, isFailed, to, children }: FigureProps) => (
  <div className="relative flex flex-col rounded-surface border border-line bg-surface px-4 py-3 hover:border-control">
    <dt className="text-muted text-small">
      <Link to={to} className="underline-offset-4 after:absolute after:inset-0 hover:underline">
        {name}
      </Link>
    </dt>
    <dd className="flex grow flex-col justify-end">
      <span className="font-bold text-app tabular-nums">
        {value === undefined ? isFailed ? words.none : <Skeleton className="my-2 w-16" /> : formatNumber(value)}
      </span>
      <span className="min-h-5 text-muted text-small">{children}</span>
    </dd>
  </div>
)
