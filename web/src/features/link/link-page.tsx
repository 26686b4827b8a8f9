import { isShown } from '@countersign/sdk/words'
import { useParams } from 'react-router-dom'
import { SWRConfig } from 'swr'
import { link } from '#messages/pages/link.ts'
import { site } from '#messages/site.ts'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { useSteadyLoading } from '../../hooks/use-steady-loading.ts'
import { focusPageMain, PageMain } from '../../ui/layout/page-main.tsx'
import { headline } from './answer/headline.ts'
import { type LinkAnswer, useLinkAnswer } from './answer/link-answer.ts'
import { useNow } from './answer/use-now.ts'
import { useOpening } from './answer/use-opening.ts'
import { readVerdict, registryTime, type Verdict } from './answer/verdict.ts'
import { FailurePage } from './failure-page.tsx'
import { LoadingPage } from './loading-page.tsx'
import { UtcOnDemand } from './moment.tsx'
import { RecordPage } from './record-page.tsx'

const words = link
const freshCache = { provider: () => new Map() }

/** `/v/:token` and `/verify/:token`. Every visit asks the registry: an old answer must never be shown. */
export const LinkPage = () => {
  const { token = '' } = useParams()
  return (
    <SWRConfig key={token} value={freshCache}>
      <LinkVerdict token={token} />
    </SWRConfig>
  )
}

const LinkVerdict = ({ token }: { token: string }) => {
  const { answer, failure, isAsking, ask, askAnew } = useLinkAnswer(token)
  const loading = useSteadyLoading(answer === undefined && failure === undefined)
  const now = useNow(answer)
  const verdict = loading.isLoading ? undefined : readVerdict(answer, now)
  useDocumentTitle(site.title(verdict === undefined ? words.loadingTitle : words.titles[verdict.state]))
  useOpening(token, verdict !== undefined && isShown(verdict.state))

  return (
    <PageMain
      state={verdict?.state ?? 'loading'}
      busy={verdict === undefined}
      className="mx-auto w-full max-w-record px-4"
    >
      <p role="status" className="sr-only">
        {verdict === undefined ? words.loading : headline(verdict)}
      </p>
      {verdict === undefined ? (
        <LoadingPage isShown={loading.isShown} />
      ) : (
        <UtcOnDemand>
          <VerdictPage
            token={token}
            verdict={verdict}
            timeLeftMs={timeLeft(answer, now)}
            isAsking={isAsking}
            ask={ask}
            askAnew={askAnew}
          />
        </UtcOnDemand>
      )}
    </PageMain>
  )
}

interface VerdictPageProps {
  token: string
  verdict: Verdict
  timeLeftMs: number
  isAsking: boolean
  ask: () => void
  askAnew: () => void
}

const VerdictPage = ({ token, verdict, timeLeftMs, isAsking, ask, askAnew }: VerdictPageProps) => {
  const { state, record } = verdict
  // The pressed button disappears with the content it replaces.
  const keepFocus = (action: () => void) => () => {
    focusPageMain()
    action()
  }
  if (!isShown(state))
    return <FailurePage token={token} verdict={{ ...verdict, state }} isAsking={isAsking} ask={keepFocus(ask)} />
  return (
    record && (
      <RecordPage
        token={token}
        verdict={{ ...verdict, state }}
        record={record}
        timeLeftMs={timeLeftMs}
        checkAgain={keepFocus(askAnew)}
      />
    )
  )
}

const timeLeft = (answer: LinkAnswer | undefined, now: ReturnType<typeof useNow>) =>
  answer?.kind === 'record'
    ? Date.parse(answer.record.expires_at) - registryTime(answer.record, answer.requestedAt, now)
    : 0
