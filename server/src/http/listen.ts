import { constants } from 'node:crypto'
import { createServer, type RequestListener, Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { problemOf, Refusal } from '@countersign/sdk/contract'
import { createNewId } from '../ids.ts'
import { messages } from './messages.ts'

type AnyServer = ReturnType<typeof createServer> | ReturnType<typeof createTlsServer>

const limits = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16_384,
  // By default, Node looks for late requests only every 30 seconds.
  connectionsCheckingInterval: 1_000,
}
const handshakeTimeout = 15_000

const listenOn = <S extends NetServer>(
  server: S,
  port: number,
  host: string,
  { reusePort = false }: { reusePort?: boolean } = {},
): Promise<S> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, reusePort }, () => {
      server.off('error', reject)
      resolve(server)
    })
  })

export const portOf = (server: NetServer) => (server.address() as AddressInfo).port

const newId = createNewId(Date.now)

/** What is sent without a handler: status, headers and body. The connection is closed. */
const rejectionOf = (refusal: Refusal) => {
  const problem = problemOf(refusal, newId('req'))
  const headers = {
    'Content-Type': 'application/problem+json',
    'X-Request-Id': problem.request_id,
    ...(problem.status === 503 && { 'Retry-After': '1' }),
    Connection: 'close',
  }
  return { status: problem.status, headers, body: JSON.stringify(problem) }
}

const sendRefusal = (response: ServerResponse, refusal: Refusal) => {
  const { status, headers, body } = rejectionOf(refusal)
  response.writeHead(status, headers)
  response.end(body)
}

/** Instead of Node's empty 417. Node itself handles `100-continue`, the only defined expectation. */
const refuseExpectation: RequestListener = (_request, response) => {
  sendRefusal(response, new Refusal('bad_request', 'The header Expect may only be 100-continue.'))
}

/** What Node cannot parse never reaches a handler. Some of it has a status of its own. */
const statusOfFault: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/** The response that Node is sending on the connection. The field is private: Node 22 and 24 read it in the handler that this replaces. */
const responseOn = (socket: Duplex & { _httpMessage?: ServerResponse | null }) => socket._httpMessage

/** Instead of Node's empty 400. Closes the connection: where the next request begins is unknown. */
const rejectUnparsed = (fault: Error & { code?: string; reason?: string }, socket: Duplex) => {
  const { code = '', reason = fault.message } = fault
  const status = statusOfFault[code]
  // Errors of the connection itself get no response, and nothing may be written into another response.
  if (!socket.writable || responseOn(socket)?.headersSent || (status === undefined && !code.startsWith('HPE_')))
    return void socket.destroy(fault)
  const refused = rejectionOf(new Refusal('bad_request', `The request is not valid HTTP: ${reason}.`))
  const written =
    status === undefined
      ? `${headOf(refused.status, { ...refused.headers, 'Content-Length': Buffer.byteLength(refused.body) })}${refused.body}`
      : headOf(status, { Connection: 'close' })
  socket.end(written, () => socket.destroy(fault))
}

const headOf = (status: number, headers: Readonly<Record<string, string | number>>) =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

const answerStarting: RequestListener = (request, response) => {
  if (request.url !== '/livez') return sendRefusal(response, new Refusal('unavailable', 'The registry is starting.'))
  response.writeHead(200, { 'Content-Type': 'application/json', Connection: 'close' })
  response.end(JSON.stringify({ status: 'ok' }))
}

interface Opening {
  alsoOn?: string | undefined
  /** How long the head of a request may take. */
  headersTimeout?: number
  /** Node accepts one connection per socket in each turn of its event loop, so a visitor waits behind a flood of new connections. */
  sockets?: number
}

/** Binds the port before anything else. Until `serve` gets a handler, requests are answered with 503 and Retry-After. */
export const openListener = async (
  port: number,
  host: string,
  { alsoOn, sockets = 1, headersTimeout = limits.headersTimeout }: Opening = {},
) => {
  let answer = answerStarting
  const open = (onPort: number, onHost: string, reusePort = false) =>
    listenOn(
      createServer({ ...limits, ...messages, headersTimeout }, (request, response) => answer(request, response))
        .on('checkExpectation', refuseExpectation)
        .on('clientError', rejectUnparsed),
      onPort,
      onHost,
      { reusePort },
    )
  const openAll = async (onPort: number, onHost: string) => {
    const alone = await open(onPort, onHost)
    if (sockets === 1 || !canShare) return [alone]
    // Sockets that share a port would also share it with another registry: it must have been free.
    const free = portOf(alone)
    await new Promise((resolve) => alone.close(resolve))
    return Promise.all(Array.from({ length: sockets }, () => open(free, onHost, true)))
  }
  const [server, ...more] = await openAll(port, host)
  if (server === undefined) throw new RangeError('sockets must be at least 1')
  const others = alsoOn === undefined ? [] : await orNone(openAll(portOf(server), alsoOn))
  const serve = (listener: RequestListener) => {
    answer = listener
  }
  return { server, servers: [server, ...more, ...others], port: portOf(server), serve }
}

/** SO_REUSEPORT. Other systems lack it, or give all connections to one of the sockets. */
const canShare = process.platform === 'linux'

/** An empty list on a machine without IPv6. */
const orNone = async <S>(opening: Promise<S[]>): Promise<S[]> => {
  try {
    return await opening
  } catch (error) {
    if (['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

/**
 * The mutual TLS listener requests a certificate and accepts any: the handshake proves the key, and providers register the key's
 * fingerprint. No certificate authority is involved.
 */
export const openTlsListener = async (
  { port, cert, key }: { port: number } & Credential,
  host: string,
  listener: RequestListener,
) => {
  const server = createTlsServer(
    {
      ...limits,
      ...messages,
      handshakeTimeout,
      ...contextOf({ cert, key }),
      requestCert: true,
      rejectUnauthorized: false,
    },
    listener,
  )
    .on('checkExpectation', refuseExpectation)
    .on('clientError', rejectUnparsed)
  await listenOn(server, port, host)
  return {
    server,
    port: portOf(server),
    /** New connections get the new certificate; open ones go on. Throws if the key is not that of the certificate. */
    replace: (credential: Credential) => server.setSecureContext(contextOf(credential)),
  }
}

interface Credential {
  cert: Buffer
  key: Buffer
}

/** Without tickets, clients shake hands for each connection, and so prove their key: peer.ts reads no certificate of a resumed session. */
const contextOf = ({ cert, key }: Credential) =>
  ({ cert, key, minVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_TICKET }) as const

const graceMs = 500
const patienceMs = 8_000

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Stops without losing an accepted request. For a moment new requests are still answered, each closing its connection; then no more are
 * accepted, idle connections are closed and those with an unfinished response are awaited.
 */
export const closeGracefully = async (servers: readonly AnyServer[]) => {
  await wait(graceMs)
  const closed = servers.map(
    (server) =>
      new Promise<void>((resolve) => {
        // http.Server.close() would also cut idle connections, on which a request may be arriving.
        Object.getPrototypeOf(Server.prototype).close.call(server, () => resolve())
      }),
  )
  const all = Promise.all(closed)
  const deadline = Date.now() + patienceMs
  let isClosed = false
  void all.then(() => {
    isClosed = true
  })
  await wait(100)
  while (!isClosed && Date.now() < deadline) {
    for (const server of servers) server.closeIdleConnections()
    await Promise.race([all, wait(50)])
  }
  for (const server of servers) server.closeAllConnections()
}
