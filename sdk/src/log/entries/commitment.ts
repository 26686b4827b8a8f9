import { sha256 } from '#sha256'
import { ensure, toBase64url, utf8 } from '../bytes.ts'

export const saltLength = 32

/**
 * The hash that stands for a text in an entry: HMAC-SHA-256 (RFC 2104) of the field's name and the text, in base64url. `salt`: 32 random
 * bytes, used for nothing else.
 */
export const hideText = (field: string, text: string, salt: Uint8Array): string => {
  ensure(salt.length === saltLength, 'A salt has 32 bytes')
  const keyed = (pad: number, message: Uint8Array) =>
    sha256(
      Uint8Array.from({ length: 64 }, (_, index) => (salt[index] ?? 0) ^ pad),
      message,
    )
  return toBase64url(keyed(0x5c, keyed(0x36, utf8(`${field}\n${text}`))))
}
