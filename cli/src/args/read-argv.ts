import type { Program } from '../program.ts'
import type { World } from '../world.ts'
import {
  type Argument,
  type CommandSpec,
  helpOption,
  isNegated,
  namesOf,
  type Option,
  versionOption,
} from './command.ts'

/** The first mistake in a command line. */
export type Problem =
  | { kind: 'missing value'; option: Option }
  | { kind: 'wrong value'; option: Option; value: string }
  | { kind: 'missing option'; option: Option }
  | { kind: 'unknown option'; word: string }
  | { kind: 'unknown command'; word: string }
  | { kind: 'missing command' }
  | { kind: 'missing argument'; argument: Argument }
  | { kind: 'wrong argument'; argument: Argument; value: string }
  | { kind: 'too many arguments' }

/** A command line, read by the grammar of the command that it names. */
export interface Reading {
  command: CommandSpec
  args: readonly string[]
  /** The options given, by their names in `Flags`. */
  given: Readonly<Record<string, string | boolean | readonly string[]>>
  /** The option whose value would come next. */
  pending: Option | undefined
  /** After `--` every word is an argument. */
  optionsEnded: boolean
  asksHelp: boolean
  asksVersion: boolean
  problem: Problem | undefined
}

/**
 * The only reader of the command line: running a command, completion, usage errors and error reports all start from its result.
 * It reads on after a mistake, so that `--json` counts wherever it stands. A group's module loads when the line names the group.
 */
export const readArgv = async (argv: readonly string[], program: Program): Promise<Reading> => {
  const state: State = {
    command: program.root,
    args: [],
    given: {},
    pending: undefined,
    optionsEnded: false,
    asksHelp: false,
    asksVersion: false,
    mistakes: [],
  }
  for (const word of argv) await take(state, word, program)
  const { mistakes, ...reading } = state
  return { ...reading, problem: problemOf(state) }
}

interface State extends Omit<Reading, 'problem' | 'given' | 'args'> {
  args: string[]
  given: Record<string, string | boolean | readonly string[]>
  mistakes: Problem[]
}

const take = async (state: State, word: string, program: Program): Promise<void> => {
  const { command, pending, optionsEnded } = state
  if (pending !== undefined && !isOption(command, word)) return takeValue(state, pending, word)
  if (pending !== undefined) {
    // An option stands where a value belongs: the value was forgotten.
    state.mistakes.push({ kind: 'missing value', option: pending })
    state.pending = undefined
  }
  if (word === '--' && !optionsEnded) state.optionsEnded = true
  else if (word.length > 1 && word.startsWith('-') && !optionsEnded) takeOption(state, word)
  else await takeWord(state, word, program)
}

const isOption = (command: CommandSpec, word: string) => {
  const name = word.replace(/=.*/s, '')
  return findOption(command, name) !== undefined || namesOf(helpOption[0]).includes(name)
}

const takeOption = (state: State, word: string): void => {
  const isLong = word.startsWith('--')
  const [name = '', inline] = isLong ? word.split(/=(.*)/s) : [word.slice(0, 2), word.slice(2) || undefined]
  const option = findOption(state.command, name)
  if (option?.value !== undefined) {
    if (inline === undefined) state.pending = option
    else takeValue(state, option, inline)
    return
  }
  const stated = isLong ? inline?.toLowerCase() : undefined
  if (option !== undefined && (stated === undefined || stated === 'true' || stated === 'false'))
    state.given[option.name] = isNegated(option) === (stated === 'false')
  else if (namesOf(helpOption[0]).includes(name)) state.asksHelp = true
  else if (namesOf(versionOption[0]).includes(name) && state.command.path.length === 0) state.asksVersion = true
  else {
    state.mistakes.push({ kind: 'unknown option', word })
    return
  }
  // `-qx` is `-q -x`.
  if (inline !== undefined && !isLong) takeOption(state, `-${inline}`)
}

const takeValue = (state: State, option: Option, value: string) => {
  state.pending = undefined
  const { choices, isRepeated } = option.value ?? {}
  if (choices !== undefined && !choices.includes(value)) state.mistakes.push({ kind: 'wrong value', option, value })
  const before = state.given[option.name]
  state.given[option.name] = isRepeated ? [...(Array.isArray(before) ? before : []), value] : value
}

const takeWord = async (state: State, word: string, program: Program) => {
  const child = state.args.length === 0 ? state.command.commands.find(({ name }) => name === word) : undefined
  if (child === undefined) {
    const argument = state.command.arguments[state.args.length]
    // `./-` is the file of that name, and neither a link nor an ID.
    const isNamed = word === '-' && state.optionsEnded && argument?.value.readsStdin
    state.args.push(isNamed ? './-' : word)
    return
  }
  await program.load(child)
  state.command = child
}

export const findOption = ({ options }: CommandSpec, name: string): Option | undefined =>
  options.find(({ short, long }) => name === long || name === short)

const problemOf = ({ command, args, given, pending, mistakes }: State): Problem | undefined => {
  const wrong = mistakes.find(({ kind }) => kind !== 'unknown option')
  if (wrong !== undefined) return wrong
  if (pending !== undefined) return { kind: 'missing value', option: pending }
  const missing = command.options.find(({ name, value }) => value?.isRequired && given[name] === undefined)
  if (missing !== undefined) return { kind: 'missing option', option: missing }
  const [word] = args
  if (command.action === undefined && word !== undefined) return { kind: 'unknown command', word }
  const [unknown] = mistakes
  if (unknown !== undefined) return unknown
  return command.action === undefined ? { kind: 'missing command' } : problemOfArguments(command, args)
}

const problemOfArguments = (command: CommandSpec, args: readonly string[]): Problem | undefined => {
  for (const [index, argument] of command.arguments.entries()) {
    const value = args[index]
    if (value === undefined && argument.isRequired) return { kind: 'missing argument', argument }
    const { choices } = argument.value
    if (value !== undefined && choices !== undefined && !choices.includes(value))
      return { kind: 'wrong argument', argument, value }
  }
  const isOpen = command.arguments.at(-1)?.isVariadic
  return args.length > command.arguments.length && !isOpen ? { kind: 'too many arguments' } : undefined
}

/** Whether results and errors are printed as JSON. Known for every command line, wrong ones included. */
export const isJson = ({ given }: Pick<Reading, 'given'>, env: World['env']): boolean =>
  given.json === true || (env.COUNTERSIGN_OUTPUT === 'json' && given.quiet !== true)
