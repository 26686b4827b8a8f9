import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { site } from '#messages/site.ts'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { PageMain } from '../../ui/layout/page-main.tsx'

interface AccountPageProps {
  state: string
  /** The document title. */
  title: string
  heading: string
  intro?: ReactNode
  /** Shown between the back link and the heading. */
  above?: ReactNode
  /** Shows a link back to the landing page. */
  hasWayBack?: boolean
  children?: ReactNode
}

/** A narrow column with a heading. */
export const AccountPage = ({
  state,
  title,
  heading,
  intro,
  above,
  hasWayBack = false,
  children,
}: AccountPageProps) => {
  useDocumentTitle(site.title(title))
  return (
    <PageMain state={state} busy={state === 'loading'} className="mx-auto w-full max-w-md px-4 pt-8 pb-8 sm:pt-12">
      {hasWayBack && (
        <Link
          to="/"
          className="mb-6 -ms-1 inline-flex min-h-8 items-center gap-1.5 rounded-control px-1 text-muted text-small hover:text-ink"
        >
          <ArrowLeft aria-hidden size={16} />
          {account.back}
        </Link>
      )}
      {above}
      <h1 className="heading-verdict">{heading}</h1>
      {intro && <div className="mt-3 text-muted">{intro}</div>}
      <div className="mt-8">{children}</div>
    </PageMain>
  )
}
