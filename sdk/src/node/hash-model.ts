import { byCodePoints, rootDigest } from '../integrity/file-list.ts'
import { checkOptions, type OptionForms } from '../verify/check-options.ts'
import { type DigestCache, openDigestCache } from './digest-cache.ts'
import { hashFiles } from './hash-files.ts'
import { createProgress, largestFirst, threadsOf } from './hash-order.ts'
import { type ListOptions, listModelFiles } from './list-model-files.ts'

/** The progress of hashing. */
export interface HashProgress {
  /** For all files together. */
  bytes: number
  /** Bytes of all files. */
  total: number
  /** The file read last. */
  file: string
}

/** Options of `hashModel`. */
export interface HashOptions extends ListOptions {
  /** Stops hashing; `hashModel` rejects with its reason. */
  signal?: AbortSignal | undefined
  /** Called several times a second. */
  onProgress?: ((progress: HashProgress) => void) | undefined
  /** Files read in parallel. Default: one per core, at most 8. */
  concurrency?: number | undefined
  /** A folder to cache digests, so that unchanged files are not read again. Default: no cache. */
  cache?: string | undefined
}

const optionForms: OptionForms<HashOptions> = {
  ignorePaths: true,
  ignoreGitPaths: true,
  exclude: true,
  keep: true,
  allowSymlinks: true,
  signal: true,
  onProgress: true,
  concurrency: true,
  cache: true,
}

/** The digest of a model and of its files. */
export interface ModelHash {
  /** `sha256:` and 64 hex: a file’s own SHA-256; for a folder, the root digest of OpenSSF Model Signing v1.0. */
  digest: string
  /** Bytes of all files. */
  bytes: number
  /** In the order of the specification: by code points of the full name. */
  files: { name: string; size: number; digest: string }[]
  /** Whether the path is a file or a folder. */
  kind: 'file' | 'directory'
}

/**
 * Hashes a model, a file or folder of any size, with little memory and without blocking the event loop. The root digest of a
 * folder (OMS v1.0) does not cover names, so store `files` with it. Empty files count; `.git` and similar paths at the top do
 * not.
 *
 * @returns The {@link ModelHash}: the digest of the model and of each file.
 * @throws `TypeError` for an unknown option; the signal's reason; the system's error (`code`, `path`), with `EBUSY` if a file
 * changed meanwhile; `ModelPathError` for a folder without files or with more than 10,000 files or folders, for symbolic links
 * unless allowed, for anything but files and folders, and for names that are not UTF-8, have control characters or are not
 * portable.
 * @example
 * ```ts
 * const { digest, files } = await hashModel('./tiny', { onProgress: ({ bytes, total }) => console.log(bytes / total) })
 * ```
 */
export const hashModel = async (path: string, options: HashOptions = {}): Promise<ModelHash> => {
  checkOptions('hashModel', options, optionForms)
  const { signal, onProgress, cache: folder, allowSymlinks = false } = options
  signal?.throwIfAborted()
  const { kind, files } = await listModelFiles(path, options, signal)
  const cache = folder === undefined ? undefined : await openDigestCache(folder)
  const found = files.map(({ stats }) => cache?.find(stats))
  const progress = createProgress(files, (index) => found[index] === undefined, onProgress)

  const openedAt = Date.now()
  await hashFiles({
    files,
    wanted: largestFirst(files).filter((index) => found[index] === undefined),
    threads: threadsOf(options),
    // The model's own path may be a link.
    followLinks: allowSymlinks || kind === 'file',
    signal,
    onBytes: progress.report,
    onFile: (index, { bytes, digests: [hex = ''], stats }) => {
      found[index] = `sha256:${hex}`
      cache?.note(stats, `sha256:${hex}`, openedAt)
      progress.report(index, bytes)
    },
  })
  await saved(cache)

  const hashed = files
    .map(({ name, stats }, index) => ({ name, size: Number(stats.size), digest: found[index] ?? '' }))
    .sort(byCodePoints)
  const digest = kind === 'file' ? (hashed[0]?.digest ?? '') : rootDigest(hashed)
  return { digest, bytes: progress.total, files: hashed, kind }
}

const saved = (cache: DigestCache | undefined) => cache?.save()
