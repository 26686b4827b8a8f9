import type { ModelHistory } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { formatLongTime, modelsTab } from '#messages/dashboard/models.ts'
import { failures } from '#messages/failures.ts'
import { Failed } from '../../../../failures/failed.tsx'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { SkeletonRows } from '../../../../ui/layout/skeleton.tsx'
import { Chip } from '../../../../ui/values/chip.tsx'
import { nameOf } from '../names.ts'
import { useModelHistory } from '../own-models.ts'
import { editValue } from './edit-value.ts'

const words = modelsTab.history

/** The changes to a version, field by field, and all versions of its identifier. */
export const HistoryDialog = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const { history, failure, again } = useModelHistory(id)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.title}
      {...(history && { description: nameOf(history.current_version) })}
    >
      {history === undefined && failure === undefined && <SkeletonRows count={3} />}
      {history === undefined && failure !== undefined && (
        <Failed heading={words.failed} failure={failure} wordsOfStatus={failures.history} again={again} />
      )}
      {history?.total_versions === 0 && <p>{words.none}</p>}
      {history !== undefined && history.total_versions > 0 && (
        <div className="grid gap-6">
          <Edits history={history} />
          <Versions history={history} />
        </div>
      )}
    </Dialog>
  )
}

const Part = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <section>
    <h3 className="mb-2 font-semibold">{heading}</h3>
    {children}
  </section>
)

const labels: Readonly<Record<string, string>> = { ...modelForm.labels, ...words.fields }
const labelOf = (field: string) => labels[field] ?? field.replaceAll('_', ' ')

const Edits = ({ history: { edit_history: edits } }: { history: ModelHistory }) => (
  <Part heading={words.edits}>
    {edits.length === 0 && <p className="text-muted text-small">{words.noEdits}</p>}
    <ol className="border-line border-t empty:hidden">
      {edits.map(({ field_name, old_value, new_value, edited_at }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes its order
        <li key={`${edited_at} ${field_name} ${index}`} className="border-line border-b py-3 text-small">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="font-semibold">{labelOf(field_name)}</span>
            <time dateTime={edited_at} className="text-muted">
              {formatLongTime(edited_at)}
            </time>
          </p>
          <dl className="mt-1 grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 gap-y-0.5">
            <dt className="text-muted">{words.before}</dt>
            <dd className="break-words">
              <bdi>{editValue(old_value)}</bdi>
            </dd>
            <dt className="text-muted">{words.after}</dt>
            <dd className="break-words">
              <bdi>{editValue(new_value)}</bdi>
            </dd>
          </dl>
        </li>
      ))}
    </ol>
  </Part>
)

const Versions = ({ history: { versions, current_version, total_versions } }: { history: ModelHistory }) => (
  <Part heading={words.versions(total_versions)}>
    <ol className="border-line border-t">
      {versions.map((version) => (
        <li key={version.id} className="border-line border-b py-3 text-small">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <Link to={`/models/${version.id}`} className="link font-semibold">
              <bdi>{modelsTab.card.version(version.version, version.version_number)}</bdi>
            </Link>
            {version.is_latest && <Chip>{modelsTab.card.latest}</Chip>}
            <Chip>{version.is_public ? modelsTab.card.isPublic : modelsTab.card.isPrivate}</Chip>
            {version.id === current_version.id && <span className="text-muted">{words.shown}</span>}
          </div>
          <ul className="mt-1 text-muted">
            <li>{words.registered(formatLongTime(version.created_at))}</li>
            {version.id === current_version.id && <li>{openedOf(current_version.first_verified_at)}</li>}
            {version.superseded_at !== null && <li>{words.superseded(formatLongTime(version.superseded_at))}</li>}
            {version.archived_at !== null && <li>{words.archived(formatLongTime(version.archived_at))}</li>}
            {version.archive_reason !== null && version.archive_reason !== '' && (
              <li className="break-words">
                <bdi>{words.reason(quote(version.archive_reason))}</bdi>
              </li>
            )}
          </ul>
        </li>
      ))}
    </ol>
  </Part>
)

const openedOf = (time: string | null) => (time === null ? words.neverOpened : words.firstOpened(formatLongTime(time)))
