import { type Command, CommanderError } from 'commander'
import { type Act, flagsOf } from './args/command.ts'
import { isJsonAsked } from './args/json-asked.ts'
import { createContext } from './context.ts'
import { createProgram } from './program.ts'
import type { World } from './world.ts'

/** Finds the command in the arguments and does it. */
export const perform = async (argv: readonly string[], world: World): Promise<number> => {
  let exit = 0
  const isJson = isJsonAsked(argv, world.env)
  const act: Act =
    (action) =>
    async (...given) => {
      const command = given.at(-1) as Command
      const flags = flagsOf(command)
      const context = await createContext(world, flags)
      const call = { args: command.args, flags, program }
      const answer = await Promise.resolve(action(context, call)).catch(async (error) => {
        throw await context.explained(error)
      })
      exit = typeof answer === 'number' ? answer : 0
    }
  const program = createProgram(act, { stdout: world.stdout, stderr: isJson ? { ...world.stderr, write: () => {} } : world.stderr })
  try {
    await program.command.parseAsync(argv.length === 0 && !isJson ? ['--help'] : argv, { from: 'user' })
  } catch (error) {
    // Help that was asked for is a result; help because a subcommand is missing is a usage error that has spoken already.
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    if (error instanceof CommanderError && error.code === 'commander.help' && !isJson) return 2
    if (!(error instanceof CommanderError)) throw error
    const { usageFailureOf } = await import('./args/usage-failure.ts')
    throw await usageFailureOf(error, argv, program)
  }
  return exit
}
