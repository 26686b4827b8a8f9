import { hashFiles } from './hash-files.ts'
import type { HashOptions } from './hash-model.ts'
import { createProgress, largestFirst, threadsOf } from './hash-order.ts'
import { type ListedFile, listModelFiles } from './list-model-files.ts'

/** What OpenSSF Model Signing v1.0 calls the hashes that signers may list files by, and `hashFiles`. */
const algorithms = {
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  blake2b: 'blake2b512',
  blake3: 'blake3',
} as const
export type PieceAlgorithm = keyof typeof algorithms

export const isPieceAlgorithm = (name: string): name is PieceAlgorithm => Object.hasOwn(algorithms, name)

export interface PieceOptions extends Omit<HashOptions, 'cache'> {
  algorithm: PieceAlgorithm
  /** Default: a file is one piece. */
  pieceBytes?: number
  /** Whether a file of so many pieces is read at all: one that cannot be what was signed need not be. Default: every file is. */
  isWanted?(name: string, pieces: number): boolean
}

export interface PiecesOfFile {
  name: string
  size: number
  /** Hex, piece by piece; null where the file was not wanted. An empty file that is hashed in pieces has none. */
  digests: string[] | null
}

/**
 * The files of a model hashed as other signers list them: by other hashes than SHA-256, or in pieces of equal length (OMS v1.0
 * "shards"). Rejects as `hashModel` does.
 */
export const hashPieces = async (
  path: string,
  { algorithm, pieceBytes, isWanted = () => true, signal, onProgress, allowSymlinks = false, ...options }: PieceOptions,
): Promise<{ kind: 'file' | 'directory'; files: PiecesOfFile[] }> => {
  signal?.throwIfAborted()
  const { kind, files } = await listModelFiles(path, { ...options, allowSymlinks }, signal)
  const isToRead = files.map((file) => isWanted(file.name, countOf(file, pieceBytes)))
  const progress = createProgress(files, (index) => isToRead[index] === true, onProgress)
  const found: (string[] | undefined)[] = []
  await hashFiles({
    files,
    wanted: largestFirst(files).filter((index) => isToRead[index]),
    threads: threadsOf(options),
    followLinks: allowSymlinks || kind === 'file',
    algorithm: algorithms[algorithm],
    ...(pieceBytes !== undefined && { pieceBytes }),
    signal,
    onBytes: progress.report,
    onFile: (index, { bytes, digests }) => {
      found[index] = digests
      progress.report(index, bytes)
    },
  })
  return {
    kind,
    files: files.map(({ name, stats }, index) => ({ name, size: Number(stats.size), digests: found[index] ?? null })),
  }
}

const countOf = ({ stats: { size } }: ListedFile, pieceBytes: number | undefined) =>
  pieceBytes === undefined ? 1 : Math.ceil(Number(size) / pieceBytes)
