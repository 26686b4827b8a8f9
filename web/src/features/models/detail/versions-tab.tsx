import { describeSigner, type Model } from '@countersign/sdk/contract'
import { quoteExactly } from '@countersign/sdk/words'
import { Link } from 'react-router-dom'
import { modelPage } from '#messages/pages/model-page.ts'
import { modelParts } from '#messages/pages/model-parts.ts'
import { formatDay } from '#messages/site.ts'
import { Failed } from '../../../failures/failed.tsx'
import { LoadMore } from '../../../lists/load-more.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { Chip } from '../../../ui/values/chip.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'
import { BundleChip } from '../bundle/bundle-chip.tsx'
import { useVersions } from './use-versions.ts'

const words = modelParts.versions

/** The versions of the identifier, and the changes between them. */
export const VersionsTab = ({ model }: { model: Model }) => {
  const { items, failure, hasMore, isLoadingMore, loadMore, again } = useVersions(model)
  return (
    <Section heading={words.heading} className="mt-10 max-w-record">
      <p className="mb-3 text-muted text-small">{words.intro}</p>
      {items === undefined && failure === undefined && <SkeletonRows count={2} />}
      {items !== undefined && (
        <ol className="border-line border-t">
          {items.map((version, index) => (
            <Version key={version.id} version={version} before={items[index + 1]} isShown={version.id === model.id} />
          ))}
        </ol>
      )}
      {failure !== undefined && <Failed failure={failure} again={again} />}
      {hasMore && failure === undefined && (
        <LoadMore isLoading={isLoadingMore} loadMore={loadMore} isByItself={false} />
      )}
    </Section>
  )
}

const Version = ({ version, before, isShown }: { version: Model; before: Model | undefined; isShown: boolean }) => (
  <li className="border-line border-b py-4">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Link to={`/models/${version.id}`} aria-current={isShown ? 'true' : undefined} className="link font-semibold">
        <bdi>{modelPage.header.version(version.version, version.version_number)}</bdi>
      </Link>
      {version.is_latest && <Chip>{modelPage.header.latest}</Chip>}
      {!version.is_public && version.archived_at === null && <Chip>{modelPage.header.isPrivate}</Chip>}
      {isShown && <span className="text-muted text-small">{words.shown}</span>}
      <span className="ms-auto">
        <BundleChip of={version} />
      </span>
    </div>
    <p className="mt-1 text-muted text-small">{eventsOf(version).join(' · ')}</p>
    {before !== undefined && <Changes version={version} before={before} />}
  </li>
)

const eventsOf = ({ created_at, superseded_at, archived_at }: Model) => [
  words.registered(formatDay(created_at)),
  ...(superseded_at === null ? [] : [words.superseded(formatDay(superseded_at))]),
  ...(archived_at === null ? [] : [words.archived(formatDay(archived_at))]),
]

const digestOf = ({ model_digest }: Model) => model_digest?.slice(-64, -48).concat('…') ?? words.none
/** Anyone can upload what others signed, so only the company’s own signer is named. */
const signerOf = ({ bundle_signer: signer, bundle_status, provider_domain_verified }: Model) => {
  if (signer === null || bundle_status !== 'verified' || !provider_domain_verified) return words.none
  return signer.identity === null
    ? (signer.key_fingerprint?.slice(0, 16).concat('…') ?? words.none)
    : describeSigner(signer, quoteExactly)
}

const Changes = ({ version, before }: { version: Model; before: Model }) => {
  const compared = [
    {
      name: words.digest,
      from: digestOf(before),
      to: digestOf(version),
      isSame: before.model_digest === version.model_digest,
    },
    {
      name: words.signer,
      from: signerOf(before),
      to: signerOf(version),
      isSame: signerOf(before) === signerOf(version),
    },
  ]
  const changed = compared.filter(({ isSame }) => !isSame)
  if (changed.length === 0) return null
  return (
    <div className="mt-2 text-small">
      <p className="text-muted">{words.changed}</p>
      <dl className="mt-1 grid gap-x-4 gap-y-1 sm:grid-cols-[5rem_1fr]">
        {changed.map(({ name, from, to }) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="min-w-0">
              <del className="no-underline">
                <InlineCode>{from}</InlineCode>
              </del>
              <span aria-hidden> → </span>
              <ins className="no-underline">
                <InlineCode>{to}</InlineCode>
              </ins>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
