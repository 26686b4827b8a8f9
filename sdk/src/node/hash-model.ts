import { availableParallelism } from 'node:os'
import { byCodePoints, rootDigest } from '../integrity/file-list.ts'
import { type DigestCache, openDigestCache } from './digest-cache.ts'
import { hashFiles } from './hash-files.ts'
import { type ListedFile, type ListOptions, listModelFiles } from './list-model-files.ts'

export interface HashProgress {
  /** Of all files together. */
  bytes: number
  total: number
  /** The file that was read last. */
  file: string
}

export interface HashOptions extends ListOptions {
  signal?: AbortSignal
  /** Called several times a second. */
  onProgress?(progress: HashProgress): void
  /** How many files are read at once. Default: one for each core, at most 8. */
  concurrency?: number
  /** A folder where digests are kept, so that files that have not changed are not read again. Default: none. */
  cache?: string
}

export interface ModelHash {
  /** `sha256:` and 64 hex: a file’s own SHA-256; of a folder the root digest of OpenSSF Model Signing v1.0. */
  digest: string
  bytes: number
  /** In the order of the specification: by the code points of the whole name. */
  files: { name: string; size: number; digest: string }[]
  kind: 'file' | 'directory'
}

const maxThreads = 8

/**
 * The digest of a model, a file or a folder of any size, with little memory and the event loop free. The root digest of a
 * folder (OMS v1.0) says nothing of names: keep `files` with it. Empty files count; `.git` and its like at the top do not.
 * Rejects with the signal's reason, with the system's error (`code`, `path`), with `EBUSY` where a file changed meanwhile, and
 * with `ModelPathError` for a folder without files or with more than 10,000, for symbolic links unless they are allowed, for
 * what is neither file nor folder, and for names that are not UTF-8, hold control characters or mean another place elsewhere.
 */
export const hashModel = async (path: string, options: HashOptions = {}): Promise<ModelHash> => {
  const { signal, onProgress, cache: folder, allowSymlinks = false } = options
  signal?.throwIfAborted()
  const { kind, files } = await listModelFiles(path, options, signal)
  const cache = folder === undefined ? undefined : await openDigestCache(folder)
  const found = files.map(({ stats }) => cache?.find(stats))
  const progress = createProgress(files, found, onProgress)

  const openedAt = Date.now()
  await hashFiles({
    files,
    wanted: largestFirst(files).filter((index) => found[index] === undefined),
    threads: options.concurrency ?? Math.min(availableParallelism(), maxThreads),
    // The path that names the model may itself be a link.
    followLinks: allowSymlinks || kind === 'file',
    signal,
    onBytes: progress.report,
    onFile: (index, { bytes, digest, stats }) => {
      found[index] = `sha256:${digest}`
      cache?.note(stats, `sha256:${digest}`, openedAt)
      progress.report(index, bytes)
    },
  })
  await saved(cache)

  const hashed = files.map(({ name, stats }, index) => ({ name, size: Number(stats.size), digest: found[index] ?? '' })).sort(byCodePoints)
  const digest = kind === 'file' ? (hashed[0]?.digest ?? '') : rootDigest(hashed)
  return { digest, bytes: progress.total, files: hashed, kind }
}

const saved = (cache: DigestCache | undefined) => cache?.save()

/** So that no thread begins the largest when the others are done. */
const largestFirst = (files: readonly ListedFile[]): number[] =>
  files.map((_, index) => index).sort((left, right) => Number((files[right]?.stats.size ?? 0n) - (files[left]?.stats.size ?? 0n)))

const createProgress = (files: readonly ListedFile[], found: readonly (string | undefined)[], onProgress: HashOptions['onProgress']) => {
  const sizeOf = (index: number) => Number(files[index]?.stats.size ?? 0n)
  const done = files.map((_, index) => (found[index] === undefined ? 0 : sizeOf(index)))
  const total = files.reduce((sum, _, index) => sum + sizeOf(index), 0)
  let bytes = done.reduce((sum, each) => sum + each, 0)
  return {
    total,
    report: (index: number, read: number) => {
      // A file that grows while it is read is refused at its end; until then it counts with what it was.
      const now = Math.min(read, sizeOf(index))
      bytes += now - (done[index] ?? 0)
      done[index] = now
      onProgress?.({ bytes, total, file: files[index]?.name ?? '' })
    },
  }
}
