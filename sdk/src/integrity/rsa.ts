import { constants, createHash, type KeyObject, publicDecrypt, timingSafeEqual, verify } from 'node:crypto'

const { RSA_NO_PADDING, RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING, RSA_PSS_SALTLEN_AUTO } = constants

/** The sizes in Sigstore's registry of algorithms, each with SHA-256 and either padding. */
const sizes = [2_048, 3_072, 4_096]

export const isRsa = (key: KeyObject): boolean =>
  (key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'rsa-pss') &&
  sizes.includes(key.asymmetricKeyDetails?.modulusLength ?? 0)

/** The padding for our own signatures: PKCS #1 v1.5, or PSS if the key allows nothing else. */
export const rsaSigning = (key: KeyObject) =>
  key.asymmetricKeyType === 'rsa-pss'
    ? { padding: RSA_PKCS1_PSS_PADDING, saltLength: hashBytes }
    : { padding: RSA_PKCS1_PADDING }

/** The key does not say which padding its signer uses. */
export const verifyRsa = (key: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean =>
  [{ padding: RSA_PKCS1_PADDING }, { padding: RSA_PKCS1_PSS_PADDING, saltLength: RSA_PSS_SALTLEN_AUTO }].some(
    (options) => {
      try {
        return verify('sha256', bytes, { key, ...options }, signature)
      } catch {
        return false
      }
    },
  )

const hashBytes = 32
/** DigestInfo of SHA-256 without its digest (RFC 8017 §9.2, note 1). */
const digestInfo = Buffer.from('3031300d060960864801650304020105000420', 'hex')

/** Verifies from a SHA-256 alone, which node:crypto would hash again. */
export const verifyRsaDigest = (key: KeyObject, digest: Uint8Array, signature: Uint8Array): boolean => {
  const bytes = (key.asymmetricKeyDetails?.modulusLength ?? 0) / 8
  if (digest.length !== hashBytes || signature.length !== bytes) return false
  try {
    const encoded = publicDecrypt({ key, padding: RSA_NO_PADDING }, signature)
    return isPkcs1(encoded, digest) || isPss(encoded, digest)
  } catch {
    return false
  }
}

/** EMSA-PKCS1-v1_5 (RFC 8017 §9.2): built and compared as a whole, so that nothing can hide in the padding. */
const isPkcs1 = (encoded: Buffer, digest: Uint8Array): boolean => {
  const padding = Buffer.alloc(encoded.length - digestInfo.length - hashBytes - 3, 0xff)
  return isSame(encoded, Buffer.concat([Buffer.from([0, 1]), padding, Buffer.from([0]), digestInfo, digest]))
}

/** EMSA-PSS-VERIFY (RFC 8017 §9.1.2) with SHA-256, MGF1 and a salt of any length; sizes are whole bytes, so one bit is left over. */
const isPss = (encoded: Buffer, digest: Uint8Array): boolean => {
  const split = encoded.length - hashBytes - 1
  const [masked, hash, end] = [encoded.subarray(0, split), encoded.subarray(split, -1), encoded.at(-1)]
  if (end !== 0xbc || ((masked[0] ?? 0) & 0x80) !== 0) return false
  const mask = mgf1(hash, split)
  const block = masked.map((byte, index) => byte ^ (mask[index] ?? 0))
  block[0] = (block[0] ?? 0) & 0x7f
  const one = block.findIndex((byte) => byte !== 0)
  if (one < 0 || block[one] !== 1) return false
  return isSame(hash, sha256(Buffer.alloc(8), digest, block.subarray(one + 1)))
}

const mgf1 = (seed: Uint8Array, length: number): Buffer => {
  const parts = Array.from({ length: Math.ceil(length / hashBytes) }, (_, index) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(index)
    return sha256(seed, counter)
  })
  return Buffer.concat(parts).subarray(0, length)
}

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b)
