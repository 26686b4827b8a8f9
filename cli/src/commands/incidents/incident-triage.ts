import { incidentSeverities } from '@countersign/sdk/contract'
import { addDryRun, type Command, example } from '../../args/command.ts'

export const declareTriage = (incidents: Command) => {
  const triage = addDryRun(
    incidents
      .command('triage')
      .summary('Answer open reports one by one, at a terminal')
      .description(
        'Shows the open reports about your models one by one, those with a genuine link and the worst first, and asks for one key each. What is skipped or half written is kept when you leave, and forgotten when all were seen.',
      )
      .option('--severity <severity>', 'those alone', { choices: incidentSeverities })
      .option('--templates <file>', 'your own words that are ready: JSON, a list of {name, status, response}', 'file')
      .option('--restart', 'show again what was skipped before'),
  ).action(async (context, call) => {
    const { triage: run } = await import('./triage/round.ts')
    await run(context, call)
  })
  example(triage, 'incidents triage', 'incidents triage --severity critical --templates answers.json')
}
