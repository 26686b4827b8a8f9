/** The task of a hashing thread. */
export interface HashOrder {
  index: number
  path: string
  /** As it was listed; another file at the path is a change. */
  identity: string
  followLinks: boolean
  /** The name in node:crypto. */
  algorithm: string
  /** Length of the pieces to hash; infinity for the whole file. */
  pieceBytes: number
}

export type HashAnswer =
  | { kind: 'progress'; index: number; bytes: number }
  | { kind: 'done'; index: number; bytes: number; digests: string[]; stats: HashedStats }
  | { kind: 'failed'; index: number; message: string; code: string | undefined }

/** State of the open file, which must be equal before and after reading. */
export interface HashedStats {
  dev: bigint
  ino: bigint
  size: bigint
  mtimeNs: bigint
  ctimeNs: bigint
}

// Blocking reads of 256 KiB stay in the CPU cache and are as fast as openssl; streams are a third slower. A thread may
// block. The program is text, because a bundle has no second file to start.
export const hashProgram = `
const { closeSync, constants, fstatSync, openSync, readSync } = require('node:fs')
const { createHash } = require('node:crypto')
const { parentPort } = require('node:worker_threads')

const buffer = Buffer.allocUnsafeSlow(1 << 18)
const changed = () => Object.assign(new Error('The file changed while it was read'), { code: 'EBUSY' })
let reportedAt = 0

const hash = (file, { index, identity, algorithm, pieceBytes }) => {
  const before = fstatSync(file, { bigint: true })
  if (!before.isFile() || before.dev + ':' + before.ino !== identity) throw changed()
  const digests = []
  let sum = createHash(algorithm)
  let bytes = 0
  let left = pieceBytes
  for (let read; (read = readSync(file, buffer, 0, Math.min(buffer.length, left), null)) > 0; ) {
    sum.update(read === buffer.length ? buffer : buffer.subarray(0, read))
    bytes += read
    left -= read
    if (left === 0) {
      digests.push(sum.digest('hex'))
      sum = createHash(algorithm)
      left = pieceBytes
    }
    const now = Date.now()
    if (now - reportedAt < 100) continue
    reportedAt = now
    parentPort.postMessage({ kind: 'progress', index, bytes })
  }
  const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(file, { bigint: true })
  if (BigInt(bytes) !== size || size !== before.size || mtimeNs !== before.mtimeNs || ctimeNs !== before.ctimeNs) throw changed()
  if (left < pieceBytes || pieceBytes === Infinity) digests.push(sum.digest('hex'))
  return { kind: 'done', index, bytes, digests, stats: { dev, ino, size, mtimeNs, ctimeNs } }
}

// What was a file when it was listed may be a pipe or a link by now: neither waits for a writer nor follows.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants

parentPort.on('message', (order) => {
  try {
    const file = openSync(order.path, O_RDONLY | O_NONBLOCK | (order.followLinks ? 0 : O_NOFOLLOW))
    try {
      parentPort.postMessage(hash(file, order))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const code = error.code === 'ELOOP' ? 'EBUSY' : error.code
    parentPort.postMessage({ kind: 'failed', index: order.index, message: error.message, code })
  }
})
`
