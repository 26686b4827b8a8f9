import { describeSigner, type Model } from '@countersign/sdk/contract'
import { quote, quoteExactly } from '@countersign/sdk/words'
import { addConfirmation, type Declare, example } from '../../args/command.ts'
import { providerIdOf } from '../../args/provider-id.ts'
import { readCount } from '../../args/read-count.ts'
import { openPage, webOption } from '../../io/browser.ts'
import { collect } from '../../registry/collect.ts'
import { readWithTag } from '../../registry/edit-tag.ts'
import { checkModelId, connectToRead, isModelId, namingModel, resolveModel } from '../../registry/own-model.ts'
import { printRequest } from '../../registry/request.ts'
import { byText, ordersOf, sortItems } from '../../registry/sort.ts'
import { facts, type Paint, table } from '../../render/output.ts'
import { modelLabel, shownAddress } from '../../render/quotation.ts'
import { shownTime } from '../../render/shown-time.ts'
import { stateOfBundle } from '../bundles/bundle-verdict.ts'
import { declareModelBundle } from './model-bundle.ts'
import { declareModelFiles } from './model-files.ts'
import { declareModelLives } from './model-lives.ts'
import { declareRegister } from './model-register.ts'
import { stateOf } from './model-state.ts'

export const declare: Declare = (models) => {
  example(models, 'models register model.safetensors', 'models list')

  declareRegister(models)

  const list = models
    .command('list')
    .summary('List your models')
    .description(
      'Lists the latest version of each of your models, including private ones. Superseded and withdrawn versions are listed with --archived.',
    )
    .option('--archived', 'include superseded and withdrawn versions')
    .option('--sort <order>', 'order of the list; - reverses it; default: -created', { choices: ordersOf(columns) })
    .option('--limit <count>', 'show at most this many; default: all', 'number')
    .action(async (context, { flags }) => {
      const most = readCount(flags.text('limit'), 'models list', Number.POSITIVE_INFINITY)
      const order = flags.text('sort')
      const client = await context.connect()
      const include_archived = flags.isOn('archived') ? 'true' : undefined
      const id = await providerIdOf(context, client)
      const { items, next_cursor } = await collect(
        (page) => client.providers.models(id, { ...page, include_archived }),
        (page) => page.models,
        order === undefined ? most : Number.POSITIVE_INFINITY,
      )
      const found = order === undefined ? items : sortItems(items, order, columns).slice(0, most)
      context.out.print({
        value: { models: found, next_cursor },
        ids: found.map(({ id }) => id),
        text: (paint) =>
          found.length === 0
            ? 'No models yet'
            : table(heads, found.map(rowOf(paint)), paint, { spare: ['DIGEST', 'VISIBLE'] }),
      })
    })
  example(list, 'models list --archived', 'models list --sort name --limit 20')

  const show = models
    .command('show')
    .summary('Show one version of a model')
    .description('Shows one version of a model.')
    .argument('<model>', 'mdl_…, or your identifier for its latest version', 'model')
    .option(...webOption)
    .action(async (context, { args: [named = ''], flags }) => {
      const client = await connectToRead(context, named)
      const { record: model, etag } = isModelId(named)
        ? await readWithTag(client.models.get(named)).catch(namingModel(named))
        : await readWithTag(client.models.get(await resolveModel(context, client, named)))
      const opened = flags.isOn('web') ? await openPage(context, `/models/${model.id}`) : undefined
      context.out.print({
        value: { ...model, ...(etag !== null && { etag }) },
        ids: [model.id],
        text: (paint) => opened ?? facts([...factsOf(model), ['ETag', etag]], paint),
      })
    })
  example(show, 'models show mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', 'models show acme-chat --web')

  const archive = addConfirmation(
    models
      .command('archive')
      .summary('Withdraw a version')
      .description(
        'Withdraws a version: its links stop working at once, it disappears from lists, and its record stays.',
      )
      .argument('<model>', 'mdl_…, or your identifier for its latest version', 'model')
      .option('--reason <text>', 'kept in your history', 'text'),
  ).action(async (context, { args: [named = ''], flags }) => {
    const body = { reason: flags.text('reason') }
    if (context.isDryRun) return printRequest(context, 'models', 'archive', { id: checkModelId(named) }, body)
    const client = await context.connect()
    const id = await resolveModel(context, client, named)
    await context.confirm(`Withdraw ${id === named ? id : `${named} (${id})`}? Its links stop working at once.`)
    const model = await client.models.archive(id, body)
    context.out.print({
      value: model,
      ids: [model.id],
      text: () => `Withdrew ${modelLabel(model)}`,
    })
  })
  example(archive, 'models archive mdl_06dh0e3x7c9bw4vjz2n8qk5ytm --reason "Replaced" --yes')

  declareModelFiles(models)
  declareModelLives(models)
  declareModelBundle(models)
}

/* ---- views ---- */

const columns = {
  created: byText<Model>(({ created_at }) => created_at),
  name: byText<Model>(({ display_name }) => display_name.toLowerCase()),
  identifier: byText<Model>(({ api_model_identifier }) => api_model_identifier.toLowerCase()),
  state: byText<Model>((model) => stateOf(model)),
}

const heads = ['ID', 'IDENTIFIER', 'VERSION', 'STATE', 'VISIBLE', 'DIGEST']

/** Only a terminal lacks the room for whole digests. */
const rowOf =
  ({ columns }: Paint) =>
  (model: Model) => [
    model.id,
    quote(model.api_model_identifier),
    quote(model.version),
    stateOf(model),
    model.is_public ? 'public' : 'private',
    columns === undefined || model.model_digest === null
      ? (model.model_digest ?? '-')
      : `${model.model_digest.slice(0, 19)}…`,
  ]

/** A signer that is not the provider's own, or whose signature is not valid or not over the model, verifies nothing. */
const signerOf = (model: Model) => {
  const { bundle_signer: signer, bundle_status: status, bundle_verification_details: details } = model
  const notes = {
    verified: model.provider_domain_verified ? '' : ' (for a company that has not proven its domain)',
    unknown:
      details?.signer_tied === false
        ? ' (a third party)'
        : details?.reason === 'attestation_only'
          ? ' (an attestation, not a signature of the model)'
          : ' (not confirmed)',
    invalid: ' (not valid)',
    error: ' (not valid)',
  }
  return signer && `${describeSigner(signer, quoteExactly)}${notes[status]}`
}

const factsOf = (model: Model) =>
  [
    [
      'provider',
      model.provider_domain_verified
        ? `${model.provider_domain} (verified)`
        : `${model.provider_name ? quote(model.provider_name) : model.provider_id} (domain not verified)`,
    ],
    ['name', quote(model.display_name)],
    ['model', model.id],
    ['identifier', quote(model.api_model_identifier)],
    ['version', `${quote(model.version)} (number ${model.version_number}${model.is_latest ? ', latest' : ''})`],
    ['state', stateOf(model)],
    ['visible', model.is_public ? 'public' : 'private'],
    ['digest', model.model_digest && `${model.model_digest} (stated by the provider)`],
    ['digest from', model.digest_source && `${model.digest_source} (stated by the provider)`],
    ['bundle', stateOfBundle(model)],
    ['signed by', signerOf(model)],
    ['endpoint', `${shownAddress(model.endpoint)} (stated by the provider)`],
    ['type', model.model_type],
    ['description', model.description && quote(model.description)],
    ['registered', `${shownTime(model.created_at)} (by this account)`],
  ] as const
