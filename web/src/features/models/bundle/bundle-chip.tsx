import type { BundleStatus, Model } from '@countersign/sdk/contract'
import { modelPage } from '#messages/pages/model-page.ts'
import { StatusChip, type Tone } from '../../../ui/values/status-chip.tsx'

const words = modelPage.checked
const tones = { unknown: 'unk', verified: 'ok', invalid: 'bad', error: 'warn' } as const satisfies Record<
  BundleStatus,
  Tone
>

type Checked = Pick<Model, 'bundle_status' | 'bundle_verification_details' | 'provider_domain_verified'>

/** Valid, but the signer was not shown to be the provider's own. */
export const isOfThirdParty = ({
  bundle_status: status,
  bundle_verification_details: details,
}: Omit<Checked, 'provider_domain_verified'>) => status === 'unknown' && details?.signer_tied === false

/** Valid, and by a signer of the account, but nothing shows whose account it is. */
export const isOfUnknown = ({
  bundle_status,
  provider_domain_verified,
}: Pick<Checked, 'bundle_status' | 'provider_domain_verified'>) =>
  bundle_status === 'verified' && !provider_domain_verified

export const bundleToneOf = (of: Checked): Tone => (isOfUnknown(of) ? 'unk' : tones[of.bundle_status])

export const bundleWordsOf = (of: Checked): string => {
  if (isOfUnknown(of)) return words.ofUnknown
  return isOfThirdParty(of) ? words.thirdParty : words.bundleStatus[of.bundle_status]
}

export const BundleChip = ({ of }: { of: Checked }) => (
  <StatusChip tone={bundleToneOf(of)}>{bundleWordsOf(of)}</StatusChip>
)
