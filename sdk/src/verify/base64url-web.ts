const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const foreign = 64
const values = new Uint8Array(128).fill(foreign)
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
  let written = 0
  let index = 0
  // Four characters at a time, because decoding is a large part of the cost besides the signature.
  for (; index + 4 <= length; index += 4) {
    const first = valueAt(text, index)
    const second = valueAt(text, index + 1)
    const third = valueAt(text, index + 2)
    const fourth = valueAt(text, index + 3)
    if ((first | second | third | fourth) & foreign) return undefined
    bytes[written++] = (first << 2) | (second >> 4)
    bytes[written++] = (second << 4) | (third >> 2)
    bytes[written++] = (third << 6) | fourth
  }
  if (rest === 0) return bytes
  const first = valueAt(text, index)
  const second = valueAt(text, index + 1)
  const third = rest === 3 ? valueAt(text, index + 2) : 0
  const beyond = rest === 3 ? third & 3 : second & 15
  if (rest === 1 || (first | second | third) & foreign || beyond !== 0) return undefined
  bytes[written++] = (first << 2) | (second >> 4)
  if (rest === 3) bytes[written] = (second << 4) | (third >> 2)
  return bytes
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
