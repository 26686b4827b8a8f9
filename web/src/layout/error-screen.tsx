import { useRouteError } from 'react-router-dom'
import { site } from '#messages/site.ts'
import { Button } from '../ui/button.tsx'
import { useDocumentTitle } from '../ui/document-title.ts'
import { PageMain } from '../ui/page-main.tsx'

const words = site.error

/** What is left when a page fails to draw itself. */
export const ErrorScreen = () => {
  const error = useRouteError()
  useDocumentTitle(site.title(words.heading))
  return (
    <PageMain className="mx-auto max-w-record px-4 py-20">
      <h1 className="heading-verdict">{words.heading}</h1>
      <p className="mt-4 text-intro text-muted">{error instanceof Error && error.message !== '' ? error.message : words.unexpected}</p>
      <Button look="primary" className="mt-8" onClick={() => location.reload()}>
        {words.reload}
      </Button>
    </PageMain>
  )
}
