import { createHash } from 'node:crypto'

/** SHA-256 (FIPS 180-4) of the parts, joined. */
export const sha256 = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/**
 * What `digest-web.ts` has for browsers, without the wait for a thread.
 *
 * @alias of `sha256`
 */
export const digest: (...parts: readonly Uint8Array[]) => Uint8Array | Promise<Uint8Array> = sha256
