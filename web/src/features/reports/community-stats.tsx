import type { TrustLevel } from '@countersign/sdk/contract'
import { communityStats } from '#messages/pages/community-stats.ts'
import { formatDay, formatNumber, site } from '#messages/site.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FactRows, ShortFactRow } from '../../ui/layout/facts.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { useCommunityStats } from './use-community-stats.ts'

const words = communityStats

interface CommunityStatsProps {
  modelId: string
  /** The page of a link gives the level of the link: the account may have proven a domain that the link does not name. */
  trustLevel?: TrustLevel
}

export const CommunityStats = ({ modelId, trustLevel }: CommunityStatsProps) => {
  const { stats, isFailed, again } = useCommunityStats(modelId)
  const { last_incident: last, last_incident_status: status } = stats
  return (
    <Section heading={words.heading}>
      <FactRows>
        <ShortFactRow name={words.verifications} note={words.verificationsNote}>
          {formatNumber(stats.total_verifications)}
        </ShortFactRow>
        <ShortFactRow name={words.open} note={words.openNote}>
          {formatNumber(stats.reports_under_investigation)}
        </ShortFactRow>
        <ShortFactRow
          name={words.total}
          {...(stats.dismissed_reports > 0 && { note: words.dismissed(formatNumber(stats.dismissed_reports)) })}
        >
          {formatNumber(stats.total_reports)}
        </ShortFactRow>
        <ShortFactRow name={words.last}>
          {last === null ? words.noLast : words.lastOf(formatDay(last), words.statuses[status ?? ''] ?? status ?? '')}
        </ShortFactRow>
        <ShortFactRow name={words.trust}>{site.trustLevels[trustLevel ?? stats.provider_trust_level]}</ShortFactRow>
      </FactRows>
      {isFailed && (
        <div role="alert" className="mt-4 flex flex-wrap items-center gap-4 text-small">
          <p>{words.failed}</p>
          <Button onClick={again}>{site.failure.again}</Button>
        </div>
      )}
    </Section>
  )
}
