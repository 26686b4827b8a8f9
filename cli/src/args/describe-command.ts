import { type ExitCode, errors, mayBeStaged, refusalsOf } from '@countersign/sdk/contract'
import { schemaOf } from '@countersign/sdk/contract/openapi'
import { settings } from '../config/settings.ts'
import type { Shape } from '../shapes/index.ts'
import { Request } from '../shapes/local.ts'
import type { Argument, CommandSpec, Option } from './command.ts'

/** A command as data: everything in its `--help`, and what it prints and exits with. */
export const describeCommand = (command: CommandSpec, shape: Shape | undefined) => ({
  name: command.name,
  path: [...command.path],
  summary: command.summary,
  description: command.description,
  arguments: command.arguments.map(describeArgument),
  options: command.options.map((option) => describeOption(option, command)),
  examples: command.examples,
  exit_codes: shape === undefined ? [] : exitsOf(shape, command),
  exit_is_verdict: command.verdicts.length > 0,
  output: shape?.answer ? schemaOf(shape.answer, 'output') : null,
  dry_run_output: command.options.some(({ long }) => long === '--dry-run')
    ? schemaOf(shape?.dryRun ?? Request, 'output')
    : null,
})

const describeArgument = ({ name, isRequired, isVariadic, help, value }: Argument) => ({
  name,
  required: isRequired,
  variadic: isVariadic,
  description: help,
  choices: value.choices ?? null,
})

const describeOption = (option: Option, { path }: CommandSpec) => {
  const { flags, long, short, help, value, isGlobal } = option
  return {
    flags,
    long,
    short: short ?? null,
    description: help,
    type: value === undefined ? 'boolean' : value.isRepeated ? 'list' : 'string',
    /** The placeholder of the value: `file`, `url`, `seconds`. */
    value: /<(.+)>/.exec(flags)?.[1] ?? null,
    takes_value: value !== undefined,
    required: value?.isRequired ?? false,
    global: isGlobal,
    choices: value?.choices ?? null,
    default: value?.fallback ?? (isGlobal ? fallbackOf(option) : null),
    environment: variablesOf(option, path.join(' ')),
  }
}

/** Variables of options that are not settings. */
const otherVariables: Readonly<Record<string, readonly string[]>> = {
  '--json': ['COUNTERSIGN_OUTPUT'],
  '--no-color': ['NO_COLOR'],
  '--no-input': ['COUNTERSIGN_NO_INPUT', 'CI'],
  'auth login --provider': ['COUNTERSIGN_PROVIDER_ID'],
  'tokens mint --provider': ['COUNTERSIGN_PROVIDER_ID'],
  'mcp --model': ['COUNTERSIGN_MODEL'],
  'mcp --provider': ['COUNTERSIGN_PROVIDER_ID'],
}

const settingOf = ({ name }: Option) => Object.values(settings).find((each) => 'flag' in each && each.flag === name)

const fallbackOf = (option: Option): string | null => {
  const setting = settingOf(option)
  return setting && 'fallback' in setting ? setting.fallback : null
}

const variablesOf = (option: Option, path: string): readonly string[] => {
  const setting = settingOf(option)
  const known = otherVariables[`${path} ${option.long}`] ?? otherVariables[option.long]
  return known ?? (setting && 'variables' in setting ? Object.keys(setting.variables) : [])
}

/** Exit codes that any command may have. */
const always = [0, 1, 2, 130, 143] as const satisfies ExitCode[]

const exitsOf = ({ calls = [], exits = [], onlyExits }: Shape, { verdicts }: CommandSpec): ExitCode[] => {
  const refused = calls.flatMap((endpoint) => refusalsOf(endpoint).map((code) => errors[code].exit))
  const staged = calls.some(mayBeStaged) ? [errors.change_staged.exit] : []
  const others = onlyExits ?? [...always, ...exits, ...refused, ...staged]
  return [...new Set<ExitCode>([...others, ...verdicts])].sort((left, right) => left - right)
}
