import { decodeBase64url } from '#base64url'

export { utf8 } from '#base64url'

/** What is wrong with a log, a note, a policy or a proof. */
export class LogError extends Error {
  /** Name of the class. */
  override name = 'LogError'
}

/** Throws a {@link LogError} unless this holds. */
export const ensure: (holds: unknown, message: string) => asserts holds = (holds, message) => {
  if (!holds) throw new LogError(message)
}

/** Standard base64 with padding, in its only spelling; undefined for anything else. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  text.length % 4 > 0 || /[-_]/.test(text) ? undefined : decodeBase64url(inBase64url(text))

const inBase64url = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/==?$/, '')

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

export const toBase64url = (bytes: Uint8Array): string => inBase64url(toBase64(bytes))

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

export const concat = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let written = 0
  for (const part of parts) {
    joined.set(part, written)
    written += part.length
  }
  return joined
}

export const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])

/** A whole number from 0 in ASCII decimal without leading zeroes. Sizes above 2^53 are rejected. */
export const readCount = (text: string, what: string): number => {
  const count = Number(text)
  ensure(`${count}` === text && count >= 0 && Number.isSafeInteger(count), `Invalid ${what}`)
  return count
}

/** A SHA-256 hash in base64. */
export const readHash = (text: string, what: string): Uint8Array<ArrayBuffer> => {
  const hash = fromBase64(text)
  ensure(hash?.length === 32, `Invalid ${what}`)
  return hash
}
