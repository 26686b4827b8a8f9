import { type DerValue, derTags, readDer, readOneDer } from '../integrity/der.ts'

export interface CertificateFields {
  /** The SubjectPublicKeyInfo, as DER. */
  spki: Buffer
  /** The end of the certificate's validity. */
  notAfter: Date
}

/**
 * The fields of an X.509 certificate (RFC 5280 §4.1) in DER that lead to its key. Throws a RangeError for anything
 * else.
 */
export const readCertificate = (der: Buffer): CertificateFields => {
  const fields = signedFields(der)
  // The version is omitted for version 1 (§4.1.2.1).
  if (fields[0]?.tag === 0xa0) fields.shift()
  const [serial, , , validity, subject, key] = fields
  expect(serial, derTags.integer)
  expect(subject, derTags.sequence)
  const [, notAfter] = readDer(expect(validity, derTags.sequence).content)
  return { spki: expect(key, derTags.sequence).bytes, notAfter: readTime(notAfter) }
}

/** The SubjectPublicKeyInfo of a certificate request (RFC 2986 §4.1), as DER. Throws a RangeError for anything else. */
export const requestedKey = (der: Buffer): Buffer => {
  const [version, subject, key] = signedFields(der)
  expect(version, derTags.integer)
  expect(subject, derTags.sequence)
  return expect(key, derTags.sequence).bytes
}

/** Both are a sequence of the signed content, the algorithm and the signature. */
const signedFields = (der: Buffer): DerValue[] => {
  const [signed, algorithm, signature] = readDer(expect(readOneDer(der), derTags.sequence).content)
  expect(algorithm, derTags.sequence)
  expect(signature, derTags.bitString)
  return readDer(expect(signed, derTags.sequence).content)
}

const expect = (value: DerValue | undefined, tag: number): DerValue => {
  if (value?.tag !== tag) throw new RangeError('Not a certificate or a certificate request')
  return value
}

/** UTCTime has a two-digit year, where 50 means 1950; GeneralizedTime has four digits (RFC 5280 §4.1.2.5). */
const readTime = (value: DerValue | undefined): Date => {
  const digits =
    value?.tag === derTags.utcTime || value?.tag === derTags.generalizedTime ? value.content.toString('latin1') : ''
  const [, year = '', month = '', day = '', hour = '', minute = '', second = ''] = time.exec(digits) ?? []
  const century = value?.tag === derTags.generalizedTime ? '' : Number(year) < 50 ? '20' : '19'
  const read = new Date(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(read.getTime())) throw new RangeError('Not a time')
  return read
}

const time = /^((?:\d\d){1,2})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/
