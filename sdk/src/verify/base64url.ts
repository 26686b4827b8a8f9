const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const values = new Uint8Array(128).fill(255)
for (let index = 0; index < alphabet.length; index++) values[alphabet.charCodeAt(index)] = index

/**
 * Decodes base64url without padding (RFC 7515 §2). Undefined for any other character, an impossible length, or bits set
 * beyond the last byte, so that one value has one spelling.
 */
export const decodeBase64url = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const { length } = text
  if (length % 4 === 1) return undefined
  const bytes = new Uint8Array((length * 3) >> 2)
  let pending = 0
  let bits = 0
  let written = 0
  for (let index = 0; index < length; index++) {
    const value = values[text.charCodeAt(index)] ?? 255
    if (value === 255) return undefined
    pending = ((pending << 6) | value) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[written++] = pending >> bits
    }
  }
  return (pending & ((1 << bits) - 1)) === 0 ? bytes : undefined
}
