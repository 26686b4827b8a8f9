import { type AdapterOptions, adapterOptionForms, createToolCall } from '../runtime/tool-adapter.ts'
import { type ToolCallContext, verificationToolSpec } from '../runtime/verification-tool.ts'
import { checkOptions, type OptionForms } from '../verify/check-options.ts'

export type { AdapterOptions } from '../runtime/tool-adapter.ts'

const { name, description, parameters } = verificationToolSpec
const definition = { name, description, parameters: { ...parameters }, strict: true }

/** The tool `get_verification_link` for `chat.completions.create({ tools: [openaiTool] })`, in strict mode. */
export const openaiTool = { type: 'function' as const, function: definition }

/** The same for `responses.create({ tools: [openaiResponsesTool] })`. */
export const openaiResponsesTool = { type: 'function' as const, ...definition }

/** A tool call of `chat.completions` or `responses`. */
export type OpenAiToolCall =
  | { type: 'function'; function: { name: string; arguments: string } }
  | { type: 'function_call'; name: string; arguments: string }

/** Options of `handleToolCall`. */
export interface HandleToolCallOptions extends AdapterOptions, ToolCallContext {}

const optionForms: OptionForms<HandleToolCallOptions> = {
  ...adapterOptionForms,
  sessionId: 'your ID of the chat',
  signal: true,
}

/**
 * Answers a tool call with text for the model: the content of a `tool` message, or the output of a `function_call_output`.
 * Failures are text as well; arguments that are not JSON or have fields other than `challenge` mint nothing.
 *
 * @returns The text for the model.
 * @throws AbortError, and TypeError for a call of another tool, for an unknown option, and without `issuer` or `sessionId`.
 * @example
 * ```ts
 * const content = await handleToolCall(call, { issuer, sessionId: 'session-7' })
 * ```
 */
export const handleToolCall = async (call: OpenAiToolCall, options: HandleToolCallOptions): Promise<string> => {
  checkOptions('handleToolCall', options, optionForms)
  const called = call.type === 'function' ? call.function : call
  if (called.name !== name) throw new TypeError(`This call is not for the tool ${name}`)
  const { sessionId, signal, ...rest } = options
  const { text } = await createToolCall(rest)(readJson(called.arguments), { sessionId, signal })
  return text
}

/** Invalid JSON stays text, which the tool rejects. Some models write an empty text for no arguments. */
const readJson = (written: string): unknown => {
  if (written.trim() === '') return undefined
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}
