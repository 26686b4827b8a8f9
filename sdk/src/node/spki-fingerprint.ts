import { createHash, createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { certifiedKey, requestedKey } from './der-key.ts'

export interface SpkiFingerprint {
  /** SHA-256 of the SubjectPublicKeyInfo (RFC 5280 §4.1.2.7) as 64 lower-case hex. */
  hex: string
  /** The same as `sha256/` and base64 (RFC 7469 §2.1.1). */
  pin: string
  /** Such as `Ed25519`, `EC P-256` or `RSA 2048`. */
  keyType: string
  source: 'certificate' | 'csr' | 'public key' | 'private key'
  /** SHA-256 of the certificate itself; another number, which changes with every renewal. */
  certificateSha256?: string | undefined
  /** ISO 8601; of a certificate. */
  notAfter?: string | undefined
}

type Source = SpkiFingerprint['source']
/** `spki` is the key as DER, where it stands in what was read: writing it anew takes longer than everything else. */
type Reading = { source: Source; key: KeyObject; spki?: Buffer; certificate?: X509Certificate }

/**
 * The fingerprint of the public key in a certificate (the leaf of a chain, wherever it stands in the file), a certificate
 * request, a public or a private key; PEM or DER. Throws an Error in words for anything else, such as an encrypted key.
 */
export const spkiFingerprint = (pemOrDer: string | Uint8Array): SpkiFingerprint => {
  const { source, key, spki = key.export({ type: 'spki', format: 'der' }), certificate } = read(pemOrDer)
  const digest = createHash('sha256').update(spki).digest()
  return {
    hex: digest.toString('hex'),
    pin: `sha256/${digest.toString('base64')}`,
    source,
    // Each of these takes as long as all of the above, and who compares fingerprints never looks at them.
    get keyType() {
      return keyTypeOf(key)
    },
    get certificateSha256() {
      return certificate && createHash('sha256').update(certificate.raw).digest('hex')
    },
    get notAfter() {
      return certificate?.validToDate.toISOString()
    },
  }
}

const read = (input: string | Uint8Array): Reading => {
  const bytes = Buffer.from(input)
  // A DER structure begins with SEQUENCE; text never does.
  const found = bytes[0] === 0x30 ? readDer(bytes) : readPem(bytes.toString('latin1'))
  if (found === undefined) throw new Error('No certificate, certificate request, public or private key found')
  if (found.key.type !== 'public' || found.key.asymmetricKeyType === undefined) throw new Error('Not a public key')
  return found
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

/** A certificate before a request before a key, wherever they stand in the file. */
const readPem = (text: string): Reading | undefined => {
  const blocks = Array.from(text.matchAll(block), ([pem, label = '', body = '']) => ({ source: labels[label], label, pem, body }))
  for (const source of order) {
    const ofSource = blocks.filter((candidate) => candidate.source === source)
    const found = source === 'certificate' && ofSource.length > 1 ? leafOf(ofSource) : ofSource[0]
    if (found === undefined) continue
    if (found.label === 'ENCRYPTED PRIVATE KEY' || found.body.includes('ENCRYPTED')) {
      throw new Error('The private key is encrypted; its certificate has the same fingerprint')
    }
    return readers[source](source === 'csr' ? Buffer.from(found.body, 'base64') : Buffer.from(found.pem, 'latin1'))
  }
  return undefined
}

/** The certificate that issued none of the others: chains are told from the leaf up, but not by everyone. */
const leafOf = <Block extends { pem: string }>(blocks: Block[]): Block | undefined => {
  const certificates = blocks.map((block) => ({ block, certificate: new X509Certificate(block.pem) }))
  const leaf = certificates.find((one) => certificates.every((other) => other === one || !other.certificate.checkIssued(one.certificate)))
  return leaf?.block ?? blocks[0]
}

/* ---- kinds ---- */

const readers: Record<Source, (bytes: Buffer) => Reading> = {
  certificate: (bytes) => {
    const certificate = new X509Certificate(bytes)
    return { source: 'certificate', key: certificate.publicKey, spki: certifiedKey(certificate.raw), certificate }
  },
  csr: (der) => {
    const spki = requestedKey(der)
    return { source: 'csr', key: createPublicKey({ key: spki, format: 'der', type: 'spki' }), spki }
  },
  'public key': (pem) => ({ source: 'public key', key: createPublicKey(pem) }),
  'private key': (pem) => ({ source: 'private key', key: createPublicKey(createPrivateKey(pem)) }),
}

const derReaders: readonly ((der: Buffer) => Reading)[] = [
  readers.certificate,
  readers.csr,
  (key) => ({ source: 'public key', key: createPublicKey({ key, format: 'der', type: 'spki' }) }),
  (key) => ({ source: 'private key', key: createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' })) }),
  (key) => ({ source: 'private key', key: createPublicKey(createPrivateKey({ key, format: 'der', type: 'sec1' })) }),
  (key) => ({ source: 'private key', key: createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs1' })) }),
  (key) => ({ source: 'public key', key: createPublicKey({ key, format: 'der', type: 'pkcs1' }) }),
]

const readDer = (der: Buffer): Reading | undefined => {
  for (const reader of derReaders) {
    try {
      return reader(der)
    } catch {
      // DER says nothing of its kind: what does not fit one is tried as the next.
    }
  }
  return undefined
}

const curves: Record<string, string> = { prime256v1: 'P-256', secp384r1: 'P-384', secp521r1: 'P-521' }
const plainNames: Record<string, string> = { ed25519: 'Ed25519', ed448: 'Ed448', x25519: 'X25519', x448: 'X448' }

const keyTypeOf = ({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): string => {
  const kind: string = asymmetricKeyType ?? 'unknown'
  const { namedCurve = 'unnamed curve', modulusLength } = asymmetricKeyDetails
  if (kind === 'ec') return `EC ${curves[namedCurve] ?? namedCurve}`
  return plainNames[kind] ?? [kind.toUpperCase(), modulusLength].join(' ').trim()
}
