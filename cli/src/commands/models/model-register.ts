import { statSync } from 'node:fs'
import { ConflictError, type Countersign, type ModelRegistration } from '@countersign/sdk'
import {
  type BundleRecord,
  type ExistingModel,
  haveSameFiles,
  hexOf,
  limits,
  type Model,
  NewModel,
  type RegisteredModel,
} from '@countersign/sdk/contract'
import type { ModelHash } from '@countersign/sdk/node'
import { quote } from '@countersign/sdk/words'
import type { z } from 'zod'
import { addDryRun, type Call, type Command, example, type Flags } from '../../args/command.ts'
import { isGivenIn } from '../../args/option-names.ts'
import { checkBy, required } from '../../args/required.ts'
import type { Context } from '../../context.ts'
import { Failure, usage } from '../../failure.ts'
import { addHashOptions } from '../../files/hash-path.ts'
import { findLatest, noModel } from '../../registry/own-model.ts'
import { printRequest } from '../../registry/request.ts'
import { facts } from '../../render/output.ts'
import { modelLabel } from '../../render/quotation.ts'
import { fieldErrors } from '../../render/report.ts'
import { shellWord } from '../../render/shell-word.ts'
import { shownTime } from '../../render/shown-time.ts'
import { readBundleFile } from '../bundles/bundle-file.ts'
import { sayRegistryHint } from '../bundles/bundle-hint.ts'
import { describeRecord, exitOfRecord } from '../bundles/bundle-verdict.ts'
import { aboutField, addModelOptions, readModelInput } from './model-fields.ts'
import { asBundleLists, ensureBundle, giveBundle, hashSigned } from './signed-registration.ts'

export const declareRegister = (models: Command) => {
  const register = addDryRun(
    addModelOptions(
      addHashOptions(
        models
          .command('register')
          .summary('Register a model, or its next version')
          .description(
            'Hashes a model, a file or a folder of any size, and registers it with its digest and list of files. With --hf, registers a model from the hub without downloading it. With neither, registers without a digest.',
          )
          .verdicts(3, 9)
          .argument('[path]', 'the model: a file or a folder', 'file')
          .option('--hf <model>', 'ORG/NAME[@REVISION] of a model on the hub (HF_TOKEN, HF_ENDPOINT)', 'text'),
      )
        .option(
          '--bundle <file>',
          'signed bundle of the model; it is checked at once; exits 3 if it is not verified, or your company has not proven a domain',
          'file',
        )
        .option(
          '--if-not-exists',
          'accept an existing version with the same content, and give it the bundle that it lacks; exit 3 if its bundle is invalid, 6 if the content differs or the version was withdrawn, 9 if file names cannot be compared',
        ),
    ),
  ).action(registerModel)
  example(
    register,
    'models register tiny.gguf --identifier tiny --display-name "Tiny" --endpoint https://api.acme.example/v1 --description "A small model for chat"',
    'models register --hf acme/tiny@main --endpoint https://api.acme.example/v1',
  )
}

type Input = z.input<typeof NewModel>
type DigestSource = NonNullable<Input['digest_source']>

/** What a model requires, and what a new version takes over from the previous one. */
const repeated = [
  ['displayName', 'display_name', 'Display name', aboutField('display_name')],
  ['endpoint', 'endpoint', 'Endpoint', aboutField('endpoint')],
  ['description', 'description', 'Description', aboutField('description')],
] as const

/** Where the digest and files come from, and which fields they provide. */
interface Source {
  fields: Partial<Input>
  /** Fields that don't have to be asked for. */
  names: Partial<Record<string, string>>
  read(): Promise<Partial<Input>>
}

