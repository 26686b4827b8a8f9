import { readVerdict } from '@countersign/sdk/verify'
import { isShown, linkStateOf } from '@countersign/sdk/words'
import {
  isSampleName,
  type SampleName,
  sampleAnswers,
  sampleIssuer,
  sampleTime,
  sampleWords,
} from '@countersign/sdk/words/samples'
import { useParams } from 'react-router-dom'
import { site } from '#messages/site.ts'
import { useDocumentTitle } from '../../../hooks/use-document-title.ts'
import { PageMain } from '../../../ui/layout/page-main.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { NotFoundPage } from '../../not-found/not-found-page.tsx'
import type { Verdict } from '../answer/verdict.ts'
import { detailsId } from '../checks-summary.tsx'
import { ChatMatch } from '../details/chat-match.tsx'
import { RecordDetails } from '../details/record-details.tsx'
import { FailureScreen } from '../failure-screen.tsx'
import { UtcOnDemand } from '../moment.tsx'
import { NotProven } from '../not-proven.tsx'
import { RecordScreen } from '../record-screen.tsx'
import { SampleBand } from './sample-band.tsx'
import { SampleList } from './sample-list.tsx'

const readSample = (name: SampleName): Verdict => {
  const answer = sampleAnswers[name]
  const reading = readVerdict('record' in answer ? answer.record : answer.refusal, {
    issuer: sampleIssuer,
    at: sampleTime,
  })
  return { ...reading, state: linkStateOf(reading) }
}

/** `/sample/:name`: a result as the link page shows it, from a fixed record. It asks the registry nothing. */
export const SamplePage = () => {
  const { name = '' } = useParams()
  return isSampleName(name) ? <Sample name={name} /> : <NotFoundPage />
}

const Sample = ({ name }: { name: SampleName }) => {
  useDocumentTitle(site.title(sampleWords.title))
  const verdict = readSample(name)
  const { state, record, checks, domain } = verdict
  return (
    <PageMain state="sample" className="mx-auto w-full max-w-record px-4">
      <SampleBand />
      <UtcOnDemand today={new Date(sampleTime)}>
        {isShown(state) ? (
          record && (
            <>
              <RecordScreen
                verdict={{ ...verdict, state }}
                record={record}
                timeLeftMs={Date.parse(record.expires_at) - sampleTime}
                seal={sampleWords.label}
              />
              <ChatMatch record={record} domain={domain} />
              <NotProven record={record} domain={domain} />
            </>
          )
        ) : (
          <FailureScreen verdict={{ ...verdict, state }} seal={sampleWords.label} />
        )}
        {(record !== null || checks.length > 0) && (
          <div id={detailsId}>
            <RecordDetails record={record} checks={checks} state={state} isSample />
          </div>
        )}
      </UtcOnDemand>
      <Section heading={sampleWords.others} className="mt-10">
        <SampleList without={name} />
      </Section>
    </PageMain>
  )
}
