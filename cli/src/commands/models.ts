import { stat } from 'node:fs/promises'
import { ConflictError } from '@countersign/sdk'
import { type ExistingModel, type Model, NewModel, type RegisteredModel } from '@countersign/sdk/contract'
import type { z } from 'zod'
import { addDryRun, type Call, type Declare, example, type Flags } from '../command.ts'
import type { Context } from '../context.ts'
import { Failure, usage } from '../failure.ts'
import { addModelOptions, isGivenTo, readModelInput } from '../model-fields.ts'
import { facts, table } from '../output.ts'
import { checkModelId, findLatest, getOwnModel, isModelId, resolveModel } from '../own-model.ts'
import { startProgress } from '../progress.ts'
import { providerIdOf } from '../provider-id.ts'
import { fieldErrors } from '../report.ts'
import { printRequest } from '../request.ts'
import { required } from '../required.ts'
import { shownTime } from '../shown-time.ts'
import { declareModelLives } from './model-lives.ts'

export const declareModels: Declare = (models, act) => {
  example(models, 'models register model.safetensors', 'models list')

  const register = addDryRun(
    addModelOptions(
      models
        .command('register')
        .summary('Register a model, or its next version')
        .description(
          'Reads and hashes a model file of any size and registers the model with its digest. Without a file it registers without one.',
        )
        .argument('[path]', 'the model file')
        .option('--if-not-exists', 'same content: done; other content: exit 6'),
    ),
  ).action(act(registerModel))
  example(
    register,
    'models register tiny.gguf --identifier tiny --display-name "Tiny" --endpoint https://api.acme.example/v1 --description "A small model for chat"',
  )

  const list = models
    .command('list')
    .summary('Your models, private ones too')
    .description('Lists the latest version of each of your models, private ones too. Superseded and withdrawn ones come with --archived.')
    .option('--archived', 'superseded and withdrawn versions too')
    .action(
      act(async (context, { flags }) => {
        const client = await context.connect()
        const include_archived = flags.isOn('archived') ? 'true' : undefined
        const found = await client.providers.models(await providerIdOf(context, client), { limit: 100, include_archived }).toArray()
        context.out.print({
          value: { models: found, next_cursor: null },
          ids: found.map(({ id }) => id),
          text: (paint) => (found.length === 0 ? 'No models yet' : table(heads, found.map(rowOf), paint)),
        })
      }),
    )
  example(list, 'models list --archived')

  const show = models
    .command('show')
    .summary('One version of a model')
    .description('Shows one version of a model.')
    .argument('<model>', 'mdl_…, or an identifier of yours for its latest version')
    .action(
      act(async (context, { args: [named = ''] }) => {
        const client = await context.connect({ key: isModelId(named) ? 'optional' : 'required' })
        const model = isModelId(named) ? await client.models.get(named) : await getOwnModel(context, client, named)
        context.out.print({ value: model, ids: [model.id], text: (paint) => facts(factsOf(model), paint) })
      }),
    )
  example(show, 'models show mdl_06dh0e3x7c9bw4vjz2n8qk5ytm')

  const archive = addDryRun(
    models
      .command('archive')
      .summary('Withdraw a version: its links stop at once')
      .description('Withdraws a version: its links stop at once, it leaves the lists, its record stays.')
      .argument('<model>', 'mdl_…, or an identifier of yours for its latest version')
      .option('--reason <text>', 'kept in your history'),
  ).action(
    act(async (context, { args: [named = ''], flags }) => {
      const body = { reason: flags.text('reason') }
      if (context.isDryRun) return printRequest(context, 'models', 'archive', { id: checkModelId(named) }, body)
      const client = await context.connect()
      const id = await resolveModel(context, client, named)
      await context.confirm(`Withdraw ${id === named ? id : `${named} (${id})`}? Its links stop at once.`)
      const model = await client.models.archive(id, body)
      context.out.print({ value: model, ids: [model.id], text: () => `Withdrew ${model.api_model_identifier} ${model.version}` })
    }),
  )
  example(archive, 'models archive mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --reason "Replaced"')

  const digest = models
    .command('digest')
    .summary('SHA-256 of a model file')
    .description('Reads a model file of any size and prints its SHA-256. Nothing leaves the machine.')
    .argument('<path>', 'the model file')
    .action(
      act(async (context, { args: [path = ''] }) => {
        const { digest, bytes, files } = await hashFile(context, path)
        context.out.print({ value: { digest, bytes, files }, ids: [digest], text: () => `${digest}  ${path}` })
      }),
    )
  example(digest, 'models digest model.safetensors --json')

  declareModelLives(models, act)
}

