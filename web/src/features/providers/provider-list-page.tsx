import type { PublicProvider } from '@countersign/sdk/contract'
import { Link, useSearchParams } from 'react-router-dom'
import { lists } from '#messages/lists.ts'
import { site } from '#messages/site.ts'
import { maxSearchText } from '../../data/search-limits.ts'
import { ChoiceField, SearchField } from '../../forms/filter-fields.tsx'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { useUrlChoice } from '../../hooks/use-url-choice.ts'
import { useUrlText } from '../../hooks/use-url-text.ts'
import { FilterPanel } from '../../lists/filter-panel.tsx'
import { ListBody } from '../../lists/list-body.tsx'
import { Cell, ListTable, wholeRow } from '../../lists/list-table.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { TrustBadge } from '../../ui/values/chip.tsx'
import { ProviderIdentity } from '../../ui/values/provider-identity.tsx'
import { ProviderLogo } from '../../ui/values/provider-logo.tsx'
import { StatusChip } from '../../ui/values/status-chip.tsx'
import { WebAddress } from '../../ui/values/web-address.tsx'
import { useProviderList } from './use-provider-list.ts'

const words = lists.providers
const verifications = ['all', 'verified', 'unverified'] as const
const sorts = ['name', 'location', 'verification', 'popularity'] as const

export const ProviderListPage = () => {
  const [params, setParams] = useSearchParams()
  const search = useUrlText('search')
  const location = useUrlText('location')
  const [verification, chooseVerification] = useUrlChoice('verification', verifications)
  const [sort, chooseSort] = useUrlChoice('sort', sorts)
  const list = useProviderList({
    search: search.inAddress.slice(0, maxSearchText) || undefined,
    location: location.inAddress.slice(0, 120) || undefined,
    verification,
    sort,
  })
  const isFiltered = ['search', 'location', 'verification'].some((name) => params.get(name))
  const clear = () => setParams({}, { preventScrollReset: true })
  useDocumentTitle(site.title(words.title))

  return (
    <ListBody
      list={list}
      words={words}
      isFiltered={isFiltered}
      clear={clear}
      canClear={params.size > 0}
      head={
        <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
          <div className="max-w-prose">
            <h1 className="heading-verdict">{words.heading}</h1>
            <p className="mt-2 text-muted">{words.intro}</p>
          </div>
          <Button look="primary" asChild>
            <Link to="/register">{words.register}</Link>
          </Button>
        </div>
      }
      filters={
        <FilterPanel
          label={words.filters.show}
          search={<SearchField label={words.filters.search} maxLength={maxSearchText} text={search} />}
        >
          <ChoiceField
            label={words.filters.verification}
            value={verification}
            choices={verifications}
            nameOf={(choice) => words.filters.verificationOptions[choice]}
            choose={chooseVerification}
          />
          <SearchField
            label={words.filters.location}
            placeholder={words.filters.locationHint}
            maxLength={120}
            text={location}
          />
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
          grid="grid-cols-[auto_auto_1fr] lg:grid-cols-[minmax(0,3fr)_7rem_8.5rem_minmax(0,2fr)] lg:items-center"
          pages={pages}
          keyOf={keyOf}
          rowOf={rowOf}
        />
      )}
    </ListBody>
  )
}

const keyOf = ({ id }: PublicProvider) => id

// Outside the component, so that existing rows don't re-render when more load.
const rowOf = (provider: PublicProvider) => <ProviderRow provider={provider} />

const tones = { verified: 'ok', partially_verified: 'unk', unverified: 'unk', unregistered: 'unk' } as const

const ProviderRow = ({ provider }: { provider: PublicProvider }) => {
  const { id, company_name, domain, domain_verified, trust_level, verification_level, website, logo_url } = provider
  return (
    <>
      <Cell className="col-span-3 flex items-center gap-3 text-body lg:col-span-1">
        <ProviderLogo url={logo_url} name={company_name ?? '?'} isProven={domain_verified} size={32} />
        <Link to={`/providers/${id}`} className={`min-w-0 underline-offset-3 hover:underline ${wholeRow}`}>
          <ProviderIdentity name={company_name} domain={domain} isVerified={domain_verified} />
        </Link>
      </Cell>
      <Cell>
        <TrustBadge level={trust_level} />
      </Cell>
      <Cell>
        <StatusChip tone={tones[verification_level]}>{words.status[verification_level]}</StatusChip>
      </Cell>
      <Cell className="col-span-3 lg:col-span-1">
        {website === null ? (
          <span className="text-muted">{lists.notStated}</span>
        ) : (
          <span className="relative">
            <WebAddress url={website} isHostAlone />
          </span>
        )}
      </Cell>
    </>
  )
}
