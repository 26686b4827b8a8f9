import { linkWords, modelTitle, quote } from '@countersign/sdk/words'
import { Link } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { challenge } from '#messages/pages/challenge.ts'
import { link } from '#messages/pages/link.ts'
import { Spinner } from '../../ui/controls/spinner.tsx'
import { VerdictRule } from '../../ui/values/status-chip.tsx'
import { headline } from '../link/answer/headline.ts'
import { type LinkAnswer, useLinkAnswer } from '../link/answer/link-answer.ts'
import { useNow } from '../link/answer/use-now.ts'
import { readVerdict, type Verdict } from '../link/answer/verdict.ts'
import { chatPlaceOf, evaluateChallenge, type Outcome, toneOfOutcome } from './outcome.ts'

const words = challenge.result
const freshCache = { provider: () => new Map() }

interface ResultProps {
  token: string
  phrase: string
  madeAt: number
}

/** Checks the link each time and shows whether the phrase matches. */
export const ChallengeResult = (props: ResultProps) => (
  <SWRConfig value={freshCache}>
    <Result {...props} />
  </SWRConfig>
)

const Result = ({ token, phrase, madeAt }: ResultProps) => {
  const { answer, failure } = useLinkAnswer(token)
  const now = useNow(answer)
  if (answer === undefined && failure === undefined) return <Spinner>{challenge.checking}</Spinner>
  const verdict = readVerdict(answer, now)
  const outcome = evaluateChallenge(verdict, phrase, sinceMade(answer, madeAt))
  const [sentence, then] = say(outcome, verdict)
  const place = chatPlaceOf(outcome, verdict)
  return (
    <section aria-label={words.heading} data-outcome={outcome.kind} className="mt-2">
      <VerdictRule tone={toneOfOutcome[outcome.kind]} />
      <div role="status">
        <h2 className="mt-4 font-bold text-h2">{sentence}</h2>
        <p className="mt-2 max-w-prose">{then}</p>
        {place !== null && (
          <p className="mt-2 font-semibold">
            {place === 'lost' ? linkWords.about.originLost : link.match.origin(place.origin)}
          </p>
        )}
      </div>
      <Link to={`/v/${token}`} className="link mt-4 inline-block py-1">
        {words.open}
      </Link>
    </section>
  )
}

const sinceMade = (answer: LinkAnswer | undefined, madeAt: number) =>
  answer?.kind === 'record' ? answer.requestedAt.wallMs - madeAt : 0

const say = (outcome: Outcome, verdict: Verdict): [sentence: string, then: string] => {
  switch (outcome.kind) {
    case 'match':
    case 'match-company': {
      const model = verdict.record === null ? '' : quote(modelTitle(verdict.record))
      const who = outcome.kind === 'match' ? words.match.proven : words.match.unproven
      return [words.match.verified(outcome.domain, model), `${who(outcome.domain)} ${words.match.verifiedThen}`]
    }
    case 'match-unknown':
      return [words.match.unknown, words.match.unknownThen]
    case 'other':
      return [words.other(outcome.phrase), words.otherThen]
    case 'none':
      return [words.none, words.noneThen]
    case 'old':
      return [words.old, words.otherThen]
    case 'could-not-check':
      return [headline(verdict), link.failure.noVerdict]
    default:
      return [headline(verdict), words.bad]
  }
}
