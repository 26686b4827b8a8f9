import { z } from 'zod'
import { optionsOnly, projectFields } from '../../cli/src/config/project-file.ts'
import { run } from '../../cli/src/run.ts'
import { generatedNotice, markdownTable } from './markdown.ts'

const CommandOption = z.object({
  flags: z.string(),
  description: z.string(),
  choices: z.array(z.string()).nullable(),
  default: z.string().nullable(),
  environment: z.array(z.string()),
  global: z.boolean(),
})
type CommandOption = z.infer<typeof CommandOption>

const CommandEntry = z.object({
  path: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  examples: z.array(z.string()),
  exit_codes: z.array(z.number()),
  exit_is_verdict: z.boolean(),
  output: z.unknown(),
  dry_run_output: z.unknown(),
  arguments: z.array(z.object({ name: z.string(), required: z.boolean(), variadic: z.boolean() })),
  options: z.array(CommandOption),
})
type CommandEntry = z.infer<typeof CommandEntry>

const Commands = z.object({ version: z.string(), error: z.unknown(), commands: z.array(CommandEntry) })
const Variables = z.record(z.string(), z.string())

/** docs/cli.md: every command and option, from the program itself. */
export const cliReference = async () => {
  const { commands } = await readCommands()
  const variables = Variables.parse(await answerOf(['help', 'environment', '--json']))
  const shared = (commands[0]?.options ?? []).filter((option) => option.global)
  return `${generatedNotice}

# Command line

\`countersign help COMMAND\` and \`countersign COMMAND --help\` print the same information. [errors.md](errors.md) explains the exit codes.

A script must not mistake a word from someone else for an option, or for \`-\`, which reads stdin. Write such words after \`--\`, where
neither has a meaning: \`countersign verify --expect-provider acme.example -- "$LINK"\`. If exit code 0 of a command means that a check
passed, its \`--help\` exits 2.

With \`--json\` a command prints one JSON document on stdout and nothing on stderr. If it fails, it prints nothing on stdout and one
\`error\` on stderr. \`countersign commands --json\` prints the whole command tree, with the JSON Schema of each answer.

## Global options

${globalTable(shared)}

## Environment

${markdownTable(
  ['variable', 'meaning'],
  Object.entries(variables).map(([name, meaning]) => [`\`${name}\``, meaning]),
)}

## The project file

\`.countersign.json\` in the working folder is a JSON object with defaults for options that you don't give.
It may set ${projectFields.map((name) => `\`${name}\``).join(', ')}. Any other
field is an error. The file may come from someone else. ${optionsOnly.map((name) => `\`${name}\``).join(', ')}, keys, passwords and
addresses of registries in it are therefore ignored, with a warning; use options.

${commands.map((command) => commandSection({ ...command, options: command.options.filter((option) => !option.global) })).join('\n\n')}
`
}

const commandSection = ({
  path,
  description,
  arguments: named,
  options,
  examples,
  exit_codes,
  exit_is_verdict,
}: CommandEntry) => {
  const usage = ['countersign', ...path, ...named.map(argumentText), ...(options.length > 0 ? ['[options]'] : [])].join(
    ' ',
  )
  return [
    `## countersign ${path.join(' ')}`,
    inMarkdown(description),
    `\`${usage}\``,
    ...(options.length > 0 ? [optionTable(options)] : []),
    `For example:\n\n${examples.map((line) => `- \`${line}\``).join('\n')}`,
    `Exit codes: ${exit_codes.join(', ')}.${exit_is_verdict ? ' `--help` exits 2.' : ''}`,
  ].join('\n\n')
}

const argumentText = ({ name, required, variadic }: CommandEntry['arguments'][number]) => {
  const text = variadic ? `${name}...` : name
  return required ? `<${text}>` : `[${text}]`
}

const optionTable = (options: readonly CommandOption[]) =>
  markdownTable(
    ['option', 'meaning'],
    options.map(({ flags, description, choices }) => [
      `\`${flags}\``,
      choices ? `${description} (${choices.join(', ')})` : description,
    ]),
  )

const globalTable = (options: readonly CommandOption[]) =>
  markdownTable(
    ['option', 'meaning', 'variable', 'default'],
    options.map(({ flags, description, environment, default: fallback }) => [
      `\`${flags}\``,
      description,
      environment.map((name) => `\`${name}\``).join(', '),
      fallback === null ? '' : `\`${fallback}\``,
    ]),
  )

/** Descriptions are written for terminals: escape placeholders and pipes. */
const inMarkdown = (text: string) => text.replace(/[<>|]/g, '\\$&')

const readCommands = async () => Commands.parse(await answerOf(['commands', '--json']))

const answerOf = async (argv: readonly string[]): Promise<unknown> => {
  const printed: string[] = []
  const messages: string[] = []
  const code = await run(argv, {
    env: { COUNTERSIGN_CONFIG_DIR: '/nonexistent' },
    cwd: '/',
    stdin: { isTerminal: false, read: async () => new Uint8Array() },
    stdout: { isTerminal: false, write: (text) => void printed.push(text) },
    stderr: { isTerminal: false, write: (text) => void messages.push(text) },
    signal: new AbortController().signal,
    now: () => new Date(0),
  })
  if (code !== 0) throw new Error(`\`countersign ${argv.join(' ')}\` exited ${code}.\n${messages.join('')}`)
  return JSON.parse(printed.join(''))
}
