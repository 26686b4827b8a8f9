import { basename, resolve } from 'node:path'
import type { ModelToSign, SignedAlgorithm } from '@countersign/sdk/integrity'
import { addOptions, type Command, createFlags, type Flags } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { hashPath, hashPathInPieces, signatureFile } from '../../files/hash-path.ts'

/** How to list a model other than by whole files and SHA-256. */
export const addListOptions = (command: Command) =>
  addOptions(command, [
    [
      '--hash <algorithm>',
      'digest of each file: sha256 (default), blake2b or blake3; the registry lists files by sha256',
      'text',
    ],
    ['--shard-size <bytes>', 'hash and list files in pieces of this length', 'number'],
  ])

interface Listing {
  algorithm: SignedAlgorithm
  shardSize?: number
}

const algorithms: readonly SignedAlgorithm[] = ['sha256', 'blake2b', 'blake3']

export const listingOf = (flags: Flags): Listing => {
  const [name = 'sha256', size] = [flags.text('hash'), flags.text('shardSize')]
  const algorithm = algorithms.find((each) => each === name)
  if (algorithm === undefined) throw usage(`--hash must be ${algorithms.join(', ')}, not ${JSON.stringify(name)}`)
  if (size === undefined) return { algorithm }
  const shardSize = Number(size)
  if (/^\d+$/.test(size) && Number.isSafeInteger(shardSize) && shardSize > 0) return { algorithm, shardSize }
  throw usage(`--shard-size must be a whole number of bytes, not ${JSON.stringify(size)}`)
}

/** Whether the registry can list the files this way. */
export const isRegistrable = ({ algorithm, shardSize }: Listing): boolean =>
  algorithm === 'sha256' && shardSize === undefined

export interface FoundModel {
  model: ModelToSign
  bytes: number
  /** A single file's own SHA-256 if it is listed by that; otherwise the root digest of the list. */
  digest: string
}

/** Hashes a model with the chosen list options. `output`, where its bundle goes, is not part of it. */
export const findModel = async (context: Context, flags: Flags, path: string, output: string): Promise<FoundModel> => {
  const { gitPaths } = await import('@countersign/sdk/node')
  const listing = listingOf(flags)
  const { kind, bytes, files, digest } = await hashAs(context, flags, path, output, listing)
  const ignorePaths =
    kind === 'directory' ? [...new Set([...gitPaths, signatureFile, ...flags.list('ignorePath')])] : []
  const model: ModelToSign = {
    ...listing,
    name: basename(resolve(context.files.pathOf(path))),
    files,
    ignorePaths,
    allowSymlinks: flags.isOn('allowSymlinks'),
  }
  return { model, bytes, digest }
}

/** More than a bundle can list. */
const maxPieces = 50_000

const hashAs = async (context: Context, flags: Flags, path: string, output: string, listing: Listing) => {
  const given = createFlags(flags.all)
  if (isRegistrable(listing)) return hashPath(context, given, path, { exclude: [output] })
  const { byCodePoints, rootDigest } = await import('@countersign/sdk/node')
  const { algorithm, shardSize } = listing
  let total = 0
  const { kind, files } = await hashPathInPieces(context, given, path, {
    exclude: [output],
    algorithm,
    ...(shardSize !== undefined && { pieceBytes: shardSize }),
    isWanted: (_, pieces) => {
      total += pieces
      if (total <= maxPieces) return true
      throw usage(
        `With --shard-size ${shardSize} there are more than ${maxPieces.toLocaleString('en')} pieces to list`,
        'Use a larger --shard-size',
      )
    },
  })
  const empty = files.find(({ digests }) => digests?.length === 0)
  if (empty)
    throw usage(
      `${empty.name} is empty, so it has no piece to sign`,
      'Sign whole files, without --shard-size, or ignore it with --ignore-path',
    )
  const listed = files.flatMap(({ name, size, digests }) =>
    (digests ?? []).map((digest, index) => ({
      name: shardSize === undefined ? name : pieceName(name, index, shardSize, size),
      digest,
    })),
  )
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return { kind, bytes, files: listed, digest: rootDigest(listed.toSorted(byCodePoints)) }
}

const pieceName = (name: string, index: number, shardSize: number, size: number) =>
  `${name}:${index * shardSize}:${Math.min((index + 1) * shardSize, size)}`
