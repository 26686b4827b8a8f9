import type { BundleSigner } from '../contract/bundles.ts'
import { readLeaf } from './certificate-chain.ts'
import { identityOf } from './certificate-identity.ts'
import { readBundle } from './read-bundle.ts'
import { leafOf } from './sigstore-method.ts'

/**
 * The signer named by the certificate of a keyless bundle, unchecked: `verifyBundle` checks it. Null if there is no readable
 * certificate. Never throws.
 *
 * @returns The signer, or null.
 * @example
 * ```ts
 * const repository = readSigner(bundle)?.repository
 * ```
 */
export const readSigner = (bundle: Uint8Array | string): BundleSigner | null => {
  try {
    const read = readBundle(bundle)
    return read.method === 'sigstore' ? identityOf(readLeaf(leafOf(read))) : null
  } catch {
    return null
  }
}
