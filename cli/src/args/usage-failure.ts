import { type Failure, usage } from '../failure.ts'
import type { Program } from '../program.ts'
import type { CommandSpec } from './command.ts'
import type { Problem, Reading } from './read-argv.ts'
import { suggest } from './suggest.ts'

/** The first mistake in a command line in words, with the command to run next. A secret is never repeated. */
export const usageFailureOf = async (problem: Problem, { command, args }: Reading, program: Program): Promise<Failure> => {
  const help = `Run: ${callOf(command)} --help`
  switch (problem.kind) {
    case 'missing value':
      return usage(`option '${problem.option.flags}' argument missing`, help)
    case 'wrong value':
      return usage(
        `option '${problem.option.flags}' argument '${cut(problem.value)}' is invalid. ${allowed(problem.option.value?.choices)}`,
        help,
      )
    case 'missing option':
      return usage(`required option '${problem.option.flags}' not specified`, help)
    case 'unknown option':
      return ofUnknownOption(problem.word, command, help)
    case 'unknown command': {
      const known = command.commands.map(({ name }) => name)
      const said = `unknown command '${cut(problem.word)}'${didYouMean(suggest(problem.word, known))}`
      return usage(said, (await findElsewhere(program, problem.word)) ?? help)
    }
    case 'missing command':
      return usage(`${callOf(command)} needs one of its commands`, help)
    case 'missing argument': {
      const { name, value } = problem.argument
      return usage(`missing required argument '${name}'${value.choices ? `, one of ${value.choices.join(', ')}` : ''}`, help)
    }
    case 'wrong argument': {
      const { name, value } = problem.argument
      return usage(`command-argument value '${cut(problem.value)}' is invalid for argument '${name}'. ${allowed(value.choices)}`, help)
    }
    case 'too many arguments': {
      const expected = command.arguments.length
      const count = `Expected ${expected} argument${expected === 1 ? '' : 's'} but got ${args.length}`
      return usage(`too many arguments for '${command.name}'. ${count}: ${cut(args.join(', '))}.`, help)
    }
    default:
      return problem satisfies never
  }
}

const allowed = (choices: readonly string[] = []) => `Allowed choices are ${choices.join(', ')}.`

const didYouMean = (found: readonly string[]) =>
  found.length === 0 ? '' : `\n(Did you mean ${found.length > 1 ? 'one of ' : ''}${found.join(', ')}?)`

/** An API key given as a word is not repeated. */
const cut = (text: string) => text.replace(/\bcs[kc]_[^\s',]*/g, 'csk_…')

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
  const known = [...command.options.map(({ long }) => long), '--help']
  const near = option.startsWith('--')
    ? suggest(
        option.slice(2),
        known.map((long) => long.slice(2)),
      )
    : []
  return usage(`unknown option '${cut(option)}'${didYouMean(near.map((name) => `--${name}`))}`, help)
}

/** A command of that name in a group, such as `auth login` for `login`. */
const findElsewhere = async (program: Program, name: string) => {
  await program.loadAll()
  const found = below(program.root).filter((each) => each.name === name)
  return found.length === 0 || found.length > 3 ? undefined : `Run: ${found.map(callOf).join(', or ')}`
}

const below = ({ commands }: CommandSpec): CommandSpec[] => commands.flatMap((child) => [child, ...below(child)])

const callOf = ({ path }: CommandSpec): string => ['countersign', ...path].join(' ')
