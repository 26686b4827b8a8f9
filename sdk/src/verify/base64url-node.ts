import { Buffer } from 'node:buffer'

/**
 * Decodes base64url without padding (RFC 7515 §2). Undefined for any other character, an impossible length, or bits set
 * beyond the last byte, so that one value has one spelling.
 */
export const decodeBase64url = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const bytes = Buffer.from(text, 'base64url')
  // Buffer ignores invalid characters, so encode again and compare.
  return bytes.toString('base64url') === text ? bytes : undefined
}

const encoder = new TextEncoder()

/** The bytes of a text in UTF-8. */
export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

/** The bytes of ASCII text. Undefined behaviour for other text. */
export const asciiBytes = (text: string): Uint8Array<ArrayBuffer> => Buffer.from(text, 'latin1')
