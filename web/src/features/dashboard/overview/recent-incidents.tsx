import { quote } from '@countersign/sdk/words'
import { Link } from 'react-router-dom'
import { overviewTab } from '#messages/dashboard/overview.ts'
import { Failed } from '../../../failures/failed.tsx'
import { Section } from '../../../ui/layout/section.tsx'
import { SkeletonRows } from '../../../ui/layout/skeleton.tsx'
import { IncidentStatusChip } from '../incidents/incident-status.tsx'
import { SeverityChip } from '../incidents/severity-chip.tsx'
import { addressOf } from '../shared/tab-names.ts'
import { useRecentIncidents } from './overview.ts'

const words = overviewTab.incidents

export const RecentIncidents = ({ providerId }: { providerId: string }) => {
  const { incidents, failure, again } = useRecentIncidents(providerId)
  return (
    <Section heading={words.heading} className="">
      <p className="-mt-2 mb-3 text-muted text-small">{words.text}</p>
      {incidents === undefined ? (
        failure === undefined ? (
          <SkeletonRows count={2} />
        ) : (
          <Failed failure={failure} again={again} />
        )
      ) : incidents.length === 0 ? (
        <p className="border-line border-y py-6 text-small">{words.empty}</p>
      ) : (
        <>
          <ul className="border-line border-t">
            {incidents.map(({ id, title, model_name, created_at, severity, status }) => (
              <li
                key={id}
                className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-line border-b py-2.5 text-small"
              >
                <span className="min-w-0">
                  <Link to={`${addressOf('incidents')}&incident=${id}`} className="link wrap-anywhere font-semibold">
                    {quote(title)}
                  </Link>
                  <span className="block text-muted">{words.about(model_name, created_at)}</span>
                </span>
                <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <SeverityChip severity={severity} />
                  <IncidentStatusChip status={status} />
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-3 text-small">
            <Link to={addressOf('incidents')} className="link">
              {words.all}
            </Link>
          </p>
        </>
      )}
    </Section>
  )
}
