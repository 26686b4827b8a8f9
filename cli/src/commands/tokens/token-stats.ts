import { statisticsDays } from '@countersign/sdk/contract'
import { type Command, example } from '../../args/command.ts'
import { resolveModel } from '../../registry/own-model.ts'
import { table } from '../../render/output.ts'

/** The numbers of the chart on the dashboard's overview. */
export const declareStats = (tokens: Command) => {
  const stats = tokens
    .command('stats')
    .summary('Count opened links per day')
    .description(
      'Shows how many of your links other people opened on each day (UTC), counting each link once per day. Days without any are left out.',
    )
    .option('--days <count>', 'how many days to count', { fallback: '30', choices: statisticsDays.map(String) })
    .option('--model <model>', 'mdl_…, or your identifier for its latest version', 'model')
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
                [
                  ...rows.map(({ day, verifications }) => [day, String(verifications)]),
                  ['total', String(counted.in_period)],
                ],
                paint,
              ),
      })
    })
  example(stats, 'tokens stats', 'tokens stats --days 90 --model atlas-chat --json')
}
