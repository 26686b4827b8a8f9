import type { Model } from '@countersign/sdk/contract'
import { lazy, Suspense } from 'react'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import { modelPage as words } from '#messages/pages/model-page.ts'
import { site } from '#messages/site.ts'
import { Failed } from '../../../failures/failed.tsx'
import { explainFailure, isNotFound } from '../../../failures/failure.ts'
import { currentOrSaid } from '../../../failures/giving-up.ts'
import { useDocumentTitle } from '../../../hooks/use-document-title.ts'
import { useSteadyLoading } from '../../../hooks/use-steady-loading.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { PageMain } from '../../../ui/layout/page-main.tsx'
import { Skeleton, SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { BadgeSnippet } from '../../../ui/values/badge-snippet.tsx'
import { useModel } from '../use-model.ts'
import { Conversation } from './conversation.tsx'
import { ModelHeader } from './model-header.tsx'
import { ModelTabs, readTab, type Tab } from './model-tabs.tsx'
import { OverviewTab } from './overview-tab.tsx'

// Most visitors read only the overview.
const SecurityTab = lazy(() => import('./security-tab.tsx').then(({ SecurityTab }) => ({ default: SecurityTab })))
const VersionsTab = lazy(() => import('./versions-tab.tsx').then(({ VersionsTab }) => ({ default: VersionsTab })))
const ReportsTab = lazy(() => import('./reports-tab.tsx').then(({ ReportsTab }) => ({ default: ReportsTab })))

const layout = 'mx-auto w-full max-w-site px-4 pt-6 sm:px-6 sm:pt-8'

/** `/models/:id` */
export const ModelPage = () => {
  const { id: named = '' } = useParams()
  const id = named.trim()
  const [query] = useSearchParams()
  const { model, failure, again } = useModel(id, currentOrSaid)
  const loading = useSteadyLoading(id !== '' && model === undefined && failure === undefined)
  useDocumentTitle(site.title(titleOf(model, failure)))

  if (loading.isLoading) return <Loading isShown={loading.isShown} />
  if (model === undefined) return <NotFound id={id} failure={failure} again={again} />
  const tab = readTab(query)
  return (
    <PageMain state="ready" className={layout}>
      {failure !== undefined && (
        <div className="sticky top-0 z-10 mb-4 bg-bg">
          <Failed heading={words.notReloaded} failure={failure} again={again} />
        </div>
      )}
      <ModelHeader model={model} />
      <ModelTabs shown={tab} />
      <Suspense fallback={<SkeletonRows count={4} />}>
        <TabContent key={model.id} tab={tab} model={model} />
      </Suspense>
      <BadgeSnippet badge={`/badge/models/${model.id}.svg`} page={`/models/${model.id}`} words={words.badge} />
      <p className="mt-3 print:hidden">
        <a href={`/api/v1/models/${model.id}/public`} className="link text-small">
          {words.json}
        </a>
      </p>
      <Conversation model={model} />
    </PageMain>
  )
}

const TabContent = ({ tab, model }: { tab: Tab; model: Model }) => {
  switch (tab) {
    case 'overview':
      return <OverviewTab model={model} />
    case 'security':
      return <SecurityTab model={model} />
    case 'versions':
      return <VersionsTab model={model} />
    case 'reports':
      return <ReportsTab model={model} />
    default:
      return tab satisfies never
  }
}

const titleOf = (model: Model | undefined, failure: unknown) => {
  if (model === undefined) return failure === undefined ? words.loading : words.missing.heading
  return words.title(
    `${model.display_name} ${model.version}`,
    model.provider_domain_verified ? model.provider_domain : null,
    model.archived_at !== null ? 'withdrawn' : model.bundle_status === 'invalid' ? 'invalid' : 'registered',
  )
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
        <Skeleton className="mt-4 w-1/3" />
        <div className="mt-16 grid gap-x-12 lg:grid-cols-2">
          <SkeletonRows count={6} />
          <SkeletonRows count={6} />
        </div>
      </>
    )}
  </PageMain>
)

const NotFound = ({ id, failure, again }: { id: string; failure: unknown; again: () => void }) => {
  const isMissing = id === '' || isNotFound(failure)
  return (
    <PageMain state={isMissing ? 'not-found' : 'failed'} className="mx-auto w-full max-w-record px-4 pt-12 sm:pt-20">
      <div role="alert">
        <h1 className="heading-verdict">{words.missing.heading}</h1>
        <p className="mt-4">
          {id === '' ? words.missing.noId : isMissing ? words.missing.notFound : words.missing.failed}
        </p>
        {!isMissing && <p className="mt-1 text-muted text-small">{explainFailure(failure)}</p>}
      </div>
      <div className="mt-8 flex flex-wrap gap-3">
        {!isMissing && (
          <Button look="primary" onClick={again}>
            {site.failure.again}
          </Button>
        )}
        <Button asChild look={isMissing ? 'primary' : 'plain'}>
          <Link to="/models">{words.missing.browse}</Link>
        </Button>
      </div>
    </PageMain>
  )
}
