import type { FailureState } from '@countersign/sdk/words'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { link } from '#messages/pages/link.ts'
import { openedCode } from '../../data/typed-link.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { QuickActions } from './actions/quick-actions.tsx'
import type { Verdict } from './answer/verdict.ts'
import { LinkBox } from './box/link-box.tsx'
import { detailsId } from './checks-summary.tsx'
import { FailureScreen } from './failure-screen.tsx'
import { PrintFacts, PrintHead } from './print-only.tsx'

const words = link.failure
const RecordDetails = lazy(() =>
  import('./details/record-details.tsx').then(({ RecordDetails }) => ({ default: RecordDetails })),
)

interface FailurePageProps {
  token: string
  verdict: Verdict & { state: FailureState }
  isAsking: boolean
  ask: () => void
}

/** A link that proves nothing or could not be checked: what happened, what to do, and what it was for. */
export const FailurePage = ({ token, verdict, isAsking, ask }: FailurePageProps) => {
  const { state, record, checks } = verdict
  const isOpen = state === 'could_not_check'
  const opened = state === 'mistyped' ? openedCode(token) : null
  return (
    <>
      <PrintHead />
      <FailureScreen verdict={verdict} opened={opened}>
        {record !== null && <QuickActions token={token} record={record} trust="none" />}
      </FailureScreen>
      {canBeTypedAgain(state) && (
        <div className="mt-6">
          <LinkBox text={opened ?? undefined} />
        </div>
      )}
      <div className="mt-6 flex flex-wrap gap-3 print:hidden">
        {isOpen && (
          <Button look="primary" aria-disabled={isAsking} onClick={() => isAsking || ask()}>
            {isAsking ? link.actions.asking : link.actions.again}
          </Button>
        )}
        <Button asChild look={isOpen || canBeTypedAgain(state) ? 'plain' : 'primary'}>
          <Link to="/">{link.actions.home}</Link>
        </Button>
      </div>
      {record !== null && <PrintFacts record={record} />}
      <div id={detailsId}>
        <Suspense>
          {(record !== null || checks.length > 0) && <RecordDetails record={record} checks={checks} state={state} />}
        </Suspense>
      </div>
      {isUnknownReason(state) && (
        <Section heading={words.reasonsHeading}>
          <ul className="grid list-disc gap-1.5 ps-5 text-muted">
            {words.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </Section>
      )}
      {/* Below the details: above them it reads like another reason. */}
      <p className="mt-6 text-muted text-small">{words.seeds[state]}</p>
    </>
  )
}

const canBeTypedAgain = (state: FailureState) => state === 'mistyped' || state === 'malformed' || state === 'not_found'

/** Only if the reason is unknown. */
const isUnknownReason = (state: FailureState) => state === 'not_found' || state === 'refused'
