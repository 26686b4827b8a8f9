import { concat } from './bytes.ts'

/** The first 32 bits of the fractional part of a root. */
const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0

const primes: number[] = []
for (let candidate = 2; primes.length < 64; candidate++)
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)

const constants = primes.map((prime) => fraction(Math.cbrt(prime)))

/** The exclusive or of a word, rotated to the right three times. */
const mix = (word: number, ...turns: number[]) =>
  turns.reduce((mixed, bits) => mixed ^ ((word >>> bits) | (word << (32 - bits))), 0)

type Hash = [number, number, number, number, number, number, number, number]

const start = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))) as Hash

/** SHA-256 (FIPS 180-4) of the parts, joined. For rules that are not asynchronous; `digest-web.ts` is smaller. */
export const sha256 = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const message = concat(...parts, Uint8Array.of(0x80))
  const padded = new DataView(concat(message, new Uint8Array(8 + ((-8 - message.length) & 63))).buffer)
  padded.setBigUint64(padded.byteLength - 8, BigInt(message.length - 1) * 8n)
  let state = start
  for (let offset = 0; offset < padded.byteLength; offset += 64) {
    const words: number[] = []
    let next = state
    for (const [t, constant] of constants.entries()) {
      const [a, b, c, d, e, f, g, h] = next
      const ago = (count: number) => words.at(-count) ?? 0
      const word =
        t < 16
          ? padded.getInt32(offset + 4 * t)
          : (ago(16) + (mix(ago(15), 7, 18) ^ (ago(15) >>> 3)) + ago(7) + (mix(ago(2), 17, 19) ^ (ago(2) >>> 10))) | 0
      words.push(word)
      const t1 = h + mix(e, 6, 11, 25) + (g ^ (e & (f ^ g))) + constant + word
      const t2 = mix(a, 2, 13, 22) + ((a & b) | (c & (a | b)))
      next = [(t1 + t2) | 0, a, b, c, (d + t1) | 0, e, f, g]
    }
    state = state.map((word, index) => (word + (next[index] ?? 0)) | 0) as Hash
  }
  for (const [index, word] of state.entries()) padded.setInt32(4 * index, word)
  return new Uint8Array(padded.buffer.slice(0, 32))
}
