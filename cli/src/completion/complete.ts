import {
  type CommandSpec,
  createFlags,
  helpOption,
  namesOf,
  type Option,
  type Value,
  type ValueKind,
  versionOption,
} from '../args/command.ts'
import { findOption, type Reading, readArgv } from '../args/read-argv.ts'
import { createContext } from '../context.ts'
import { createProgram, type Program } from '../program.ts'
import type { World } from '../world.ts'
import { isIdKind, listIds } from './complete-ids.ts'

/** What may be typed next, with a few words about it. */
export interface Candidate {
  value: string
  about: string
}

interface Offers {
  candidates: readonly Candidate[]
  takesFile: boolean
}

/**
 * Answers a shell when someone presses Tab. `words` follow the program's name; the last one is being typed. Prints one candidate
 * a line and `:files` if a file is possible. Prints nothing if anything goes wrong.
 */
export const complete = async (words: readonly string[], world: World): Promise<number> => {
  try {
    const lines = await candidatesFor(words, world)
    world.stdout.write(lines.map((line) => `${line}\n`).join(''))
  } catch {}
  return 0
}

const candidatesFor = async (words: readonly string[], world: World) => {
  const program = createProgram()
  // Bash passes `=` as a word of its own.
  const before = words.slice(0, -1).filter((word, index) => word !== '=' || !words[index - 1]?.startsWith('--'))
  const reading = await readArgv(before, program)
  const last = words.at(-1) ?? ''
  const word = last === '=' ? '' : last
  const assigned =
    reading.pending === undefined && !reading.optionsEnded ? splitAssignment(word, reading.command) : undefined
  const current = assigned?.value ?? word
  const prefix = word.slice(0, word.length - current.length)
  const found = await offers({ reading, option: reading.pending ?? assigned?.option, word, program, world })
  const fitting = found.candidates.filter(({ value }) => isPlain.test(value) && value.startsWith(current))
  return [
    ...(found.takesFile ? [':files'] : []),
    ...fitting.map(({ value, about }) => (about === '' ? `${prefix}${value}` : `${prefix}${value}\t${oneLine(about)}`)),
  ]
}

// Candidates come from the registry: nothing in them may have a meaning to the shell.
const isPlain = /^[\w.:@/+-]+$/
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 70)

/** Zsh and fish pass `--option=value` as one word. */
const splitAssignment = (word: string, command: CommandSpec): { option: Option; value: string } | undefined => {
  const [name = '', value] = word.startsWith('--') ? word.split(/=(.*)/s) : []
  const option = findOption(command, name)
  return option === undefined || value === undefined ? undefined : { option, value }
}

interface Place {
  reading: Reading
  /** The option whose value is being typed. */
  option: Option | undefined
  word: string
  program: Program
  world: World
}

const offers = async ({ reading, option, word, program, world }: Place): Promise<Offers> => {
  const { command, args, optionsEnded } = reading
  if (option !== undefined) return option.value === undefined ? nothing : offerValues(option.value, reading, world)
  if (word.startsWith('-') && !optionsEnded) return { ...nothing, candidates: optionsOf(command) }
  if (command.name === 'help') return { ...nothing, candidates: await topicsAfter(args, program) }
  if (command.commands.length > 0) return { ...nothing, candidates: args.length === 0 ? commandsOf(command) : [] }
  const last = command.arguments.at(-1)
  const argument = command.arguments[args.length] ?? (last?.isVariadic ? last : undefined)
  return argument === undefined ? nothing : offerValues(argument.value, reading, world)
}

const nothing: Offers = { candidates: [], takesFile: false }

const optionsOf = ({ path, options }: CommandSpec): Candidate[] =>
  [
    ...options.map(({ flags, help }) => [flags, help] as const),
    ...(path.length === 0 ? [versionOption] : []),
    helpOption,
  ].flatMap(([flags, help]) =>
    namesOf(flags)
      .toReversed()
      .map((value) => ({ value, about: help })),
  )

const commandsOf = ({ commands }: CommandSpec): Candidate[] =>
  commands.map(({ name, summary }) => ({ value: name, about: summary }))

const topicsAfter = async (words: readonly string[], program: Program): Promise<Candidate[]> => {
  const { command } = await readArgv(words, program)
  return [...commandsOf(command), ...(command === program.root ? topics : [])]
}

const topics: readonly Candidate[] = [
  { value: 'exit-codes', about: 'What each exit code means' },
  { value: 'environment', about: 'Every variable' },
]

const offerValues = async (
  { kind, choices, suggestions }: Value,
  { given }: Reading,
  world: World,
): Promise<Offers> => {
  if (kind === 'file') return { candidates: [], takesFile: true }
  const known = choices ?? suggestions
  return {
    candidates: known ? known.filter(Boolean).map(named) : await listValues(kind, given, world),
    takesFile: false,
  }
}

const listValues = async (kind: ValueKind, given: Reading['given'], world: World): Promise<Candidate[]> => {
  if (kind !== 'profile' && !isIdKind(kind)) return []
  const silent = { ...world, stderr: { isTerminal: false, write: () => {} } }
  const context = await createContext(silent, createFlags({ ...given, quiet: true, input: false }))
  return kind === 'profile' ? context.profile.store.list().map(named) : listIds(context, kind)
}

const named = (value: string): Candidate => ({ value, about: '' })
