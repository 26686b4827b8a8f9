import type { VerificationResult } from '@countersign/sdk/contract'
import { modelTitle } from '@countersign/sdk/words'
import { linkDetails } from '#messages/link-details.ts'
import { quoted } from '../../ui/quoted.ts'
import { Section } from '../../ui/section.tsx'
import { useCommunityStats } from '../models/models.ts'
import { CommunityStats } from '../reports/community-stats.tsx'
import { ReportButton } from '../reports/report-button.tsx'
import { LinkActions } from './actions/link-actions.tsx'
import { RecordDetails } from './details/record-details.tsx'
import { Means } from './details/what-it-means.tsx'
import type { Verdict } from './verdict.ts'

const words = linkDetails.report

interface BelowProps {
  token: string
  verdict: Verdict
  record: VerificationResult
  checkAgain: () => void
}

/** What comes after the first screen of a link: the evidence, what others made of the model, and a way to report it. */
export const Below = ({ token, verdict, record, checkAgain }: BelowProps) => {
  const { state, checks, domain } = verdict
  const { model } = record
  return (
    <>
      <RecordDetails record={record} checks={checks} isCurrent checkAgain={checkAgain}>
        {state === 'verified' && domain !== null && <Means model={quoted(modelTitle(record))} domain={domain} />}
      </RecordDetails>
      {model?.is_public && <CommunityStats modelId={model.id} />}
      {model && <Report token={token} modelId={model.id} />}
      <LinkActions token={token} model={model} />
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
