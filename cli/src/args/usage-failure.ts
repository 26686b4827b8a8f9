import type { Command, CommanderError } from 'commander'
import { type Failure, usage } from '../failure.ts'
import type { Program } from '../program.ts'

/** What the parser of arguments refuses, in its words and with the command to run next. A secret is never repeated. */
export const usageFailureOf = async (error: CommanderError, argv: readonly string[], program: Program): Promise<Failure> => {
  const command = commandIn(program.command, argv)
  const help = `Run: ${pathOf(command)} --help`
  const said = error.message.replace(/^error: /, '').replace(/\bcs[kc]_[^\s',]*/g, 'csk_…')
  if (error.code === 'commander.help') return usage(`${pathOf(command)} needs one of its commands`, help)
  if (error.code === 'commander.unknownOption') return ofUnknownOption(said, help)
  if (error.code === 'commander.missingArgument') return usage(`${said}${choicesOf(command, said)}`, help)
  const unknown = error.code === 'commander.unknownCommand' ? quotedIn(said) : undefined
  return usage(said, (unknown !== undefined && (await elsewhere(program, unknown))) || help)
}

const secrets = [
  {
    pattern: /^--?(api-?)?key/i,
    what: 'An API key',
    hint: 'Set COUNTERSIGN_API_KEY, or save it: countersign auth login --api-key-stdin < key.txt',
  },
  {
    pattern: /^--?pass/i,
    what: 'A password',
    hint: 'Let it be asked for, or: countersign auth login --email ADDRESS --password-stdin < password.txt',
  },
]

// `--option=value` is one word to the parser, and the value may be a secret.
const ofUnknownOption = (said: string, help: string) => {
  const option = (quotedIn(said) ?? '').replace(/=.*/s, '')
  const secret = secrets.find(({ pattern }) => pattern.test(option))
  return secret === undefined
    ? usage(said.replace(/=[^']*'/s, "'"), help)
    : usage(`${secret.what} is never an argument, which others on this machine could read: there is no ${option}`, secret.hint)
}

const quotedIn = (said: string) => /'(.*)'/s.exec(said)?.[1]

const choicesOf = (command: Command, said: string) => {
  const choices = command.registeredArguments.find((each) => each.name() === quotedIn(said))?.argChoices
  return choices === undefined ? '' : `, one of ${choices.join(', ')}`
}

/** A command that stands under another one, as `login` does under `auth`. */
const elsewhere = async (program: Program, name: string) => {
  await program.loadAll()
  const found = below(program.command).filter((each) => each.name() === name || each.aliases().includes(name))
  return found.length === 0 || found.length > 3 ? undefined : `Run: ${found.map(pathOf).join(', or ')}`
}

const below = (command: Command): Command[] => command.commands.flatMap((child) => [child, ...below(child)])

const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name())

/** The command that the words name, as far as they name one. */
const commandIn = (program: Command, argv: readonly string[]): Command => {
  let command = program
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? ''
    if (word === '--') break
    const option = command.options.find((each) => each.long === word || each.short === word)
    if (option !== undefined) index += option.required ? 1 : 0
    else if (!word.startsWith('-')) {
      const next = command.commands.find((each) => each.name() === word)
      if (next === undefined) break
      command = next
    }
  }
  return command
}
