import { exitCodes } from '@countersign/sdk/contract'
import { schemaOf } from '@countersign/sdk/contract/openapi'
import type { Command } from 'commander'
import manifest from '../../../package.json' with { type: 'json' }
import { type Declare, example } from '../../args/command.ts'
import { describeCommand } from '../../args/describe-command.ts'
import { table } from '../../render/output.ts'
import { shapes } from '../../shapes/index.ts'
import { Failed } from '../../shapes/local.ts'

export const declareCommands: Declare = (commands, act) => {
  commands
    .description(
      'Lists every command. With --json each has its arguments, options, variables, defaults, examples and exit codes, and the JSON Schema (2020-12) of what it prints with --json.',
    )
    .action(
      act(async ({ out }, { program }) => {
        await program.loadAll()
        const entries = entriesOf(program.command)
        out.print({
          value: { version: manifest.version, exit_codes: exitCodes, error: schemaOf(Failed, 'output'), commands: entries },
          ids: entries.map(({ path }) => path.join(' ')),
          text: (paint) =>
            table(
              ['COMMAND', 'WHAT IT DOES'],
              entries.map(({ path, summary }) => [path.join(' '), summary]),
              paint,
            ),
        })
      }),
    )
  example(commands, 'commands --json')
}

/** Every command that does something, depth first. */
const entriesOf = (command: Command, path: readonly string[] = []): ReturnType<typeof describeCommand>[] =>
  command.commands.flatMap((child) => {
    const here = [...path, child.name()]
    return child.commands.length > 0 ? entriesOf(child, here) : [describeCommand(child, here, shapes[here.join(' ')])]
  })
