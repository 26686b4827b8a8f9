import { Interruption } from '../failure.ts'

type Env = Readonly<Record<string, string | undefined>>

type Objection = (answer: string) => string | undefined

/** Prompts. */
export interface Prompts {
  /** Prompts again while `objection` returns a message. */
  text(question: string, objection?: Objection): Promise<string>
  secret(question: string): Promise<string>
  /** One of the choices: arrow keys and Enter, or its number where the cursor cannot move. */
  select(question: string, choices: readonly string[]): Promise<string>
  confirm(question: string): Promise<boolean>
}

/** A terminal is attached, and nothing turns prompts off. */
export const isInteractive = ({ env, hasTerminal, allowed }: { env: Env; hasTerminal: boolean; allowed: boolean }) =>
  hasTerminal && allowed && !isOn(env.CI) && !isOn(env.COUNTERSIGN_NO_INPUT)

export const isOn = (value: string | undefined) =>
  value !== undefined && value !== '' && value !== '0' && value !== 'false'

/** Prompts go to stderr, because stdout is for results. */
export const createPrompts = (signal: AbortSignal, env: Env): Prompts =>
  env.TERM === 'dumb' ? linesOf(signal) : inquiries(signal)

/** Loaded with the first prompt. */
const linesOf = (signal: AbortSignal): Prompts => {
  const load = async () => (await import('./plain-prompts.ts')).createPlainPrompts(signal)
  return {
    text: async (question, objection) => (await load()).text(question, objection),
    secret: async (question) => (await load()).secret(question),
    select: async (question, choices) => (await load()).select(question, choices),
    confirm: async (question) => (await load()).confirm(question),
  }
}

const inquiries = (signal: AbortSignal): Prompts => {
  const context = { output: process.stderr, signal }
  return {
    text: (message, objection) =>
      runPrompt(async ({ input }) =>
        input({ message, required: true, validate: (answer) => objection?.(answer) ?? true }, context),
      ),
    secret: (message) => runPrompt(async ({ password }) => password({ message, mask: true }, context)),
    select: (message, choices) => runPrompt(async ({ select }) => select({ message, choices }, context)),
    confirm: (message) => runPrompt(async ({ confirm }) => confirm({ message, default: false }, context)),
  }
}

const runPrompt = async <T>(ask: (prompts: typeof import('@inquirer/prompts')) => Promise<T>): Promise<T> => {
  try {
    return await ask(await import('@inquirer/prompts'))
  } catch (error) {
    if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortPromptError'))
      throw new Interruption('SIGINT')
    throw error
  }
}
