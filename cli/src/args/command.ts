import type { ExitCode } from '@countersign/sdk/contract'
import type { Context } from '../context.ts'
import type { Program } from '../program.ts'

/*
 * The grammar of the command line. Commands declare their arguments and options here as data; reading the command line, completion,
 * help, usage errors and `commands --json` all derive from that data. Nothing here imports more than types: every call loads it.
 */

/** What an action was called with. */
export interface Call {
  args: readonly string[]
  flags: Flags
  /** The whole tree, for commands about commands. */
  program: Program
  showHelp(command: CommandSpec): Promise<void>
}

/** Options as they were given, without defaults. */
export interface Flags {
  text(name: string): string | undefined
  list(name: string): readonly string[]
  isOn(name: string): boolean
  all: Readonly<Record<string, unknown>>
}

/** Does the work. Returns the exit code if it is not 0. */
export type Action = (context: Context, call: Call) => Promise<number> | Promise<void>

/** Fills a command that so far has only its name and summary. */
export type Declare = (command: Command) => void

/** What a value means. Completion offers files, and the IDs and names of the account; it offers nothing for the others. */
export type ValueKind =
  | 'deployment'
  | 'domain'
  | 'file'
  | 'incident'
  | 'key'
  /** The ID of a model, or the identifier of its latest version. */
  | 'model'
  | 'model-id'
  | 'profile'
  | 'publisher'
  | 'signer'
  | 'date'
  | 'digest'
  | 'email'
  | 'number'
  | 'text'
  | 'time'
  | 'url'

export interface Value {
  kind: ValueKind
  /** The only values allowed. */
  choices?: readonly string[] | undefined
  /** Values that completion offers; the command itself decides what is allowed. */
  suggestions?: readonly string[]
  /** `-` stands for stdin, unless it comes after `--`. */
  readsStdin?: boolean
  isRepeated?: boolean
  isRequired?: boolean
  fallback?: string
}

/** `kind` alone, or all that is known of a value. A list of choices is text. */
export type ValueRow = ValueKind | (Omit<Value, 'kind'> & { kind?: ValueKind })

/** An option: its flags, what it does, and what its value is. An option without a value is a switch. */
export type OptionRow = readonly [flags: string, help: string, value?: ValueRow]

export interface Option {
  /** `-o, --output <file>` */
  flags: string
  long: string
  short: string | undefined
  /** The name in `Flags`: `output`. */
  name: string
  help: string
  value: Value | undefined
  isGlobal: boolean
}

export interface Argument {
  /** `<path>` */
  flags: string
  name: string
  help: string
  value: Value
  isRequired: boolean
  isVariadic: boolean
}

export interface CommandSpec {
  name: string
  /** Under which heading the help of its parent lists it. */
  heading: string | undefined
  /** The names of the commands above it and its own; empty for the program itself. */
  path: readonly string[]
  summary: string
  description: string
  arguments: readonly Argument[]
  options: readonly Option[]
  examples: readonly string[]
  commands: readonly CommandSpec[]
  /** Exit codes that deny what 0 confirms. A command that has some exits 0 only if it checked, so its `--help` exits 2. */
  verdicts: readonly ExitCode[]
  action: Action | undefined
}

/** Declares a command step by step; `spec` is the data. */
export interface Command {
  readonly spec: CommandSpec
  command(name: string): Command
  summary(text: string): Command
  /** Lists it under this heading in the help of its parent. */
  under(heading: string): Command
  description(text: string): Command
  argument(flags: string, help: string, value: ValueRow): Command
  option(...row: OptionRow): Command
  /** Scripts rely on its exit code 0. The exit codes are those of the other results. */
  verdicts(...exits: ExitCode[]): Command
  action(action: Action): Command
}

/** Options that every command has. */
const globalOptions: readonly OptionRow[] = [
  ['--json', 'print the answer as one JSON document'],
  ['--jq <filter>', 'print what a jq filter finds in the JSON answer', 'text'],
  ['-q, --quiet', 'print IDs only'],
  ['--no-color', 'no colors'],
  ['--profile <name>', 'use the key and settings of this profile', 'profile'],
  ['--api-url <url>', 'address of the registry', 'url'],
  ['--insecure-http', 'use unencrypted HTTP to another machine; anyone on the network can read the key'],
  ['--timeout <seconds>', 'time limit for each attempt of a request', 'number'],
  ['--verbose', 'print each request to stderr; verify lists every check'],
  ['--no-input', 'never ask a question'],
]

