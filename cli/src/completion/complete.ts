import { keyScopes } from '@countersign/sdk/contract'
import type { Argument, Command, Option } from 'commander'
import { createFlags } from '../args/command.ts'
import { settingKeys } from '../config/settings.ts'
import { createContext } from '../context.ts'
import { createProgram, type Program } from '../program.ts'
import type { World } from '../world.ts'
import { type IdKind, isIdKind, listIds } from './complete-ids.ts'

/** What may be typed next, and in a few words what it is. */
export interface Candidate {
  value: string
  about: string
}

type Kind = IdKind | 'files' | 'profiles' | 'nothing' | readonly string[]

/** Places whose values the names of options and arguments do not tell. */
const places: Readonly<Record<string, Kind>> = {
  'auth switch <name>': 'profiles',
  'config explain <key>': settingKeys,
  'config get <key>': settingKeys,
  'config set <key>': settingKeys,
  'domains primary <domain>': 'domains',
  'domains remove <domain>': 'domains',
  'domains verify <domain>': 'domains',
  'keys create --scope': keyScopes,
  'models visibility <state>': ['public', 'private'],
  'providers visibility <state>': ['listed', 'unlisted'],
  '--profile': 'profiles',
}

/**
 * What a shell asks when someone presses Tab: the words after the program's name, the one being typed last. Prints one
 * candidate a line, `:files` where a file may stand, and nothing at all where something goes wrong.
 */
export const complete = async (words: readonly string[], world: World): Promise<number> => {
  try {
    const lines = await candidatesFor(words, world)
    world.stdout.write(lines.map((line) => `${line}\n`).join(''))
  } catch {}
  return 0
}

const candidatesFor = async (words: readonly string[], world: World) => {
  const nowhere = { isTerminal: false, write: () => {} }
  const program = createProgram(() => async () => {}, { stdout: nowhere, stderr: nowhere })
  const last = words.at(-1) ?? ''
  const here = await walk(program, words.slice(0, -1))
  // Bash takes `=` for a word of its own.
  const [current, kept] = last === '=' ? ['', ''] : splitValue(last, here)
  const found = await offers(here, kept === '' ? current : last, world)
  const fitting = found.candidates.filter(({ value }) => isPlain.test(value) && value.startsWith(current))
  return [
    ...(found.takesFile ? [':files'] : []),
    ...fitting.map(({ value, about }) => (about === '' ? `${kept}${value}` : `${kept}${value}\t${oneLine(about)}`)),
  ]
}

// Nothing of this acts on a shell, whoever said it.
const isPlain = /^[\w.:@/+-]+$/
const oneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 70)

interface Here {
  program: Program
  command: Command
  path: string
  /** How many arguments stand before the word. */
  position: number
  /** The option whose value is being typed. */
  option: Option | undefined
  isHelp: boolean
  /** Options that every command has, as they were given. */
  given: Record<string, string>
  optionsEnded: boolean
}

const walk = async (program: Program, words: readonly string[]): Promise<Here> => {
  const root = program.command
  const here: Here = { program, command: root, path: '', position: 0, option: undefined, isHelp: false, given: {}, optionsEnded: false }
  for (const word of words) {
    if (here.option !== undefined) {
      if (word === '=') continue
      here.given[here.option.attributeName()] = word
      here.option = undefined
    } else if (word === '--') here.optionsEnded = true
    else if (word.startsWith('-') && !here.optionsEnded) takeOption(here, word)
    else await takeWord(here, word)
  }
  return here
}

const takeOption = (here: Here, word: string) => {
  const [name = '', value] = word.split(/=(.*)/s)
  const option = optionNamed(here.command, name)
  if (option === undefined || !(option.required || option.optional)) return
  if (value === undefined) here.option = option
  else here.given[option.attributeName()] = value
}

const takeWord = async (here: Here, word: string) => {
  const child = here.position === 0 ? here.command.commands.find((each) => each.name() === word) : undefined
  if (child === undefined) {
    here.position += 1
    return
  }
  if (child.name() === 'help') {
    here.isHelp = true
    return
  }
  await here.program.load(child)
  here.command = child
  here.path = `${here.path} ${word}`.trim()
}

