import { type Failure, usage } from '../failure.ts'
import type { Program } from '../program.ts'
import { filterExample } from '../render/jq.ts'
import type { CommandSpec, Value } from './command.ts'
import type { Problem, Reading } from './read-argv.ts'
import { suggest } from './suggest.ts'

/** The first mistake in a command line in words, with the command to run next. A secret is never repeated. */
export const usageFailureOf = async (
  problem: Problem,
  { command, args, given }: Reading,
  program: Program,
): Promise<Failure> => {
  const help = `Run: ${['countersign help', ...command.path].join(' ')}`
  switch (problem.kind) {
    case 'missing value':
      return usage(`${problem.option.long} needs a value: ${problem.option.flags}`, help)
    case 'wrong value':
      return usage(wrongValue(problem.option.long, problem.option.value, problem.value), help)
    case 'missing option':
      return usage(`Missing: ${problem.option.flags}`, help)
    case 'unknown option':
      return ofUnknownOption(problem.word, command, help)
    case 'unknown command': {
      const known = command.commands.map(({ name }) => name)
      const said = `There is no command ${quote(problem.word)}${didYouMean(suggest(problem.word, known))}`
      const elsewhere = command.path.length === 0 ? await findElsewhere(program, problem.word) : undefined
      return usage(said, elsewhere ?? help)
    }
    case 'missing command':
      return usage(`${callOf(command)} needs one of its commands`, help)
    case 'missing argument': {
      const { name, value } = problem.argument
      return usage(`Missing: <${name}>${value.choices ? `, one of ${value.choices.join(', ')}` : ''}`, help)
    }
    case 'wrong argument': {
      const { name, value } = problem.argument
      return usage(wrongValue(`<${name}>`, value, problem.value), help)
    }
    case 'too many arguments': {
      const most = command.arguments.length
      const count = most === 0 ? 'no arguments' : `at most ${most} ${most === 1 ? 'argument' : 'arguments'}`
      return usage(
        `${callOf(command)} takes ${count}, not ${args.length}: ${cut(args.join(', '))}`,
        given.json === true && isListOfFields(args.at(-1))
          ? `--json takes no value. ${fieldsHint}`
          : ((await asOneCode(command, args)) ?? help),
      )
    }
    default:
      return problem satisfies never
  }
}

/** `--json id,name`, as gh takes it. */
const fieldsHint = `To choose fields: ${filterExample}`

const takersOfCodes = new Set(['verify', 'open', 'log proof'])

/** A link code in several words, as people read it aloud. */
const asOneCode = async ({ path }: CommandSpec, args: readonly string[]): Promise<string | undefined> => {
  const words = args.join(' ')
  if (!takersOfCodes.has(path.join(' ')) || !/^[\w -]+$/.test(words)) return undefined
  const { readLink } = await import('@countersign/sdk/verify')
  return readLink(words).kind === 'code' ? `Run: countersign ${path.join(' ')} "${words}"` : undefined
}

const isListOfFields = (word = '') => /^[a-z_]+(,[a-z_]+)+$/i.test(word)

const wrongValue = (place: string, value: Value | undefined, given: string) =>
  `${place} must be one of ${(value?.choices ?? []).filter(Boolean).join(', ')}, not ${quote(given)}`

const didYouMean = (found: readonly string[]) => (found.length === 0 ? '' : `. Did you mean ${found.join(' or ')}?`)

/** An API key in the words is not repeated. */
const cut = (text: string) => text.replace(/\bcs[kc]_[^\s',]*/g, 'csk_…')

const quote = (text: string) => JSON.stringify(cut(text))

const secrets = [
  {
    pattern: /^--?(api-?)?key/i,
    what: 'An API key',
    hint: 'Set COUNTERSIGN_API_KEY, or save it: countersign auth login --api-key-stdin < key.txt',
  },
  {
    pattern: /^--?pass/i,
    what: 'A password',
    hint: 'Let the command ask for it, or: countersign auth login --email ADDRESS --password-stdin < password.txt',
  },
]

const ofUnknownOption = (word: string, command: CommandSpec, help: string) => {
  // `--option=value` is one word, and the value may be a secret.
  const option = word.replace(/=.*/s, '')
  const secret = secrets.find(({ pattern }) => pattern.test(option))
  if (secret !== undefined)
    return usage(
      `${secret.what} is never an argument, because others on this machine could read it: there is no ${cut(option)}`,
      secret.hint,
    )
  if (command.options.some(({ long }) => long === option))
    return usage(`${option} takes no value`, option === '--json' ? fieldsHint : help)
  // A group has no options of its own.
  const takers = command.commands.filter(({ options }) => options.some(({ long }) => long === option))
  if (takers.length > 0)
    return usage(
      `${callOf(command)} needs one of its commands`,
      `Run: ${takers.map((taker) => `${callOf(taker)} ${option}`).join(', or ')}`,
    )
  if (command.name === 'api' && /^(-X|--method)/.test(option))
    return usage(
      `There is no option ${quote(option)}: the method is the first argument`,
      'Example: countersign api POST create-verification',
    )
  const known = [
    ...command.options.map(({ long }) => long),
    '--help',
    ...(command.path.length === 0 ? ['--version'] : []),
  ]
  const near = option.startsWith('--')
    ? suggest(
        option.slice(2),
        known.map((long) => long.slice(2)),
      )
    : []
  return usage(`There is no option ${quote(option)}${didYouMean(near.map((name) => `--${name}`))}`, help)
}

/** A command of that name in a group, such as `auth login` for `login`. */
const findElsewhere = async (program: Program, name: string) => {
  await program.loadAll()
  const found = below(program.root).filter((each) => each.name === name)
  return found.length === 0 || found.length > 3 ? undefined : `Run: ${found.map(callOf).join(', or ')}`
}

const below = ({ commands }: CommandSpec): CommandSpec[] => commands.flatMap((child) => [child, ...below(child)])

const callOf = ({ path }: CommandSpec): string => ['countersign', ...path].join(' ')