const sourceOf = async (context: Context, path: string | undefined, flags: Flags): Promise<Source> => {
  const [hub, stated] = [flags.text('hf'), flags.text('digest')]
  if ([path, hub, stated].filter((each) => each !== undefined).length > 1)
    throw usage('A path, --hf and --digest cannot be used together')
  if (hub !== undefined) return ofHub(context, hub, flags)
  if (path !== undefined) {
    // Before any question: a model that is not there cannot be registered.
    statSync(context.files.pathOf(path))
    return { fields: {}, names: {}, read: async () => hashedFields(await hashSigned(context, flags, path)) }
  }
  const fields =
    stated === undefined
      ? {}
      : { model_digest: stated, digest_source: (flags.text('digestSource') ?? 'stated') as DigestSource }
  return { fields, names: {}, read: async () => fields }
}

const hashedFields = ({ digest, files }: ModelHash): Partial<Input> => ({
  model_digest: digest,
  digest_source: 'local-bytes',
  model_files: files.map(({ name, size, digest }) => ({ name, size, sha256: digest.slice(-64) })),
})

/** Read the files first: they show whether there is a card and what it says. */
const ofHub = async (context: Context, address: string, flags: Flags): Promise<Source> => {
  const hub = await import('../../hub/index.ts')
  const { byCodePoints, rootDigest } = await import('@countersign/sdk/node')
  const { endpoint, model, readFiles } = await hub.openHubModel(context, address, flags.list('ignorePath'))
  const { files, fetched, readme } = await readFiles()
  const model_files = files.toSorted(byCodePoints)
  const model_digest = rootDigest(model_files.map(({ sha256 }) => ({ digest: sha256 })))
  context.out.say(
    `Read ${model.id} at commit ${model.sha}: ${files.length} file${files.length === 1 ? '' : 's'}, of which ${fetched} had to be downloaded for hashing`,
  )
  if (model.isPrivate && !flags.isOn('private'))
    context.out.warn(
      `${model.id} is private on the hub, but this registration is public. Use --private so that only you see it`,
    )
  return {
    fields: hub.fieldsOfHub(model, endpoint, readme !== undefined),
    names: { ...hub.namesOfHub(model), description: hub.describeHub(model, readme) },
    read: async () => ({ model_digest, digest_source: 'hub-metadata', model_files }),
  }
}

const registerModel = async (context: Context, { args: [path], flags }: Call) => {
  const identifier = ['identifier', 'api_model_identifier', 'Identifier', aboutField('api_model_identifier')] as const
  const source = await sourceOf(context, path, flags)
  const before = await saidBefore(context, flags, source.names.api_model_identifier)
  const names = await required(context, [identifier, ...repeated], {
    fallback: { ...source.names, ...before },
    check: checkBy(NewModel),
  })
  const given = { ...source.fields, ...readModelInput(flags, (name) => context.field('', name)), ...names } as Input
  // Hashing may take minutes, so check first what the registry would reject.
  checkInput(given, flags)
  const read = await source.read()
  const bundleFile = flags.text('bundle')
  const bundle = bundleFile === undefined ? undefined : await readBundleFile(context, bundleFile)
  const body: Input = { ...given, ...read, ...(bundle && (await asBundleLists(bundle, read))) }
  if (context.isDryRun) {
    printRequest(context, 'models', 'register', {}, body)
    return 0
  }

  const client = await context.connect()
  try {
    const answer = await client.models.register(body as ModelRegistration)
    const record = bundle && (await giveBundle(context, client, answer.model_id, bundle))
    printRegistered(context, answer, record)
    if (answer.model_digest === null)
      context.out.warn(
        `${modelLabel(answer)} has no digest, so its files cannot be checked. Give their path or --digest when you register`,
      )
    if (answer.authorizations.previous > answer.authorizations.copied) {
      context.out.say(
        `The previous version has ${counted(answer.authorizations.previous)}; this one has ${answer.authorizations.copied}. Authorize with: countersign deployments authorize DEPLOYMENT --model ${shellWord(answer.model_id)}`,
      )
    }
    return record ? exitOfRecord(record) : 0
  } catch (error) {
    if (!flags.isOn('ifNotExists')) refuseTakenVersion(error, flags)
    if (!flags.isOn('ifNotExists') || !(error instanceof ConflictError) || error.existing === null) throw error
    refuseOtherContent(error, error.existing, { digest: body.model_digest ?? null, version: given.version }, flags)
    await refuseOtherFiles(error, client, error.existing, body, flags)
    const existing = await client.models.get(error.existing.id)
    refuseWithdrawn(error, existing)
    warnOfLaxer(context, existing, body)
    const record = bundle && (await ensureBundle(context, client, existing.id, bundle))
    const answer = { ...registeredOf(existing), created: false }
    printRegistered(context, answer, record, [['created', 'no, already registered']])
    if (record) return exitOfRecord(record)
    if (existing.bundle_status !== 'invalid') return 0
    context.out.warn(
      `The signed bundle of ${modelLabel(existing)} is invalid, so its links are not valid. Give another one with --bundle`,
    )
    return 3
  }
}

