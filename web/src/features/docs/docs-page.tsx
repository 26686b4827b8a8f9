import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router-dom'
import { page } from '#messages/docs/page.ts'
import { site } from '#messages/site.ts'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PageMain } from '../../ui/layout/page-main.tsx'
import { Content } from './content.tsx'
import { ContentsDrawer } from './contents/contents-drawer.tsx'
import { OnThisPage } from './contents/on-this-page.tsx'
import { Sidebar } from './contents/sidebar.tsx'
import { useCurrentSection } from './contents/use-current-section.ts'
import { sections } from './sections.ts'
import { Support } from './support.tsx'
import { useAnchor } from './use-anchor.ts'

const ids = sections.map(({ id }) => id)

/** The documentation on one page. */
export const DocsPage = () => {
  useDocumentTitle(site.title(page.title))
  useAnchor()
  const current = useCurrentSection(ids)
  const section = sections.find(({ id }) => id === current)
  return (
    <div className="mx-auto flex w-full max-w-site px-4 sm:px-6">
      <Sidebar current={current} />
      <PageMain state="ready" className="min-w-0 md:ps-6">
        <ContentsDrawer current={current} currentName={section?.name ?? ''} />
        <header className="pt-8 pb-10">
          <Button asChild className="mb-8 print:hidden">
            <Link to="/">
              <ArrowLeft aria-hidden size={16} />
              {page.back}
            </Link>
          </Button>
          <h1 className="heading-verdict">{page.heading}</h1>
          <p className="mt-3 max-w-prose text-intro text-muted">{page.intro}</p>
        </header>
        <Content />
        <Support />
      </PageMain>
      <OnThisPage section={section} />
    </div>
  )
}
