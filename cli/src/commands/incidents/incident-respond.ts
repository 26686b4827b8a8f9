import { type Incident, incidentStatuses } from '@countersign/sdk/contract'
import { addDryRun, type Call, type Command, example } from '../../args/command.ts'
import { required } from '../../args/required.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { printRequest } from '../../registry/request.ts'
import { checkIncidentId, exampleId } from './incident-id.ts'

export const declareRespond = (incidents: Command) => {
  const respond = addDryRun(
    incidents
      .command('respond')
      .summary('Answer a report, or many')
      .description(
        'Answers a report. Resolved and dismissed are final; resolving needs a message, which the reporter is mailed. With - the answers come from stdin, one a line: {"id", "status", "response"} as JSON, or an id that --status and --message answer. None is sent unless all can be read; one that stands there already counts as given. The exit code is that of the first that was not taken.',
      )
      .argument('<id>', 'inc_…, or - for many from stdin', 'incident')
      .option('--status <status>', 'what becomes of it', { choices: incidentStatuses.filter((status) => status !== 'reported') })
      .option('--message <text>', 'your answer', 'text'),
  ).action(async (context, call) => {
    if (call.args[0] !== '-') {
      await respondToOne(context, call)
      return 0
    }
    const { respondToMany } = await import('./respond-to-many.ts')
    return respondToMany(context, call)
  })
  example(
    respond,
    `incidents respond ${exampleId} --status resolved --message "Mended in version 1.2."`,
    'incidents respond - --json < decisions.jsonl',
    'incidents list --status reported -q | countersign incidents respond - --status investigating',
  )
}

const respondToOne = async (context: Context, { args: [named = ''], flags }: Call) => {
  const id = checkIncidentId(named)
  const status = flags.text('status') as Exclude<Incident['status'], 'reported'> | undefined
  if (status === undefined) throw usage('Missing: --status', 'See: countersign incidents respond --help')
  const response =
    status === 'resolved'
      ? (await required(context, [['message', 'incident_response', 'Your answer']])).incident_response
      : flags.text('message')
  const body = { status, response }
  if (context.isDryRun) return printRequest(context, 'incidents', 'respond', { id }, body)
  const client = await context.connect()
  if (status !== 'investigating') await context.confirm(`Close ${id} as ${status}? That is final.`)
  const answered = await client.incidents.respond(id, body)
  context.out.print({ value: answered, ids: [answered.id], text: () => `${answered.id} is ${answered.status}` })
}
