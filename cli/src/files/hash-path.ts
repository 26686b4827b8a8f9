import { lstatSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { limits } from '@countersign/sdk/contract'
import type { HashOptions, ModelHash, ModelPathError, ModelPathErrorCode, PieceOptions, PiecesOfFile } from '@countersign/sdk/node'
import type { Command, Flags } from '../args/command.ts'
import { cacheFolder } from '../config/profile.ts'
import type { Context } from '../context.ts'
import { Failure, usage } from '../failure.ts'
import { startProgress } from '../io/progress.ts'

/** Where signers of OpenSSF Model Signing put the signature of a folder. */
export const signatureFile = 'model.sig'

export const addHashOptions = (command: Command) =>
  command
    .option('--ignore-path <path>', `leave out a path of the folder, as .git and ${signatureFile} are; may repeat`, {
      kind: 'file',
      isRepeated: true,
    })
    .option('--allow-symlinks', 'hash what symbolic links lead to, as in caches of the model hub')
    .option('--no-cache', 'read every file, even one that has not changed')
    .option('--jobs <n>', 'files that are read at once; by default one for each core', 'number')

/** What the command knows beside its options. */
export interface Given extends Pick<HashOptions, 'keep' | 'exclude' | 'ignorePaths' | 'allowSymlinks'> {
  /** Every byte is read: kept digests are good enough to register a model, not to check one. */
  readsEveryByte?: boolean
  /** The same, and nothing counts as a signature or as git's by its name: only what is given is left out. */
  isVerifying?: boolean
}

/** Hashes a file or a folder as its options say, with a bar while someone watches. */
export const hashPath = async (context: Context, flags: Flags, name: string, given: Given = {}): Promise<ModelHash> => {
  const { hashModel } = await import('@countersign/sdk/node')
  const cache = flags.all.cache === false || given.isVerifying || given.readsEveryByte ? {} : { cache: cacheFolder(context.env) }
  return watched({ context, flags, name, given }, (path, options) => hashModel(path, { ...options, ...cache }))
}

/** By other hashes, or piece by piece: of those nothing is kept. */
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
      context.out.warn(`--ignore-path ${each} leaves out nothing: there is no such path in ${name}, from which it is counted`)
  const progress = await startProgress('Hashing', context.isWatched)
  try {
    return await hash(path, {
      ...(keep && { keep }),
      ...(exclude && { exclude }),
      ignorePaths: [...(isVerifying || !isBundle(join(path, signatureFile)) ? [] : [signatureFile]), ...ignored, ...ignorePaths],
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

/** A file that is a bundle, and neither a link nor anything else of that name. */
const isBundle = (file: string): boolean => {
  try {
    const stats = lstatSync(file)
    return stats.isFile() && stats.size <= limits.bundleBytes && 'mediaType' in JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return false
  }
}

/** Where bundles lie that are no part of the model; what came from stdin lies nowhere. */
export const pathsOfBundles = (context: Context, bundles: readonly string[]): string[] =>
  bundles.filter((bundle) => bundle !== '-').map((bundle) => context.files.pathOf(bundle))

/** A mistyped path leaves nothing out, and the digest is another than was meant. */
const isIn = (folder: string, path: string) =>
  path.startsWith(join(folder, sep)) && lstatSync(path, { throwIfNoEntry: false }) !== undefined

const jobsOf = (flags: Flags): number | undefined => {
  const given = flags.text('jobs')
  if (given === undefined) return undefined
  const jobs = Number(given)
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= 64) return jobs
  throw usage(`--jobs must be a whole number from 1 to 64, not ${JSON.stringify(given)}`)
}

const isPathError = (error: unknown): error is ModelPathError => error instanceof Error && error.name === 'ModelPathError'

const hints = {
  MODEL_BROKEN_LINK: 'Finish the download, or leave it out with --ignore-path',
  MODEL_EMPTY: 'Name the folder that holds the model’s files',
  MODEL_LOOP: 'Leave it out with --ignore-path',
  MODEL_NAME: 'Rename it, or leave out the folder that it is in with --ignore-path',
  MODEL_SPECIAL: 'Leave it out with --ignore-path',
  MODEL_SYMLINK: 'Caches of the model hub hold nothing but links: add --allow-symlinks to hash what they lead to',
  MODEL_TOO_MANY_FILES: 'Leave out what is no part of the model with --ignore-path',
} as const satisfies Record<ModelPathErrorCode, string>
