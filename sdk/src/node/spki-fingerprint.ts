import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readOneDer, readDer as readValues } from '../integrity/der.ts'
import { readCertificate, requestedKey } from './key-holders.ts'

/** The fingerprint of a public key. */
export interface SpkiFingerprint {
  /** SHA-256 of the SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) as 64 lower-case hex. */
  hex: string
  /** The same as `sha256/` and base64 (RFC 7469 §2.1.1). */
  pin: string
  /** Such as `Ed25519`, `EC P-256` or `RSA 2048`; `UNKNOWN` if OpenSSL cannot read the key. */
  keyType: string
  /** What the input was. */
  source: 'certificate' | 'csr' | 'public key' | 'private key'
  /** SHA-256 of the certificate itself, which changes with every renewal. */
  certificateSha256?: string | undefined
  /** ISO 8601; only for a certificate. */
  notAfter?: string | undefined
}

type Source = SpkiFingerprint['source']
/** `spki` is the key as DER. */
type Reading = { source: Source; spki: Buffer; certificate?: Buffer; notAfter?: Date }

/**
 * The fingerprint of the public key in a certificate (the leaf of a chain, in any order), a certificate request, a public or a
 * private key; PEM or DER.
 *
 * @returns The {@link SpkiFingerprint}; `hex` is what the registry stores.
 * @throws An Error with a readable message for anything else, such as an encrypted key.
 * @example
 * ```ts
 * const { hex } = spkiFingerprint(pem)
 * ```
 */
export const spkiFingerprint = (pemOrDer: string | Uint8Array): SpkiFingerprint => {
  const bytes = Buffer.from(pemOrDer)
  // A DER structure begins with SEQUENCE; text never does.
  const found = bytes[0] === 0x30 ? readDer(bytes) : readPem(bytes.toString('latin1'))
  if (found === undefined) throw new Error('No certificate, certificate request, public or private key found')
  const { source, spki, certificate, notAfter } = found
  const digest = createHash('sha256').update(spki).digest()
  return {
    hex: digest.toString('hex'),
    pin: `sha256/${digest.toString('base64')}`,
    // OpenSSL takes longer to read a key than everything else together, and comparing fingerprints does not need its
    // type.
    get keyType() {
      return keyTypeOf(spki)
    },
    source,
    ...(certificate && { certificateSha256: createHash('sha256').update(certificate).digest('hex') }),
    ...(notAfter && { notAfter: notAfter.toISOString() }),
  }
}

/* ---- PEM (RFC 7468) ---- */

const block = /-----BEGIN ([A-Z0-9 ]{1,40})-----((?:(?!-----)[\s\S])*)-----END \1-----/g

const labels: Record<string, Source> = {
  CERTIFICATE: 'certificate',
  'X509 CERTIFICATE': 'certificate',
  'CERTIFICATE REQUEST': 'csr',
  'NEW CERTIFICATE REQUEST': 'csr',
  'PUBLIC KEY': 'public key',
  'RSA PUBLIC KEY': 'public key',
  'PRIVATE KEY': 'private key',
  'EC PRIVATE KEY': 'private key',
  'RSA PRIVATE KEY': 'private key',
  'ENCRYPTED PRIVATE KEY': 'private key',
}

const order: readonly Source[] = ['certificate', 'csr', 'public key', 'private key']

/** Prefers a certificate to a request, and a request to a key, in any order in the file. */
const readPem = (text: string): Reading | undefined => {
  const blocks = Array.from(text.matchAll(block), ([pem, label = '', body = '']) => ({
    source: labels[label],
    label,
    pem,
    body,
  }))
  for (const source of order) {
    const ofSource = blocks.filter((candidate) => candidate.source === source)
    const found = source === 'certificate' && ofSource.length > 1 ? leafOf(ofSource) : ofSource[0]
    if (found === undefined) continue
    if (found.label === 'ENCRYPTED PRIVATE KEY' || found.body.includes('ENCRYPTED')) {
      throw new Error('The private key is encrypted; its certificate has the same fingerprint')
    }
    return readers[source](
      source === 'certificate' || source === 'csr' ? derOf(found.body) : Buffer.from(found.pem, 'latin1'),
    )
  }
  return undefined
}

