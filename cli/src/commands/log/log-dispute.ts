import type { Call } from '../../args/command.ts'
import type { Context } from '../../context.ts'
import { usage } from '../../failure.ts'
import { printRequest } from '../../registry/request.ts'

/** `countersign log dispute` */
export const disputeEntry = async (context: Context, { args }: Call) => {
  const { connect, out } = context
  const [text = ''] = args
  if (!/^\d{1,15}$/.test(text)) throw usage('<index> must be the number of an entry; countersign log list shows it')
  if (context.isDryRun) return printRequest(context, 'log', 'dispute', { index: text }, null)
  const value = await (await connect()).log.dispute(text)
  out.print({
    value,
    ids: [value.report_id],
    text: (paint) =>
      [
        `${paint.green('Reported:')} the operator sees report ${value.report_id} about entry ${value.index} first.`,
        ...(value.is_open ? [] : ['The operator has closed this report already.']),
        'All owners are emailed. Revoke keys that you don’t know: countersign keys list',
      ].join('\n'),
  })
}
