import type { Command } from 'commander'
import { type Declare, example } from '../command.ts'
import { table } from '../output.ts'

export interface CommandEntry {
  name: string
  path: string[]
  summary: string
  arguments: { name: string; required: boolean; variadic: boolean }[]
  options: {
    flags: string
    long: string | null
    short: string | null
    takes_value: boolean
    description: string
    choices: string[] | null
  }[]
}

export const declareCommands: Declare = (commands, act) => {
  commands.action(
    act(async ({ out }, { program }) => {
      await program.loadAll()
      const entries = entriesOf(program.command)
      out.print({
        value: { commands: entries },
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
export const entriesOf = (command: Command, path: readonly string[] = []): CommandEntry[] =>
  command.commands.flatMap((child) => {
    const here = [...path, child.name()]
    return child.commands.length > 0 ? entriesOf(child, here) : [entryOf(child, here)]
  })

export const entryOf = (command: Command, path: readonly string[]): CommandEntry => ({
  name: command.name(),
  path: [...path],
  summary: command.summary(),
  arguments: command.registeredArguments.map((each) => ({ name: each.name(), required: each.required, variadic: each.variadic })),
  options: command.options.map((each) => ({
    flags: each.flags,
    long: each.long ?? null,
    short: each.short ?? null,
    takes_value: each.required || each.optional,
    description: each.description,
    choices: each.argChoices ?? null,
  })),
})
