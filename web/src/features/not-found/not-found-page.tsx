import { Link } from 'react-router-dom'
import { notFound as words } from '#messages/pages/not-found.ts'
import { site } from '#messages/site.ts'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PageMain } from '../../ui/layout/page-main.tsx'

export const NotFoundPage = () => {
  useDocumentTitle(site.title(words.title))
  return (
    <PageMain state="not-found" className="mx-auto w-full max-w-record px-4 pt-20">
      <h1 className="heading-display">{words.heading}</h1>
      <p className="mt-4 text-intro text-muted">{words.text}</p>
      <Button look="primary" asChild className="mt-8">
        <Link to="/">{words.home}</Link>
      </Button>
    </PageMain>
  )
}
