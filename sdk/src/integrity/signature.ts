import { createHash, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import { p256, p384, p521 } from '@noble/curves/nist.js'
import type { SignedEntity } from '@sigstore/verify'
import { oldModelType, oldPreAuthEncoding } from './old-statement.ts'
import type { ReadBundle } from './read-bundle.ts'
import { reject } from './rejection.ts'
import { isRsa, rsaSigning, verifyRsa, verifyRsaDigest } from './rsa.ts'

type SignatureContent = SignedEntity['signature']

const curves = {
  prime256v1: { curve: p256, size: 32, hash: 'sha256' },
  secp384r1: { curve: p384, size: 48, hash: 'sha384' },
  secp521r1: { curve: p521, size: 66, hash: 'sha512' },
} as const
type CurveName = keyof typeof curves

/** The hash that goes with a NIST curve (FIPS 186-5 §6.1.1, OMS v1.0). */
const curveOf = (key: KeyObject) => {
  const name = key.asymmetricKeyType === 'ec' ? key.asymmetricKeyDetails?.namedCurve : undefined
  return name !== undefined && Object.hasOwn(curves, name) ? curves[name as CurveName] : undefined
}

export const isCurve = (key: KeyObject): boolean => curveOf(key) !== undefined

/** The numbers of HashAlgorithm in Sigstore's messages. */
export const messageAlgorithms: Readonly<Record<number, 'sha256' | 'sha384' | 'sha512'>> = {
  1: 'sha256',
  2: 'sha384',
  3: 'sha512',
}

export const digestSizes = { sha256: 32, sha384: 48, sha512: 64 } as const

interface SignedDigest {
  algorithm: number
  digest: Uint8Array
}

/** The algorithm that a key signs statements with. */
export const schemeOf = (
  key: KeyObject,
): { hash: string; signing: { padding?: number; saltLength?: number } } | undefined => {
  if (isRsa(key)) return { hash: 'sha256', signing: rsaSigning(key) }
  const curve = curveOf(key)
  return curve && { hash: curve.hash, signing: {} }
}

export const sameBytes = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)

const hashed = (algorithm: string, bytes: Uint8Array) => createHash(algorithm).update(bytes).digest()

/** DSSE v1.0.2: the bytes that are signed instead of the payload, so that one type cannot pass for another. */
export const preAuthEncoding = (payloadType: string, payload: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `), payload])

const unsupported = (key: KeyObject, what: string): never =>
  reject(
    'signature',
    'key_unsupported',
    `${what} cannot be checked with a key of type ${key.asymmetricKeyType ?? 'unknown'}`,
  )

/**
 * ECDSA over a digest alone, which node:crypto would hash again. ECDSA signs a number: the digest, truncated to the
 * length of the curve. So a longer hash, or a short digest with leading zeros, would pass for another's signature.
 */
const verifyDigest = (key: KeyObject, { algorithm, digest }: SignedDigest, signature: Uint8Array): boolean => {
  if (key.asymmetricKeyType === 'rsa' && isRsa(key))
    return messageAlgorithms[algorithm] === 'sha256' && verifyRsaDigest(key, digest, signature)
  const found = curveOf(key) ?? unsupported(key, 'A signature over a digest')
  const isCut = digest.length > Number(found.hash.slice(3)) / 8
  const isPadded = digest.length > 32 && digest.subarray(0, -32).every((byte) => byte === 0)
  if (digest.length !== digestSizes[messageAlgorithms[algorithm] ?? 'sha256'] || isCut || isPadded) return false
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const point = new Uint8Array(1 + 2 * found.size)
  point[0] = 4
  point.set(Buffer.from(x, 'base64url'), 1)
  point.set(Buffer.from(y, 'base64url'), 1 + found.size)
  try {
    // Both values of s are valid here (FIPS 186-5 §6.4.2); only cryptocurrencies require the lower one.
    return found.curve.verify(Uint8Array.from(signature), Uint8Array.from(digest), point, {
      prehash: false,
      lowS: false,
      format: 'der',
    })
  } catch {
    return false
  }
}

/** Sigstore signers use SHA-256 with any curve; OMS signers use the hash of the curve. */
export const verifyBytes = (key: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean => {
  if (key.asymmetricKeyType === 'ed25519') return verify(null, bytes, key, signature)
  if (isRsa(key)) return verifyRsa(key, bytes, signature)
  const found = curveOf(key) ?? unsupported(key, 'A signature over a statement')
  return [found.hash, 'sha256'].some((hash) => verify(hash, bytes, key, signature))
}

/** Answers @sigstore/verify's questions about a bundle's signature without the bytes of the model. */
export const signatureContent = (
  { bundle: { content }, method }: ReadBundle,
  predicateType?: string,
): SignatureContent => {
  if (content.$case === 'messageSignature') {
    const { signature, messageDigest } = content.messageSignature
    const isDigest = (digest: Buffer) => sameBytes(digest, messageDigest.digest)
    return {
      signature,
      compareSignature: (other) => sameBytes(other, signature),
      compareDigest: isDigest,
      compareSignedDigest: isDigest,
      verifySignature: (key) => verifyDigest(key, messageDigest, signature),
    }
  }
  const { payload, payloadType, signatures } = content.dsseEnvelope
  const signature = signatures[0]?.sig ?? Buffer.alloc(0)
  const encode = predicateType === oldModelType && method !== 'sigstore' ? oldPreAuthEncoding : preAuthEncoding
  const signed = encode(payloadType, payload)
  return {
    signature,
    compareSignature: (other) => sameBytes(other, signature),
    compareDigest: (digest) => sameBytes(digest, hashed('sha256', payload)),
    compareSignedDigest: (digest) =>
      ['sha256', 'sha384', 'sha512'].some((hash) => sameBytes(digest, hashed(hash, signed))),
    verifySignature: (key) => verifyBytes(key, signed, signature),
  }
}
