import { messages } from '../../messages/en.ts'
import { useDocumentTitle } from '../../ui/document-title.ts'
import { PageMain } from '../../ui/page-main.tsx'
import { LinkBox } from './link-box.tsx'

const words = messages.codePage

/** The link page without a link. */
export const CodePage = () => {
  useDocumentTitle(messages.title(words.title))
  return (
    <PageMain className="mx-auto w-full max-w-record px-4 pt-12">
      <h1 className="heading-verdict">{words.heading}</h1>
      <p className="mt-4 text-intro">{words.missing}</p>
      <p className="mb-8 text-intro text-muted">{words.text}</p>
      <LinkBox />
    </PageMain>
  )
}
