import type { BundleDetails, BundleSigner, BundleStatus } from '../../contract/bundles.ts'

/** A signature of a model file that an answer claims. */
export interface ClaimedBundle {
  /** The type of its entry in the log. */
  type: 'bundle.verified' | 'bundle.third_party'
  /** The fingerprint of the key that signed; null if its certificate names an identity. */
  spki: string | null
}

/** What a record says about the bundle of its model. */
interface BundleFields {
  bundle_status?: BundleStatus | undefined
  bundle_verification_details?: Partial<BundleDetails> | null | undefined
  bundle_signer?: BundleSigner | null | undefined
}

/**
 * The signature that a record of the registry claims, by the company or a third party.
 *
 * @returns The {@link ClaimedBundle}, or undefined if it claims none.
 * @example
 * ```ts
 * const bundle = claimedBundle(verification.model)
 * ```
 */
export const claimedBundle = (model: BundleFields | null | undefined): ClaimedBundle | undefined => {
  const { bundle_status: status, bundle_verification_details: details, bundle_signer: signer } = model ?? {}
  const isOfOther = status === 'unknown' && details?.signer_tied === false
  if (status !== 'verified' && !isOfOther) return undefined
  return { type: isOfOther ? 'bundle.third_party' : 'bundle.verified', spki: signer?.key_fingerprint ?? null }
}