const printRegistered = (
  context: Context,
  answer: RegisteredModel,
  record: BundleRecord | undefined,
  more: [string, string][] = [],
) => {
  context.out.print({
    value: { ...answer, ...(record && { bundle: record }) },
    ids: [answer.model_id],
    text: (paint) =>
      `${facts([...registeredFacts(answer), ...more], paint)}${record ? `\n\n${describeRecord(record, paint)}` : ''}`,
  })
  if (record) sayRegistryHint(context, record)
}

/** Fields that the next version takes over. A dry run doesn't look them up. */
const saidBefore = async (
  context: Context,
  flags: Flags,
  known: string | undefined,
): Promise<Partial<Record<keyof Model & string, string>>> => {
  const identifier = context.field('identifier', 'api_model_identifier') ?? known
  const isComplete = repeated.every(([flag, name]) => context.field(flag, name) !== undefined)
  if (!flags.isOn('newVersion') || context.isDryRun || isComplete || identifier === undefined) return {}
  const latest = await findLatest(context, await context.connect(), identifier)
  if (latest === undefined && known === undefined) throw noModel(identifier)
  return latest === undefined ? {} : Object.fromEntries(repeated.map(([, name]) => [name, latest[name]]))
}

const counted = (deployments: number) => `${deployments} authorized deployment${deployments === 1 ? '' : 's'}`

const checkInput = (input: Input, flags: Flags) => {
  const { error } = NewModel.safeParse(input)
  if (error === undefined) return
  const fields = error.issues.map(({ path, message }) => ({ loc: path.map(String), msg: message, pointer: '' }))
  const message = fieldErrors(fields, isGivenIn(flags.all))
  throw new Failure(
    'validation_failed',
    2,
    message ?? 'The input is not valid',
    'Run: countersign help models register',
  )
}

const refuseTakenVersion = (error: unknown, flags: Flags) => {
  if (!(error instanceof ConflictError) || error.code !== 'version_exists' || error.existing === null) return
  const { existing } = error
  throw new Failure(
    error.code,
    6,
    `${modelLabel(existing)} already exists: ${existing.id}`,
    `Choose another, for example ${newVersion(existing, flags)}`,
    { cause: error },
  )
}

const refuseOtherContent = (
  conflict: ConflictError,
  existing: ExistingModel,
  wanted: { digest: string | null; version: string | undefined },
  flags: Flags,
) => {
  const { api_model_identifier, version, model_digest } = existing
  const isSameVersion = wanted.version === undefined || wanted.version === version
  if (isSameVersion && hexOf(model_digest) === hexOf(wanted.digest)) return
  const found = `registered ${model_digest ?? 'without a digest'}, local ${wanted.digest ?? 'without a digest'}`
  throw new Failure(
    conflict.code,
    6,
    isSameVersion
      ? `${modelLabel(existing)} exists with different content: ${found}`
      : `${quote(api_model_identifier)} exists as version ${quote(version)}, not ${quote(wanted.version ?? '')}: ${found}`,
    isSameVersion ? hintAtNewVersion(existing, flags) : 'Register it as the next version: add --new-version',
    { cause: conflict },
  )
}

