import { type DerValue, derTags, readDer, readOneDer } from '../integrity/der.ts'

/** The SubjectPublicKeyInfo of a certificate that is known to be one (RFC 5280 §4.1), as DER. Throws for anything else. */
export const certifiedKey = (der: Buffer): Buffer => {
  const fields = signedFields(der)
  // The version of a certificate is left out where it is the first.
  const optional = fields[0]?.tag === 0xa0 ? 1 : 0
  return keyAt(fields, optional + 5)
}

/** The SubjectPublicKeyInfo of a certificate request (RFC 2986 §4.1), as DER. Throws for anything else. */
export const requestedKey = (der: Buffer): Buffer => {
  const fields = signedFields(der)
  const [version, subject] = fields
  if (version?.tag !== derTags.integer || subject?.tag !== derTags.sequence) throw new RangeError('Not a certificate request')
  return keyAt(fields, 2)
}

/** Both are SEQUENCE { what is signed, algorithm, signature }. */
const signedFields = (der: Buffer): DerValue[] => {
  const [signed] = readDer(sequence(readOneDer(der)))
  return readDer(sequence(signed))
}

const keyAt = (fields: DerValue[], index: number): Buffer => {
  const key = fields[index]
  sequence(key)
  return key?.bytes ?? Buffer.alloc(0)
}

const sequence = (value: DerValue | undefined): Buffer => {
  if (value?.tag !== derTags.sequence) throw new RangeError('Not a sequence')
  return value.content
}
