import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { HashedStats } from './hash-program.ts'
import { identityOf, type ListedFile } from './list-model-files.ts'

// As in hash-program.ts: neither waits for a pipe's writer nor follows a link.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants

interface Order {
  file: ListedFile
  followLinks: boolean
  pieceBytes: number
  signal: AbortSignal | undefined
  onBytes(bytes: number): void
}

export interface HashedFile {
  bytes: number
  digests: string[]
  stats: HashedStats
}

const changed = ({ path }: ListedFile) =>
  Object.assign(new Error('The file changed while it was read'), { code: 'EBUSY', path })

/**
 * BLAKE3, which node:crypto lacks. It runs in this thread, because threads start from text and cannot load a package;
 * other work runs between pieces of 256 KiB.
 */
export const hashWithBlake3 = async ({
  file,
  followLinks,
  pieceBytes,
  signal,
  onBytes,
}: Order): Promise<HashedFile> => {
  const { blake3 } = await import('@noble/hashes/blake3.js')
  const handle = await open(file.path, O_RDONLY | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW)).catch(
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ELOOP' ? changed(file) : error
    },
  )
  try {
    const before = await handle.stat({ bigint: true })
    if (!before.isFile() || identityOf(before) !== identityOf(file.stats)) throw changed(file)
    const digests: string[] = []
    let sum = blake3.create()
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
      sum = blake3.create()
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
