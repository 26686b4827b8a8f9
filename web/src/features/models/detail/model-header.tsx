import type { Model } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { Link } from 'react-router-dom'
import { modelPage } from '#messages/pages/model-page.ts'
import { formatDay } from '#messages/site.ts'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Chip } from '../../../ui/values/chip.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'
import { ProviderIdentity } from '../../../ui/values/provider-identity.tsx'
import { ProviderLogo } from '../../../ui/values/provider-logo.tsx'
import { VersionMenu } from './version-menu.tsx'

const words = modelPage.header

/** The model's name, provider and version. */
export const ModelHeader = ({ model }: { model: Model }) => (
  <>
    <nav aria-label={modelPage.path} className="text-small print:hidden">
      <Link to="/models" className="link inline-flex min-h-6 items-center">
        {modelPage.models}
      </Link>
    </nav>
    <Banners model={model} />
    <div className="mt-4 flex items-center gap-3 text-small">
      <ProviderLogo
        url={model.provider_logo}
        name={model.provider_name ?? '?'}
        isProven={model.provider_domain_verified}
        size={32}
      />
      <Link to={`/providers/${model.provider_id}`} className="link">
        <span className="sr-only">{words.by}: </span>
        <ProviderIdentity
          name={model.provider_name}
          domain={model.provider_domain}
          isVerified={model.provider_domain_verified}
        />
      </Link>
    </div>
    <h1 className="heading-verdict mt-3">
      <bdi>{quote(model.display_name)}</bdi>
    </h1>
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 text-small">
      <span className="font-semibold">
        <bdi>{words.version(model.version, model.version_number)}</bdi>
      </span>
      {model.is_latest && <Chip>{words.latest}</Chip>}
      {model.archived_at === null && <Chip>{model.is_public ? words.isPublic : words.isPrivate}</Chip>}
      {model.is_demo && <Chip>{words.demo}</Chip>}
      {hasVersions(model) && <VersionMenu key={model.id} model={model} />}
      <Neighbours model={model} />
    </div>
    <p className="mt-2 flex flex-wrap items-center gap-x-1 text-muted text-small">
      {words.id} <InlineCode>{model.id}</InlineCode>
      <CopyButton text={model.id} what={words.id} />
    </p>
    <Notes model={model} />
  </>
)

const hasVersions = ({ predecessor_id, successor_id }: Model) => predecessor_id !== null || successor_id !== null

const Notes = ({ model }: { model: Model }) => {
  const notes = [
    !model.is_public && model.archived_at === null && words.privateNote,
    model.is_demo && words.demoNote,
  ].filter((note) => note !== false)
  if (notes.length === 0) return null
  return (
    <div className="mt-2 grid max-w-prose gap-1 text-small">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  )
}

const Neighbours = ({ model }: { model: Model }) => {
  if (!hasVersions(model)) return null
  return (
    <nav aria-label={words.neighbours} className="flex flex-wrap gap-x-3 print:hidden">
      {model.predecessor_id !== null && (
        <Link to={`/models/${model.predecessor_id}`} rel="prev" className="link inline-flex min-h-6 items-center">
          {words.previous}
        </Link>
      )}
      {model.successor_id !== null && (
        <Link to={`/models/${model.successor_id}`} rel="next" className="link inline-flex min-h-6 items-center">
          {words.next}
        </Link>
      )}
    </nav>
  )
}

/** Warnings that visitors must see first. */
const Banners = ({ model }: { model: Model }) => {
  const { archived_at, superseded_at, is_active, successor_id, latest_version_id, id } = model
  const banners = [
    archived_at !== null && modelPage.banners.archived(formatDay(archived_at)),
    archived_at === null && superseded_at !== null && modelPage.banners.superseded(formatDay(superseded_at)),
    !model.provider_domain_verified && modelPage.header.nobodyChecked,
    !is_active && archived_at === null && modelPage.banners.inactive,
  ].filter((banner) => banner !== false)
  if (banners.length === 0) return null
  const latest = latest_version_id === id ? null : latest_version_id
  return (
    <div role="note" className="mt-4 grid gap-1 border-warn border-s-4 bg-warn-bg px-4 py-3 text-small">
      {banners.map((banner) => (
        <p key={banner}>{banner}</p>
      ))}
      {(successor_id !== null || latest !== null) && (
        <p className="flex flex-wrap gap-x-4">
          {successor_id !== null && (
            <Link to={`/models/${successor_id}`} className="link inline-flex min-h-6 items-center">
              {modelPage.banners.next}
            </Link>
          )}
          {latest !== null && (
            <Link to={`/models/${latest}`} className="link inline-flex min-h-6 items-center">
              {modelPage.banners.latest}
            </Link>
          )}
        </p>
      )}
    </div>
  )
}
