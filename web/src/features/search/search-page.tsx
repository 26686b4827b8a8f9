import { Link } from 'react-router-dom'
import { search } from '#messages/pages/search.ts'
import { site } from '#messages/site.ts'
import { type Answer, useSearch } from '../../data/search.ts'
import { maxSearchText } from '../../data/search-limits.ts'
import { Failed } from '../../failures/failed.tsx'
import { TextField } from '../../forms/field.tsx'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { useSteadyLoading } from '../../hooks/use-steady-loading.ts'
import { useUrlText } from '../../hooks/use-url-text.ts'
import { Empty } from '../../ui/layout/empty.tsx'
import { PageMain } from '../../ui/layout/page-main.tsx'
import { SkeletonRows } from '../../ui/layout/skeleton.tsx'
import { FoundModels, FoundProviders } from './search-results.tsx'

const words = search.page

export const SearchPage = () => {
  const box = useUrlText('q')
  const query = box.inAddress.trim().slice(0, maxSearchText)
  const { isRequested, answer, failure, again } = useSearch(query)
  const { isShown } = useSteadyLoading(isRequested && answer === undefined && failure === undefined)
  const current = isShown ? undefined : answer
  useDocumentTitle(site.title(words.title))
  const state = !isRequested
    ? 'idle'
    : failure !== undefined
      ? 'failed'
      : current === undefined
        ? 'loading'
        : isEmpty(current)
          ? 'empty'
          : 'ready'

  return (
    <PageMain state={state} busy={state === 'loading'} className="mx-auto w-full max-w-site px-4 pt-10 sm:px-6">
      <h1 className="heading-verdict">{words.heading}</h1>
      <search>
        <TextField
          className="mt-5 max-w-record"
          type="search"
          label={search.label}
          placeholder={search.placeholder}
          maxLength={maxSearchText}
          value={box.text}
          onChange={(event) => box.setText(event.target.value)}
        />
      </search>
      <p role="status" className="mt-5 min-h-6">
        {state === 'idle' && words.tooShort}
        {state === 'loading' && words.searching}
        {state === 'empty' && words.nothing(query)}
        {state === 'ready' && current && words.found(current.total, query, current.total_is_lower_bound)}
      </p>
      <div className="mt-4 min-h-[75svh]">
        {state === 'failed' && <Failed heading={words.failed} failure={failure} again={again} />}
        {isShown && <SkeletonRows />}
        {state === 'empty' && <NothingFound />}
        {state === 'ready' && current && (
          <>
            <FoundProviders answer={current} />
            <FoundModels answer={current} />
          </>
        )}
      </div>
    </PageMain>
  )
}

const isEmpty = ({ providers, models }: Answer) => providers.length + models.length === 0

const NothingFound = () => (
  <Empty heading={words.empty.heading}>
    <p>{words.empty.hint}</p>
    <p className="flex flex-wrap gap-x-6 gap-y-2">
      <Link to="/providers" className="link">
        {words.empty.providers}
      </Link>
      <Link to="/models" className="link">
        {words.empty.models}
      </Link>
    </p>
  </Empty>
)
