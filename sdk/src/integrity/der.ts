// Not `@peculiar/asn1`: certificates and timestamps need definite lengths and seven tags, and the SDK adds no dependency for them.

/** One value of DER (ITU-T X.690), which must have a definite length and end inside its parent. */
export interface DerValue {
  tag: number
  content: Buffer
  /** The whole value: tag, length and content. */
  bytes: Buffer
}

export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
} as const

const unreadable = (): never => {
  throw new RangeError('Not DER')
}

/** The consecutive values in `bytes`; throws a RangeError if they are not DER. */
export const readDer = (bytes: Buffer): DerValue[] => {
  const values: DerValue[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? unreadable()
    // Tags above 30 take more bytes (§8.1.2.4); no structure read here has one.
    if ((tag & 0x1f) === 0x1f) unreadable()
    const { length, start } = readLength(bytes, at + 1)
    if (start + length > bytes.length) unreadable()
    const end = start + length
    values.push({ tag, content: bytes.subarray(start, end), bytes: bytes.subarray(at, end) })
    at = end
  }
  return values
}

/** The single value in `bytes`. */
export const readOneDer = (bytes: Buffer): DerValue => {
  const [value, ...more] = readDer(bytes)
  return value && more.length === 0 ? value : unreadable()
}

const readLength = (bytes: Buffer, at: number): { length: number; start: number } => {
  const first = bytes[at] ?? unreadable()
  if (first < 0x80) return { length: first, start: at + 1 }
  const size = first & 0x7f
  if (size === 0 || size > 4 || at + 1 + size > bytes.length) unreadable()
  return { length: bytes.readUIntBE(at + 1, size), start: at + 1 + size }
}

/** An object identifier with dots (§8.19). */
export const oidText = (content: Buffer): string => {
  const arcs: number[] = []
  let arc = 0
  for (const byte of content) {
    arc = arc * 128 + (byte & 0x7f)
    if (byte < 0x80) {
      arcs.push(arc)
      arc = 0
    }
  }
  const [first = 0, ...rest] = arcs
  const root = Math.min(Math.floor(first / 40), 2)
  return [root, first - root * 40, ...rest].join('.')
}
