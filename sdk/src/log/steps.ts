import { digest } from '#digest'
import { sha256 } from '#sha256'

/** What to hash next, given what was hashed before. A rule made of steps works with both kinds of SHA-256. */
export type HashStep = (before: Uint8Array) => readonly Uint8Array[]

/** The hash at the end of the steps. */
export const hashSteps = (start: Uint8Array, ...steps: readonly HashStep[]): Uint8Array =>
  steps.reduce((hash, step) => sha256(...step(hash)), start)

/** The same hash. In browsers by WebCrypto, which saves their verifier 400 bytes. */
export const digestSteps = async (start: Uint8Array, ...steps: readonly HashStep[]): Promise<Uint8Array> => {
  let hash = start
  for (const step of steps) hash = await digest(...step(hash))
  return hash
}
