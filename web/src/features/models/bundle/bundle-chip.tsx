import type { BundleStatus, Model } from '@countersign/sdk/contract'
import { modelPage } from '#messages/pages/model-page.ts'
import { StatusChip, type Tone } from '../../../ui/values/status-chip.tsx'

const words = modelPage.checked
const tones = { unknown: 'unk', verified: 'ok', invalid: 'bad', error: 'warn' } as const satisfies Record<
  BundleStatus,
  Tone
>

type Checked = Pick<Model, 'bundle_status' | 'bundle_verification_details'>

/** Valid, but the signer was not shown to be the provider's own. */
export const isOfThirdParty = ({ bundle_status: status, bundle_verification_details: details }: Checked) =>
  status === 'unknown' && details?.signer_tied === false

export const bundleToneOf = ({ bundle_status }: Checked): Tone => tones[bundle_status]

export const bundleWordsOf = (of: Checked): string =>
  isOfThirdParty(of) ? words.thirdParty : words.bundleStatus[of.bundle_status]

export const BundleChip = ({ of }: { of: Checked }) => (
  <StatusChip tone={bundleToneOf(of)}>{bundleWordsOf(of)}</StatusChip>
)
