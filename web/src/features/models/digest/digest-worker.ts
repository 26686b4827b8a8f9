import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** The request to a hashing worker: the SHA-256 of each file. */
export interface DigestOrder {
  files: readonly File[]
}

export type DigestAnswer =
  | { kind: 'progress'; index: number; bytes: number }
  | { kind: 'done'; digests: string[] }
  | { kind: 'failed'; index: number }

// Large enough for cheap reads, small enough that a phone can hold two chunks.
const pieceBytes = 4 << 20
const reportEveryMs = 100

let read = 0
let reportedAt = 0

const say = (answer: DigestAnswer) => postMessage(answer)

const pieceOf = (file: File, start: number) => file.slice(start, start + pieceBytes).arrayBuffer()

/** Reads the next chunk while one is hashed. */
const hash = async (file: File, index: number): Promise<string> => {
  const sum = sha256.create()
  let next = file.size > 0 ? pieceOf(file, 0) : undefined
  for (let start = 0; next !== undefined; start += pieceBytes) {
    const piece: ArrayBuffer = await next
    next = start + pieceBytes < file.size ? pieceOf(file, start + pieceBytes) : undefined
    sum.update(new Uint8Array(piece))
    read += piece.byteLength
    const now = Date.now()
    if (now - reportedAt < reportEveryMs) continue
    reportedAt = now
    say({ kind: 'progress', index, bytes: read })
  }
  return bytesToHex(sum.digest())
}

addEventListener('message', async ({ data }: MessageEvent<DigestOrder>) => {
  const digests: string[] = []
  for (const [index, file] of data.files.entries()) {
    try {
      digests.push(await hash(file, index))
    } catch {
      // The file was moved or changed, or may not be read.
      return say({ kind: 'failed', index })
    }
  }
  say({ kind: 'done', digests })
})
