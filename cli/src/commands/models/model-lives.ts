import { ApiError } from '@countersign/sdk'
import type { ModelHealth } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { addDryRun, type Command, example, type Flags } from '../../args/command.ts'
import { Failure, usage } from '../../failure.ts'
import { wrap } from '../../io/wrap.ts'
import { ifMatchHeaders, ifMatchOption, namingLostRace } from '../../registry/edit-tag.ts'
import { checkModelId, isModelId, resolveModel } from '../../registry/own-model.ts'
import { printRequest } from '../../registry/request.ts'
import { facts, printable, table } from '../../render/output.ts'
import { modelLabel, shownAddress } from '../../render/quotation.ts'
import { exitOf } from '../../render/report.ts'
import { shellWord } from '../../render/shell-word.ts'
import { shownTime } from '../../render/shown-time.ts'
import { addModelEditOptions, readModelEdit } from './model-fields.ts'

const named = ['<model>', 'mdl_…, or your identifier for its latest version', 'model'] as const

/** Commands for registered versions. */
export const declareModelLives = (models: Command) => {
  declareEdit(models)
  declareHistory(models)
  declareUnarchive(models)
  declareModelVisibility(models)
  declareHealth(models)
  declareSync(models)
}

const declareEdit = (models: Command) => {
  const edit = addDryRun(
    addModelEditOptions(
      models
        .command('edit')
        .summary('Correct a new version that has no links yet')
        .description(
          'Changes the given fields of the latest version, within an hour of its registration and before its first link. An empty value clears an optional field.',
        )
        .argument(...named)
        .option(...ifMatchOption),
    ),
  ).action(async (context, { args: [model = ''], flags }) => {
    const body = readModelEdit(flags)
    if (Object.keys(body).length === 0) throw usage('Nothing to change', 'See: countersign help models edit')
    const headers = ifMatchHeaders(flags)
    if (context.isDryRun)
      return printRequest(context, 'models', 'quickEdit', { id: checkModelId(model) }, body, headers)
    const client = await context.connect()
    const id = await resolveModel(context, client, model)
    const changed = await client.models.quickEdit(id, body, { headers }).catch(namingLostRace(id, `models show ${id}`))
    context.out.print({
      value: changed,
      ids: [changed.id],
      text: () => `Changed ${modelLabel(changed)}: ${Object.keys(body).join(', ')}`,
    })
  })
  example(
    edit,
    'models edit tiny --description "A small model for chat, in Norwegian"',
    'models edit tiny --paper-url ""',
    'models edit tiny --if-match 5f0c9a1be27d4830 --description "A small model for chat, in Norwegian"',
  )
}

const declareHistory = (models: Command) => {
  const history = models
    .command('history')
    .summary('List a model’s versions and edits')
    .description('Lists all versions of the identifier, newest first, and the edits of this version, field by field.')
    .argument(...named)
    .action(async (context, { args: [model = ''] }) => {
      const client = await context.connect()
      const found = await client.models.history(await resolveModel(context, client, model))
      context.out.print({
        value: found,
        ids: found.versions.map(({ id }) => id),
        text: (paint) => {
          const versions = table(
            ['ID', 'VERSION', 'NUMBER', 'REGISTERED', 'STATE'],
            found.versions.map((each) => [
              each.id,
              quote(each.version),
              String(each.version_number),
              shownTime(each.created_at),
              each.archived_at !== null ? 'withdrawn' : each.superseded_at !== null ? 'superseded' : 'latest',
            ]),
            paint,
          )
          if (found.edit_history.length === 0) return versions
          const edits = found.edit_history.map(({ edited_at, field_name, old_value, new_value }) => [
            shownTime(edited_at),
            field_name,
            shown(old_value),
            shown(new_value),
          ])
          return `${versions}\n\n${table(['EDITED', 'FIELD', 'WAS', 'IS'], edits, paint)}`
        },
      })
    })
  example(history, 'models history tiny')
}

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return quote(typeof value === 'string' ? value : JSON.stringify(value))
}

const declareUnarchive = (models: Command) => {
  const unarchive = addDryRun(
    models
      .command('unarchive')
      .summary('Restore a withdrawn version')
      .description(
        'Restores a withdrawn version. Its links are valid again until they expire, if nothing else ended them.',
      )
      .argument(...named)
      .option('--reason <text>', 'kept in your history', 'text'),
  ).action(async (context, { args: [model = ''], flags }) => {
    const body = { reason: flags.text('reason') }
    if (context.isDryRun) return printRequest(context, 'models', 'unarchive', { id: checkModelId(model) }, body)
    const client = await context.connect()
    const changed = await client.models.unarchive(await resolveModel(context, client, model), body)
    context.out.print({
      value: changed,
      ids: [changed.id],
      text: () => `${modelLabel(changed)} is restored and ${changed.is_public ? 'public' : 'private'}`,
    })
  })
  example(unarchive, 'models unarchive mdl_06dh0e3x7c9bw4vjz2n8qk5ytm')
}

