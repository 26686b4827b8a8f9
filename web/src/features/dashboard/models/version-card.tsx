import type { Model } from '@countersign/sdk/contract'
import { Link } from 'react-router-dom'
import { modelsTab } from '#messages/dashboard/models.ts'
import { formatRelease } from '#messages/lists.ts'
import { formatDay } from '#messages/site.ts'
import { CopyButton } from '../../../ui/controls/copy-button.tsx'
import { Chip } from '../../../ui/values/chip.tsx'
import { InlineCode } from '../../../ui/values/inline-code.tsx'
import { BundleChip } from '../../models/bundle/bundle-chip.tsx'
import type { OpenDialog } from './dialogs/dialog-names.ts'
import { HealthLine } from './health/health-line.tsx'
import { nameOf } from './names.ts'
import { statusOf } from './own-model-groups.ts'
import { VisibilitySwitch } from './visibility-switch.tsx'

const words = modelsTab.card

interface VersionCardProps {
  model: Model
  open: OpenDialog
}

/** A version: its description on the left, its state on the right, its neighbours below. */
export const VersionCard = ({ model, open }: VersionCardProps) => (
  <div className="grid min-w-0 gap-x-8 gap-y-3 sm:grid-cols-[minmax(0,1fr)_14rem]">
    <div className="grid min-w-0 content-start gap-2">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="text-small">
          <bdi>{words.version(model.version, model.version_number)}</bdi>
        </span>
        {model.is_latest && <Chip>{words.latest}</Chip>}
        <Chip>{words.states[statusOf(model)]}</Chip>
        <span className="inline-flex items-center gap-1.5 text-muted text-small">
          {words.bundle}
          <BundleChip of={model} />
        </span>
      </div>
      <Identifiers model={model} />
      <p className="max-w-prose whitespace-pre-wrap text-small">
        <bdi>{model.description}</bdi>
      </p>
      <Dates model={model} />
    </div>
    <div className="grid content-start gap-2.5 text-small">
      {model.archived_at === null && <VisibilitySwitch model={model} />}
      <HealthLine model={model} />
      <Service model={model} />
      <Looks {...{ model, open }} />
    </div>
    <div className="sm:col-span-2">
      <Neighbours model={model} />
    </div>
  </div>
)

const Identifiers = ({ model: { api_model_identifier, id } }: { model: Model }) => (
  <div className="grid text-small">
    {[
      { name: words.identifier, value: api_model_identifier },
      { name: words.id, value: id },
    ].map(({ name, value }) => (
      <p key={name} className="flex min-w-0 flex-wrap items-center gap-x-1.5">
        <span className="text-muted">{name}</span>
        <span className="min-w-0 break-all">
          <InlineCode>{value}</InlineCode>
        </span>
        <span className="-my-1">
          <CopyButton text={value} what={name} />
        </span>
      </p>
    ))}
  </div>
)

const Dates = ({
  model: { created_at, superseded_at, archived_at, archive_reason, first_verified_at },
}: {
  model: Model
}) => (
  <p className="break-words text-muted text-small">
    {[
      words.registered(formatDay(created_at)),
      first_verified_at !== null && words.firstOpened(formatDay(first_verified_at)),
      superseded_at !== null && words.supersededOn(formatDay(superseded_at)),
      archived_at !== null && words.archivedOn(formatDay(archived_at), archive_reason),
    ]
      .filter(Boolean)
      .join(' · ')}
  </p>
)

const Service = ({ model: { endpoint, release_date } }: { model: Model }) => (
  <dl className="grid gap-1">
    <dt className="text-muted">{words.endpoint}</dt>
    <dd className="break-all">{endpoint === '' ? words.noEndpoint : <InlineCode>{endpoint}</InlineCode>}</dd>
    <dt className="mt-1 text-muted">{words.released}</dt>
    <dd>{release_date === null ? words.notReleased : formatRelease(release_date)}</dd>
  </dl>
)

/** Opens a dialog. */
const Looks = ({ model, open }: { model: Model; open: OpenDialog }) => (
  <div className="flex flex-wrap gap-x-4">
    {(['bundle', 'health', 'access'] as const).map((name) => (
      <button
        key={name}
        type="button"
        aria-haspopup="dialog"
        aria-label={words.of(words.looks[name], nameOf(model))}
        onClick={() => open(name, model.id)}
        className="link min-h-8 cursor-pointer"
      >
        {words.looks[name]}
      </button>
    ))}
  </div>
)

const Neighbours = ({ model }: { model: Model }) => {
  const { predecessor_id, successor_id } = model
  if (predecessor_id === null && successor_id === null) return null
  return (
    <nav aria-label={words.neighbours(nameOf(model))} className="flex flex-wrap gap-x-4 text-small">
      {predecessor_id !== null && (
        <Link to={`/models/${predecessor_id}`} rel="prev" className="link inline-flex min-h-6 items-center">
          {words.previous}
        </Link>
      )}
      {successor_id !== null && (
        <Link to={`/models/${successor_id}`} rel="next" className="link inline-flex min-h-6 items-center">
          {words.next}
        </Link>
      )}
    </nav>
  )
}
