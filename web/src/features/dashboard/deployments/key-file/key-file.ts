import { type Certificate, readCertificate, readRequest } from './certificate.ts'
import type { Bytes } from './der.ts'
import { keyTypeOf } from './key-type.ts'
import { type PemBlock, type PemKind, readPem } from './pem.ts'
import { checkPrivate, isArchive, publicPart, spkiOfRsa } from './private-key.ts'

/** What was found in a file. */
export interface FoundKey {
  kind: PemKind
  /** SHA-256 of the SubjectPublicKeyInfo, 64 hex. */
  fingerprint: string
  /** Such as `EC P-256`. */
  keyType: string
  subject?: string
  /** Only for certificates; undefined if self-signed. */
  issuer?: string | null
  notBefore?: string
  notAfter?: string
  spiffeId?: string
  /** The number of certificates in the file. */
  certificates: number
  /** Whether the file contains a private key, even if it was not used. */
  hasPrivateKey: boolean
}

/** Why a file cannot be read. */
export type KeyFileProblem =
  | 'too large'
  | 'nothing found'
  | 'encrypted'
  | 'archive'
  | 'not readable'
  | 'not possible'
  | 'insecure page'

export type KeyFileReading = { found: FoundKey } | { problem: KeyFileProblem }

export const maxKeyFileBytes = 1_000_000

/** Reads a certificate (the leaf of a chain), a certificate request, or a public or private key, as PEM or DER. Keeps only the public part of a private key. */
export const readKeyFile = async (bytes: Bytes): Promise<KeyFileReading> => {
  if (bytes.length > maxKeyFileBytes) return { problem: 'too large' }
  // Browsers hash only on https pages and on localhost.
  if (globalThis.crypto?.subtle === undefined) return { problem: 'insecure page' }
  const blocks = bytes[0] === 0x30 ? guessKinds(bytes) : readPem(new TextDecoder('latin1').decode(bytes))
  if (blocks.length === 0) return { problem: bytes[0] === 0x30 && isArchive(bytes) ? 'archive' : 'nothing found' }
  const hasPrivateKey = blocks.some(({ kind }) => kind === 'private key')
  for (const kind of order) {
    const ofKind = blocks.filter((block) => block.kind === kind)
    if (ofKind.length === 0) continue
    if (ofKind[0]?.isEncrypted) return { problem: 'encrypted' }
    try {
      const { spki, ...read } = await readers[kind](ofKind)
      if (spki === undefined) return { problem: 'not possible' }
      const found = {
        kind,
        fingerprint: await sha256(spki),
        keyType: keyTypeOf(spki),
        certificates: 0,
        hasPrivateKey,
        ...read,
      }
      return { found }
    } catch {
      return { problem: 'not readable' }
    }
  }
  return { problem: 'nothing found' }
}

type Read = Partial<FoundKey> & { spki: Bytes | undefined }

/** Prefers a certificate over a request over a key, regardless of their order in the file. */
const order = ['certificate', 'csr', 'public key', 'private key'] as const satisfies PemKind[]

const readers: Record<PemKind, (blocks: readonly PemBlock[]) => Read | Promise<Read>> = {
  certificate: (blocks) => {
    const certificates = blocks.map(({ der }) => readCertificate(der))
    const { spki, subject, issuer, notBefore, notAfter, spiffeId, isIssuedBy, name } = leafOf(certificates)
    const isItsOwn = isIssuedBy({ name } as Certificate)
    return {
      spki,
      subject,
      issuer: isItsOwn ? null : issuer,
      notBefore,
      notAfter,
      ...(spiffeId !== undefined && { spiffeId }),
      certificates: certificates.length,
    }
  },
  csr: ([block]) => {
    const { spki, subject, spiffeId } = readRequest(derOf(block))
    return { spki, subject, ...(spiffeId !== undefined && { spiffeId }) }
  },
  'public key': ([block]) => ({ spki: block?.format === 'pkcs1' ? spkiOfRsa(block.der) : derOf(block) }),
  'private key': async ([block]) => ({ spki: block && (await publicPart(block)) }),
}

const derOf = (block: PemBlock | undefined): Bytes => block?.der ?? new Uint8Array()

/** The certificate that issued none of the others: not every chain starts with the leaf. */
const leafOf = (certificates: readonly Certificate[]): Certificate => {
  const [first] = certificates
  const leaf = certificates.find((one) => certificates.every((other) => other === one || !other.isIssuedBy(one)))
  if (first === undefined) throw new RangeError('No certificate')
  return leaf ?? first
}

/** DER does not name its type, so try one after the other. */
const guessKinds = (der: Bytes): PemBlock[] => {
  const fits = guesses.find(({ check }) => {
    try {
      check(der)
      return true
    } catch {
      return false
    }
  })
  return fits ? [{ kind: fits.kind, format: fits.format, der, isEncrypted: fits.format === 'encrypted' }] : []
}

const guesses: readonly { kind: PemKind; format: PemBlock['format']; check: (der: Bytes) => unknown }[] = [
  { kind: 'certificate', format: 'whole', check: readCertificate },
  { kind: 'csr', format: 'whole', check: readRequest },
  { kind: 'public key', format: 'whole', check: keyTypeOf },
  ...(['pkcs8', 'sec1', 'pkcs1', 'encrypted'] as const).map((format) => ({
    kind: 'private key' as const,
    format,
    check: (der: Bytes) => checkPrivate(der, format),
  })),
  { kind: 'public key', format: 'pkcs1', check: (der) => keyTypeOf(spkiOfRsa(der)) },
]

const sha256 = async (bytes: Bytes): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
