import type { BundleSigner } from '../contract/bundles.ts'
import { readLeaf } from './certificate-chain.ts'
import { identityOf } from './certificate-identity.ts'
import { readBundle } from './read-bundle.ts'
import { leafOf } from './sigstore-method.ts'

/**
 * Who the certificate of a keyless bundle names, without checking anything: `verifyBundle` does that. Null where there is no such
 * certificate, or where it cannot be read. Never throws.
 */
export const readSigner = (bundle: Uint8Array | string): BundleSigner | null => {
  try {
    const read = readBundle(bundle)
    return read.method === 'sigstore' ? identityOf(readLeaf(leafOf(read))) : null
  } catch {
    return null
  }
}
