import type { Incident, IncidentStatus } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { incidentsTab, statusNames } from '#messages/dashboard/incidents.ts'
import { report } from '#messages/pages/report.ts'
import { formatDay } from '#messages/site.ts'
import { type Column, Line, RowTitle } from '../../../lists/row-table.tsx'
import type { Tone } from '../../../ui/values/status-chip.tsx'
import { StatusDot } from '../../../ui/values/status-dot.tsx'
import { SeverityChip } from './severity-chip.tsx'

const words = incidentsTab

/** Only open ones stand out. */
const tones: Record<IncidentStatus, Tone> = {
  reported: 'warn',
  investigating: 'info',
  resolved: 'unk',
  dismissed: 'unk',
}

export const incidentColumns: readonly Column<Incident>[] = [
  {
    key: 'report',
    name: words.columns.report,
    cell: ({ title, model_name, category, severity, status }) => (
      <RowTitle
        title={quote(title)}
        under={words.about1(quote(model_name), report.categories[category])}
        onPhone={words.onPhone(words.severities[severity], statusNames[status], quote(model_name))}
      />
    ),
  },
  {
    key: 'severity',
    name: words.columns.severity,
    isSortable: true,
    className: 'hidden w-24 sm:table-cell',
    cell: ({ severity }) => <SeverityChip severity={severity} />,
  },
  {
    key: 'status',
    name: words.columns.status,
    isSortable: true,
    className: 'hidden w-32 sm:table-cell',
    cell: ({ status }) => <StatusDot tone={tones[status]}>{statusNames[status]}</StatusDot>,
  },
  {
    key: 'reporter',
    name: words.columns.reporter,
    className: 'hidden w-40 lg:table-cell',
    cell: ({ is_verified_report, reporter_email }) => (
      <>
        <Line>{is_verified_report ? words.withLink : words.withoutLink}</Line>
        <span title={reporter_email ?? undefined} className="block truncate text-micro text-muted">
          {reporter_email ?? words.anonymous}
        </span>
        {reporter_email !== null && <span className="block text-micro text-muted">{words.unconfirmed}</span>}
      </>
    ),
  },
  {
    key: 'created',
    name: words.columns.created,
    isSortable: true,
    className: 'hidden w-28 xl:table-cell',
    cell: ({ created_at }) => <Line isMuted>{formatDay(created_at)}</Line>,
  },
]
