import { provenDomain } from '@countersign/sdk/verify'
import { Link } from 'react-router-dom'
import { link } from '#messages/link.ts'
import { registryHost } from '../../data/registry.ts'
import { Button } from '../../ui/button.tsx'
import { quoted } from '../../ui/quoted.ts'
import { Section } from '../../ui/section.tsx'
import { StatusChip, VerdictRule } from '../../ui/status-chip.tsx'
import { CheckList } from './check-list.tsx'
import { LinkBox } from './link-box.tsx'
import { LinkFacts, PaperHead, PrintFacts } from './link-facts.tsx'
import { RecordDetails } from './record-details.tsx'
import { openedCode } from './typed-link.ts'
import type { Verdict } from './verdict.ts'
import { type FailureState, failureSentences, failureStatus, modelTitle, toneOf } from './wording.ts'

const words = link.failure

interface FailurePageProps {
  token: string
  verdict: Verdict & { state: FailureState }
  isAsking: boolean
  ask: () => void
}

/** A link that proves nothing, or that could not be checked: what happened, what to do, and what it was. */
export const FailurePage = ({ token, verdict, isAsking, ask }: FailurePageProps) => {
  const { state, record, checks } = verdict
  const isOpen = state === 'could-not-check'
  const [happened, ...more] = failureSentences(verdict)
  const next = words.next[state]
  const domain = record && provenDomain(record)
  const opened = state === 'mistyped' ? openedCode(token) : null
  return (
    <>
      <PaperHead />
      <VerdictRule tone={toneOf[state]} />
      <p className="mt-5">
        <StatusChip tone={toneOf[state]}>{failureStatus(state)}</StatusChip>
      </p>
      <h1 className="heading-verdict mt-2">{happened}</h1>
      {opened !== null && (
        <p className="mt-4">
          {words.opened} <code className="font-mono font-semibold">{opened}</code>
        </p>
      )}
      {more.map((sentence) => (
        <p key={sentence} className="mt-4">
          {sentence}
        </p>
      ))}
      <p className="mt-3 max-w-prose">{typeof next === 'string' ? next : next(registryHost)}</p>
      <p className="mt-3 font-semibold">{isOpen ? words.noVerdict : words.noProof}</p>
      <p className="mt-3 text-muted text-small">{isGeneral(state) ? words.general(words.seeds[state]) : words.seeds[state]}</p>
      {canBeTypedAgain(state) && (
        <div className="mt-8">
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
      {record !== null && !isOpen && (
        <Section heading={words.whatItWas}>
          <p>{domain === null ? words.wasClaimedBy(quoted(modelTitle(record))) : words.wasIssuedBy(domain, quoted(modelTitle(record)))}</p>
          <LinkFacts record={record} timeLeftMs={0} isOver={state === 'expired'} />
          <PrintFacts record={record} />
        </Section>
      )}
      {checks.length > 0 && <CheckList checks={checks} />}
      {record !== null && !isOpen && <RecordDetails record={record} isCurrent={false} />}
      {isUnexplained(state) && (
        <Section heading={words.reasonsHeading}>
          <ul className="grid list-disc gap-1.5 ps-5 text-muted">
            {words.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

const canBeTypedAgain = (state: FailureState) => state === 'mistyped' || state === 'malformed' || state === 'not-found'

/** The sentence also speaks of links that ended by their time, and this one did not. */
const isGeneral = (state: FailureState) => state !== 'expired' && words.seeds[state] === words.seeds.expired

/** Only where we do not know better. */
const isUnexplained = (state: FailureState) => state === 'not-found' || state === 'failed'