const derOf = (body: string): Buffer => {
  // Node ignores invalid base64 and would read another certificate.
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(body)) throw new Error('The content between the PEM labels is not base64')
  return Buffer.from(body, 'base64')
}

/** The certificate that issued no other one. Chains usually start with it, but not always. */
const leafOf = <Block extends { pem: string }>(blocks: Block[]): Block | undefined => {
  const certificates = blocks.map((block) => ({ block, certificate: new X509Certificate(block.pem) }))
  const leaf = certificates.find((one) =>
    certificates.every((other) => other === one || !other.certificate.checkIssued(one.certificate)),
  )
  return leaf?.block ?? blocks[0]
}

/* ---- kinds ---- */

const readers: Record<Source, (bytes: Buffer) => Reading> = {
  certificate: (der) => {
    const { spki, notAfter } = readCertificate(der)
    return { source: 'certificate', spki: asWritten(spki), certificate: der, notAfter }
  },
  csr: (der) => ({ source: 'csr', spki: asWritten(requestedKey(der)) }),
  'public key': (pem) => ({ source: 'public key', spki: spkiOf(pem) }),
  'private key': (pem) => ({ source: 'private key', spki: spkiOf(createPrivateKey(pem)) }),
}

const spkiOf = (key: Parameters<typeof createPublicKey>[0]): Buffer =>
  createPublicKey(key).export({ type: 'spki', format: 'der' })

/**
 * AlgorithmIdentifiers as OpenSSL writes them (RFC 3279 §2.3, RFC 5480 §2.1.1, RFC 8410 §3): RSA, P-256, P-384, P-521,
 * Ed25519, Ed448.
 */
const usual = new Set([
  '300d06092a864886f70d0101010500',
  '301306072a8648ce3d020106082a8648ce3d030107',
  '301006072a8648ce3d020106052b81040022',
  '301006072a8648ce3d020106052b81040023',
  '300506032b6570',
  '300506032b6571',
])

/** The key as OpenSSL would write it. Slow, and changes only unusual keys. */
const asWritten = (spki: Buffer): Buffer => {
  const [algorithm] = readValues(readOneDer(spki).content)
  return usual.has(algorithm?.bytes.toString('hex') ?? '') ? spki : spkiOf({ key: spki, format: 'der', type: 'spki' })
}

const derReaders: readonly ((der: Buffer) => Reading)[] = [
  readers.certificate,
  readers.csr,
  (key) => ({ source: 'public key', spki: spkiOf({ key, format: 'der', type: 'spki' }) }),
  (key) => ({ source: 'private key', spki: spkiOf(createPrivateKey({ key, format: 'der', type: 'pkcs8' })) }),
  (key) => ({ source: 'private key', spki: spkiOf(createPrivateKey({ key, format: 'der', type: 'sec1' })) }),
  (key) => ({ source: 'private key', spki: spkiOf(createPrivateKey({ key, format: 'der', type: 'pkcs1' })) }),
  (key) => ({ source: 'public key', spki: spkiOf({ key, format: 'der', type: 'pkcs1' }) }),
]

const readDer = (der: Buffer): Reading | undefined => {
  for (const reader of derReaders) {
    try {
      return reader(der)
    } catch {
      // DER does not name its type, so each type is tried in turn.
    }
  }
  return undefined
}

const curves: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }
const plainNames: Record<string, string> = { ed25519: 'Ed25519', ed448: 'Ed448', x25519: 'X25519', x448: 'X448' }

const keyTypeOf = (spki: Buffer): string => {
  const { asymmetricKeyType, asymmetricKeyDetails = {} } = readKey(spki)
  const kind: string = asymmetricKeyType ?? 'unknown'
  const { namedCurve = 'unnamed curve', modulusLength } = asymmetricKeyDetails
  if (kind === 'ec') return `EC ${curves[namedCurve] ?? namedCurve}`
  return plainNames[kind] ?? [kind.toUpperCase(), modulusLength].join(' ').trim()
}

const readKey = (spki: Buffer): Partial<KeyObject> => {
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch {
    return {}
  }
}
