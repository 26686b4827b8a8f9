import type { PublicProvider } from '@countersign/sdk/contract'
import { Link, useParams } from 'react-router-dom'
import { failures } from '#messages/failures.ts'
import { providerPage as words } from '#messages/pages/provider-page.ts'
import { site } from '#messages/site.ts'
import { explainFailure, isNotFound } from '../../failures/failure.ts'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { useSteadyLoading } from '../../hooks/use-steady-loading.ts'
import { Button } from '../../ui/controls/button.tsx'
import { PageMain } from '../../ui/layout/page-main.tsx'
import { Skeleton, SkeletonRows } from '../../ui/layout/skeleton.tsx'
import { BadgeSnippet } from '../../ui/values/badge-snippet.tsx'
import { CheckedFacts } from './checked-facts.tsx'
import { IntegrationRequest } from './integration-request.tsx'
import { ModelTable } from './model-table.tsx'
import { ProfileHeader } from './profile-header.tsx'
import { StatedFacts } from './stated-facts.tsx'
import { useProvider } from './use-provider.ts'

const layout = 'mx-auto w-full max-w-site px-4 pt-6 sm:px-6 sm:pt-8'

/** `/providers/:id` */
export const ProviderPage = () => {
  const { id = '' } = useParams()
  const { provider, failure, again } = useProvider(id)
  const loading = useSteadyLoading(provider === undefined && failure === undefined)
  useDocumentTitle(site.title(titleOf(provider, failure)))

  if (loading.isLoading) return <Loading isShown={loading.isShown} />
  if (provider === undefined) return <NotAvailable failure={failure} again={again} />
  return (
    <PageMain state="ready" className={layout}>
      <ProfileHeader provider={provider} />
      <div className="grid gap-x-12 lg:grid-cols-[11fr_10fr]">
        <CheckedFacts provider={provider} />
        <StatedFacts provider={provider} />
      </div>
      <ModelTable key={provider.id} provider={provider} />
      <IntegrationRequest provider={provider} />
      <BadgeSnippet
        badge={`/badge/providers/${provider.id}.svg`}
        page={`/providers/${provider.id}`}
        words={words.badge}
      />
      <p className="mt-3 print:hidden">
        <a href={`/api/v1/providers/${provider.id}/public`} className="link text-small">
          {words.json}
        </a>
      </p>
    </PageMain>
  )
}

const titleOf = (provider: PublicProvider | undefined, failure: unknown) => {
  if (provider === undefined) return failure === undefined ? words.loading : words.missing.heading
  return words.title(provider.domain_verified ? provider.domain : null, provider.company_name)
}

const Loading = ({ isShown }: { isShown: boolean }) => (
  <PageMain state="loading" busy className={layout}>
    {isShown && (
      <>
        <h1 className="sr-only">{words.kind}</h1>
        <p role="status" className="sr-only">
          {words.loading}
        </p>
        <Skeleton className="mt-12 h-10 w-1/2" />
        <div className="mt-12 grid gap-x-16 lg:grid-cols-2">
          <SkeletonRows count={5} />
          <SkeletonRows count={5} />
        </div>
      </>
    )}
  </PageMain>
)

const NotAvailable = ({ failure, again }: { failure: unknown; again: () => void }) => {
  const isMissing = isNotFound(failure)
  return (
    <PageMain state={isMissing ? 'not-found' : 'failed'} className="mx-auto w-full max-w-record px-4 pt-12 sm:pt-20">
      <div role="alert">
        <h1 className="heading-verdict">{words.missing.heading}</h1>
        <p className="mt-4">{isMissing ? words.missing.notFound : words.missing.failed}</p>
        {!isMissing && <p className="mt-1 text-muted text-small">{explainFailure(failure, failures.provider)}</p>}
      </div>
      <div className="mt-8 flex flex-wrap gap-3">
        {!isMissing && (
          <Button look="primary" onClick={again}>
            {site.failure.again}
          </Button>
        )}
        <Button asChild look={isMissing ? 'primary' : 'plain'}>
          <Link to="/providers">{words.missing.browse}</Link>
        </Button>
      </div>
    </PageMain>
  )
}
