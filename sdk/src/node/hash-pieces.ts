import { hashFiles } from './hash-files.ts'
import type { HashOptions } from './hash-model.ts'
import { createProgress, largestFirst, threadsOf } from './hash-order.ts'
import { type ListedFile, listModelFiles } from './list-model-files.ts'

/** The hash names of OpenSSF Model Signing v1.0 for lists of files, as `hashFiles` takes them. */
const algorithms = {
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  blake2b: 'blake2b512',
  blake3: 'blake3',
} as const
/** An algorithm that `hashPieces` can use. */
export type PieceAlgorithm = keyof typeof algorithms

/**
 * Whether files can be hashed with an algorithm of this name.
 *
 * @returns Whether it is a `PieceAlgorithm`.
 * @example
 * ```ts
 * if (isPieceAlgorithm(algorithm)) await hashPieces('./tiny', { algorithm })
 * ```
 */
export const isPieceAlgorithm = (name: string): name is PieceAlgorithm => Object.hasOwn(algorithms, name)

/** Options of `hashPieces`. */
export interface PieceOptions extends Omit<HashOptions, 'cache'> {
  /** The algorithm. */
  algorithm: PieceAlgorithm
  /** Default: a file is one piece. */
  pieceBytes?: number | undefined
  /**
   * Whether to read a file with this many pieces; a file that cannot be the signed one need not be read. Default: all.
   */
  isWanted?: ((name: string, pieces: number) => boolean) | undefined
}

/** The digests of one file. */
export interface PiecesOfFile {
  /** Path inside the model, with `/`. */
  name: string
  /** Bytes. */
  size: number
  /** Hex, one per piece; null if the file was skipped. An empty file hashed in pieces has none. */
  digests: string[] | null
}

/**
 * Hashes a model's files as other signers list them: with hashes other than SHA-256, or in pieces of equal length (OMS
 * v1.0 "shards"). Rejects like `hashModel`.
 *
 * @returns The files with the digests of their pieces.
 * @example
 * ```ts
 * const { files } = await hashPieces('./tiny', { algorithm: 'sha256', pieceBytes: 1_000_000 })
 * ```
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