/** Exit code 0 would tell a job that the links of the version are valid. */
const refuseWithdrawn = (conflict: ConflictError, model: Model) => {
  if (model.archived_at === null) return
  throw new Failure(
    'model_archived',
    6,
    `${modelLabel(model)} was withdrawn on ${shownTime(model.archived_at)}: its links are not valid`,
    `Restore it with: countersign models unarchive ${shellWord(model.id)}`,
    { cause: conflict },
  )
}

/** Both may have been changed since, so the job goes on. */
const warnOfLaxer = (context: Context, existing: Model, { is_public, require_deployment_proof }: Input) => {
  if (is_public === false && existing.is_public)
    context.out.warn(
      `${modelLabel(existing)} exists, but is public. Change it with: countersign models visibility ${shellWord(existing.id)} private`,
    )
  if (require_deployment_proof && !existing.require_deployment_proof)
    context.out.warn(
      `${modelLabel(existing)} exists, but does not require a proven deployment. Change it with: countersign models edit ${shellWord(existing.id)} --require-deployment-proof`,
    )
}

const hintAtNewVersion = (existing: ExistingModel, flags: Flags) =>
  `Publish the changed files under a new version, for example with ${newVersion(existing, flags)}`

const newVersion = (existing: ExistingModel, flags: Flags) =>
  `${flags.isOn('newVersion') ? '' : '--new-version '}${versionAfter(existing)}`

/** An example in the spelling of the version that exists, such as v1.0.1 after v1.0.0. */
const versionAfter = ({ version, suggested_version }: ExistingModel) => {
  if (/^\d+\.0$/.test(version)) return `--version ${shellWord(suggested_version)}`
  const [, before, last = ''] = /^(v?(?:\d+\.)*)(\d{1,9})$/i.exec(version) ?? []
  return `--version ${before === undefined ? 'VERSION' : `${before}${`${Number(last) + 1}`.padStart(last.length, '0')}`}`
}

/** The digest does not cover the names of files. */
const refuseOtherFiles = async (
  conflict: ConflictError,
  client: Countersign,
  existing: ExistingModel,
  { model_files: wanted, model_digest }: Input,
  flags: Flags,
) => {
  if (wanted === undefined) return
  const label = modelLabel(existing)
  const registered = await client.models.files(existing.id, { limit: limits.maxFilePageSize }).toArray()
  const areSame = haveSameFiles(registered, wanted, model_digest)
  if (areSame === null)
    throw new Failure(
      'files_not_compared',
      9,
      `${label} exists with the same digest, but the registry has no list of its files to compare their names with`,
      `Register these files with their list under a new version, for example with ${newVersion(existing, flags)}`,
      { cause: conflict },
    )
  if (areSame) return
  throw new Failure(conflict.code, 6, `${label} exists with different file names`, hintAtNewVersion(existing, flags), {
    cause: conflict,
  })
}

/** An existing model in the shape of a registration in which nothing changed. */
const registeredOf = (model: Model): RegisteredModel => ({
  model_id: model.id,
  display_name: model.display_name,
  api_model_identifier: model.api_model_identifier,
  version: model.version,
  version_number: model.version_number,
  model_digest: model.model_digest,
  message: 'Model already registered',
  can_quick_edit: model.can_quick_edit,
  predecessor_id: model.predecessor_id,
  authorizations: { previous: 0, copied: 0 },
})

const registeredFacts = ({
  model_id,
  api_model_identifier,
  version,
  model_digest,
}: Pick<RegisteredModel, 'model_id' | 'api_model_identifier' | 'version' | 'model_digest'>) =>
  [
    ['model', model_id],
    ['identifier', quote(api_model_identifier)],
    ['version', quote(version)],
    ['digest', model_digest ?? 'none'],
  ] as const
