import { type CommandSpec, createFlags } from './args/command.ts'
import { isJson, type Reading } from './args/read-argv.ts'
import { createContext } from './context.ts'
import type { Program } from './program.ts'
import type { Sink, World } from './world.ts'

/** Runs the command that was read, or prints the help that was asked for. */
export const perform = async (reading: Reading, program: Program, world: World): Promise<number> => {
  const { command, args, given, problem } = reading
  // What a script checks may look like an option: `verify "$LINK"` with `--help` as the link has not verified it.
  const answered = command.verdicts.length > 0 ? 2 : 0
  if (reading.asksVersion) {
    world.stdout.write(`${program.version}\n`)
    return answered
  }
  // The program or a group alone asks for help.
  const isBare = problem?.kind === 'missing command' && !isJson(reading, world.env)
  if (reading.asksHelp || isBare) {
    const isAnswer = reading.asksHelp || Object.keys(given).length === 0
    const sink = isAnswer ? world.stdout : world.stderr
    await showHelp(command, sink)
    return isAnswer ? answered : 2
  }
  if (problem !== undefined || command.action === undefined) {
    const { usageFailureOf } = await import('./args/usage-failure.ts')
    throw await usageFailureOf(problem ?? { kind: 'missing command' }, reading, program)
  }
  const flags = createFlags(given)
  const context = await createContext(world, flags)
  try {
    const call = { args, flags, program, showHelp: (shown: CommandSpec) => showHelp(shown, world.stdout) }
    const exit = (await command.action(context, call)) ?? 0
    await context.out.written()
    return exit
  } catch (error) {
    throw await context.withHint(error)
  }
}

const showHelp = async (command: CommandSpec, sink: Sink) => {
  const { helpText } = await import('./args/help-text.ts')
  sink.write(helpText(command, sink.columns || 80))
}
