import { type Model, type PublicProvider, shortened } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { formatRelease } from '#messages/lists.ts'
import { providerPage } from '#messages/pages/provider-page.ts'
import { formatNumber } from '#messages/site.ts'
import { versionName } from '#messages/version-name.ts'
import { endpointPlace, isAtProvenDomain } from '../../data/endpoint-place.ts'
import { Failed } from '../../failures/failed.tsx'
import { LoadMore } from '../../lists/load-more.tsx'
import { Empty } from '../../ui/layout/empty.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { SkeletonRows } from '../../ui/layout/skeleton.tsx'
import { InlineCode } from '../../ui/values/inline-code.tsx'
import { useListedModels } from './use-provider.ts'

const words = providerPage.models

export const ModelTable = ({ provider }: { provider: PublicProvider }) => {
  const { items, failure, hasMore, isLoadingMore, loadMore, again } = useListedModels(provider.id)
  return (
    <Section heading={words.heading}>
      {items === undefined && failure === undefined && <SkeletonRows count={Math.min(provider.public_models, 5)} />}
      {items?.length === 0 && <NoModels isUnlisted={provider.public_models > 0} />}
      {items !== undefined && items.length > 0 && <Table models={items} />}
      {failure !== undefined && <Failed failure={failure} again={again} />}
      {hasMore && failure === undefined && (
        <LoadMore isLoading={isLoadingMore} loadMore={loadMore} isByItself={false} />
      )}
    </Section>
  )
}

const NoModels = ({ isUnlisted }: { isUnlisted: boolean }) => (
  <Empty heading={isUnlisted ? words.unlisted : words.none}>{isUnlisted ? words.unlistedText : words.noneText}</Empty>
)

const headings = [words.name, words.version, words.endpoint, words.context, words.released, words.status]

// On narrow screens each row is a record of its own; the roles keep it a table for screen readers.
const Table = ({ models }: { models: readonly Model[] }) => (
  // biome-ignore lint/a11y/noRedundantRoles: the layout removes the role
  <table role="table" className="w-full border-line border-t text-small max-lg:block">
    <thead className="max-lg:sr-only">
      <tr className="border-line border-b text-start text-muted">
        {headings.map((heading) => (
          <th key={heading} scope="col" className="whitespace-nowrap py-2 pe-4 text-start font-normal">
            {heading}
          </th>
        ))}
      </tr>
    </thead>
    {/* biome-ignore lint/a11y/noRedundantRoles: the layout removes the role */}
    <tbody role="rowgroup" className="max-lg:block">
      {models.map((model) => (
        <Row key={model.id} model={model} />
      ))}
    </tbody>
  </table>
)

const Row = ({ model }: { model: Model }) => (
  // biome-ignore lint/a11y/noRedundantRoles: the layout removes the role
  <tr role="row" className="border-line border-b align-top max-lg:block max-lg:py-3">
    <Cell className="lg:w-2/5">
      <Link to={`/models/${model.id}`} className="link font-semibold text-body">
        <bdi>{quote(model.display_name)}</bdi>
      </Link>
      <p className="text-muted">
        <bdi>{quote(shortened(model.description, 160))}</bdi>
      </p>
    </Cell>
    <Cell name={words.version}>
      <bdi className="inline-block min-w-20">{versionName(model.version)}</bdi>
    </Cell>
    <Cell name={words.endpoint}>
      <InlineCode>{endpointPlace(model.endpoint)}</InlineCode>
      {!isAtProvenDomain(model) && <span className="block text-muted">{words.endpointElsewhere}</span>}
    </Cell>
    <Cell name={words.context}>
      {model.context_window === null ? words.notStated : words.tokens(formatNumber(model.context_window))}
    </Cell>
    <Cell name={words.released} className="lg:whitespace-nowrap">
      {model.release_date === null ? words.notStated : formatRelease(model.release_date)}
    </Cell>
    <Cell name={words.status} className="lg:whitespace-nowrap">
      {model.is_active ? words.active : words.inactive}
    </Cell>
  </tr>
)

const Cell = ({ name, className = '', children }: { name?: string; className?: string; children: ReactNode }) => (
  <td
    // biome-ignore lint/a11y/noRedundantRoles: the layout removes the role
    role="cell"
    className={`py-3 pe-4 max-lg:grid max-lg:grid-cols-[7rem_1fr] max-lg:py-0.5 ${name ? '' : 'max-lg:block!'} ${className}`}
  >
    {name !== undefined && (
      <span aria-hidden className="text-muted lg:hidden">
        {name}
      </span>
    )}
    {name === undefined ? children : <span className="min-w-0">{children}</span>}
  </td>
)
