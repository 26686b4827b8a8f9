import { incidentSeverities } from '@countersign/sdk/contract'
import { addDryRun, type Command, example } from '../../args/command.ts'

export const declareTriage = (incidents: Command) => {
  const triage = addDryRun(
    incidents
      .command('triage')
      .summary('Answer open reports one by one in the terminal')
      .description(
        'Shows the open reports about your models one by one, those with a link and the most severe first, and asks for one key press each. Skipped reports and drafts are kept when you quit, and cleared once you have seen all reports.',
      )
      .option('--severity <severity>', 'only reports of this severity', { choices: incidentSeverities })
      .option('--templates <file>', 'your own answer templates: JSON list of {name, status, response}', 'file')
      .option('--restart', 'show skipped reports again'),
  ).action(async (context, call) => {
    const { triage: run } = await import('./triage/round.ts')
    await run(context, call)
  })
  example(triage, 'incidents triage', 'incidents triage --severity critical --templates answers.json')
}
