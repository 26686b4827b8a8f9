import { type Bytes, type DerValue, expectTag, oidText, open, readDer, tags } from './der.ts'

/** The parts read from a certificate (RFC 5280 §4.1). Nothing is verified: only its key matters. */
export interface Certificate {
  subject: string
  issuer: string
  notBefore: string
  notAfter: string
  /** The SubjectPublicKeyInfo, as encoded in the certificate. */
  spki: Bytes
  spiffeId: string | undefined
  /** Whether this certificate names `other` as its issuer. */
  isIssuedBy: (other: Certificate) => boolean
  name: Bytes
}

const versionTag = 0xa0
const extensionsTag = 0xa3

export const readCertificate = (der: Bytes): Certificate => {
  const [tbs, algorithm, signature] = open(der)
  expectTag(algorithm, tags.sequence)
  expectTag(signature, tags.bitString)
  const parts = open(expectTag(tbs, tags.sequence).whole)
  if (parts[0]?.tag === versionTag) parts.shift()
  const [serial, signed, issuer, validity, subject, spki, ...more] = parts
  expectTag(serial, tags.integer)
  expectTag(signed, tags.sequence)
  const [from, to] = readDer(expectTag(validity, tags.sequence).content)
  const extensions = more.find(({ tag }) => tag === extensionsTag)
  const issuerName = expectTag(issuer, tags.sequence).whole
  const name = expectTag(subject, tags.sequence).whole
  return {
    subject: nameText(name),
    issuer: nameText(issuerName),
    notBefore: timeText(from),
    notAfter: timeText(to),
    spki: expectTag(spki, tags.sequence).whole,
    spiffeId: extensions && spiffeIdIn(open(extensions.content)),
    isIssuedBy: (other) => isSame(issuerName, other.name),
    name,
  }
}

const attributesTag = 0xa0
/** extensionRequest of RFC 2985 §5.4.2. */
const extensionRequest = '1.2.840.113549.1.9.14'

/** A certificate request (RFC 2986 §4.1). */
export const readRequest = (der: Bytes): Pick<Certificate, 'subject' | 'spki' | 'spiffeId'> => {
  const [info, algorithm, signature] = open(der)
  expectTag(algorithm, tags.sequence)
  expectTag(signature, tags.bitString)
  const [version, subject, spki, attributes] = open(expectTag(info, tags.sequence).whole)
  expectTag(version, tags.integer)
  const attributeValues = attributes?.tag === attributesTag ? readDer(attributes.content) : []
  const requested = attributeValues
    .map(({ whole }) => open(whole))
    .find(([oid]) => oid && oidText(oid.content) === extensionRequest)?.[1]
  const [extensions] = requested ? readDer(requested.content) : []
  return {
    subject: nameText(expectTag(subject, tags.sequence).whole),
    spki: expectTag(spki, tags.sequence).whole,
    spiffeId: extensions && spiffeIdIn(readDer(extensions.content)),
  }
}

/* ---- names ---- */

const subjectAltName = '2.5.29.17'
const uriTag = 0x86

/** The SPIFFE ID among the subject alternative names (X509-SVID §2), a URI. */
const spiffeIdIn = (extensions: readonly DerValue[]): string | undefined => {
  const extension = extensions
    .map(({ whole }) => open(whole))
    .find(([oid]) => oid?.tag === tags.oid && oidText(oid.content) === subjectAltName)
  const value = extension?.at(-1)
  if (value?.tag !== tags.octetString) return undefined
  return open(value.content)
    .filter(({ tag }) => tag === uriTag)
    .map(({ content }) => latin1.decode(content))
    .find((uri) => uri.startsWith('spiffe://'))
}

const attributeNames: Record<string, string> = {
  '2.5.4.3': 'CN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'E',
}

/** A distinguished name on one line. */
const nameText = (name: Bytes): string =>
  open(name)
    .flatMap((set) => readDer(expectTag(set, tags.set).content))
    .map(({ whole }) => open(whole))
    .map(([type, value]) => {
      const oid = oidText(expectTag(type, tags.oid).content)
      return `${attributeNames[oid] ?? oid}=${value ? stringText(value) : ''}`
    })
    .join(', ')

const utf8 = new TextDecoder()
const utf16 = new TextDecoder('utf-16be')
const latin1 = new TextDecoder('latin1')
const stringDecoders: Record<number, TextDecoder> = { 12: utf8, 30: utf16 }

const stringText = ({ tag, content }: DerValue) => (stringDecoders[tag] ?? latin1).decode(content)

const isSame = (left: Bytes, right: Bytes) =>
  left.length === right.length && left.every((byte, index) => byte === right[index])

/** A UTCTime or GeneralizedTime (RFC 5280 §4.1.2.5) in ISO 8601. */
const timeText = (value: DerValue | undefined): string => {
  const text = value ? latin1.decode(value.content) : ''
  const isShort = value?.tag === tags.utcTime
  const full = isShort ? `${Number(text.slice(0, 2)) < 50 ? 20 : 19}${text}` : text
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full) ?? []
  if (year === undefined) throw new RangeError('Not a time')
  return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
}
