import { z } from 'zod'
import { run } from '../../cli/src/main.ts'
import { projectFields } from '../../cli/src/settings.ts'
import { generatedNotice, markdownTable } from './markdown.ts'

const CommandOption = z.object({ flags: z.string(), description: z.string(), choices: z.array(z.string()).nullable() })
type CommandOption = z.infer<typeof CommandOption>

const CommandEntry = z.object({
  path: z.array(z.string()),
  summary: z.string(),
  arguments: z.array(z.object({ name: z.string(), required: z.boolean(), variadic: z.boolean() })),
  options: z.array(CommandOption),
})
type CommandEntry = z.infer<typeof CommandEntry>

const Commands = z.object({ commands: z.array(CommandEntry) })
const Variables = z.record(z.string(), z.string())

/** docs/cli.md: every command and option, from the program itself. */
export const cliReference = async () => {
  const { commands } = Commands.parse(await answerOf(['commands', '--json']))
  const variables = Variables.parse(await answerOf(['help', 'environment', '--json']))
  const shared = sharedOptions(commands)
  const isShared = (option: CommandOption) => shared.some(({ flags }) => flags === option.flags)
  return `${generatedNotice}

# Command line

\`countersign --help\` and \`countersign COMMAND --help\` say the same, with examples. Exit codes are in [errors.md](errors.md).

## Options of every command

${optionTable(shared)}

## Environment

${markdownTable(
  ['variable', 'meaning'],
  Object.entries(variables).map(([name, meaning]) => [`\`${name}\``, meaning]),
)}

## The project file

\`.countersign.json\` in the folder where a command runs is a JSON object of defaults: what is not given as an option is taken from there.
It may set ${projectFields.map((name) => `\`${name}\``).join(', ')}. Any other
field is an error; keys, passwords and addresses of registries are ignored with a warning, because the file may come from somebody else.

${commands.map((command) => commandSection({ ...command, options: command.options.filter((option) => !isShared(option)) })).join('\n\n')}
`
}

const commandSection = ({ path, summary, arguments: named, options }: CommandEntry) => {
  const usage = ['countersign', ...path, ...named.map(argumentText), ...(options.length > 0 ? ['[options]'] : [])].join(' ')
  return [`## countersign ${path.join(' ')}`, `${summary}.`, `\`${usage}\``, ...(options.length > 0 ? [optionTable(options)] : [])].join(
    '\n\n',
  )
}

const argumentText = ({ name, required, variadic }: CommandEntry['arguments'][number]) => {
  const text = variadic ? `${name}...` : name
  return required ? `<${text}>` : `[${text}]`
}

const optionTable = (options: readonly CommandOption[]) =>
  markdownTable(
    ['option', 'meaning'],
    options.map(({ flags, description, choices }) => [`\`${flags}\``, choices ? `${description} (${choices.join(', ')})` : description]),
  )

const sharedOptions = (commands: readonly CommandEntry[]) =>
  (commands[0]?.options ?? []).filter(({ flags }) => commands.every(({ options }) => options.some((option) => option.flags === flags)))

const answerOf = async (argv: readonly string[]): Promise<unknown> => {
  const printed: string[] = []
  const talk: string[] = []
  const code = await run(argv, {
    env: { COUNTERSIGN_CONFIG_DIR: '/nonexistent' },
    cwd: '/',
    stdin: { isTerminal: false, read: async () => new Uint8Array() },
    stdout: { isTerminal: false, write: (text) => void printed.push(text) },
    stderr: { isTerminal: false, write: (text) => void talk.push(text) },
    signal: new AbortController().signal,
    now: () => new Date(0),
  })
  if (code !== 0) throw new Error(`\`countersign ${argv.join(' ')}\` ended with ${code}.\n${talk.join('')}`)
  return JSON.parse(printed.join(''))
}
