import { exitCodes } from '@countersign/sdk/contract'
import { schemaOf } from '@countersign/sdk/contract/openapi'
import manifest from '../../../package.json' with { type: 'json' }
import { type CommandSpec, type Declare, example } from '../../args/command.ts'
import { describeCommand } from '../../args/describe-command.ts'
import { table } from '../../render/output.ts'
import { shapes } from '../../shapes/index.ts'
import { Failed } from '../../shapes/local.ts'

export const declare: Declare = (commands) => {
  commands
    .description(
      'Lists every command. With --json, includes each command’s arguments, options, variables, defaults, examples and exit codes, and the JSON Schema (2020-12) of its --json output.',
    )
    .action(async ({ out }, { program }) => {
      await program.loadAll()
      const entries = entriesOf(program.root)
      out.print({
        value: {
          version: manifest.version,
          exit_codes: exitCodes,
          error: schemaOf(Failed, 'output'),
          commands: entries,
        },
        ids: entries.map(({ path }) => path.join(' ')),
        text: (paint) =>
          table(
            ['COMMAND', 'WHAT IT DOES'],
            entries.map(({ path, summary }) => [path.join(' '), summary]),
            paint,
          ),
      })
    })
  example(commands, 'commands --json')
}

/** Every command that has an action, depth first. */
const entriesOf = ({ commands }: CommandSpec): ReturnType<typeof describeCommand>[] =>
  commands.flatMap((child) =>
    child.action === undefined ? entriesOf(child) : [describeCommand(child, shapes[child.path.join(' ')])],
  )
