import type { Command } from 'commander'
import type { Context } from '../context.ts'
import type { Program } from '../program.ts'

/** What an action was called with. */
export interface Call {
  args: readonly string[]
  flags: Flags
  /** The whole tree, for commands about commands. */
  program: Program
}

/** Options as they were given; nothing here is a default. */
export interface Flags {
  text(name: string): string | undefined
  list(name: string): readonly string[]
  isOn(name: string): boolean
  all: Readonly<Record<string, unknown>>
}

/** Does the work. Answers the exit code where it is not 0. */
export type Action = (context: Context, call: Call) => Promise<number> | Promise<void>

/** Makes an action one that commander can call. */
export type Act = (action: Action) => (...args: unknown[]) => Promise<void>

/** Fills a command that so far has only its name and summary. */
export type Declare = (command: Command, act: Act) => void

/** An option: how it is written, and what it does. */
export type OptionRow = readonly [flag: string, about: string]

/** Options that every command has. */
export const globalOptions: readonly OptionRow[] = [
  ['--json', 'print the answer as one JSON document'],
  ['-q, --quiet', 'print ids only'],
  ['--no-color', 'no colors'],
  ['--profile <name>', 'use the key and settings of this profile'],
  ['--api-url <url>', 'address of the registry'],
  ['--insecure-http', 'use plain http to another machine, which shows the key to everyone on the way'],
  ['--timeout <seconds>', 'for each attempt of a request'],
  ['--verbose', 'print each request to stderr; verify also lists the checks that were not done'],
  ['--no-input', 'never ask a question'],
]

export const addGlobals = (command: Command) => addOptions(command.optionsGroup('Global options:'), globalOptions)

export const addOptions = (command: Command, rows: readonly OptionRow[]) => {
  for (const [flag, about] of rows) command.option(flag, about)
  return command
}

const examples = new WeakMap<Command, readonly string[]>()

export const example = (command: Command, ...lines: string[]) => {
  const shown = lines.map((line) => `countersign ${line}`)
  examples.set(command, shown)
  return command.addHelpText('after', `\nExample:\n${shown.map((line) => `  $ ${line}`).join('\n')}`)
}

export const examplesOf = (command: Command): readonly string[] => examples.get(command) ?? []

/** For commands that change something. */
export const addDryRun = (command: Command) => command.option('--dry-run', 'print what would be sent, and send nothing')

export const collect = (value: string, previous: readonly string[] | undefined) => [...(previous ?? []), value]

/** What was given on the command line, at the command itself or before its name. */
export const flagsOf = (command: Command): Flags => {
  const all: Record<string, unknown> = {}
  for (const each of [...ancestors(command), command]) {
    for (const [name, value] of Object.entries(each.opts())) if (each.getOptionValueSource(name) === 'cli') all[name] = value
  }
  return createFlags(all)
}

export const createFlags = (all: Flags['all']): Flags => ({
  all,
  text: (name) => (typeof all[name] === 'string' ? all[name] : undefined),
  list: (name) => (Array.isArray(all[name]) ? all[name].map(String) : []),
  isOn: (name) => all[name] === true,
})

const ancestors = (command: Command): Command[] => (command.parent ? [...ancestors(command.parent), command.parent] : [])
