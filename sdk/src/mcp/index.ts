import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import {
  type AdapterOptions,
  adapterOptionForms,
  createArgumentsSchema,
  createToolCall,
  toToolOutput,
} from '../runtime/tool-adapter.ts'
import { challengeMeaning, verificationToolSpec } from '../runtime/verification-tool.ts'
import { checkOptions, type OptionForms } from '../verify/check-options.ts'

export type { AdapterOptions } from '../runtime/tool-adapter.ts'

/** Options of `registerVerificationTool`. */
export interface RegisterVerificationToolOptions extends AdapterOptions {
  /**
   * Identifies the chat: over stdio, one text for the process; over HTTP, what you know about the caller (`ctx.http?.authInfo`).
   * MCP has had no session IDs since 2026-07-28.
   */
  sessionId: string | ((ctx: ServerContext) => string | Promise<string>)
}

const optionForms: OptionForms<RegisterVerificationToolOptions> = {
  ...adapterOptionForms,
  sessionId: 'the ID of the chat, or a function that returns it',
}

// Not the schema for strict modes, because some APIs reject a list of types.
const inputSchema = createArgumentsSchema({
  type: 'object',
  properties: { challenge: { type: 'string', description: `${challengeMeaning} Left out if they gave none.` } },
  additionalProperties: false,
})

const outputSchema = z.strictObject({
  verification_url: z.string(),
  code: z.string(),
  expires_at: z.string(),
  challenge: z.string().nullable(),
})

/**
 * Registers the tool `get_verification_link` with an `McpServer` of `@modelcontextprotocol/server` 2. A link is returned as
 * text and as `structuredContent`; a failure has `isError`. The schema rejects arguments other than `challenge`.
 *
 * @returns Nothing.
 * @throws `TypeError` for an unknown option, and without `issuer` or `sessionId`.
 * @example
 * ```ts
 * registerVerificationTool(server, { issuer, sessionId: 'session-7' })
 * ```
 */
export const registerVerificationTool = (server: McpServer, options: RegisterVerificationToolOptions): void => {
  checkOptions('registerVerificationTool', options, optionForms)
  const { sessionId, ...rest } = options
  const call = createToolCall(rest)
  server.registerTool(
    verificationToolSpec.name,
    {
      title: 'Verification link',
      description: verificationToolSpec.description,
      inputSchema,
      outputSchema,
      annotations: { readOnlyHint: true, idempotentHint: true },
    },
    async (args, ctx) => {
      const session = typeof sessionId === 'string' ? sessionId : () => sessionId(ctx)
      const answer = await call(args, { sessionId: session, signal: ctx.mcpReq.signal })
      const content = [{ type: 'text' as const, text: answer.text }]
      return answer.ok ? { content, structuredContent: { ...toToolOutput(answer) } } : { content, isError: true }
    },
  )
}
