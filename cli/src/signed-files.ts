import type { ModelStatement } from '@countersign/sdk/integrity'
import { createFlags, type Flags } from './command.ts'
import type { Context } from './context.ts'
import { Failure } from './failure.ts'
import { hashPath } from './hash-path.ts'

export interface SignedFiles {
  /** What the files have in common with a version: a single file's own digest, else the root digest of the list. */
  digest: string
  changed: string[]
  missing: string[]
  /** Here and not signed. */
  extra: string[]
}

/** Compares files with what a statement lists, by name and content; what the statement left out is left out. */
export const compareSigned = async (
  context: Context,
  flags: Flags,
  path: string,
  model: ModelStatement,
  bundle: string,
): Promise<SignedFiles> => {
  checkHashes(model)
  const { resources } = model
  const asSigned = createFlags({
    ...flags.all,
    ignorePath: [...flags.list('ignorePath'), ...model.ignore_paths],
    allowSymlinks: model.allow_symlinks || flags.isOn('allowSymlinks'),
  })
  const given = { keep: resources.map(({ name }) => name), exclude: [context.files.pathOf(bundle)] }
  const hash = await hashPath(context, asSigned, path, given)
  const [only] = hash.files
  // A single file is the same under another name.
  const found = hash.kind === 'file' && resources.length === 1 && only ? [{ ...only, name: resources[0]?.name ?? only.name }] : hash.files
  const here = new Map(found.map(({ name, digest }) => [name, digest.replace(/^sha256:/, '')]))
  const signed = new Set(resources.map(({ name }) => name))
  return {
    digest: hash.kind === 'file' ? hash.digest : model.root_digest,
    changed: resources.filter(({ name, digest }) => here.has(name) && here.get(name) !== digest).map(({ name }) => name),
    missing: resources.filter(({ name }) => !here.has(name)).map(({ name }) => name),
    extra: flags.isOn('ignoreUnsignedFiles') ? [] : [...here.keys()].filter((name) => !signed.has(name)),
  }
}

const checkHashes = ({ method, hash_type, resources }: ModelStatement) => {
  if (method === 'files' && resources.every(({ algorithm }) => algorithm === 'sha256')) return
  throw new Failure(
    'bundle_unsupported',
    9,
    `The bundle lists ${method === 'shards' ? 'pieces of files' : `files by ${hash_type}`}; files can be compared with SHA-256 of whole files only`,
    'Sign the model again with: countersign bundles sign',
  )
}
