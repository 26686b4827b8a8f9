import { type BigIntStats, promises as fs } from 'node:fs'
import { basename, join, relative, resolve, sep } from 'node:path'
import { gitPaths, isInside, isPrintable } from '../contract/file-name.ts'
import { limits } from '../contract/limits.ts'
import { ModelPathError } from './model-path-error.ts'

/** Which files of a folder belong to the model. */
export interface ListOptions {
  /** Ignored paths, relative to the model; a folder includes everything in it. */
  ignorePaths?: readonly string[] | undefined
  /** Whether to ignore `.git`, `.gitattributes`, `.github` and `.gitignore` at the top. Default true. */
  ignoreGitPaths?: boolean | undefined
  /** Files that never belong to the model, such as its signature. */
  exclude?: readonly string[] | undefined
  /** Names that belong to the model even if ignored: those in a signature. */
  keep?: readonly string[] | undefined
  /** Follow symbolic links, even out of the model. Default false. */
  allowSymlinks?: boolean | undefined
}

export interface ListedFile {
  /** Relative to the model, with `/`; for a single file, its own name. */
  name: string
  path: string
  stats: BigIntStats
}

interface Listed {
  kind: 'file' | 'directory'
  files: ListedFile[]
}

interface Rules {
  root: string
  isLeftOut(name: string, path: string): boolean
  mayHoldFiles(name: string): boolean
  allowSymlinks: boolean
}

/** The model's own path may be a link, which is followed. */
export const listModelFiles = async (
  path: string,
  options: ListOptions,
  signal: AbortSignal | undefined,
): Promise<Listed> => {
  const stats = await fs.stat(path, { bigint: true })
  if (stats.isFile()) return { kind: 'file', files: [{ name: checkName(basename(resolve(path)), path), path, stats }] }
  if (!stats.isDirectory()) throw new ModelPathError('MODEL_SPECIAL', path)
  const found: Found = { files: [], folders: 0 }
  await walk({ path, name: '', above: [identityOf(stats)] }, rulesOf(path, options), found, signal)
  if (found.files.length === 0) throw new ModelPathError('MODEL_EMPTY', path)
  return { kind: 'directory', files: found.files }
}

export const identityOf = ({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>) => `${dev}:${ino}`

const rulesOf = (root: string, options: ListOptions): Rules => {
  const { ignorePaths = [], ignoreGitPaths = true, exclude = [], keep = [], allowSymlinks = false } = options
  const isIgnored = ignoring([
    ...ignorePaths.map((path) => relativeName(root, path)),
    ...(ignoreGitPaths ? gitPaths : []),
  ])
  const excluded = new Set(exclude.map((path) => resolve(path)))
  const wanted = new Set(keep)
  const keptFolders = new Set(keep.flatMap(foldersOf))
  return {
    root,
    isLeftOut: (name, path) => !wanted.has(name) && (isIgnored(name) || excluded.has(resolve(path))),
    mayHoldFiles: (name) => !isIgnored(name) || keptFolders.has(name),
    allowSymlinks,
  }
}

/**
 * Exact paths; a folder includes everything in it. `cache` does not match `cache2`.
 *
 * @returns A function that says whether a path is one of them.
 * @example
 * ```ts
 * const isIgnored = ignoring(['cache'])
 * console.log(isIgnored('cache/a.bin'), isIgnored('cache2')) // true false
 * ```
 */
export const ignoring = (paths: readonly string[]): ((name: string) => boolean) => {
  const ignored = new Set(paths)
  return (name) => ignored.has(name) || foldersOf(name).some((folder) => ignored.has(folder))
}

/** `a/b` for `./a/b/`, and for an absolute path in the model. */
const relativeName = (root: string, path: string) => relative(root, resolve(root, path)).split(sep).join('/')

const foldersOf = (name: string) => {
  const parts = name.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

interface Folder {
  path: string
  name: string
  /** The path and all its parent folders. */
  above: readonly string[]
}

interface Found {
  files: ListedFile[]
  /** With links followed, a few that lead to each other can form a thousand paths into the same folder. */
  folders: number
}

// Enough to keep the file system busy with little memory.
const atOnce = 64

const walk = async (folder: Folder, rules: Rules, found: Found, signal: AbortSignal | undefined): Promise<void> => {
  signal?.throwIfAborted()
  // As bytes, because decoding would change names that are not UTF-8.
  const names = await fs.readdir(folder.path, { encoding: 'buffer' })
  const folders: Folder[] = []
  for (let start = 0; start < names.length; start += atOnce) {
    signal?.throwIfAborted()
    const entries = await Promise.all(names.slice(start, start + atOnce).map((bytes) => look(folder, bytes, rules)))
    for (const entry of entries) {
      if (entry === undefined) continue
      if ('above' in entry) folders.push(entry)
      else found.files.push(entry)
    }
    checkCounts(found, folders.length, rules)
  }
  found.folders += folders.length
  for (const each of folders) await walk(each, rules, found, signal)
}

const checkCounts = ({ files, folders }: Found, more: number, { root }: Rules) => {
  const what = files.length > limits.modelFiles ? 'files' : folders + more > limits.modelFiles ? 'folders' : undefined
  if (what) throw new ModelPathError('MODEL_TOO_MANY_FILES', root, `More than ${limits.modelFiles} ${what}`)
}

const look = async (folder: Folder, bytes: Buffer, rules: Rules): Promise<ListedFile | Folder | undefined> => {
  const own = readName(bytes, folder.path)
  const path = join(folder.path, own)
  const name = folder.name === '' ? own : `${folder.name}/${own}`
  const isLeftOut = rules.isLeftOut(name, path)
  if (isLeftOut && !rules.mayHoldFiles(name)) return undefined
  if (!isLeftOut) checkName(own, path)
  let stats = await fs.lstat(path, { bigint: true })
  if (stats.isSymbolicLink()) {
    if (isLeftOut) return undefined
    if (!rules.allowSymlinks) throw new ModelPathError('MODEL_SYMLINK', path)
    stats = await follow(path)
  }
  if (stats.isDirectory()) {
    if (folder.above.includes(identityOf(stats))) throw new ModelPathError('MODEL_LOOP', path)
    return { path, name, above: [...folder.above, identityOf(stats)] }
  }
  if (isLeftOut) return undefined
  if (!stats.isFile()) throw new ModelPathError('MODEL_SPECIAL', path)
  return { name, path, stats }
}

const follow = async (path: string): Promise<BigIntStats> => {
  try {
    return await fs.stat(path, { bigint: true })
  } catch (error) {
    const isBroken = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ELOOP')
    throw isBroken ? new ModelPathError('MODEL_BROKEN_LINK', path) : error
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const readName = (bytes: Buffer, folder: string): string => {
  try {
    return strict.decode(bytes)
  } catch {
    throw new ModelPathError(
      'MODEL_NAME',
      join(folder, bytes.toString('latin1').replace(/[^ -~]/g, escaped)),
      'The name is not UTF-8',
    )
  }
}

const checkName = (name: string, path: string): string => {
  if (!isPrintable(name))
    throw new ModelPathError('MODEL_NAME', path.replace(/\p{Cc}/gu, escaped), 'The name has a control character')
  if (!isInside(name)) throw new ModelPathError('MODEL_NAME', path, 'The name is not portable to other systems')
  return name
}

const escaped = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
