import { registerDeployment } from '#messages/dashboard/register-deployment.ts'
import { type Bytes, expectTag, oidText, open, tags } from './der.ts'

export const algorithmOids = { rsa: '1.2.840.113549.1.1.1', ec: '1.2.840.10045.2.1', ed25519: '1.3.101.112' } as const

const plainNames: Record<string, string> = {
  [algorithmOids.ed25519]: 'Ed25519',
  '1.3.101.113': 'Ed448',
  '1.3.101.110': 'X25519',
  '1.3.101.111': 'X448',
  '2.16.840.1.101.3.4.3.17': 'ML-DSA-44',
  '2.16.840.1.101.3.4.3.18': 'ML-DSA-65',
  '2.16.840.1.101.3.4.3.19': 'ML-DSA-87',
}

/** The curves that browsers support. */
export const curves: Record<string, string> = {
  '1.2.840.10045.3.1.7': 'P-256',
  '1.3.132.0.34': 'P-384',
  '1.3.132.0.35': 'P-521',
}

const rsaPss = '1.2.840.113549.1.1.10'

/** Such as `Ed25519`, `EC P-256` or `RSA 2048`; throws if this is not a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7). */
export const keyTypeOf = (spki: Bytes): string => {
  const [algorithm, key, ...more] = open(spki)
  const [type, parameters] = open(expectTag(algorithm, tags.sequence).whole)
  const oid = oidText(expectTag(type, tags.oid).content)
  const bits = expectTag(key, tags.bitString).content.subarray(1)
  if (more.length > 0) throw new RangeError('Not a public key')
  if (oid === algorithmOids.rsa || oid === rsaPss) return `RSA${oid === rsaPss ? '-PSS' : ''} ${modulusLength(bits)}`
  if (oid === algorithmOids.ec) {
    const curve = parameters?.tag === tags.oid ? oidText(parameters.content) : undefined
    return `EC ${curve === undefined ? registerDeployment.found.unnamedCurve : (curves[curve] ?? curve)}`
  }
  return plainNames[oid] ?? oid
}

const modulusLength = (rsaKey: Bytes): number => {
  const [number, exponent, ...more] = open(rsaKey)
  expectTag(exponent, tags.integer)
  if (more.length > 0) throw new RangeError('Not a public key')
  const modulus = expectTag(number, tags.integer).content
  const start = modulus.findIndex((byte) => byte !== 0)
  return start < 0 ? 0 : (modulus.length - start) * 8 - Math.clz32(modulus[start] ?? 0) + 24
}
