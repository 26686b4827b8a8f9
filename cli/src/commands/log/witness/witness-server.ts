import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Answer } from './add-checkpoint.ts'

/** 16 post-quantum signatures and a proof fit. */
const maxBytes = 128 * 1_024
const timeoutMs = 15_000

interface Handlers {
  addCheckpoint(body: string): Promise<Answer>
  /** The last cosigned checkpoint of a log, by the hash of its origin. */
  checkpointOf(originHash: string): string | undefined
  onError(error: unknown): void
}

const textType = 'text/plain; charset=utf-8'

/** The HTTP interface of c2sp.org/tlog-witness; submission and monitoring have one prefix. */
export const createWitnessServer = (handlers: Handlers): Server => {
  const server = createServer((request, response) => {
    respond(request, response, handlers).catch((error: unknown) => {
      handlers.onError(error)
      send(response, 500, textType, 'The witness failed\n')
    })
  })
  server.requestTimeout = timeoutMs
  server.headersTimeout = timeoutMs
  return server
}

const respond = async (request: IncomingMessage, response: ServerResponse, handlers: Handlers) => {
  const [path = ''] = (request.url ?? '').split('?')
  if (path === '/add-checkpoint') {
    if (request.method !== 'POST') return send(response, 405, textType, 'Use POST\n', { Allow: 'POST' })
    const body = await readBody(request)
    if (body === undefined)
      return send(response, 413, textType, 'The checkpoint is too large\n', { Connection: 'close' })
    const { status, type, body: text } = await handlers.addCheckpoint(body)
    return send(response, status, type, text)
  }
  const originHash = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path)?.[1]
  if (originHash === undefined) return send(response, 404, textType, 'Not found\n')
  if (request.method !== 'GET') return send(response, 405, textType, 'Use GET\n', { Allow: 'GET' })
  const note = handlers.checkpointOf(originHash)
  if (note === undefined) return send(response, 404, textType, 'This witness never cosigned that log\n')
  send(response, 200, textType, note, { 'Access-Control-Allow-Origin': '*' })
}

const send = (
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
) => {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', ...headers })
  response.end(body)
}

/** The body as text; undefined if it is too large. Bytes that are not UTF-8 become U+FFFD, so no signature matches them. */
const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const parts: Buffer[] = []
  let length = 0
  // The connection stays open for the answer to a body that is too large.
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += part.length
    if (length > maxBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