/* ---- register ---- */

type Input = z.input<typeof NewModel>

/** What must be said of a model, and what a version has in common with the one before. */
const repeated = [
  ['displayName', 'display_name', 'Display name'],
  ['endpoint', 'endpoint', 'Endpoint'],
  ['description', 'description', 'Description'],
] as const

const registerModel = async (context: Context, { args: [path], flags }: Call) => {
  const identifier = ['identifier', 'api_model_identifier', 'Identifier'] as const
  const names = await required(context, [identifier, ...repeated], await saidBefore(context, flags))
  const stated = flags.text('digest')
  if (path !== undefined && stated !== undefined) throw usage('A file and --digest exclude each other')
  const given = { ...readModelInput(flags, (name) => context.field('', name)), ...names } as Input
  // Hashing may take minutes: what the registry would refuse is refused before.
  checkInput({ ...given, ...digestFields(stated, flags.text('digestSource')) }, flags)
  const digest = path === undefined ? stated : (await hashFile(context, path)).digest
  const body: Input = { ...given, ...digestFields(digest, path === undefined ? flags.text('digestSource') : 'local-bytes') }
  if (context.isDryRun) return printRequest(context, 'models', 'register', {}, body)

  const client = await context.connect()
  try {
    const answer = await client.models.register(body)
    const value = flags.isOn('ifNotExists') ? { ...answer, created: true } : answer
    context.out.print({ value, ids: [answer.model_id], text: (paint) => facts([...registeredFacts(answer)], paint) })
    if (answer.authorizations.previous > answer.authorizations.copied) {
      context.out.say(
        `The version before has ${counted(answer.authorizations.previous)}; this one has ${answer.authorizations.copied}. Authorize with: countersign deployments authorize DEPLOYMENT --model ${answer.model_id}`,
      )
    }
  } catch (error) {
    if (!flags.isOn('ifNotExists') || !(error instanceof ConflictError) || error.existing === null) throw error
    refuseOtherContent(error, error.existing, { digest: digest ?? null, version: given.version })
    const value = { ...registeredOf(await client.models.get(error.existing.id)), created: false }
    context.out.print({
      value,
      ids: [value.model_id],
      text: (paint) => facts([...registeredFacts(value), ['created', 'no, it was there already']], paint),
    })
  }
}

/** What a next version need not say again. A request that is only shown asks nobody for it. */
const saidBefore = async (context: Context, flags: Flags): Promise<Partial<Record<keyof Model & string, string>>> => {
  const identifier = context.field('identifier', 'api_model_identifier')
  const isComplete = repeated.every(([flag, name]) => context.field(flag, name) !== undefined)
  if (!flags.isOn('newVersion') || context.isDryRun || isComplete || identifier === undefined) return {}
  const latest = await findLatest(context, await context.connect(), identifier)
  return latest === undefined ? {} : Object.fromEntries(repeated.map(([, name]) => [name, latest[name]]))
}

const counted = (deployments: number) => `${deployments} authorized deployment${deployments === 1 ? '' : 's'}`

const digestFields = (digest: string | undefined, source: string | undefined) =>
  digest === undefined ? {} : { model_digest: digest, digest_source: (source ?? 'stated') as NonNullable<Input['digest_source']> }

