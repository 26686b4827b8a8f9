import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { HashedStats } from './hash-program.ts'
import { identityOf, type ListedFile } from './list-model-files.ts'

// As in hash-program.ts: neither waits for a pipe's writer nor follows a link.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants

interface Order {
  file: ListedFile
  create: () => Sum
  followLinks: boolean
  pieceBytes: number
  signal: AbortSignal | undefined
  onBytes(bytes: number): void
}

/** What node:crypto and @noble/hashes have in common. */
interface Sum {
  update(bytes: Uint8Array): unknown
  digest(): Uint8Array
}

export interface HashedFile {
  bytes: number
  digests: string[]
  stats: HashedStats
}

const changed = ({ path }: ListedFile) =>
  Object.assign(new Error('The file changed while it was read'), { code: 'EBUSY', path })

/** Begins sums of an algorithm: a name in node:crypto, or `blake3`. */
export const sumsOf = async (algorithm: string): Promise<() => Sum> =>
  algorithm === 'blake3' ? (await import('@noble/hashes/blake3.js')).blake3.create : () => createHash(algorithm)

/** Hashes a file in this thread. Other work runs between pieces of 256 KiB. */
export const hashHere = async ({
  file,
  create,
  followLinks,
  pieceBytes,
  signal,
  onBytes,
}: Order): Promise<HashedFile> => {
  const handle = await open(file.path, O_RDONLY | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW)).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ELOOP' ? changed(file) : error
    },
  )
  try {
    const before = await handle.stat({ bigint: true })
    if (!before.isFile() || identityOf(before) !== identityOf(file.stats)) throw changed(file)
    const digests: string[] = []
    let sum = create()
    let left = pieceBytes
    let bytes = 0
    for await (const part of partsOf(handle, () => left)) {
      signal?.throwIfAborted()
      sum.update(part)
      bytes += part.length
      left -= part.length
      onBytes(bytes)
      if (left > 0) continue
      digests.push(hex(sum.digest()))
      sum = create()
      left = pieceBytes
    }
    const stats = await handle.stat({ bigint: true })
    const isSame = stats.size === before.size && stats.mtimeNs === before.mtimeNs && stats.ctimeNs === before.ctimeNs
    if (!isSame || BigInt(bytes) !== stats.size) throw changed(file)
    if (left < pieceBytes || pieceBytes === Number.POSITIVE_INFINITY) digests.push(hex(sum.digest()))
    const { dev, ino, size, mtimeNs, ctimeNs } = stats
    return { bytes, digests, stats: { dev, ino, size, mtimeNs, ctimeNs } }
  } finally {
    await handle.close()
  }
}

const hex = (digest: Uint8Array) => Buffer.from(digest).toString('hex')

async function* partsOf(handle: FileHandle, left: () => number) {
  const buffer = Buffer.allocUnsafeSlow(1 << 18)
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, left()), null)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}
