import { useSearchParams } from 'react-router-dom'
import { codePage } from '#messages/pages/link.ts'
import { site } from '#messages/site.ts'
import { useDocumentTitle } from '../../../hooks/use-document-title.ts'
import { PageMain } from '../../../ui/layout/page-main.tsx'
import { LinkBox } from './link-box.tsx'

const words = codePage

/** `/v` and `/verify`: the link page without a link. */
export const CodePage = () => {
  const [params] = useSearchParams()
  const link = params.get('link') ?? undefined
  useDocumentTitle(site.title(words.title))
  return (
    <PageMain state="ready" className="mx-auto w-full max-w-record px-4 pt-12">
      <h1 className="heading-verdict">{words.heading}</h1>
      <p className="mt-4 mb-8 text-intro text-muted">{words.text}</p>
      <LinkBox key={link} text={link} showsProblem />
      <p className="mt-8 text-muted text-small">{words.missing}</p>
    </PageMain>
  )
}
