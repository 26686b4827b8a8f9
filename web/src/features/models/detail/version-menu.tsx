import type { Model } from '@countersign/sdk/contract'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { modelPage } from '#messages/pages/model-page.ts'
import { formatDay } from '#messages/site.ts'
import { versionName } from '#messages/version-name.ts'
import { Failed } from '../../../failures/failed.tsx'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { useVersions } from './use-versions.ts'

const words = modelPage.header

/** The latest versions, loaded when the menu opens. */
export const VersionMenu = ({ model }: { model: Model }) => {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="group relative print:hidden" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="flex min-h-6 cursor-pointer list-none items-center gap-1 rounded-control border border-control px-2 font-semibold hover:bg-sunken">
        {words.versions}
        <ChevronDown aria-hidden size={16} className="group-open:rotate-180" />
      </summary>
      {isOpen && <Menu model={model} />}
    </details>
  )
}

const Menu = ({ model }: { model: Model }) => {
  const { items, failure, again } = useVersions(model)
  return (
    <div className="absolute start-0 z-10 mt-1 w-72 max-w-[calc(100vw-2rem)] rounded-surface border border-line bg-surface p-2 shadow-lg">
      {items === undefined && failure === undefined && <SkeletonRows count={2} />}
      {failure !== undefined && <Failed failure={failure} again={again} />}
      <ul>
        {items?.map(({ id, version, created_at }) => (
          <li key={id}>
            <Link
              to={`/models/${id}`}
              aria-current={id === model.id ? 'page' : undefined}
              className="flex min-h-9 items-center justify-between gap-4 rounded-control px-2 hover:bg-sunken aria-[current]:bg-sunken aria-[current]:font-semibold"
            >
              <bdi className="min-w-0 break-words">{versionName(version)}</bdi>
              <span className="shrink-0 text-muted">{formatDay(created_at)}</span>
            </Link>
          </li>
        ))}
      </ul>
      <Link to="?tab=versions" className="link mt-1 inline-flex min-h-9 items-center px-2">
        {words.allVersions}
      </Link>
    </div>
  )
}
