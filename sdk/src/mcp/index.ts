import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type AdapterOptions, createArgumentsSchema, createToolCall, toToolOutput } from '../runtime/tool-adapter.ts'
import { challengeMeaning, verificationToolSpec } from '../runtime/verification-tool.ts'

export type { AdapterOptions } from '../runtime/tool-adapter.ts'

export interface RegisterVerificationToolOptions extends AdapterOptions {
  /**
   * Whose chat it is: over stdio one text for the process, over HTTP what you know of the caller (`ctx.http?.authInfo`).
   * Ids of MCP sessions are no help: the protocol has none since 2026-07-28.
   */
  sessionId: string | ((ctx: ServerContext) => string | Promise<string>)
}

// Not the schema of strict modes: clients pass it on to models whose APIs refuse a list of types.
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
 * Registers the tool `get_verification_link` with an `McpServer` of `@modelcontextprotocol/server` 2. A link comes as text and
 * as `structuredContent`; where there is none the result has `isError`. Arguments beside `challenge` are refused by the schema.
 */
export const registerVerificationTool = (server: McpServer, { sessionId, ...options }: RegisterVerificationToolOptions): void => {
  const call = createToolCall(options)
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
