import { Argument, Command, Option } from 'commander'
import { type CommandSpec, helpOption, versionOption } from './command.ts'

/** The help page of a command. Commander lays it out; it reads no command line. */
export const helpText = (spec: CommandSpec, columns: number): string => {
  const shown = spec.path.slice(0, -1).reduce((parent, name) => parent.command(name), createRoot(columns))
  const command = spec.path.length === 0 ? shown : shown.command(spec.name)
  fill(command, spec, columns)
  let text = ''
  command.configureOutput({ ...command.configureOutput(), writeOut: (part) => (text += part) }).outputHelp()
  return inOrder(text)
}

/** Commander puts the commands of a group below all options. */
const sections = ['Commands:', 'Options:', 'Global options:', 'Example']

const inOrder = (text: string) => {
  const rank = (part: string) => sections.findIndex((heading) => part.startsWith(heading))
  return `${text
    .trimEnd()
    .split('\n\n')
    .toSorted((a, b) => rank(a) - rank(b))
    .join('\n\n')}\n`
}

const createRoot = (columns: number) =>
  new Command('countersign')
    .helpCommand(false)
    .configureOutput({ getOutHelpWidth: () => columns, getOutHasColors: () => false })
    .configureHelp({ subcommandTerm: (command) => command.name(), showGlobalOptions: false })

const fill = (command: Command, spec: CommandSpec, columns: number) => {
  const [flags, help] = helpOption
  command
    .description(spec.description)
    .helpOption(flags, spec.verdicts.length > 0 ? `${help} and exit 2: 0 means that the check passed` : help)
  if (spec.path.length === 0) command.option(...versionOption)
  for (const { flags, help, value } of spec.arguments)
    command.addArgument(withChoices(new Argument(flags, help), value.choices))
  for (const { flags, help, value, isGlobal } of spec.options) {
    if (isGlobal) command.optionsGroup('Global options:')
    const option = withChoices(new Option(flags, help), value?.choices)
    command.addOption(value?.fallback === undefined ? option : option.default(value.fallback))
  }
  for (const { name, summary, heading } of spec.commands) {
    command
      .command(name)
      .summary(summary)
      .helpGroup(heading ?? 'Commands:')
  }
  command.helpCommand(false)
  const title = spec.examples.length === 1 ? 'Example' : 'Examples'
  command.addHelpText('after', `\n${title}:\n${spec.examples.map((line) => wrapExample(line, columns)).join('\n')}`)
}

/** Continues a long example with backslashes, so that it can be copied. An option stays on a line with its value. */
const wrapExample = (example: string, columns: number) => {
  const lines = ['  $']
  for (const word of example.match(/(?:--?[a-z][a-z-]* (?!-))?(?:"[^"]*"|'[^']*'|\S)+/g) ?? []) {
    const longer = `${lines.at(-1)} ${word}`
    if (longer.length + 2 <= columns) lines[lines.length - 1] = longer
    else lines.push(`     ${word}`)
  }
  return lines.join(' \\\n')
}

const withChoices = <T extends Argument | Option>(place: T, choices: readonly string[] | undefined): T => {
  // An empty value clears a field; it is not a word to show.
  if (choices !== undefined) place.choices(choices.filter(Boolean))
  return place
}
