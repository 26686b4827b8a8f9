import type { Tool } from 'ai'
import { z } from 'zod'
import {
  type AdapterOptions,
  adapterOptionForms,
  createArgumentsSchema,
  createToolCall,
  type ToolOutput,
  toToolOutput,
} from '../runtime/tool-adapter.ts'
import { type ToolAnswer, type ToolArguments, verificationToolSpec } from '../runtime/verification-tool.ts'
import { checkOptions } from '../verify/check-options.ts'

export type { AdapterOptions, ToolOutput } from '../runtime/tool-adapter.ts'

/** Whose chat it is: an entry of `toolsContext`, which never becomes part of a prompt. */
export interface VerificationToolContext {
  /** Your ID of the chat. */
  sessionId: string
}

const contextSchema = z.object({ sessionId: z.string().min(1).max(512) })

/** The result of `execute`; `text` is for the model. */
export type VerificationToolOutput =
  | ({ ok: true; text: string } & ToolOutput)
  | { ok: false; reason: Extract<ToolAnswer, { ok: false }>['reason']; text: string }

/**
 * The tool `get_verification_link` for `generateText`, `streamText` and agents of the AI SDK (`ai` 7). The session comes
 * from `toolsContext.get_verification_link.sessionId`, and a call without one fails; `abortSignal` ends the wait. Arguments
 * other than `challenge` are rejected by its schema, and nothing is minted. If no link can be issued, the output has
 * `ok: false`, and the model receives it as an error. Throws TypeError for an unknown option and without `issuer`.
 *
 * `tools: { get_verification_link: verificationTool({ issuer }) }`
 *
 * @returns The tool.
 * @example
 * ```ts
 * const tools = { get_verification_link: verificationTool({ issuer }) }
 * ```
 */
export const verificationTool = (
  options: AdapterOptions,
): Tool<ToolArguments, VerificationToolOutput, VerificationToolContext> => {
  checkOptions('verificationTool', options, adapterOptionForms)
  const call = createToolCall(options)
  return {
    description: verificationToolSpec.description,
    inputSchema: createArgumentsSchema(verificationToolSpec.parameters),
    contextSchema,
    execute: async (args, { context, abortSignal }) => {
      const answer = await call(args, { sessionId: context.sessionId, signal: abortSignal })
      const { text } = answer
      return answer.ok ? { ok: true, text, ...toToolOutput(answer) } : { ok: false, text, reason: answer.reason }
    },
    toModelOutput: ({ output: { ok, text } }) => ({ type: ok ? 'text' : 'error-text', value: text }),
  }
}
