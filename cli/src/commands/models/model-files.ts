import { basename } from 'node:path/posix'
import { limits, type Model, type ModelFile, mayBeDigests } from '@countersign/sdk/contract'
import type { ModelHash } from '@countersign/sdk/node'
import { quoteFile } from '@countersign/sdk/words'
import { type Call, type Command, example } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { compareFiles, type FileDifferences, hasDifferences } from '../../files/compare-files.ts'
import { addHashOptions, findIgnored, hashPath } from '../../files/hash-path.ts'
import { writeWhole } from '../../io/files.ts'
import { formatBytes } from '../../io/progress.ts'
import { connectToRead, getOwnModel, isModelId } from '../../registry/own-model.ts'
import type { Paint } from '../../render/output.ts'
import { modelLabel, shownFile } from '../../render/quotation.ts'
import { type ModelState, stateOf } from './model-state.ts'

/** The files of a model, on this machine and in the registry. */
export const declareModelFiles = (models: Command) => {
  const digest = addHashOptions(
    models
      .command('digest')
      .summary('Print the digest of a file or folder')
      .description(
        'Reads a model of any size and prints its digest: the SHA-256 of a file, or the root digest of a folder (OpenSSF Model Signing). Nothing leaves this machine.',
      )
      .argument('<path>', 'the model: a file or a folder', 'file')
      .option('--manifest <file>', 'also write the digest and the list of files there, as JSON', 'file'),
  ).action(async (context, { args: [path = ''], flags }) => {
    const manifest = flags.text('manifest')
    const output = manifest === undefined ? undefined : context.files.pathOf(manifest)
    // A manifest inside the listed folder would be part of the next list.
    const hash = await hashPath(context, flags, path, output === undefined ? {} : { exclude: [output] })
    if (output !== undefined) writeWhole(output, `${JSON.stringify(hash, null, 2)}\n`)
    context.out.print({ value: hash, ids: [hash.digest], text: () => `${hash.digest}  ${path}` })
  })
  example(digest, 'models digest model.safetensors --json', 'models digest ./tiny --manifest tiny.json')

  const check = addHashOptions(
    models
      .command('check')
      .summary('Check files against a registered version')
      .description(
        'Hashes a model and compares it with a registered version, file by file if the registry has the list of files. Names the paths that it does not compare, such as .git and .github. Exits 0 if everything else matches, 3 if anything differs, the version was withdrawn or its signature is invalid, and 9 if it could not be compared: also if a folder has the registered bytes, but the registry has no list of files to compare their names with.',
      )
      .verdicts(3, 9)
      .argument('<path>', 'the model: a file or a folder', 'file')
      .option('--model <model>', 'mdl_…, or your identifier for its latest version', 'model'),
  ).action(checkModel)
  example(check, 'models check ./tiny --model mdl_06dh0e3x7c9bw4vjz2n8qk5ytm')
}

interface Comparison extends FileDifferences {
  /** `unnamed`: the bytes are registered, but the registry has no list of files, so their names could not be compared. */
  result: 'same' | 'unnamed' | 'different'
  model_id: string
  api_model_identifier: string
  version: string
  /** The proven domain of the provider that registered it; null without one. */
  provider_domain: string | null
  state: ModelState
  bundle_status: Model['bundle_status']
  /** Whether the registry knows the files, or only the digest of the whole. */
  compared: 'files' | 'digest'
  registered_digest: string
  digest: string
  /** The registered name of a single file that has another name here. */
  registered_name: string | null
  /** Present but not compared: paths that registering ignores as well. */
  ignored: string[]
}

const exits = { same: 0, different: 3, unnamed: 9 } as const

/** Files that are as registered can still be files that no one should use. */
const exitOfComparison = ({ result, state, bundle_status }: Comparison) =>
  state === 'withdrawn' || bundle_status === 'invalid' ? 3 : exits[result]

const checkModel = async (context: Context, { args: [path = ''], flags }: Call) => {
  const named = flags.text('model')
  if (named === undefined)
    throw usage('Missing: --model', 'Name the version to compare with: mdl_…, or your identifier')
  const { model, registered } = await readRegistered(context, named)
  const keep = registered.map(({ name }) => name)
  const hash = await hashPath(context, flags, path, { keep, readsEveryByte: true })
  const ignored = await findIgnored(context, flags, path, keep)
  const value = { ...(await compare(model, registered, hash)), ignored }
  context.out.print({
    value,
    ids: [...value.changed.map(({ name }) => name), ...value.missing, ...value.extra],
    text: (paint) => describe(value, hash, paint),
  })
  return exitOfComparison(value)
}

const readRegistered = async (context: Context, named: string) => {
  const client = await connectToRead(context, named)
  const model = isModelId(named) ? await client.models.get(named) : await getOwnModel(context, client, named)
  const { model_digest } = model
  if (model_digest === null) {
    throw new Failure(
      'digest_missing',
      9,
      `${modelLabel(model)} was registered without a digest, so there is nothing to compare with`,
      'Its provider can register the next version with: countersign models register PATH --new-version',
    )
  }
  const registered = await client.models.files(model.id, { limit: limits.maxFilePageSize }).toArray()
  await checkList(registered, model_digest)
  return { model: { ...model, model_digest }, registered }
}

