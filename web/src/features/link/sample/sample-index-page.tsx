import { sampleWords } from '@countersign/sdk/words/samples'
import { Link } from 'react-router-dom'
import { site } from '#messages/site.ts'
import { useDocumentTitle } from '../../../hooks/use-document-title.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { PageMain } from '../../../ui/layout/page-main.tsx'
import { SampleList } from './sample-list.tsx'

/** `/sample`: every result that the page of a link can show. */
export const SampleIndexPage = () => {
  useDocumentTitle(site.title(sampleWords.heading))
  return (
    <PageMain state="ready" className="mx-auto w-full max-w-record px-4 pt-12">
      <h1 className="heading-verdict">{sampleWords.heading}</h1>
      <p className="mt-4 mb-8 max-w-prose text-muted">{sampleWords.intro}</p>
      <SampleList />
      <Button asChild className="mt-8">
        <Link to="/v">{sampleWords.check}</Link>
      </Button>
    </PageMain>
  )
}
