import type { LinkIssuer } from '@countersign/sdk'
import { registerVerificationTool } from '@countersign/sdk/mcp'
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import manifest from '../../../package.json' with { type: 'json' }

interface Serving {
  issuer: LinkIssuer
  sessionId: string
  signal: AbortSignal
  /** Called with the reason when a link could not be issued. */
  onError(cause: unknown): void
  /** Called when the client sends something invalid. */
  onConfused(error: Error): void
}

/** Speaks the protocol on the process's own streams until the client leaves or the signal aborts. */
export const serveMcp = async ({ issuer, sessionId, signal, onError, onConfused }: Serving): Promise<void> => {
  const transport = new StdioServerTransport()
  const createServer = () => {
    const server = new McpServer({ name: 'countersign', version: manifest.version })
    registerVerificationTool(server, { issuer, sessionId, onError })
    return server
  }
  const { close } = serveStdio(createServer, { transport, onerror: onConfused })
  const ended = Promise.withResolvers<void>()
  const onClose = transport.onclose
  transport.onclose = () => {
    onClose?.()
    ended.resolve()
  }
  signal.addEventListener('abort', () => ended.resolve(), { once: true })
  if (signal.aborted) ended.resolve()
  await ended.promise
  await close()
}
