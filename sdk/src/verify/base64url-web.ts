const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const foreign = -1
const values = new Int8Array(128).fill(foreign)
for (let index = 0; index < alphabet.length; index++) values[alphabet.charCodeAt(index)] = index

const valueAt = (text: string, index: number): number => values[text.charCodeAt(index)] ?? foreign

/**
 * Decodes base64url without padding (RFC 7515 §2). Undefined for any other character, an impossible length, or bits set
 * beyond the last byte, so that one value has one spelling.
 */
export const decodeBase64url = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const { length } = text
  const rest = length % 4
  const bytes = new Uint8Array((length * 3) >> 2)
  // An A has no bits set.
  const padded = `${text}AA`
  let written = 0
  let bits = 0
  // Four characters at a time, because decoding is a large part of the cost besides the signature.
  for (let index = 0; index + 1 < length; index += 4) {
    bits =
      (valueAt(padded, index) << 18) |
      (valueAt(padded, index + 1) << 12) |
      (valueAt(padded, index + 2) << 6) |
      valueAt(padded, index + 3)
    if (bits < 0) return undefined
    // The array takes the last eight bits, and nothing beyond its end.
    bytes[written++] = bits >> 16
    bytes[written++] = bits >> 8
    bytes[written++] = bits
  }
  return rest === 1 || bits & ((1 << (8 * (4 - rest))) - 1) ? undefined : bytes
}

const encoder = new TextEncoder()

/** The bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/**
 * The bytes of ASCII text. Undefined behaviour for other text.
 *
 * @alias of `utf8`
 */
export const asciiBytes: (text: string) => Uint8Array<ArrayBuffer> = utf8
