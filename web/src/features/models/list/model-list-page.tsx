import type { Model } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { Link, useSearchParams } from 'react-router-dom'
import { formatRelease, lists, shortDescription } from '#messages/lists.ts'
import { formatDay, site } from '#messages/site.ts'
import { versionName } from '#messages/version-name.ts'
import { maxSearchText } from '../../../data/search-limits.ts'
import { ChoiceField, SearchField } from '../../../forms/filter-fields.tsx'
import { useDocumentTitle } from '../../../hooks/use-document-title.ts'
import { useUrlChoice } from '../../../hooks/use-url-choice.ts'
import { useUrlText } from '../../../hooks/use-url-text.ts'
import { FilterPanel } from '../../../lists/filter-panel.tsx'
import { ListBody } from '../../../lists/list-body.tsx'
import { Cell, ListTable, wholeRow } from '../../../lists/list-table.tsx'
import { ProviderIdentity } from '../../../ui/values/provider-identity.tsx'
import { ContextFilter, readTokens } from './context-filter.tsx'
import { PopularProviders } from './popular-providers.tsx'
import { ProviderFilter } from './provider-filter.tsx'
import { useModelList } from './use-model-list.ts'
import { readYear, YearFilter } from './year-filter.tsx'

const words = lists.models
const sorts = ['date', 'name', 'provider', 'context'] as const
const narrowing = ['search', 'provider', 'min_context', 'max_context', 'year']

export const ModelListPage = () => {
  const [params, setParams] = useSearchParams()
  const search = useUrlText('search')
  const [sort, chooseSort] = useUrlChoice('sort', sorts)
  const text = search.inAddress.slice(0, maxSearchText)
  const list = useModelList({
    search: text || undefined,
    provider_id: params.get('provider')?.slice(0, 40) || undefined,
    min_context_window: readTokens(params.get('min_context')),
    max_context_window: readTokens(params.get('max_context')),
    release_year: readYear(params.get('year')),
    sort,
  })
  const isFiltered = narrowing.some((name) => params.get(name))
  useDocumentTitle(site.title(words.title))

  return (
    <ListBody
      list={list}
      words={words}
      isFiltered={isFiltered}
      canClear={params.size > 0}
      clear={() => setParams({}, { preventScrollReset: true })}
      firstStep={
        <Link to="/verify-model" className="link">
          {words.register}
        </Link>
      }
      head={
        <>
          <h1 className="heading-verdict">{words.heading}</h1>
          <p className="mt-2 mb-6 max-w-prose text-muted">{words.intro}</p>
          {!isFiltered && <PopularProviders />}
        </>
      }
      filters={
        <FilterPanel
          label={words.filters.show}
          more={<ContextFilter />}
          search={<SearchField label={words.filters.search} maxLength={maxSearchText} text={search} />}
        >
          <ProviderFilter />
          <YearFilter />
          <ChoiceField
            label={words.filters.sort}
            value={sort}
            choices={sorts}
            nameOf={(choice) => words.filters.sortOptions[choice]}
            choose={chooseSort}
          />
        </FilterPanel>
      }
    >
      {(pages) => (
        <ListTable
          list={list.list}
          label={words.heading}
          columns={Object.values(words.columns)}
          grid="grid-cols-2 lg:grid-cols-[minmax(0,3fr)_minmax(0,3fr)_minmax(0,3fr)_minmax(0,3fr)_minmax(0,1.2fr)_minmax(0,1.5fr)] lg:items-baseline"
          pages={pages}
          keyOf={keyOf}
          rowOf={rowOf}
        />
      )}
    </ListBody>
  )
}

const keyOf = ({ id }: Model) => id

// Outside the component, so that existing rows don't re-render when more load.
const rowOf = (model: Model) => <ModelRow model={model} />

const ModelRow = ({ model }: { model: Model }) => {
  const { columns } = words
  const { id, display_name, api_model_identifier, description, version, release_date, created_at, context_window } =
    model
  return (
    <>
      <Cell className="col-span-2 text-body lg:col-span-1 lg:text-small">
        <Link to={`/models/${id}`} className={`font-semibold underline-offset-3 hover:underline ${wholeRow}`}>
          <bdi>{quote(display_name)}</bdi>
        </Link>
        {context_window !== null && (
          <span className="block text-micro text-muted">{words.context(context_window)}</span>
        )}
      </Cell>
      <Cell className="col-span-2 lg:col-span-1">
        <Link to={`/providers/${model.provider_id}`} className="relative underline-offset-3 hover:underline">
          <ProviderIdentity
            name={model.provider_name}
            domain={model.provider_domain}
            isVerified={model.provider_domain_verified}
          />
        </Link>
      </Cell>
      <Cell className="col-span-2 font-mono text-micro leading-5 lg:col-span-1">{quote(api_model_identifier)}</Cell>
      <Cell className="col-span-2 text-muted lg:col-span-1">
        <bdi>{quote(shortDescription(description))}</bdi>
      </Cell>
      <Cell>
        <PhoneLabel>{columns.version}</PhoneLabel>
        <bdi>{versionName(version)}</bdi>
      </Cell>
      <Cell className={release_date === null ? 'text-muted' : undefined}>
        <PhoneLabel>{columns.released}</PhoneLabel>
        {release_date === null ? lists.notStated : formatRelease(release_date)}
        <span className="block text-micro text-muted">{words.registered(formatDay(created_at))}</span>
      </Cell>
    </>
  )
}

/** Without columns, each value has a label. */
const PhoneLabel = ({ children }: { children: string }) => (
  <span aria-hidden className="text-muted lg:hidden">
    {children}{' '}
  </span>
)
