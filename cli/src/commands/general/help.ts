import { exitCodes } from '@countersign/sdk/contract'
import { type CommandSpec, type Declare, example } from '../../args/command.ts'
import { readArgv } from '../../args/read-argv.ts'
import { suggest } from '../../args/suggest.ts'
import { otherVariables, settings } from '../../config/settings.ts'
import { usage } from '../../failure.ts'
import { wrap } from '../../io/wrap.ts'
import type { Program } from '../../program.ts'
import { table } from '../../render/output.ts'

export const declare: Declare = (help) => {
  help
    .description('Shows help for a command, or for one of the topics exit-codes and environment.')
    .argument('[topic...]', 'a command, exit-codes or environment', 'text')
    .action(async ({ out }, { args, program, showHelp }) => {
      const topic = args.join(' ')
      if (topic === 'exit-codes') {
        const rows = Object.entries(exitCodes)
        out.print({
          value: exitCodes,
          ids: rows.map(([code]) => code),
          text: (paint) => `${table(['EXIT', 'MEANING'], rows, paint)}\n\n${wrap(helpOfVerdicts, paint.columns)}`,
        })
      } else if (topic === 'environment') {
        const rows = Object.entries(variables())
        out.print({
          value: variables(),
          ids: rows.map(([name]) => name),
          text: (paint) => table(['VARIABLE', 'MEANING'], rows, paint),
        })
      } else {
        await showHelp(await findCommand(program, args))
      }
    })
  example(help, 'help exit-codes', 'help models register')
}

const findCommand = async (program: Program, words: readonly string[]): Promise<CommandSpec> => {
  const { command, args } = await readArgv(words, program)
  const [name] = args
  if (name === undefined || command.action !== undefined) return command
  const isFirst = command === program.root
  const known = [...command.commands.map((each) => each.name), ...(isFirst ? topics : [])]
  const near = suggest(name, known)
  throw usage(
    `There is no ${isFirst ? 'command or topic' : `command countersign ${command.path.join(' ')}`} ${JSON.stringify(name)}`,
    `${near.length === 0 ? '' : `Did you mean ${near.join(' or ')}? `}Available: ${known.join(', ')}`,
  )
}

const helpOfVerdicts =
  'If 0 means that a check passed, as with verify, then --help exits 2, and `countersign help COMMAND` exits 0.'

const topics = ['exit-codes', 'environment']

const variables = (): Record<string, string> =>
  Object.assign(
    {},
    ...Object.values(settings).map((setting) => ('variables' in setting ? setting.variables : {})),
    otherVariables,
  )
