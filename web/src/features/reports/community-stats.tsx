import { communityStats } from '#messages/pages/community-stats.ts'
import { formatDay, formatNumber, site } from '#messages/site.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FactRow, FactRows } from '../../ui/layout/facts.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { useCommunityStats } from './use-community-stats.ts'

const words = communityStats

export const CommunityStats = ({ modelId }: { modelId: string }) => {
  const { stats, isFailed, again } = useCommunityStats(modelId)
  const { last_incident: last, last_incident_status: status } = stats
  return (
    <Section heading={words.heading}>
      <FactRows>
        <FactRow name={words.verifications}>
          {formatNumber(stats.total_verifications)}
          <p className="text-muted text-small">{words.verificationsNote}</p>
        </FactRow>
        <FactRow name={words.open}>
          {formatNumber(stats.reports_under_investigation)}
          <p className="text-muted text-small">{words.openNote}</p>
        </FactRow>
        <FactRow name={words.total}>
          {formatNumber(stats.total_reports)}
          {stats.dismissed_reports > 0 && (
            <p className="text-muted text-small">{words.dismissed(formatNumber(stats.dismissed_reports))}</p>
          )}
        </FactRow>
        <FactRow name={words.last}>
          {last === null ? words.noLast : words.lastOf(formatDay(last), words.statuses[status ?? ''] ?? status ?? '')}
        </FactRow>
        <FactRow name={words.trust}>{site.trustLevels[stats.provider_trust_level]}</FactRow>
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
