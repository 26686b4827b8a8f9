import { statisticsDays } from '@countersign/sdk/contract'
import { type Command, example } from '../../args/command.ts'
import { resolveModel } from '../../registry/own-model.ts'
import { table } from '../../render/output.ts'

/** What the overview of the dashboard shows as a chart. */
export const declareStats = (tokens: Command) => {
  const stats = tokens
    .command('stats')
    .summary('How many of your links people opened, day by day')
    .description('Tells how many of your links other people opened on each day (UTC), each link once. Days without any are left out.')
    .option('--days <count>', 'of the last so many days', { fallback: '30', choices: statisticsDays.map(String) })
    .option('--model <model>', 'mdl_…, or an identifier of yours for its latest version', 'model')
    .action(async (context, { flags }) => {
      const client = await context.connect()
      const model = flags.text('model')
      const counted = await client.account.verificationsByDay({
        days: flags.text('days') === '90' ? '90' : '30',
        ...(model !== undefined && { model_id: await resolveModel(context, client, model) }),
      })
      const rows = counted.days.filter(({ verifications }) => verifications > 0).toReversed()
      context.out.print({
        value: counted,
        ids: rows.map(({ day }) => day),
        text: (paint) =>
          rows.length === 0
            ? `No link was opened in the last ${counted.days.length} days`
            : table(
                ['DAY', 'VERIFICATIONS'],
                [...rows.map(({ day, verifications }) => [day, String(verifications)]), ['in all', String(counted.in_period)]],
                paint,
              ),
      })
    })
  example(stats, 'tokens stats', 'tokens stats --days 90 --model atlas-chat --json')
}
