import type { VerificationResult } from '@countersign/sdk/contract'
import { link } from '#messages/link.ts'
import { useCommunityStats } from '../../data/models.ts'
import { Section } from '../../ui/section.tsx'
import { ReportButton } from '../incidents/report-button.tsx'
import { CommunityStats } from '../models/community-stats.tsx'

const words = link.report

interface RecordAfterwardsProps {
  token: string
  record: VerificationResult
}

/** What comes after the evidence: what others made of the model, and how to report that something is wrong. */
export const RecordAfterwards = ({ token, record }: RecordAfterwardsProps) => {
  const { model } = record
  return (
    <>
      {model?.is_public && <CommunityStats modelId={model.id} />}
      {model && <Report token={token} modelId={model.id} />}
    </>
  )
}

const Report = ({ token, modelId }: { token: string; modelId: string }) => {
  const { again } = useCommunityStats(modelId)
  return (
    <Section heading={words.heading} className="mt-10 print:hidden">
      <p className="mb-4 max-w-prose">{words.text}</p>
      <ReportButton verificationToken={token} onReported={again}>
        {words.heading}
      </ReportButton>
    </Section>
  )
}
