import { bucketMs, checkSymbols, symbols } from './link-code.ts'

const randomLength = 12

/**
 * Creates a link code: 2 symbols of time (quarter hours modulo 1024, for index locality), 12 random symbols and 2 check symbols, in
 * Crockford base32. `random` must have at least 8 bytes from a cryptographic source; 60 bits are used.
 *
 * @returns The code, without hyphens.
 * @example
 * ```ts
 * const code = createLinkCode(Date.now(), crypto.getRandomValues(new Uint8Array(8)))
 * ```
 */
export const createLinkCode = (atMs: number, random: Uint8Array): string => {
  if (random.length < 8) throw new RangeError('At least 8 random bytes are required')
  const bucket = Math.floor(atMs / bucketMs) % 1_024
  const values = [bucket >> 5, bucket & 31]
  let pending = 0
  let bits = 0
  for (let index = 0; values.length < randomLength + 2; index++) {
    pending = ((pending << 8) | (random[index] ?? 0)) & 0xfff
    for (bits += 8; bits >= 5 && values.length < randomLength + 2; bits -= 5) values.push((pending >> (bits - 5)) & 31)
  }
  return [...values, ...checkSymbols(values)].map((value) => symbols[value]).join('')
}