/** Every command shows its help, and the program its version, instead of doing anything else. */
export const helpOption = ['-h, --help', 'show this help'] as const satisfies OptionRow
export const versionOption = ['-V, --version', 'print the version'] as const satisfies OptionRow

/** Starts a command without arguments or options of its own. */
export const createCommand = (path: readonly string[]): Command => {
  const commands: CommandSpec[] = []
  const spec = {
    name: path.at(-1) ?? 'countersign',
    heading: undefined as string | undefined,
    path,
    summary: '',
    description: '',
    arguments: [] as Argument[],
    options: [...globals],
    examples: [] as string[],
    commands,
    verdicts: [] as readonly ExitCode[],
    action: undefined as Action | undefined,
  }
  const command: Command = {
    spec,
    command: (name) => {
      const child = createCommand([...path, name])
      commands.push(child.spec)
      return child
    },
    summary: (text) => {
      spec.summary = text
      return command
    },
    under: (heading) => {
      spec.heading = heading
      return command
    },
    description: (text) => {
      spec.description = text
      return command
    },
    argument: (flags, help, value) => {
      spec.arguments.push(readArgument(flags, help, value))
      return command
    },
    option: (...row) => {
      const own = spec.options.findIndex(({ isGlobal }) => isGlobal)
      spec.options.splice(own, 0, readOption(row, false))
      return command
    },
    verdicts: (...exits) => {
      spec.verdicts = exits
      return command
    },
    action: (action) => {
      spec.action = action
      return command
    },
  }
  return command
}

const readOption = ([flags, help, value]: OptionRow, isGlobal: boolean): Option => {
  const names = namesOf(flags)
  const long = names.at(-1) ?? ''
  return {
    flags,
    long,
    short: names.length > 1 ? names[0] : undefined,
    name: nameOf(flags),
    help,
    value: value === undefined ? undefined : readValue(value),
    isGlobal,
  }
}

/** `-o, --output <file>` is given as `-o` or `--output`. */
export const namesOf = (flags: string): string[] => flags.replace(/ <.*/, '').split(', ')

const readArgument = (flags: string, help: string, value: ValueRow): Argument => ({
  flags,
  name: flags.replace(/[<>[\]]|\.\.\./g, ''),
  help,
  value: readValue(value),
  isRequired: flags.startsWith('<'),
  isVariadic: flags.includes('...'),
})

const readValue = (value: ValueRow): Value => (typeof value === 'string' ? { kind: value } : { kind: 'text', ...value })

/** The name of an option in `Flags`: `--no-color` is `color`, `--api-url <url>` is `apiUrl`. */
export const nameOf = (flags: string): string =>
  (/--(?:no-)?([a-z0-9-]+)/.exec(flags)?.[1] ?? '').replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const globals = globalOptions.map((row) => readOption(row, true))

/** `--no-color` turns `color` off. */
export const isNegated = ({ long }: Option) => long.startsWith('--no-')

export const addOptions = (command: Command, rows: readonly OptionRow[]) => {
  for (const row of rows) command.option(...row)
  return command
}

export const example = ({ spec }: Command, ...lines: string[]) => {
  Object.assign(spec, { examples: lines.map((line) => `countersign ${line}`) })
}

/** For commands that change something. */
export const addDryRun = (command: Command) => command.option('--dry-run', 'print what would be sent, and send nothing')

/** For commands that destroy something: `context.confirm` asks in a terminal, and requires `--yes` everywhere else. */
export const addConfirmation = (command: Command) =>
  addDryRun(command).option('--yes', 'confirm without a prompt; required when not running interactively')

export const createFlags = (all: Flags['all']): Flags => ({
  all,
  text: (name) => (typeof all[name] === 'string' ? all[name] : undefined),
  list: (name) => (Array.isArray(all[name]) ? all[name].map(String) : []),
  isOn: (name) => all[name] === true,
})
