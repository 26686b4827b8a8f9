import { X509Certificate } from 'node:crypto'
import { invisibleCharacters } from '../contract/text.ts'
import { type DerValue, derTags, oidText, readDer, readOneDer } from './der.ts'

const oids = {
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  extendedKeyUsage: '2.5.29.37',
} as const
const codeSigning = '1.3.6.1.5.5.7.3.3'

export interface Certificate {
  raw: Buffer
  x509: X509Certificate
  /** Values by object identifier. */
  extensions: ReadonlyMap<string, Buffer>
  /** Unknown critical extensions; RFC 5280 §4.2 requires rejecting such a certificate. */
  unknownCritical: readonly string[]
}

/** Reads DER; throws unless it is exactly one certificate without repeated extensions (RFC 5280 §4.2). */
export const readCertificate = (raw: Buffer): Certificate => {
  const x509 = new X509Certificate(raw)
  const [tbs] = readDer(readOneDer(raw).content)
  const holder = readDer(tbs?.content ?? Buffer.alloc(0)).find(({ tag }) => tag === 0xa3)
  const extensions = new Map<string, Buffer>()
  const unknownCritical: string[] = []
  for (const { content } of holder ? readDer(readOneDer(holder.content).content) : []) {
    const { oid, isCritical, value } = readExtension(readDer(content))
    if (extensions.has(oid)) throw new RangeError(`Extension ${oid} appears twice`)
    extensions.set(oid, value)
    if (isCritical && !Object.values<string>(oids).includes(oid)) unknownCritical.push(oid)
  }
  return { raw, x509, extensions, unknownCritical }
}

const readExtension = (parts: DerValue[]) => {
  const [oid, ...rest] = parts
  const value = rest.at(-1)
  if (oid?.tag !== derTags.oid || value?.tag !== derTags.octetString) throw new RangeError('Not an extension')
  return {
    oid: oidText(oid.content),
    isCritical: rest.length === 2 && rest[0]?.tag === derTags.boolean && rest[0].content[0] !== 0,
    value: value.content,
  }
}

/** May sign code, by its extended key usage (RFC 5280 §4.2.1.12). */
export const isForCode = ({ x509 }: Certificate): boolean => x509.keyUsage?.includes(codeSigning) ?? false

/** May sign, by its key usage (RFC 5280 §4.2.1.3): bit 0 is digitalSignature. */
export const isForSignatures = ({ extensions }: Certificate): boolean => {
  const usage = extensions.get(oids.keyUsage)
  if (!usage) return false
  const { tag, content } = readOneDer(usage)
  return tag === derTags.bitString && ((content[1] ?? 0) & 0x80) !== 0
}

/** The maximum number of intermediate authorities between this certificate and the signer's (RFC 5280 §4.2.1.9). */
export const pathLengthOf = ({ extensions }: Certificate): number => {
  const constraints = extensions.get(oids.basicConstraints)
  const length = constraints && readDer(readOneDer(constraints).content).find(({ tag }) => tag === derTags.integer)
  return length ? length.content.readUIntBE(0, Math.min(length.content.length, 6)) : Number.POSITIVE_INFINITY
}

/** The names in the subject alternative name: URIs, mailboxes and (Fulcio) user names. */
export const namesOf = ({ extensions }: Certificate): string[] => {
  const value = extensions.get(oids.subjectAltName)
  return value ? readDer(readOneDer(value).content).map(readName) : []
}

const userName = '1.3.6.1.4.1.57264.1.7'

const readName = ({ tag, content }: DerValue): string => {
  if (tag === 0x86 || tag === 0x81) return ia5Text(content)
  const [oid, value] = tag === 0xa0 ? readDer(content) : []
  if (!oid || !value || oidText(oid.content) !== userName) throw new RangeError('Unknown kind of name')
  return utf8Text(readOneDer(value.content).content)
}

/** IA5 has no characters above 127: clearing the eighth bit would make one name look like another. */
const ia5Text = (bytes: Buffer): string => {
  if (bytes.some((byte) => byte > 0x7f)) throw new RangeError('Not IA5 text')
  return bytes.toString('latin1')
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
export const utf8Text = (bytes: Buffer): string => utf8.decode(bytes)

/** Parses dates of RFC 5280 as Node prints them. */
export const isValidAt = ({ x509 }: Certificate, at: Date): boolean =>
  new Date(x509.validFrom) <= at && at <= new Date(x509.validTo)

const maxNameLength = 2_048

/** A name for people. Throws if it is longer than any declared name, or has invisible characters. */
export const tellable = (name: string): string => {
  if (name.length > maxNameLength || name.replace(invisibleCharacters, '') !== name)
    throw new RangeError('A name that cannot be shown')
  return name
}

/** A distinguished name on one line. */
export const oneLine = (name: string): string => tellable(name.replaceAll('\n', ', '))
