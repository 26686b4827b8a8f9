import { exitCodes } from '@countersign/sdk/contract'
import { type Declare, example } from '../../args/command.ts'
import { otherVariables, settings } from '../../config/settings.ts'
import { usage } from '../../failure.ts'
import type { Program } from '../../program.ts'
import { table } from '../../render/output.ts'

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
          await checkCommand(program, args)
          await program.command.parseAsync([...args, '--help'], { from: 'user' })
        }
      }),
    )
  example(help, 'help exit-codes', 'help models register')
}

/** Commander shows the help of the group where it does not know the command. */
const checkCommand = async (program: Program, args: readonly string[]) => {
  await program.loadAll()
  let { command } = program
  for (const [index, name] of args.entries()) {
    const next = command.commands.find((each) => each.name() === name)
    if (next === undefined && command.commands.length === 0) return
    if (next === undefined) {
      const known = [...command.commands.map((each) => each.name()), ...(index === 0 ? topics : [])]
      throw usage(
        `There is no ${index === 0 ? 'command or topic' : `command countersign ${args.slice(0, index).join(' ')}`} ${JSON.stringify(name)}`,
        `${suggest(name, known)}Known are ${known.join(', ')}`,
      )
    }
    command = next
  }
}

const topics = ['exit-codes', 'environment']

/** Names that begin alike are what was meant most often. */
const suggest = (name: string, known: readonly string[]) => {
  const alike = known.filter((each) => commonStart(each, name) >= Math.min(3, each.length))
  return alike.length === 0 ? '' : `Did you mean ${alike.join(' or ')}? `
}

const commonStart = (left: string, right: string) => {
  let length = 0
  while (length < left.length && left[length] === right[length]) length++
  return length
}

const variables = (): Record<string, string> =>
  Object.assign({}, ...Object.values(settings).map((setting) => ('variables' in setting ? setting.variables : {})), otherVariables)
