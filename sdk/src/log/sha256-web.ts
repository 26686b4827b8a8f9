/** The first 32 bits of the fractional part of a root. */
const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0

const primes: number[] = []
for (let candidate = 2; primes.length < 64; candidate++)
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)

const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))
const start = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))

/** Adds one block of 64 bytes (FIPS 180-4 §6.2.2). */
const compress = (state: Int32Array, view: DataView, offset: number, words: Int32Array) => {
  for (let t = 0; t < 16; t++) words[t] = view.getInt32(offset + 4 * t)
  for (let t = 16; t < 64; t++) {
    const [w2, w7, w15, w16] = [words[t - 2], words[t - 7], words[t - 15], words[t - 16]] as Four
    const s0 = rotate(w15, 7) ^ rotate(w15, 18) ^ (w15 >>> 3)
    const s1 = rotate(w2, 17) ^ rotate(w2, 19) ^ (w2 >>> 10)
    words[t] = w16 + s0 + w7 + s1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight
  for (let t = 0; t < 64; t++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (constants[t] ?? 0) + (words[t] ?? 0)) | 0
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + word
}

type Four = [number, number, number, number]
type Eight = [...Four, ...Four]

/** SHA-256 (FIPS 180-4) of the parts, joined. Not asynchronous, as WebCrypto is: a proof has dozens of tiny hashes. */
export const sha256 = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const padded = new Uint8Array(Math.ceil((length + 9) / 64) * 64)
  let written = 0
  for (const part of parts) {
    padded.set(part, written)
    written += part.length
  }
  padded[length] = 0x80
  const view = new DataView(padded.buffer)
  view.setBigUint64(padded.length - 8, BigInt(length) * 8n)
  const state = start.slice()
  const words = new Int32Array(64)
  for (let offset = 0; offset < padded.length; offset += 64) compress(state, view, offset, words)
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setInt32(4 * index, word)
  return new Uint8Array(digest.buffer)
}
