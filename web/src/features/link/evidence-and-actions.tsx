import type { VerificationResult } from '@countersign/sdk/contract'
import { modelTitle, quote } from '@countersign/sdk/words'
import { linkDetails } from '#messages/pages/link-details.ts'
import { Section } from '../../ui/layout/section.tsx'
import { CommunityStats } from '../reports/community-stats.tsx'
import { ReportButton } from '../reports/report-button.tsx'
import { useCommunityStats } from '../reports/use-community-stats.ts'
import { LinkActions } from './actions/link-actions.tsx'
import type { Verdict } from './answer/verdict.ts'
import { RecordDetails } from './details/record-details.tsx'
import { WhatItMeans } from './details/what-it-means.tsx'

const words = linkDetails.report

interface EvidenceAndActionsProps {
  token: string
  verdict: Verdict
  record: VerificationResult
  checkAgain: () => void
}

/** Everything below a link's first screen: evidence, community numbers, and reporting. */
export const EvidenceAndActions = ({ token, verdict, record, checkAgain }: EvidenceAndActionsProps) => {
  const { state, checks, domain } = verdict
  const { model } = record
  return (
    <>
      <RecordDetails record={record} checks={checks} state={state} checkAgain={checkAgain}>
        {state === 'verified' && domain !== null && <WhatItMeans model={quote(modelTitle(record))} domain={domain} />}
      </RecordDetails>
      {model?.is_public && <CommunityStats modelId={model.id} trustLevel={record.trust_level ?? 'unverified'} />}
      {model && <Report token={token} modelId={model.id} />}
      <LinkActions record={record} />
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
