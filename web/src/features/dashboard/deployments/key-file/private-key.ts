import { type Bytes, expectTag, oidBytes, oidText, open, tags, write } from './der.ts'
import { algorithmOids, curves } from './key-type.ts'
import type { PemBlock } from './pem.ts'

const algorithmOf = (oid: string, ...parameters: Bytes[]) =>
  write(tags.sequence, write(tags.oid, oidBytes(oid)), ...parameters)
const nothing = write(tags.null)
const zero = write(tags.integer, Uint8Array.of(0))

/** Wraps a bare RSAPublicKey in a SubjectPublicKeyInfo (RFC 8017 §A.1.1). */
export const spkiOfRsa = (key: Bytes): Bytes =>
  write(tags.sequence, algorithmOf(algorithmOids.rsa, nothing), write(tags.bitString, Uint8Array.of(0), key))

type Format = PemBlock['format']

/** Throws if `der` is not a private key in this format. */
export const checkPrivate = (der: Bytes, format: Format): void => {
  const [first, second, third] = open(der)
  if (format === 'encrypted') {
    // EncryptedPrivateKeyInfo (RFC 5958 §3): an algorithm and the encrypted data.
    expectTag(first, tags.sequence)
    expectTag(open(first?.whole ?? der)[0], tags.oid)
    expectTag(second, tags.octetString)
    if (third !== undefined) throw new RangeError('Not a key')
    return
  }
  expectTag(first, tags.integer)
  expectTag(second, { pkcs8: tags.sequence, sec1: tags.octetString, pkcs1: tags.integer, whole: tags.null }[format])
  if (format === 'pkcs8') expectTag(third, tags.octetString)
  // An RSA public key has two numbers; a private one has nine.
  if (format === 'pkcs1') expectTag(third, tags.integer)
}

/** PKCS #12 (RFC 7292 §4): a version, then typed content. */
export const isArchive = (der: Bytes): boolean => {
  try {
    const [version, content] = open(der)
    return (
      version?.tag === tags.integer &&
      oidText(expectTag(open(content?.whole ?? der)[0], tags.oid).content) === '1.2.840.113549.1.7.1'
    )
  } catch {
    return false
  }
}

/** Converts to PKCS #8 (RFC 5958 §2), the only format browsers read, and names the algorithm. */
const toPkcs8 = ({ der, format }: PemBlock): { pkcs8: Bytes; oid: string; curve: string | undefined } => {
  if (format === 'pkcs1') {
    const pkcs8 = write(tags.sequence, zero, algorithmOf(algorithmOids.rsa, nothing), write(tags.octetString, der))
    return { pkcs8, oid: algorithmOids.rsa, curve: undefined }
  }
  if (format === 'sec1') {
    // ECPrivateKey (RFC 5915 §3): the curve is in [0].
    const parameters = open(der).find(({ tag }) => tag === 0xa0)
    const curve = parameters && expectTag(open(parameters.whole, 0xa0)[0], tags.oid)
    const named = curve ? [curve.whole] : []
    const pkcs8 = write(tags.sequence, zero, algorithmOf(algorithmOids.ec, ...named), write(tags.octetString, der))
    return { pkcs8, oid: algorithmOids.ec, curve: curve && oidText(curve.content) }
  }
  const [type, parameters] = open(expectTag(open(der)[1], tags.sequence).whole)
  return {
    pkcs8: der,
    oid: oidText(expectTag(type, tags.oid).content),
    curve: parameters?.tag === tags.oid ? oidText(parameters.content) : undefined,
  }
}

const importAs = (oid: string, curve: string | undefined) => {
  if (oid === algorithmOids.rsa) return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  if (oid === algorithmOids.ed25519) return { name: 'Ed25519' }
  const namedCurve = curve && curves[curve]
  return oid === algorithmOids.ec && namedCurve !== undefined ? { name: 'ECDSA', namedCurve } : undefined
}

/** The SubjectPublicKeyInfo of a private key; undefined if the browser can't derive it. The private part is not passed on. */
export const publicPart = async (block: PemBlock): Promise<Bytes | undefined> => {
  const { pkcs8, oid, curve } = toPkcs8(block)
  const algorithm = importAs(oid, curve)
  if (algorithm === undefined) return undefined
  try {
    const secret = await crypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign'])
    const { kty, crv, x, y, n, e } = await crypto.subtle.exportKey('jwk', secret)
    const fields = Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value !== undefined)
    const key = await crypto.subtle.importKey('jwk', Object.fromEntries(fields), algorithm, true, ['verify'])
    return new Uint8Array(await crypto.subtle.exportKey('spki', key))
  } catch {
    return undefined
  }
}
