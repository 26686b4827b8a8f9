import type { Model } from '@countersign/sdk/contract'
import { modelParts } from '#messages/pages/model-parts.ts'
import { Section } from '../../../ui/layout/section.tsx'
import { CommunityStats } from '../../reports/community-stats.tsx'
import { ReportButton } from '../../reports/report-button.tsx'
import { useCommunityStats } from '../../reports/use-community-stats.ts'

const words = modelParts.reports
const categories = ['harmful_content', 'privacy_violation', 'impersonation', 'other'] as const

/** The community numbers, and reporting the model. */
export const ReportsTab = ({ model }: { model: Model }) => {
  const { again } = useCommunityStats(model.id)
  return (
    <div className="max-w-record">
      <CommunityStats modelId={model.id} />
      <Section heading={words.heading}>
        {model.is_public || model.archived_at !== null ? (
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
