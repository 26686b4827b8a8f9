import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { limits } from '@countersign/sdk/contract'
import type {
  HashOptions,
  ModelHash,
  ModelPathError,
  ModelPathErrorCode,
  PieceOptions,
  PiecesOfFile,
} from '@countersign/sdk/node'
import type { Command, Flags } from '../args/command.ts'
import { cacheFolder } from '../config/profile.ts'
import type { Context } from '../context.ts'
import { Failure, usage } from '../failure.ts'
import { startProgress } from '../io/progress.ts'

/** Where OpenSSF Model Signing puts a folder's signature. */
export const signatureFile = 'model.sig'

export const addHashOptions = (command: Command) =>
  command
    .option(
      '--ignore-path <path>',
      `ignore a path in the folder, in addition to .git and ${signatureFile}; repeatable`,
      {
        kind: 'file',
        isRepeated: true,
      },
    )
    .option('--allow-symlinks', 'hash the targets of symbolic links, as in model hub caches')
    .option('--no-cache', 'read every file, even unchanged ones')
    .option('--jobs <n>', 'number of files to read at once; default: one per core', 'number')

/** What the command knows besides its options. */
export interface Given extends Pick<HashOptions, 'keep' | 'exclude' | 'ignorePaths' | 'allowSymlinks'> {
  /** Read every byte: cached digests are good enough to register a model, not to check one. */
  readsEveryByte?: boolean
  /** As above, but ignores no path by its name, only the given ones. */
  isVerifying?: boolean
}

/** Hashes a file or folder as its options say, with a progress bar if someone watches. */
export const hashPath = async (context: Context, flags: Flags, name: string, given: Given = {}): Promise<ModelHash> => {
  const { hashModel } = await import('@countersign/sdk/node')
  const cache =
    flags.all.cache === false || given.isVerifying || given.readsEveryByte ? {} : { cache: cacheFolder(context.env) }
  return watched({ context, flags, name, given }, (path, options) => hashModel(path, { ...options, ...cache }))
}

/** Digests by other hashes or in pieces are not cached. */
export const hashPathInPieces = async (
  context: Context,
  flags: Flags,
  name: string,
  given: Given & Pick<PieceOptions, 'algorithm' | 'pieceBytes' | 'isWanted'>,
): Promise<{ kind: ModelHash['kind']; files: PiecesOfFile[] }> => {
  const { hashPieces } = await import('@countersign/sdk/node')
  const { isVerifying: _, readsEveryByte: __, ...pieces } = given
  return watched({ context, flags, name, given }, (path, options) => hashPieces(path, { ...pieces, ...options }))
}

interface Hashing {
  context: Context
  flags: Flags
  name: string
  given: Given
}

const watched = async <T>(
  { context, flags, name, given }: Hashing,
  hash: (path: string, options: HashOptions) => Promise<T>,
): Promise<T> => {
  const { keep, exclude, ignorePaths = [], allowSymlinks = false, isVerifying = false } = given
  const concurrency = jobsOf(flags)
  const path = context.files.pathOf(name)
  const ignored = flags.list('ignorePath')
  for (const each of ignored)
    if (!isIn(path, resolve(path, each)))
      context.out.warn(
        `--ignore-path ${each} has no effect: there is no such path in ${name}. Paths are relative to that folder`,
      )
  const progress = await startProgress('Hashing', context.isWatched)
  try {
    return await hash(path, {
      ...(keep && { keep }),
      ...(exclude && { exclude }),
      ignorePaths: [
        ...(isVerifying || !isBundle(join(path, signatureFile)) ? [] : [signatureFile]),
        ...ignored,
        ...ignorePaths,
      ],
      ignoreGitPaths: !isVerifying,
      allowSymlinks: allowSymlinks || flags.isOn('allowSymlinks'),
      signal: context.signal,
      ...(concurrency !== undefined && { concurrency }),
      onProgress: ({ bytes, total }) => progress.report(bytes, total),
    })
  } catch (error) {
    throw isPathError(error) ? new Failure('file', 2, error.message, hints[error.code], { cause: error }) : error
  } finally {
    progress.stop()
  }
}

/**
 * What `hashPath` leaves out of a folder by its name or an option: paths that exist there, sorted. A folder in which every file is to be
 * kept is not left out.
 */
export const findIgnored = async (
  context: Context,
  flags: Flags,
  name: string,
  keep: readonly string[],
): Promise<string[]> => {
  const { gitPaths } = await import('@countersign/sdk/node')
  const root = context.files.pathOf(name)
  if (!statSync(root).isDirectory()) return []
  const nameOf = (path: string) => relative(root, resolve(root, path)).split(sep).join('/')
  const ignored = [
    ...gitPaths,
    ...(isBundle(join(root, signatureFile)) ? [signatureFile] : []),
    ...flags.list('ignorePath').map(nameOf),
  ]
  const kept = new Set(keep)
  const isKept = (each: string) => {
    if (kept.has(each)) return true
    if (!keep.some((file) => file.startsWith(`${each}/`))) return false
    return readdirSync(join(root, each), { recursive: true, withFileTypes: true }).every(
      (entry) => entry.isDirectory() || kept.has(nameOf(join(entry.parentPath, entry.name))),
    )
  }
  return [...new Set(ignored)].filter((each) => isIn(root, resolve(root, each)) && !isKept(each)).sort()
}

/** A regular file that is a bundle. */
const isBundle = (file: string): boolean => {
  try {
    const stats = lstatSync(file)
    return stats.isFile() && stats.size <= limits.bundleBytes && 'mediaType' in JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return false
  }
}

/** Paths of bundles, which are not part of the model; stdin has none. */
export const pathsOfBundles = (context: Context, bundles: readonly string[]): string[] =>
  bundles.filter((bundle) => bundle !== '-').map((bundle) => context.files.pathOf(bundle))

/** A mistyped path would ignore nothing and silently change the digest. */
const isIn = (folder: string, path: string) =>
  path.startsWith(join(folder, sep)) && lstatSync(path, { throwIfNoEntry: false }) !== undefined

const jobsOf = (flags: Flags): number | undefined => {
  const given = flags.text('jobs')
  if (given === undefined) return undefined
  const jobs = Number(given)
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= 64) return jobs
  throw usage(`--jobs must be a whole number from 1 to 64, not ${JSON.stringify(given)}`)
}

const isPathError = (error: unknown): error is ModelPathError =>
  error instanceof Error && error.name === 'ModelPathError'

const hints = {
  MODEL_BROKEN_LINK: 'Finish the download, or ignore it with --ignore-path',
  MODEL_EMPTY: 'Give the folder that contains the model’s files',
  MODEL_LOOP: 'Ignore it with --ignore-path',
  MODEL_NAME: 'Rename it, or ignore its folder with --ignore-path',
  MODEL_SPECIAL: 'Ignore it with --ignore-path',
  MODEL_SYMLINK: 'Model hub caches contain only links: add --allow-symlinks to hash their targets',
  MODEL_TOO_MANY_FILES: 'Ignore what is not part of the model with --ignore-path',
} as const satisfies Record<ModelPathErrorCode, string>
