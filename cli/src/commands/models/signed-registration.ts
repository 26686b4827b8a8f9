import { createHash } from 'node:crypto'
import type { Countersign } from '@countersign/sdk'
import type { BundleRecord, ModelFile, NewModel, UploadedBundle } from '@countersign/sdk/contract'
import type { ModelHash } from '@countersign/sdk/node'
import type { z } from 'zod'
import type { Flags } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure } from '../../failure.ts'
import { hashPath } from '../../files/hash-path.ts'
import { asSigned, isByWholeFiles } from '../../files/signed-files.ts'
import { shownFile } from '../../render/quotation.ts'
import { shellWord } from '../../render/shell-word.ts'

/** Files that a bundle ignored when it was signed, and the bundle itself, are not part of the model. */
export const hashSigned = async (context: Context, flags: Flags, path: string): Promise<ModelHash> => {
  const bundle = flags.text('bundle')
  if (bundle === undefined || bundle === '-') return hashPath(context, flags, path)
  const { readModelSigning } = await import('@countersign/sdk/integrity')
  const signing = readModelSigning(await context.files.read(bundle))
  const exclude = [context.files.pathOf(bundle)]
  if (signing.state === 'invalid') return hashPath(context, flags, path, { exclude })
  if (!isByWholeFiles(signing.model)) throw otherList(bundle)
  const { resources } = signing.model
  return hashPath(context, flags, path, {
    ...asSigned(signing.model),
    exclude,
    keep: resources.map(({ name }) => name),
  })
}

/** A list of whole files never produces the bundle's digest, so the bundle would be for another model. */
const otherList = (bundle: string) =>
  new Failure(
    'bundle_unsupported',
    2,
    `${bundle} lists pieces of files, or hashes other than SHA-256; the registry lists whole files by SHA-256`,
    'Sign the model again with: countersign bundles sign. Or register the signed digest with --digest',
  )

type Digested = Partial<Pick<z.input<typeof NewModel>, 'model_digest' | 'model_files'>>

/**
 * The digest and files of a registration in the order of its bundle (signers disagree on the order), without the files it
 * ignored. A bundle over other files can never be valid for the version, so report the differences before registering.
 */
export const asBundleLists = async (bundle: UploadedBundle, { model_files }: Digested): Promise<Digested> => {
  if (model_files === undefined) return {}
  const { readModelSigning } = await import('@countersign/sdk/integrity')
  const signing = readModelSigning(JSON.stringify(bundle))
  if (signing.state === 'invalid' || !isByWholeFiles(signing.model)) return {}
  const { resources, ignore_paths } = signing.model
  const [only] = model_files
  // A single file may have another name and has its own digest.
  if (model_files.length === 1 && resources.length === 1 && only) {
    refuseOthers([{ name: only.name, digest: resources[0]?.digest ?? '' }], [only])
    return {}
  }
  const { ignoring, rootDigest } = await import('@countersign/sdk/node')
  const isLeftOut = ignoring(ignore_paths)
  const listed = new Set(resources.map(({ name }) => name))
  const files = new Map(
    model_files.filter(({ name }) => listed.has(name) || !isLeftOut(name)).map((file) => [file.name, file]),
  )
  refuseOthers(resources, [...files.values()])
  const ordered = resources.flatMap(({ name }) => files.get(name) ?? [])
  return { model_files: ordered, model_digest: rootDigest(ordered.map(({ sha256 }) => ({ digest: sha256 }))) }
}

const shownDifferences = 20

const refuseOthers = (signed: readonly { name: string; digest: string }[], files: readonly ModelFile[]) => {
  const here = new Map(files.map(({ name, sha256 }) => [name, sha256]))
  const names = new Set(signed.map(({ name }) => name))
  const differences = [
    ...signed
      .filter(({ name, digest }) => here.has(name) && here.get(name) !== digest)
      .map(({ name }) => `changed  ${shownFile(name)}`),
    ...signed.filter(({ name }) => !here.has(name)).map(({ name }) => `missing  ${shownFile(name)}`),
    ...files.filter(({ name }) => !names.has(name)).map(({ name }) => `extra    ${shownFile(name)}`),
  ]
  if (differences.length === 0) return
  const shown = [
    ...differences.slice(0, shownDifferences),
    ...(differences.length > shownDifferences ? ['and more'] : []),
  ]
  throw new Failure(
    'digest_mismatch',
    3,
    `Nothing was registered: these are not the files that the bundle signs\n${shown.join('\n')}`,
    'Get the files again from their source, or sign these with: countersign bundles sign PATH',
  )
}

export const giveBundle = async (
  context: Context,
  client: Countersign,
  id: string,
  bundle: UploadedBundle,
): Promise<BundleRecord> => {
  try {
    return await client.bundles.upload(id, bundle)
  } catch (error) {
    context.out.warn(
      `The version is registered as ${id}, without this bundle. Upload it with: countersign bundles upload ${shellWord(id)} FILE`,
    )
    throw error
  }
}

/** Uploads the bundle to an existing version, unless the registry has verified exactly this bundle. */
export const ensureBundle = async (
  context: Context,
  client: Countersign,
  id: string,
  bundle: UploadedBundle,
): Promise<BundleRecord> => {
  const record = await client.bundles.status(id)
  const isVerified = record.bundle_status === 'verified' && record.verification_status === 'completed'
  return isVerified && record.bundle_sha256 === sha256OfStored(bundle)
    ? record
    : giveBundle(context, client, id, bundle)
}

/** The registry stores an upload as its JSON. */
const sha256OfStored = (bundle: UploadedBundle) => createHash('sha256').update(JSON.stringify(bundle)).digest('hex')
