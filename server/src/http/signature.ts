import { constants, createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Refusal } from '@countersign/sdk/contract'
import {
  type MintSignature,
  readMintSignature,
  type SignatureAlgorithm,
  type SignatureFault,
  signatureBase,
  timeFault,
} from '@countersign/sdk/signer'

/** A valid signature of a request. The caller must see to it that its nonce counts once. */
export interface RequestSignature {
  /** Of the key that signed. */
  fingerprint: string
  nonce: string
  /** From then on it is not accepted. */
  expiresAt: number
}

interface Signed {
  /** The raw bytes of the body. */
  body: Uint8Array
  publicUrl: string
  now: number
}

const headers = ['signature-input', 'signature', 'countersign-key'] as const

const refuse = ({ fault, expected }: SignatureFault, extensions: Record<string, unknown> = {}) =>
  new Refusal('signature_invalid', `${fault}. Expected: ${expected}.`, { expected, ...extensions })

/** Node joins repeated headers with commas; one of two values would be the attacker's. */
const readSingle = ({ rawHeaders }: IncomingMessage, name: string): string => {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)
  if (values.length !== 1 || values[0] === undefined)
    throw refuse({ fault: `The header ${name} was sent ${values.length} times`, expected: `${name} once` })
  return values[0].trim()
}

/** Undefined if it is not the one way to write these bytes. */
const fromBase64 = (text: string): Buffer | undefined => {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

const curves: Readonly<Record<string, SignatureAlgorithm>> = {
  prime256v1: 'ecdsa-p256-sha256',
  secp384r1: 'ecdsa-p384-sha384',
}

/** Undefined for keys that are too weak, or that cost too much to check. */
const algorithmOf = ({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): SignatureAlgorithm | undefined => {
  const { namedCurve = '', modulusLength = 0, publicExponent } = asymmetricKeyDetails
  if (asymmetricKeyType === 'ed25519') return 'ed25519'
  if (asymmetricKeyType === 'ec') return curves[namedCurve]
  const isUsable = modulusLength >= 2_048 && modulusLength <= 4_096 && publicExponent === 65_537n
  return asymmetricKeyType === 'rsa' && isUsable ? 'rsa-pss-sha512' : undefined
}

/** The key in `Countersign-Key`: the registry stores only fingerprints. */
const readKey = (value: string, keyid: string) => {
  const [, base64 = ''] = /^:([A-Za-z0-9+/]+={0,2}):$/.exec(value) ?? []
  const der = fromBase64(base64)
  try {
    const key = der && createPublicKey({ key: der, format: 'der', type: 'spki' })
    const algorithm = key && algorithmOf(key)
    const isExact = key?.export({ format: 'der', type: 'spki' }).equals(der ?? Buffer.alloc(0))
    if (key && algorithm && isExact) {
      const fingerprint = createHash('sha256').update(der).digest('hex')
      if (fingerprint !== keyid)
        throw refuse({ fault: 'keyid names another key than countersign-key', expected: `keyid="${fingerprint}"` })
      return { key, algorithm, fingerprint }
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
  }
  throw refuse({
    fault: 'The header countersign-key contains no usable key',
    expected: 'the DER of an Ed25519, P-256, P-384 or RSA public key (SPKI) as :base64:',
  })
}

/** RFC 9421 §3.3. */
export const isSignedBy = (key: KeyObject, algorithm: SignatureAlgorithm, base: string, signature: Uint8Array) => {
  const bytes = Buffer.from(base)
  switch (algorithm) {
    case 'ed25519':
      return verify(null, bytes, key, signature)
    case 'ecdsa-p256-sha256':
      return verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
    case 'ecdsa-p384-sha384':
      return verify('sha384', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
    case 'rsa-pss-sha512':
      return verify('sha512', bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }, signature)
    default:
      return algorithm satisfies never
  }
}

/** RFC 9530: one digest of the raw bytes. */
const checkDigest = (value: string, body: Uint8Array) => {
  const [, name = '', digest] = /^sha-(256|512)=:([A-Za-z0-9+/]+={0,2}):$/.exec(value) ?? []
  const bits = name === '512' ? 512 : 256
  const right = createHash(`sha${bits}`).update(body).digest('base64')
  if (digest !== right)
    throw refuse({ fault: 'The content digest is not that of the body', expected: `sha-${bits}=:${right}:` })
}

const checkSignature = (
  { components, parameters, signature, alg }: MintSignature,
  { key, algorithm }: ReturnType<typeof readKey>,
  values: Readonly<Record<MintSignature['components'][number], string>>,
) => {
  if (alg !== undefined && alg !== algorithm)
    throw refuse({ fault: 'alg is not the algorithm of the key', expected: `alg="${algorithm}"` })
  const base = signatureBase(
    components.map((name) => [`"${name}"`, values[name]]),
    parameters,
  )
  const bytes = fromBase64(signature)
  if (bytes === undefined || !isSignedBy(key, algorithm, base, bytes))
    throw refuse(
      { fault: 'The signature does not match the request', expected: `a signature of signature_base by ${algorithm}` },
      { signature_base: base },
    )
}

/**
 * Reads the HTTP message signature of a mint request (RFC 9421). Undefined without its headers. A wrong one is rejected with what was
 * expected.
 */
export const readSignature = (
  request: IncomingMessage,
  { body, publicUrl, now }: Signed,
): RequestSignature | undefined => {
  if (headers.every((name) => request.headers[name] === undefined)) return undefined
  const read = readMintSignature(readSingle(request, 'signature-input'), readSingle(request, 'signature'))
  if ('fault' in read) throw refuse(read)
  const late = timeFault(read, now / 1_000)
  if (late) throw refuse(late, { server_time: new Date(now).toISOString() })
  const keyHeader = readSingle(request, 'countersign-key')
  const known = readKey(keyHeader, read.keyid)
  const digest = readSingle(request, 'content-digest')
  checkDigest(digest, body)
  checkSignature(read, known, {
    '@method': request.method ?? '',
    '@target-uri': publicUrl + (request.url ?? ''),
    'content-digest': digest,
    'countersign-key': keyHeader,
  })
  return { fingerprint: known.fingerprint, nonce: read.nonce, expiresAt: read.expires * 1_000 }
}
