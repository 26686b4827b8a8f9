import { quoteExactly } from '../words/quotation.ts'
import {
  type Certificate,
  isForCode,
  isForSignatures,
  isValidAt,
  oneLine,
  pathLengthOf,
  readCertificate,
} from './certificate.ts'
import { orReject, reject } from './rejection.ts'

/** Certificates from PEM, such as the anchors that a provider declared; anything else is left out. */
export const readPemCertificates = (pem: string): Certificate[] =>
  (pem.match(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g) ?? []).flatMap((block) => {
    try {
      return [readCertificate(Buffer.from(block.replace(/-----[A-Z ]+-----/g, ''), 'base64'))]
    } catch {
      return []
    }
  })

export const readSent = (raw: Buffer): Certificate =>
  orReject('certificate', 'certificate_unreadable', 'The signer’s certificate cannot be read', () =>
    readCertificate(raw),
  )

/** Rejects a signer's certificate with an unknown critical extension (RFC 5280 §4.2). */
export const readLeaf = (raw: Buffer): Certificate => {
  const leaf = readSent(raw)
  const [unknown] = leaf.unknownCritical
  if (unknown)
    reject(
      'certificate',
      'certificate_unreadable',
      `The signer’s certificate has an unknown critical extension: ${unknown}`,
    )
  return leaf
}

/** The subject of a certificate, for people. */
export const subjectOf = ({ x509 }: Certificate): string =>
  orReject('certificate', 'certificate_unreadable', 'A certificate has a name that cannot be shown', () =>
    oneLine(x509.subject),
  )

/** Whether the signer's certificate itself is declared, such as a self-signed one; it needs no other authority. */
const isPinned = (leaf: Certificate, anchors: readonly Certificate[]) => anchors.some(({ raw }) => raw.equals(leaf.raw))

/**
 * OMS v1.0 §8.2: the signer's certificate is for signatures or code and is not an authority, unless it is declared
 * itself.
 */
export const checkPurpose = (leaf: Certificate, anchors: readonly Certificate[]): void => {
  const isForSigning = orReject(
    'certificate',
    'certificate_unreadable',
    'The key usage cannot be read',
    () => isForSignatures(leaf) || isForCode(leaf),
  )
  if (!isForSigning || (leaf.x509.ca && !isPinned(leaf, anchors)))
    reject(
      'certificate',
      'certificate_not_for_signing',
      'The certificate’s key usage allows neither signatures nor code',
    )
}

/**
 * The certificates from the signer's to an anchor, or undefined if no anchor is reachable. Breadth first, each
 * certificate once: a bundle may contain many that vouch for each other.
 */
export const findPath = (
  leaf: Certificate,
  others: readonly Certificate[],
  anchors: readonly Certificate[],
): Certificate[] | undefined => {
  if (isPinned(leaf, anchors)) return [leaf]
  const paths: Certificate[][] = [[leaf]]
  const seen = new Set<Certificate>()
  for (const path of paths) {
    const last = path.at(-1) ?? leaf
    const anchor = anchors.find((candidate) => isIssuer(candidate, last, path.length))
    if (anchor) return [...path, anchor]
    for (const candidate of others) {
      if (seen.has(candidate) || !isIssuer(candidate, last, path.length)) continue
      seen.add(candidate)
      paths.push([...path, candidate])
    }
  }
  return undefined
}

/** RFC 5280 §6.1: names, the right to issue, the number of authorities below, and the signature. */
const isIssuer = (issuer: Certificate, subject: Certificate, below: number): boolean => {
  try {
    const isAllowed = issuer.x509.ca && issuer.unknownCritical.length === 0 && pathLengthOf(issuer) >= below - 1
    return isAllowed && subject.x509.checkIssued(issuer.x509) && subject.x509.verify(issuer.x509.publicKey)
  } catch {
    return false
  }
}

/** The time of signing is unproven, so every certificate must be valid now. */
export const checkPeriod = (path: readonly Certificate[], now: Date): void => {
  for (const certificate of path) {
    const { validFrom, validTo } = certificate.x509
    if (!isValidAt(certificate, now)) {
      const subject = quoteExactly(subjectOf(certificate))
      reject('certificate', 'certificate_expired', `${subject} is valid from ${validFrom} to ${validTo}`)
    }
  }
}
