import type { Model } from '@countersign/sdk/contract'
import { modelPage } from '#messages/model-page.ts'
import { formatDay, formatNumber, site } from '#messages/site.ts'
import { useCommunityStats } from '../../data/models.ts'
import { Button } from '../../ui/button.tsx'
import { FactRow, FactRows } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { ReportButton } from '../incidents/report-button.tsx'

const words = modelPage.reports
const categories = ['harmful_content', 'privacy_violation', 'impersonation', 'other'] as const

/** What others made of the model, and how to say that something is wrong with it. */
export const ReportsTab = ({ model }: { model: Model }) => {
  const { stats, isFailed, again } = useCommunityStats(model.id)
  const { last_incident: last, last_incident_status: status } = stats
  return (
    <div className="max-w-record">
      <Section heading={words.stats}>
        <FactRows>
          <FactRow name={words.verifications}>
            {formatNumber(stats.total_verifications)}
            <p className="text-muted text-small">{words.verificationsNote}</p>
          </FactRow>
          <FactRow name={words.open}>
            {formatNumber(stats.reports_under_investigation)}
            <p className="text-muted text-small">{words.openNote}</p>
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
      <Section heading={words.heading}>
        {model.is_public ? (
          <>
            <p className="mb-4 max-w-prose">{words.text}</p>
            <div className="flex flex-wrap gap-3">
              {categories.map((category) => (
                <ReportButton key={category} modelId={model.id} category={category} onReported={again}>
                  {words.buttons[category]}
                </ReportButton>
              ))}
            </div>
          </>
        ) : (
          <p>{words.isPrivate}</p>
        )}
      </Section>
    </div>
  )
}
