import { exitCodes } from '@countersign/sdk/contract'
import { type Declare, example } from '../command.ts'
import { table } from '../output.ts'
import { otherVariables, settings } from '../settings.ts'

export const declareHelp: Declare = (help, act) => {
  help
    .description('Help for a command, or one of the topics exit-codes and environment.')
    .argument('[topic...]', 'a command, exit-codes or environment')
    .action(
      act(async ({ out }, { args, program }) => {
        const topic = args.join(' ')
        if (topic === 'exit-codes') {
          const rows = Object.entries(exitCodes)
          out.print({ value: exitCodes, ids: rows.map(([code]) => code), text: (paint) => table(['EXIT', 'MEANING'], rows, paint) })
        } else if (topic === 'environment') {
          const rows = Object.entries(variables())
          out.print({ value: variables(), ids: rows.map(([name]) => name), text: (paint) => table(['VARIABLE', 'MEANING'], rows, paint) })
        } else {
          await program.command.parseAsync([...args, '--help'], { from: 'user' })
        }
      }),
    )
  example(help, 'help exit-codes', 'help models register')
}

const variables = (): Record<string, string> =>
  Object.assign({}, ...Object.values(settings).map((setting) => ('variables' in setting ? setting.variables : {})), otherVariables)
