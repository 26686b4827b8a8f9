import type { VerificationResult } from '@countersign/sdk/contract'
import type { ShownState } from '@countersign/sdk/words'
import { lazy, Suspense } from 'react'
import { QuickActions } from './actions/quick-actions.tsx'
import type { Verdict } from './answer/verdict.ts'
import { detailsId } from './checks-summary.tsx'
import { ChatMatch } from './details/chat-match.tsx'
import { NotProven } from './not-proven.tsx'
import { PrintFacts, PrintHead } from './print-only.tsx'
import { RecordScreen } from './record-screen.tsx'

const EvidenceAndActions = lazy(() =>
  import('./evidence-and-actions.tsx').then(({ EvidenceAndActions }) => ({ default: EvidenceAndActions })),
)

interface RecordPageProps {
  token: string
  verdict: Verdict & { state: ShownState }
  record: VerificationResult
  timeLeftMs: number
  checkAgain: () => void
}

/** A known, unexpired link: what it proves, what it does not, and how to compare it with the chat. */
export const RecordPage = ({ token, verdict, record, timeLeftMs, checkAgain }: RecordPageProps) => {
  const { state, domain } = verdict
  const isFailed = state === 'check_failed'
  return (
    <>
      <PrintHead until={record.expires_at} />
      <RecordScreen verdict={verdict} record={record} timeLeftMs={timeLeftMs}>
        <QuickActions
          token={token}
          record={record}
          trust={isFailed ? 'none' : domain === null ? 'unconfirmed' : 'confirmed'}
        />
      </RecordScreen>
      <PrintFacts record={record} />
      {!isFailed && <ChatMatch record={record} domain={domain} />}
      <NotProven record={record} domain={domain} />
      <div id={detailsId}>
        <Suspense>
          <EvidenceAndActions token={token} verdict={verdict} record={record} checkAgain={checkAgain} />
        </Suspense>
      </div>
    </>
  )
}
