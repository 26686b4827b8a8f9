import { limits, type Usage } from '@countersign/sdk/contract'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { Failed } from '../../../failures/failed.tsx'
import { KeyFact, KeyFacts } from '../../../ui/layout/facts.tsx'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { Fold } from './fold.tsx'
import { useUsage } from './overview.ts'

const words = overviewTab.usage

/** How many of today's links and of the other quotas are used. */
export const UsagePanel = ({ providerId }: { providerId: string }) => {
  const { usage, failure, again } = useUsage(providerId)
  return (
    <Fold
      id="usage"
      heading={words.heading}
      summary={usage && words.short(words.ofLimit(usage.links.today, usage.links.limit))}
    >
      {usage !== undefined ? (
        <UsageFacts usage={usage} />
      ) : failure === undefined ? (
        <div aria-busy>
          <p role="status" className="sr-only">
            {words.loading}
          </p>
          <SkeletonRows count={2} />
        </div>
      ) : (
        <Failed heading={words.failed} failure={failure} again={again} />
      )}
    </Fold>
  )
}

const UsageFacts = ({ usage: { links, stored } }: { usage: Usage }) => {
  return (
    <div>
      <p className="text-muted text-small">{words.today}</p>
      <p className="font-semibold tabular-nums">{words.ofLimit(links.today, links.limit)}</p>
      <QuotaBar share={links.share} />
      <p className="text-muted text-small">
        {links.today === 0 ? words.none : words.resets}
        {links.limit_with_domain !== null &&
          links.limit_with_domain > links.limit &&
          ` ${words.withDomain(links.limit_with_domain)}`}
      </p>
      <KeyFacts>
        <KeyFact name={words.month}>{words.count(links.days.reduce((sum, day) => sum + day.links, 0))}</KeyFact>
        {words.stored.map(({ name, label }) => (
          <KeyFact key={name} name={label}>
            {stored[name].limit === null
              ? words.count(stored[name].count)
              : words.ofLimit(stored[name].count, stored[name].limit)}
          </KeyFact>
        ))}
      </KeyFacts>
    </div>
  )
}

/** Hidden from screen readers, which read the numbers instead. */
const QuotaBar = ({ share }: { share: number }) => (
  <svg
    aria-hidden
    viewBox="0 0 100 1"
    preserveAspectRatio="none"
    className="my-1.5 block h-2 w-full max-w-md rounded-chip bg-line"
  >
    <rect
      width={share * 100}
      height={1}
      className={share >= 1 ? 'fill-bad' : share >= limits.quotaWarningShare ? 'fill-warn' : 'fill-ok'}
    />
  </svg>
)
