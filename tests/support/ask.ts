import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as TlsAgent } from 'node:https'
import { type ConnectionOptions, TLSSocket } from 'node:tls'

export interface Question {
  method?: string
  headers?: OutgoingHttpHeaders
  /** Strings and bytes are sent as they are, everything else as JSON. */
  body?: unknown
  /** The client's side of a TLS handshake. */
  tls?: ConnectionOptions
  agent?: Agent | TlsAgent
}

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The parsed JSON body; empty if it is not JSON. */
  body: Record<string, unknown>
  /** For TLS: whether the session was resumed. */
  isResumed: boolean
}

const keepAlive = new Agent({ keepAlive: true, maxSockets: 64 })

/** Sends a request as given, valid or not, without encoding, checks or retries. */
export const ask = (url: string, { method = 'GET', headers = {}, body, tls, agent }: Question = {}): Promise<Reply> => {
  const { protocol, hostname, port } = new URL(url)
  const path = url.slice(url.indexOf('/', url.indexOf('://') + 3))
  const content =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
  const sent = {
    ...(content !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(content) }),
    ...headers,
  }
  const isTls = protocol === 'https:'
  const ownAgent = isTls && agent === undefined ? new TlsAgent({ ...tls, keepAlive: false }) : undefined
  return new Promise((resolve, reject) => {
    const options = { method, hostname, port, path, headers: sent, agent: ownAgent ?? agent ?? keepAlive }
    const request = (isTls ? requestHttps : requestHttp)(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        ownAgent?.destroy()
        const text = Buffer.concat(chunks).toString('utf8')
        const isResumed = response.socket instanceof TLSSocket && response.socket.isSessionReused() === true
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: jsonOf(text), isResumed })
      })
    })
    request.on('error', reject)
    request.end(content)
  })
}

const jsonOf = (text: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** What two responses to strangers must share: everything but their time and request ID. */
export const comparable = ({ status, headers, body }: Reply) => {
  const { date: _, 'x-request-id': __, ...rest } = headers
  const { request_id: ___, ...said } = body
  return { status, headers: rest, body: said }
}
