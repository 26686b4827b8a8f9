import { ensure, toBase64url, utf8 } from '../bytes.ts'
import { digestSteps, type HashStep, hashSteps } from '../steps.ts'

export const saltLength = 32

/**
 * The hash that stands for a text in an entry: HMAC-SHA-256 (RFC 2104) of the field's name and the text, in base64url. `salt`: 32 random
 * bytes, used for nothing else.
 */
export const hideText = (field: string, text: string, salt: Uint8Array): string =>
  toBase64url(hashSteps(messageOf(field, text), ...hmacSteps(salt)))

/** What `hideText` returns, by WebCrypto in browsers. */
export const hideTextLater = async (field: string, text: string, salt: Uint8Array | undefined): Promise<string> =>
  toBase64url(await digestSteps(messageOf(field, text), ...hmacSteps(salt)))

const messageOf = (field: string, text: string) => utf8(`${field}\n${text}`)

const hmacSteps = (salt: Uint8Array | undefined): HashStep[] => {
  ensure(salt?.length === saltLength, 'Invalid salt')
  const key = new Uint8Array(64)
  key.set(salt)
  return [0x36, 0x5c].map((pad) => (message) => [key.map((byte) => byte ^ pad), message])
}