/** Links vouch for the digest; a list that doesn't produce it is worthless. */
const checkList = async (registered: readonly ModelFile[], model_digest: string) => {
  if (registered.length === 0) return
  const { inOrderOf } = await import('@countersign/sdk/node')
  if (inOrderOf(registered.map(digested), model_digest)) return
  throw new Failure(
    'files_digest_mismatch',
    9,
    'The registry’s list of files does not match the digest that it reports; neither can be trusted',
    'Tell the operator of the registry',
  )
}

const digested = (file: ModelFile) => ({ ...file, digest: file.sha256 })

const compare = async (
  model: Model & { model_digest: string },
  registered: readonly ModelFile[],
  { digest, files, kind, bytes }: ModelHash,
): Promise<Omit<Comparison, 'ignored'>> => {
  const facts = {
    model_id: model.id,
    api_model_identifier: model.api_model_identifier,
    version: model.version,
    provider_domain: model.provider_domain_verified ? (model.provider_domain ?? null) : null,
    state: stateOf(model),
    bundle_status: model.bundle_status,
    registered_digest: model.model_digest,
    digest,
    registered_name: null,
  }
  const [only] = registered
  // A single file may have another name.
  const isAlone = kind === 'file' && registered.length === 1 && only !== undefined
  const name = files[0]?.name ?? only?.name ?? ''
  const listed = isAlone ? [{ ...only, name }] : registered
  const registered_name = isAlone && basename(only.name) !== name ? only.name : null
  if (listed.length > 0) {
    const differences = compareFiles(listed, files)
    const result = hasDifferences(differences) ? 'different' : 'same'
    return { result, ...facts, compared: 'files', registered_name, ...differences }
  }
  const { inOrderOf } = await import('@countersign/sdk/node')
  const isSame = inOrderOf(files, model.model_digest) !== undefined
  // A folder's digest covers no names, and under another name a text can become code.
  const result = !isSame ? 'different' : kind === 'file' && !mayBeDigests(bytes) ? 'same' : 'unnamed'
  return { result, ...facts, compared: 'digest', changed: [], missing: [], extra: [] }
}

/** What equal files do not show: that someone trustworthy registered them, and that they may still be used. */
const warningsOf = ({ provider_domain, state, bundle_status, registered_name }: Comparison) => [
  ...(registered_name === null ? [] : [`It is registered under another name: ${quoteFile(registered_name)}.`]),
  ...(provider_domain === null
    ? ['Its provider has not proven a domain: anyone can register any files under any name.']
    : []),
  ...(bundle_status === 'invalid' ? ['The signature of this version is invalid: do not trust these files.'] : []),
  ...(state === 'withdrawn' ? ['Its provider has withdrawn this version.'] : []),
  ...(state === 'superseded' ? ['A newer version has been registered.'] : []),
]

/** Ignored paths may hold anything, so say how much is the same. */
const describeSame = ({ result, ignored }: Comparison, { files: { length }, bytes }: ModelHash) => {
  const size = formatBytes(bytes)
  if (result === 'unnamed') return `${length} file${length === 1 ? '' : 's'}, ${size}, with the registered digest`
  if (ignored.length === 0) return `${length} file${length === 1 ? '' : 's'}, ${size}, as registered`
  return length === 1
    ? `the only compared file, ${size}, is as registered`
    : `the ${length} compared files, ${size}, are as registered`
}

const describeIgnored = ({ ignored }: Comparison) =>
  ignored.length === 0
    ? []
    : [`Not compared: ${ignored.map(shownFile).join(', ')}. Code in these paths could still be loaded.`]

const describe = (comparison: Comparison, hash: ModelHash, paint: Paint) => {
  const { result, compared, changed, missing, extra, registered_digest, digest } = comparison
  const { provider_domain } = comparison
  const who = provider_domain === null ? 'an unverified provider' : provider_domain
  const label = `${modelLabel(comparison)} by ${who}`
  const onlyWhole =
    'The registry has only the digest of the whole, not the list of files, so only the whole was compared.'
  if (result !== 'different') {
    const head = result === 'same' ? paint.green('Same') : paint.yellow('Same digest, files not compared')
    return [
      `${head}: ${describeSame(comparison, hash)} for ${label}`,
      ...[...warningsOf(comparison), ...describeIgnored(comparison)].map(paint.yellow),
      ...(result === 'unnamed'
        ? [
            `${onlyWhole} ${hash.kind === 'file' ? 'A file of this size could hold the digests of a folder’s files.' : 'A file could have another name, under which it acts differently.'}`,
          ]
        : []),
    ].join('\n')
  }
  const head = `${paint.red('Different')}: this does not match ${label} as registered`
  if (compared === 'digest')
    return [
      head,
      `registered  ${registered_digest}`,
      `found       ${digest}`,
      onlyWhole,
      ...describeIgnored(comparison),
    ].join('\n')
  return [
    head,
    ...changed.map(
      ({ name, registered, found }) =>
        `  changed  ${shownFile(name)}${registered.size === found.size ? '' : ` (${registered.size} bytes registered, ${found.size} found)`}`,
    ),
    ...missing.map((name) => `  missing  ${shownFile(name)}`),
    ...extra.map((name) => `  extra    ${shownFile(name)}`),
    ...describeIgnored(comparison),
  ].join('\n')
}