const declareModelVisibility = (models: Command) => {
  const visibility = addDryRun(
    models
      .command('visibility')
      .summary('Make a version public or private')
      .description('A private version is visible only to you and to people who open one of its links.')
      .argument(...named)
      .argument('<state>', 'public or private', { suggestions: ['public', 'private'] }),
  ).action(async (context, { args: [model = '', state = ''] }) => {
    if (state !== 'public' && state !== 'private')
      throw usage(`The state must be public or private, not ${JSON.stringify(state)}`)
    const body = { is_public: state === 'public' }
    if (context.isDryRun) return printRequest(context, 'models', 'setVisibility', { id: checkModelId(model) }, body)
    const client = await context.connect()
    const changed = await client.models.setVisibility(await resolveModel(context, client, model), body)
    context.out.print({
      value: changed,
      ids: [changed.id],
      text: () => `${modelLabel(changed)} is ${changed.is_public ? 'public' : 'private'}`,
    })
  })
  example(visibility, 'models visibility tiny private')
}

const declareHealth = (models: Command) => {
  const health = addDryRun(
    models
      .command('health')
      .summary('Show or change endpoint monitoring')
      .description(
        'Shows whether the endpoint’s address answered the registry’s HTTP requests over seven days. An answer has a status below 500; its content is not read, so it does not show which model answers. --on starts monitoring and --off stops it.',
      )
      .argument(...named)
      .option('--on', 'start monitoring the endpoint')
      .option('--off', 'stop monitoring the endpoint')
      .option('--interval <seconds>', 'with --on: seconds between checks, 60 to 86400', 'number'),
  ).action(async (context, { args: [model = ''], flags }) => {
    const body = readHealth(flags)
    if (body !== undefined && context.isDryRun)
      return printRequest(context, 'models', 'setHealth', { id: checkModelId(model) }, body)
    const client = await context.connect({ key: body === undefined && isModelId(model) ? 'optional' : 'required' })
    const id = await resolveModel(context, client, model)
    const found = body === undefined ? await client.models.health(id) : await client.models.setHealth(id, body)
    context.out.print({
      value: found,
      ids: [found.health_status],
      text: (paint) => `${facts(healthFacts(found), paint)}\n${wrap(healthLimit, paint.columns)}`,
    })
  })
  example(health, 'models health tiny', 'models health tiny --on --interval 300')
}

const readHealth = (flags: Flags) => {
  const [isOn, isOff, interval] = [flags.isOn('on'), flags.isOn('off'), flags.text('interval')]
  if (isOn && isOff) throw usage('--on and --off cannot be used together')
  if (interval !== undefined && !isOn) throw usage('--interval requires --on')
  if (interval !== undefined && !/^\d+$/.test(interval))
    throw usage(`--interval must be a whole number, not ${JSON.stringify(interval)}`)
  if (!isOn && !isOff) return undefined
  return { enabled: isOn, ...(interval === undefined ? {} : { interval_seconds: Number(interval) }) }
}

const answers = {
  healthy: 'answered, with a status below 500',
  unhealthy: 'not answered, or with a status of 500 or more',
  unknown: 'none, or too long ago',
} as const satisfies Record<ModelHealth['health_status'], string>

const healthLimit =
  'Only whether something answers at this address was checked, not which model it is, whose it is, or that it works.'

const healthFacts = ({
  health_status,
  health_check_enabled,
  last_check,
  uptime_7d,
  endpoint,
  interval_seconds,
}: ModelHealth) =>
  [
    ['address', `${shownAddress(endpoint)} (stated by the provider)`],
    ['last check', answers[health_status]],
    ['checked', last_check === null ? null : shownTime(last_check)],
    ['answered', uptime_7d === null ? 'too few checks yet' : `${uptime_7d}% of the checks in the last seven days`],
    ['watched', health_check_enabled ? `every ${interval_seconds} seconds` : 'no'],
  ] as const

/** The registry names its field, which is no option here. */
const namingHub =
  (model: string) =>
  (error: unknown): never => {
    const fields = error instanceof ApiError ? (error.problem?.errors ?? []) : []
    const found = fields.find(({ loc }) => loc.at(-1) === 'huggingface_model_id')
    if (!(error instanceof ApiError) || found === undefined) throw error
    throw new Failure(
      error.code,
      exitOf(error.code, error.status),
      `--huggingface-model-id: ${found.msg}`,
      `Run: countersign models sync ${shellWord(model)} --huggingface-model-id ORGANIZATION/NAME`,
      { cause: error },
    )
  }

const declareSync = (models: Command) => {
  const sync = addDryRun(
    models
      .command('sync')
      .summary('Copy details from the model’s card on the hub')
      .description(
        'Reads the model’s card on the hub at its current commit. Only fields that the card declares change.',
      )
      .argument(...named)
      .option('--huggingface-model-id <id>', 'organization and name on the hub, if the model has none yet', 'text'),
  ).action(async (context, { args: [model = ''], flags }) => {
    const huggingface_model_id = flags.text('huggingfaceModelId')
    const body = huggingface_model_id === undefined ? {} : { huggingface_model_id }
    if (context.isDryRun) return printRequest(context, 'models', 'syncHuggingface', { id: checkModelId(model) }, body)
    const client = await context.connect()
    const id = await resolveModel(context, client, model)
    const synced = await client.models.syncHuggingface(id, body).catch(namingHub(model))
    context.out.print({
      value: synced,
      ids: [id],
      text: (paint) =>
        `${printable(synced.message)}\n${facts(
          [
            ['hub', `${synced.huggingface_model_id} at ${synced.revision.slice(0, 12)}`],
            ['changed', synced.updated_fields.join(', ') || 'nothing'],
          ],
          paint,
        )}`,
    })
  })
  example(sync, 'models sync tiny --huggingface-model-id acme/tiny')
}
