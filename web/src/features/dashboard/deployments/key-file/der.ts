export type Bytes = Uint8Array<ArrayBuffer>

/** A DER value (ITU-T X.690). */
export interface DerValue {
  tag: number
  content: Bytes
  /** Including tag and length. */
  whole: Bytes
}

export const tags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const

const unreadable = (): never => {
  throw new RangeError('Not DER')
}

/** The consecutive values in `bytes`; throws a RangeError unless they are DER with definite lengths. */
export const readDer = (bytes: Bytes): DerValue[] => {
  const values: DerValue[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? unreadable()
    // Tags above 30 take more bytes (§8.1.2.4); none is needed here.
    if ((tag & 0x1f) === 0x1f) unreadable()
    const { length, start } = readLength(bytes, at + 1)
    const end = start + length
    if (end > bytes.length) unreadable()
    values.push({ tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) })
    at = end
  }
  return values
}

/** The content of the single value in `bytes`, which must have this tag. */
export const open = (bytes: Bytes, tag: number = tags.sequence): DerValue[] => {
  const [value, ...more] = readDer(bytes)
  return value?.tag === tag && more.length === 0 ? readDer(value.content) : unreadable()
}

/** The next value, which must have this tag. */
export const expectTag = (value: DerValue | undefined, tag: number): DerValue =>
  value?.tag === tag ? value : unreadable()

const readLength = (bytes: Bytes, at: number): { length: number; start: number } => {
  const first = bytes[at] ?? unreadable()
  if (first < 0x80) return { length: first, start: at + 1 }
  const size = first & 0x7f
  if (size === 0 || size > 4 || at + 1 + size > bytes.length) unreadable()
  const length = bytes.subarray(at + 1, at + 1 + size).reduce((sum, byte) => sum * 256 + byte, 0)
  return { length, start: at + 1 + size }
}

/** An object identifier in dotted form (§8.19). */
export const oidText = (content: Bytes): string => {
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

/** The content of an object identifier. */
export const oidBytes = (text: string): Bytes => {
  const [root = 0, second = 0, ...rest] = text.split('.').map(Number)
  return join(
    [root * 40 + second, ...rest].map((arc) => {
      const bytes = [arc % 128]
      for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) bytes.unshift(128 + (left % 128))
      return Uint8Array.from(bytes)
    }),
  )
}

/** Encodes a value with this tag from DER parts or bytes. */
export const write = (tag: number, ...parts: Bytes[]): Bytes => {
  const content = join(parts)
  return join([Uint8Array.of(tag), lengthBytes(content.length), content])
}

const lengthBytes = (length: number): Bytes => {
  if (length < 0x80) return Uint8Array.of(length)
  const bytes: number[] = []
  for (let left = length; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256)
  return Uint8Array.of(0x80 + bytes.length, ...bytes)
}

const join = (parts: readonly Bytes[]): Bytes => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
