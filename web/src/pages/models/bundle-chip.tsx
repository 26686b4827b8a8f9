import type { BundleStatus } from '@countersign/sdk/contract'
import { modelPage } from '#messages/model-page.ts'
import { StatusChip, type Tone } from '../../ui/status-chip.tsx'

const tones = { unknown: 'unk', verified: 'ok', invalid: 'bad', error: 'warn' } as const satisfies Record<BundleStatus, Tone>

export const BundleChip = ({ status }: { status: BundleStatus }) => (
  <StatusChip tone={tones[status]}>{modelPage.checked.bundleStatus[status]}</StatusChip>
)
