import { lstatSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import type { ModelStatement } from '@countersign/sdk/integrity'
import type { PieceAlgorithm } from '@countersign/sdk/node'
import type { Flags } from '../args/command.ts'
import type { Context } from '../context.ts'
import { Failure } from '../failure.ts'
import { type Given, hashPath, hashPathInPieces, pathsOfBundles, signatureFile } from './hash-path.ts'

export interface SignedFiles {
  /** What the files share with a version: a single file's own digest, or the root digest of the list. */
  digest: string
  changed: string[]
  missing: string[]
  /** Present but not signed. */
  extra: string[]
  /** Present but neither signed nor compared: paths that the signer or the caller ignored, and bundles under unusual names. */
  left_out: string[]
  /** The signed name of a single file that has another name here. */
  signed_name: string | null
}

/** What this bundle signs in a folder, by name: signers of different files don't sign the same model. */
export interface ComparedFiles extends SignedFiles {
  names: string[]
}

/** Compares files with those that a statement lists, by name and content, skipping what the statement ignored. */
export const compareSigned = async (
  context: Context,
  flags: Flags,
  path: string,
  model: ModelStatement,
  bundles: readonly string[],
): Promise<ComparedFiles> => {
  const signed = contentsOf(model)
  const { ignorePaths = [], allowSymlinks } = asSigned(model)
  const given: Given = {
    // Signers record the usual name of a signature, even if something else has that name today.
    ignorePaths: ignorePaths.filter((ignored) => ignored !== signatureFile),
    ...(allowSymlinks !== undefined && { allowSymlinks }),
    keep: [...signed.keys()],
    exclude: pathsOfBundles(context, bundles),
    isVerifying: true,
  }
  const { kind, digest, files } = await findContents({ context, flags, path, model, signed, given })
  const [only] = files
  const [name] = signed.keys()
  // A single file may have another name.
  const isAlone = kind === 'file' && signed.size === 1 && only !== undefined && name !== undefined
  const found = isAlone ? [{ ...only, name }] : files
  const here = new Map(found.map((file) => [file.name, file.content]))
  const unsigned = found.filter((file) => !signed.has(file.name)).map((file) => file.name)
  const isIgnored = flags.isOn('ignoreUnsignedFiles')
  const leftOut = [...(given.ignorePaths ?? []), ...flags.list('ignorePath')]
  const root = context.files.pathOf(path)
  return {
    digest,
    changed: [...signed]
      .filter(([each, content]) => here.has(each) && here.get(each) !== content)
      .map(([each]) => each),
    missing: [...signed.keys()].filter((each) => !here.has(each)),
    extra: isIgnored ? [] : unsigned,
    left_out: [
      ...new Set([
        ...(kind === 'directory' ? findLeftOut(root, leftOut, given.exclude ?? []) : []),
        ...(kind === 'directory' ? findUnusual(root, given.exclude ?? []) : []),
        ...(isIgnored ? unsigned : []),
      ]),
    ],
    signed_name: isAlone && only.name !== name ? name : null,
    names: kind === 'directory' ? [...signed.keys()] : [],
  }
}

/** Ignored paths that exist in the folder, except given bundles, which are not part of the model. */
const findLeftOut = (root: string, paths: readonly string[], bundles: readonly string[]): string[] =>
  paths
    .map((each) => resolve(root, each))
    .filter((path) => path.startsWith(`${root}${sep}`) && !bundles.includes(path) && exists(path))
    .map((path) => relative(root, path).split(sep).join('/'))

const usualBundle = /\.(sig|sigstore|sigstore\.json)$/

/** Given bundles that a program may load as something else: a bundle's own bytes are not signed, and its JSON may have any members. */
const findUnusual = (root: string, bundles: readonly string[]): string[] =>
  bundles
    .filter((path) => path.startsWith(`${root}${sep}`) && !usualBundle.test(path))
    .map((path) => relative(root, path).split(sep).join('/'))

/** A bundle may claim to ignore anything, such as a path that no system can have. */
const exists = (path: string): boolean => {
  try {
    return lstatSync(path) !== undefined
  } catch {
    return false
  }
}

/** Ignore the same paths and treat links the same way as when it was signed. */
export const asSigned = ({ ignore_paths, allow_symlinks }: ModelStatement): Given => ({
  ignorePaths: ignore_paths,
  allowSymlinks: allow_symlinks,
})

/** Whether the statement lists files as this registry does: whole, each by its SHA-256. */
export const isByWholeFiles = ({ method, resources }: ModelStatement): boolean =>
  method === 'files' && resources.every(({ algorithm }) => algorithm === 'sha256')

/** What changes with a file: its digest, or those of its pieces with their ends. */
type Content = string

const pieceName = /^(.+):(\d+):(\d+)$/s

const contentsOf = (model: ModelStatement): Map<string, Content> => {
  if (model.method === 'files') return new Map(model.resources.map(({ name, digest }) => [name, digest]))
  const pieces = new Map<string, { end: number; text: string }[]>()
  for (const { name, digest } of model.resources) {
    const [, file, start, end] = pieceName.exec(name) ?? []
    if (file === undefined) throw uncomparable('pieces of files that do not say which')
    const known = pieces.get(file) ?? []
    pieces.set(file, known)
    known.push({ end: Number(end), text: `${start}:${end}:${digest}` })
  }
  // Signers do not agree on an order of pieces.
  const joined = (known: { end: number; text: string }[]) => known.sort((a, b) => a.end - b.end).map(({ text }) => text)
  return new Map([...pieces].map(([file, known]) => [file, joined(known).join()]))
}

interface Search {
  context: Context
  flags: Flags
  path: string
  model: ModelStatement
  signed: ReadonlyMap<string, Content>
  given: Given
}

interface Found {
  kind: 'file' | 'directory'
  digest: string
  /** An empty file listed in pieces has no content, so nothing of it is signed. */
  files: { name: string; content: Content }[]
}

const findContents = async ({ context, flags, path, model, signed, given }: Search): Promise<Found> => {
  if (isByWholeFiles(model)) {
    const { kind, digest, files } = await hashPath(context, flags, path, given)
    const found = files.map((file) => ({ name: file.name, content: file.digest.replace(/^sha256:/, '') }))
    return { kind, digest: kind === 'file' ? digest : model.root_digest, files: found }
  }
  const { algorithm, pieceBytes } = await piecesOf(model)
  const countIn = (content: Content | undefined) => (content === undefined ? 0 : content.split(',').length)
  const most = Math.max(...[...signed.values()].map(countIn))
  const { kind, files } = await hashPathInPieces(context, flags, path, {
    ...given,
    algorithm,
    ...(pieceBytes !== undefined && { pieceBytes }),
    // A single file may have another name.
    isWanted: (name, pieces) => pieces <= (signed.has(name) ? countIn(signed.get(name)) : most),
  })
  const found = files.map(({ name, size, digests }) => ({ name, content: contentOf({ size, digests, pieceBytes }) }))
  return { kind, digest: model.root_digest, files: found }
}

const contentOf = ({
  size,
  digests,
  pieceBytes,
}: {
  size: number
  digests: string[] | null
  pieceBytes: number | undefined
}): Content => {
  if (digests === null) return 'unread'
  if (pieceBytes === undefined) return digests.join()
  return digests
    .map((digest, index) => `${index * pieceBytes}:${Math.min((index + 1) * pieceBytes, size)}:${digest}`)
    .join()
}

const piecesOf = async ({
  method,
  shard_size,
  resources,
}: ModelStatement): Promise<{ algorithm: PieceAlgorithm; pieceBytes?: number }> => {
  const { isPieceAlgorithm } = await import('@countersign/sdk/node')
  const [algorithm = '', ...others] = new Set(
    resources.map((resource) => resource.algorithm.replace(/-sharded-\d+$/, '')),
  )
  if (others.length > 0) throw uncomparable('files by several hashes')
  if (!isPieceAlgorithm(algorithm)) throw uncomparable(`files by ${algorithm}`)
  if (method === 'files') return { algorithm }
  if (shard_size === null) throw uncomparable('pieces of files without their size')
  return { algorithm, pieceBytes: shard_size }
}

const uncomparable = (what: string) =>
  new Failure(
    'bundle_unsupported',
    9,
    `The bundle lists ${what}, which cannot be compared here`,
    'Sign the model again with: countersign bundles sign',
  )
