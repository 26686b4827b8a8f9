import type { IncidentSeverity } from '@countersign/sdk/contract'
import { incidentsTab } from '#messages/dashboard/incidents.ts'
import { classes } from '../../../ui/classes.ts'

/** Red, orange, yellow or grey: the colour only marks the word beside it. */
const marks: Record<IncidentSeverity, string> = {
  critical: 'bg-bad',
  high: 'bg-[light-dark(#c2410c,#fb923c)]',
  medium: 'bg-[light-dark(#ca8a04,#facc15)]',
  low: 'bg-control',
}

export const SeverityChip = ({ severity }: { severity: IncidentSeverity }) => (
  <span className="inline-flex items-center gap-1.5 whitespace-nowrap font-semibold text-small">
    <span aria-hidden className={classes('size-2.5 rounded-full', marks[severity])} />
    {incidentsTab.severities[severity]}
  </span>
)
