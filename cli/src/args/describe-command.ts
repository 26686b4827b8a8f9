import { type ExitCode, errors, refusalsOf } from '@countersign/sdk/contract'
import { schemaOf } from '@countersign/sdk/contract/openapi'
import type { Argument, Command, Option } from 'commander'
import { settings } from '../config/settings.ts'
import type { Shape } from '../shapes/index.ts'
import { Request } from '../shapes/local.ts'
import { collect, examplesOf, globalOptions } from './command.ts'

/** A command as data: all that its `--help` says, and what it prints and exits with. */
export const describeCommand = (command: Command, path: readonly string[], shape: Shape | undefined) => ({
  name: command.name(),
  path: [...path],
  summary: command.summary(),
  description: command.description(),
  arguments: command.registeredArguments.map(describeArgument),
  options: command.options.map((option) => describeOption(option, path)),
  examples: examplesOf(command),
  exit_codes: shape === undefined ? [] : exitsOf(shape),
  output: shape?.answer ? schemaOf(shape.answer, 'output') : null,
  dry_run_output: command.options.some(({ long }) => long === '--dry-run') ? schemaOf(shape?.dryRun ?? Request, 'output') : null,
})

const describeArgument = (argument: Argument) => ({
  name: argument.name(),
  required: argument.required,
  variadic: argument.variadic,
  description: argument.description,
  choices: argument.argChoices ?? null,
})

const describeOption = (option: Option, path: readonly string[]) => {
  const isGlobal = globalFlags.has(option.flags)
  return {
    flags: option.flags,
    long: option.long ?? null,
    short: option.short ?? null,
    description: option.description,
    type: option.required || option.optional ? (option.parseArg === collect ? 'list' : 'string') : 'boolean',
    /** What stands for the value: `file`, `url`, `seconds`. */
    value: /<(.+)>/.exec(option.flags)?.[1] ?? null,
    takes_value: option.required || option.optional,
    required: option.mandatory,
    global: isGlobal,
    choices: option.argChoices ?? null,
    default: typeof option.defaultValue === 'string' ? option.defaultValue : fallbackOf(option, isGlobal),
    environment: variablesOf(option, path.join(' ')),
  }
}

const globalFlags = new Set(globalOptions.map(([flags]) => flags))

/** Variables of options that are no setting. */
const otherVariables: Readonly<Record<string, readonly string[]>> = {
  '--json': ['COUNTERSIGN_OUTPUT'],
  '--no-color': ['NO_COLOR'],
  '--no-input': ['COUNTERSIGN_NO_INPUT', 'CI'],
  'auth login --provider': ['COUNTERSIGN_PROVIDER_ID'],
  'mcp --model': ['COUNTERSIGN_MODEL'],
}

const settingOf = (option: Option) => Object.values(settings).find((each) => 'flag' in each && each.flag === option.attributeName())

const fallbackOf = (option: Option, isGlobal: boolean): string | null => {
  const setting = isGlobal ? settingOf(option) : undefined
  return setting && 'fallback' in setting ? setting.fallback : null
}

const variablesOf = (option: Option, path: string): readonly string[] => {
  const setting = settingOf(option)
  const known = otherVariables[`${path} ${option.long}`] ?? otherVariables[option.long ?? '']
  return known ?? (setting && 'variables' in setting ? Object.keys(setting.variables) : [])
}

/** What may happen to any command. */
const always = [0, 1, 2, 130, 143] as const satisfies ExitCode[]

const exitsOf = ({ calls = [], exits = [], onlyExits }: Shape): ExitCode[] => {
  const refused = calls.flatMap((row) => refusalsOf(row).map((code) => errors[code].exit))
  return [...new Set<ExitCode>(onlyExits ?? [...always, ...exits, ...refused])].sort((left, right) => left - right)
}
