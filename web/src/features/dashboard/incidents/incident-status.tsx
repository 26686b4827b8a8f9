import type { IncidentStatus } from '@countersign/sdk/contract'
import { statusNames } from '#messages/dashboard/incidents.ts'
import { Chip } from '../../../ui/values/chip.tsx'
import { StatusChip } from '../../../ui/values/status-chip.tsx'

/** Highlights open incidents. */
export const IncidentStatusChip = ({ status }: { status: IncidentStatus }) => {
  const name = statusNames[status]
  if (status === 'reported') return <StatusChip tone="warn">{name}</StatusChip>
  if (status === 'investigating') return <StatusChip tone="unk">{name}</StatusChip>
  return <Chip>{name}</Chip>
}