const optionNamed = ({ options }: Command, name: string) => options.find(({ short, long }) => name === short || name === long)

/** `--option=value` in one word, as zsh and fish give it: what is typed of the value, and what stands before it. */
const splitValue = (word: string, { command, option }: Here): [current: string, kept: string] => {
  const at = word.indexOf('=')
  if (option !== undefined || !word.startsWith('--') || at === -1) return [word, '']
  return optionNamed(command, word.slice(0, at)) === undefined ? [word, ''] : [word.slice(at + 1), word.slice(0, at + 1)]
}

interface Offers {
  candidates: Candidate[]
  takesFile: boolean
}

const offers = async (here: Here, word: string, world: World): Promise<Offers> => {
  const named =
    here.option ?? (word.startsWith('--') && word.includes('=') ? optionNamed(here.command, word.split('=')[0] ?? '') : undefined)
  if (named !== undefined) return ofKind(kindOfOption(named, here.path), here, world)
  const help = here.command.createHelp()
  if (word.startsWith('-') && !here.optionsEnded) {
    const options = help.visibleOptions(here.command)
    const candidates = options.flatMap(({ short, long, description }) =>
      [long, short].flatMap((name) => (name === undefined ? [] : [{ value: name, about: description }])),
    )
    return { candidates, takesFile: false }
  }
  const commands = help.visibleCommands(here.command).map((child) => ({ value: child.name(), about: child.summary() }))
  if (here.isHelp) return { candidates: [...commands, ...(here.path === '' ? topics : [])], takesFile: false }
  if (commands.length > 0) return { candidates: here.position === 0 ? commands : [], takesFile: false }
  const declared = here.command.registeredArguments
  const argument = declared[here.position] ?? (declared.at(-1)?.variadic ? declared.at(-1) : undefined)
  return argument === undefined ? ofKind('nothing', here, world) : ofKind(kindOfArgument(argument, here.path), here, world)
}

const topics: readonly Candidate[] = [
  { value: 'exit-codes', about: 'What each exit code means' },
  { value: 'environment', about: 'Every variable' },
]

/* ---- what may stand in a place ---- */

const kindOfOption = ({ flags, long, argChoices, description }: Option, path: string): Kind =>
  argChoices ?? places[`${path} ${long}`] ?? places[long ?? ''] ?? (/<file>/.test(flags) ? 'files' : kindOfText(description))

const kindOfArgument = (argument: Argument, path: string): Kind => {
  const choices = argument.argChoices ?? places[`${path} <${argument.name()}>`]
  if (choices !== undefined) return choices
  return /path|file|source|bundle/i.test(argument.name()) ? 'files' : kindOfText(argument.description)
}

const prefixes = {
  mdl: 'model-ids',
  dep: 'deployments',
  inc: 'incidents',
  key: 'keys',
  sgn: 'signers',
  pub: 'publishers',
} as const satisfies Record<string, IdKind>

/** An id is described by its beginning: `dep_…`. */
const kindOfText = (description: string): Kind => {
  if (/\bmdl_…, or (by )?an identifier|by its id or identifier/.test(description)) return 'models'
  const [, prefix] = /\b(mdl|dep|inc|key|sgn|pub)_…/.exec(description) ?? []
  return prefix === undefined ? 'nothing' : prefixes[prefix as keyof typeof prefixes]
}

const ofKind = async (kind: Kind, here: Here, world: World): Promise<Offers> => {
  if (kind === 'files' || kind === 'nothing') return { candidates: [], takesFile: kind === 'files' }
  if (typeof kind !== 'string') return { candidates: kind.filter(Boolean).map((value) => ({ value, about: '' })), takesFile: false }
  const context = await createContext(
    { ...world, stderr: { isTerminal: false, write: () => {} } },
    createFlags({ ...here.given, quiet: true, input: false }),
  )
  if (kind === 'profiles') return { candidates: context.profile.store.list().map((value) => ({ value, about: '' })), takesFile: false }
  return { candidates: isIdKind(kind) ? await listIds(context, kind) : [], takesFile: false }
}
