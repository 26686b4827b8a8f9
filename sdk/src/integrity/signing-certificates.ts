import type { KeyObject } from 'node:crypto'
import { type Certificate, isForCode, isForSignatures } from './certificate.ts'
import { readPemCertificates, subjectOf } from './certificate-chain.ts'
import { bundleBounds } from './read-bundle.ts'

/** The certificates for a bundle: the key's first, each once. Throws for what a verifier would reject. */
export const readSigningCertificates = (pem: string, publicKey: KeyObject): Certificate[] => {
  const all = readPemCertificates(pem)
  const certificates = all.filter(({ raw }, index) => all.findIndex((other) => other.raw.equals(raw)) === index)
  const [leaf] = certificates
  if (!leaf) throw new RangeError('No readable certificate found')
  if (!leaf.x509.publicKey.equals(publicKey)) throw new RangeError('The first certificate belongs to another key')
  if (!isForSignatures(leaf) && !isForCode(leaf))
    throw new RangeError('The certificate may not sign: its key usage has neither digitalSignature nor code signing')
  if (certificates.length > bundleBounds.maxItems)
    throw new RangeError(`${certificates.length} certificates; a bundle has at most ${bundleBounds.maxItems}`)
  return certificates
}

/**
 * The name in the first certificate of a PEM; null if it cannot be read.
 *
 * @returns The name, or null.
 * @example
 * ```ts
 * const name = readCertificateName(pem)
 * ```
 */
export const readCertificateName = (pem: string): string | null => {
  const [leaf] = readPemCertificates(pem)
  try {
    return leaf ? subjectOf(leaf) : null
  } catch {
    return null
  }
}
