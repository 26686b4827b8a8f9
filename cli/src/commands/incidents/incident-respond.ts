import { incidentStatuses } from '@countersign/sdk/contract'
import { addConfirmation, type Call, type Command, example } from '../../args/command.ts'
import { required } from '../../args/required.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { ifMatchHeaders, ifMatchOption, namingLostRace } from '../../registry/edit-tag.ts'
import { printRequest } from '../../registry/request.ts'
import { checkIncidentId, exampleId } from './incident-id.ts'

const newStatuses = incidentStatuses.filter((status) => status !== 'reported')

export const declareRespond = (incidents: Command) => {
  const respond = addConfirmation(
    incidents
      .command('respond')
      .summary('Answer one report, or many')
      .description(
        'Answers a report. Resolved and dismissed are final. Resolving requires a message, which is emailed to the reporter. With -, reads many answers from stdin, one per line: JSON {"id", "status", "response"}, or a plain ID answered with --status and --message. Nothing is sent unless every line can be read. An answer that the report already has counts as sent. Exits with the code of the first answer that failed.',
      )
      .argument('<id>', 'inc_…, or - to read many from stdin', { kind: 'incident', readsStdin: true })
      .option('--status <status>', 'the report’s new status', { choices: newStatuses })
      .option('--message <text>', 'your answer', 'text')
      .option(...ifMatchOption),
  ).action(async (context, call) => {
    if (call.args[0] !== '-') {
      await respondToOne(context, call)
      return 0
    }
    if (call.flags.text('ifMatch') !== undefined) throw usage('--if-match is for one report, not for many')
    const { respondToMany } = await import('./respond-to-many.ts')
    return respondToMany(context, call)
  })
  example(
    respond,
    `incidents respond ${exampleId} --status resolved --message "Fixed in version 1.2." --yes`,
    'incidents respond - --json --yes < decisions.jsonl',
    'incidents list --status reported -q | countersign incidents respond - --status investigating',
  )
}

const respondToOne = async (context: Context, { args: [named = ''], flags }: Call) => {
  const id = checkIncidentId(named)
  const { incident_status } = await required(context, [['status', 'incident_status', 'New status', newStatuses]])
  const status = incident_status as (typeof newStatuses)[number]
  const response =
    status === 'resolved'
      ? (await required(context, [['message', 'incident_response', 'Your answer']])).incident_response
      : flags.text('message')
  const body = { status, response }
  const headers = ifMatchHeaders(flags)
  if (context.isDryRun) return printRequest(context, 'incidents', 'respond', { id }, body, headers)
  const client = await context.connect()
  if (status !== 'investigating') await context.confirm(`Close ${id} as ${status}? This is final.`)
  const answered = await client.incidents
    .respond(id, body, { headers })
    .catch(namingLostRace(id, `incidents show ${id}`))
  context.out.print({ value: answered, ids: [answered.id], text: () => `${answered.id} is ${answered.status}` })
}