const checkInput = (input: Input, flags: Flags) => {
  const { error } = NewModel.safeParse(input)
  if (error === undefined) return
  const fields = error.issues.map(({ path, message }) => ({ loc: path.map(String), msg: message, pointer: '' }))
  const message = fieldErrors(fields, isGivenTo(flags))
  throw new Failure('validation_failed', 2, message ?? 'The input is not valid', 'Run: countersign models register --help')
}

const refuseOtherContent = (
  conflict: ConflictError,
  existing: ExistingModel,
  wanted: { digest: string | null; version: string | undefined },
) => {
  const isSame =
    digestHex(existing.model_digest) === digestHex(wanted.digest) && (wanted.version === undefined || wanted.version === existing.version)
  if (isSame) return
  throw new Failure(
    conflict.code,
    6,
    `${existing.api_model_identifier} ${existing.version} exists with different content: ${existing.model_digest ?? 'no digest'}`,
    `Register the next version with --new-version --version ${existing.suggested_version}`,
    { cause: conflict },
  )
}

/** A model that is there in the shape of a registration, of which nothing was done now. */
const registeredOf = (model: Model): RegisteredModel => ({
  model_id: model.id,
  display_name: model.display_name,
  api_model_identifier: model.api_model_identifier,
  version: model.version,
  version_number: model.version_number,
  model_digest: model.model_digest,
  message: 'Model registered already',
  can_quick_edit: model.can_quick_edit,
  predecessor_id: model.predecessor_id,
  authorizations: { previous: 0, copied: 0 },
})

const digestHex = (digest: string | null) => digest?.slice(-64).toLowerCase() ?? null

const registeredFacts = ({
  model_id,
  api_model_identifier,
  version,
  model_digest,
}: Pick<RegisteredModel, 'model_id' | 'api_model_identifier' | 'version' | 'model_digest'>) =>
  [
    ['model', model_id],
    ['identifier', api_model_identifier],
    ['version', version],
    ['digest', model_digest ?? 'none'],
  ] as const

const hashFile = async ({ files, signal, isWatched }: Context, name: string) => {
  const { hashModel } = await import('@countersign/sdk/node')
  const path = files.pathOf(name)
  if (!(await stat(path)).isFile()) throw usage(`${name} is not a file`)
  const progress = await startProgress('Hashing', isWatched)
  try {
    return await hashModel(path, {
      signal,
      onProgress: ({ bytes, total }: { bytes: number; total: number }) => progress.report(bytes, total),
    })
  } finally {
    progress.stop()
  }
}

/* ---- views ---- */

const heads = ['ID', 'IDENTIFIER', 'VERSION', 'STATE', 'VISIBLE', 'DIGEST']

const stateOf = ({ archived_at, superseded_at, is_active }: Model) =>
  archived_at !== null ? 'withdrawn' : superseded_at !== null ? 'superseded' : is_active ? 'active' : 'inactive'

const rowOf = (model: Model) => [
  model.id,
  model.api_model_identifier,
  model.version,
  stateOf(model),
  model.is_public ? 'public' : 'private',
  model.model_digest === null ? '-' : `${model.model_digest.slice(0, 19)}…`,
]

const factsOf = (model: Model) =>
  [
    [
      'provider',
      model.provider_domain_verified
        ? `${model.provider_domain} (verified)`
        : `${model.provider_name ?? model.provider_id} (domain not verified)`,
    ],
    ['name', model.display_name],
    ['model', model.id],
    ['identifier', model.api_model_identifier],
    ['version', `${model.version} (number ${model.version_number}${model.is_latest ? ', latest' : ''})`],
    ['state', stateOf(model)],
    ['visible', model.is_public ? 'public' : 'private'],
    ['digest', model.model_digest],
    ['digest from', model.digest_source],
    ['bundle', model.bundle_status],
    ['endpoint', model.endpoint],
    ['type', model.model_type],
    ['description', model.description],
    ['registered', shownTime(model.created_at)],
  ] as const
