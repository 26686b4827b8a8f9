import { constants, createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import type { SignatureAlgorithm } from '@countersign/sdk/signer'

/** A public key of a signer. */
export interface SignerKey {
  key: KeyObject
  algorithm: SignatureAlgorithm
  fingerprint: string
}

/** Reads the value of `Countersign-Key`; undefined if it contains no usable key. */
export type ReadKey = (value: string) => SignerKey | undefined

/** A signature over a text by the key in `Countersign-Key`. */
export interface ToVerify {
  key: string
  base: string
  /** Base64. */
  signature: string
}

const maxKnownKeys = 2_000

/** Undefined if this is not the canonical way to write the bytes. */
export const fromBase64 = (text: string): Buffer | undefined => {
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
const parseKey: ReadKey = (value) => {
  const [, base64 = ''] = /^:([A-Za-z0-9+/]+={0,2}):$/.exec(value) ?? []
  const der = fromBase64(base64)
  if (der === undefined) return undefined
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
    const algorithm = algorithmOf(key)
    const isExact = key.export({ format: 'der', type: 'spki' }).equals(der)
    return algorithm && isExact ? { key, algorithm, fingerprint: hash('sha256', der, 'hex') } : undefined
  } catch {
    return undefined
  }
}

/** Keeps the keys that it read: parsing one costs four times as much as a signature of an elliptic curve. */
export const createKeyReader = (): ReadKey => {
  const known = new Map<string, SignerKey>()
  return (value) => {
    const found = known.get(value)
    if (found) return found
    const read = parseKey(value)
    if (read === undefined) return undefined
    if (known.size >= maxKnownKeys) known.clear()
    known.set(value, read)
    return read
  }
}

/** X.690 §8.3: the shortest form, not negative. */
const derInteger = (bytes: Uint8Array): Uint8Array => {
  const from = bytes.findIndex((byte) => byte !== 0)
  const digits = from < 0 ? Uint8Array.of(0) : bytes.subarray(from)
  const isHigh = (digits[0] ?? 0) > 127
  return Uint8Array.of(2, digits.length + Number(isHigh), ...(isHigh ? [0] : []), ...digits)
}

/** The DER form of r and s. With Node’s `dsaEncoding: 'ieee-p1363'`, a verification costs 119 µs instead of 74, most of it in the event loop. */
const derSignature = (signature: Uint8Array, size: number): Uint8Array => {
  if (signature.length !== 2 * size) return new Uint8Array()
  const numbers = [signature.subarray(0, size), signature.subarray(size)].map(derInteger)
  return Uint8Array.of(
    0x30,
    numbers.reduce((sum, { length }) => sum + length, 0),
    ...numbers.flatMap((bytes) => [...bytes]),
  )
}

/** RFC 9421 §3.3. */
export const isSignedBy = (
  { key, algorithm }: Pick<SignerKey, 'key' | 'algorithm'>,
  base: string,
  signature: Uint8Array,
): boolean => {
  const bytes = Buffer.from(base)
  switch (algorithm) {
    case 'ed25519':
      return verify(null, bytes, key, signature)
    case 'ecdsa-p256-sha256':
      return verify('sha256', bytes, key, derSignature(signature, 32))
    case 'ecdsa-p384-sha384':
      return verify('sha384', bytes, key, derSignature(signature, 48))
    case 'rsa-pss-sha512':
      return verify('sha512', bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }, signature)
    default:
      return algorithm satisfies never
  }
}
