import { createHash } from 'node:crypto'
import { byCodePoints } from '../contract/file-name.ts'

export { byCodePoints }

interface Named {
  name: string
}

/**
 * The order that the reference implementation lists files in: folder by folder, so that `a/b` comes before `a.txt`.
 *
 * @returns Negative, zero or positive, for `sort`.
 * @example
 * ```ts
 * const sorted = [{ name: 'a.txt' }, { name: 'a/b' }].sort(byPathParts)
 * ```
 */
export const byPathParts = (a: Named, b: Named): number => {
  const [left, right] = [a.name.split('/'), b.name.split('/')]
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = Buffer.compare(Buffer.from(left[index] ?? ''), Buffer.from(right[index] ?? ''))
    if (order !== 0) return order
  }
  return left.length - right.length
}

/**
 * OMS v1.0: SHA-256 over the raw digests (hex, with or without `sha256:`) in the given order, for any hash algorithm.
 *
 * @returns `sha256:` and 64 hex characters.
 * @example
 * ```ts
 * const digest = rootDigest([{ digest: '9f'.repeat(32) }])
 * ```
 */
export const rootDigest = (files: readonly { digest: string }[]): string => {
  const hash = createHash('sha256')
  for (const { digest } of files) hash.update(Buffer.from(digest.replace(/^sha256:/, ''), 'hex'))
  return `sha256:${hash.digest('hex')}`
}

interface Hashed extends Named {
  digest: string
}

/**
 * A model's files in the order that gives its digest: as listed, in the order of the specification, or in that of the
 * reference implementation. A single file may also give its own SHA-256. Undefined if none does.
 *
 * @returns The files in that order, or undefined.
 * @example
 * ```ts
 * const files = [{ name: 'tiny.gguf', size: 4, digest: `sha256:${'9f'.repeat(32)}` }]
 * const isComplete = inOrderOf(files, `sha256:${'9f'.repeat(32)}`) !== undefined
 * ```
 */
export const inOrderOf = <File extends Hashed>(files: readonly File[], modelDigest: string): File[] | undefined => {
  const hex = (digest: string) => digest.slice(-64).toLowerCase()
  const [only] = files
  if (files.length === 1 && only !== undefined && hex(only.digest) === hex(modelDigest)) return [only]
  const orders = [() => [...files], () => files.toSorted(byCodePoints), () => files.toSorted(byPathParts)]
  for (const order of orders) {
    const ordered = order()
    if (hex(rootDigest(ordered)) === hex(modelDigest)) return ordered
  }
  return undefined
}
