import type { OptionForms } from '../verify/check-options.ts'
import {
  createVerificationTool,
  readToolArguments,
  type ToolAnswer,
  type ToolArguments,
  type ToolCallContext,
  toFailure,
  toolOptionForms,
  type VerificationToolOptions,
} from './verification-tool.ts'

/** Options of every adapter. */
export interface AdapterOptions extends VerificationToolOptions {
  /** Receives the reason why no link was issued, unless it was the arguments. The model does not see it. */
  onError?: ((cause: unknown) => void) | undefined
}

export const adapterOptionForms: OptionForms<AdapterOptions> = { ...toolOptionForms, onError: true }

/** The program's view of an issued link. The token stays in the runtime, because tool results travel far. */
export interface ToolOutput {
  /** The link to show. */
  verification_url: string
  /** `XXXX-XXXX-XXXX-XXXX`, for people who type. */
  code: string
  /** ISO 8601 in UTC. */
  expires_at: string
  /** The phrase on the link’s page; null without one. */
  challenge: string | null
}

interface AdapterContext extends Omit<ToolCallContext, 'sessionId'> {
  /** A function may look up the caller; if it throws, the call fails like any other. */
  sessionId: string | (() => string | Promise<string>)
}

/** The call behind every adapter. */
export const createToolCall = ({ onError, ...options }: AdapterOptions) => {
  const tool = createVerificationTool(options)
  const ask = async (args: unknown, { sessionId, signal }: AdapterContext) => {
    try {
      return await tool.call(args, {
        sessionId: typeof sessionId === 'function' ? await sessionId() : sessionId,
        signal,
      })
    } catch (cause) {
      return toFailure(cause)
    }
  }
  return async (args: unknown, context: AdapterContext): Promise<ToolAnswer> => {
    const answer = await ask(args, context)
    if (!answer.ok && answer.reason !== 'invalid_arguments') onError?.(answer.cause)
    return answer
  }
}

export const toToolOutput = ({ link }: Extract<ToolAnswer, { ok: true }>): ToolOutput => ({
  verification_url: link.url,
  code: link.code,
  expires_at: link.expiresAt,
  challenge: link.challenge,
})

/** The tool's arguments as a Standard Schema with JSON Schema (standardschema.dev), from the given JSON Schema. */
export const createArgumentsSchema = <ToolSchema extends Record<string, unknown>>(schema: ToolSchema) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'countersign',
    types: undefined as { input: ToolArguments; output: ToolArguments } | undefined,
    validate: (value: unknown) => {
      const read = readToolArguments(value)
      return 'text' in read ? { issues: [{ message: read.text }] } : { value: read }
    },
    // A copy each time, because the caller may change it.
    jsonSchema: { input: () => structuredClone(schema), output: () => structuredClone(schema) },
  },
})
