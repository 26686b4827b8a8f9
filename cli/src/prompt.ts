import { Interruption } from './failure.ts'

/** Questions to a person. */
export interface Prompts {
  text(question: string): Promise<string>
  secret(question: string): Promise<string>
  confirm(question: string): Promise<boolean>
}

/** Someone sits there, and nothing says that nobody does. */
export const isInteractive = ({
  env,
  hasTerminal,
  allowed,
}: {
  env: Readonly<Record<string, string | undefined>>
  hasTerminal: boolean
  allowed: boolean
}) => hasTerminal && allowed && !isOn(env.CI) && !isOn(env.COUNTERSIGN_NO_INPUT)

const isOn = (value: string | undefined) => value !== undefined && value !== '' && value !== '0' && value !== 'false'

/** Asks on stderr, because stdout is for results. */
export const createPrompts = (signal: AbortSignal): Prompts => {
  const context = { output: process.stderr, signal }
  return {
    text: (message) => asked(async ({ input }) => input({ message, required: true }, context)),
    secret: (message) => asked(async ({ password }) => password({ message, mask: true }, context)),
    confirm: (message) => asked(async ({ confirm }) => confirm({ message, default: false }, context)),
  }
}

const asked = async <T>(ask: (prompts: typeof import('@inquirer/prompts')) => Promise<T>): Promise<T> => {
  try {
    return await ask(await import('@inquirer/prompts'))
  } catch (error) {
    if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError')) throw new Interruption('SIGINT')
    throw error
  }
}
