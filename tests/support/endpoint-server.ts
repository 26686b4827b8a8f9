import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

export type EndpointAnswer = number | 'hang up' | ((request: IncomingMessage, response: ServerResponse) => void)

/** A configurable server on loopback that records its requests. */
export const startEndpointServer = async (first: EndpointAnswer = 200) => {
  let answer = first
  let busy = 0
  const seen = { requests: [] as string[], atOnce: 0, headers: {} as IncomingMessage['headers'] }
  const server = createServer((request, response) => {
    seen.requests.push(request.url ?? '')
    seen.headers = request.headers
    seen.atOnce = Math.max(seen.atOnce, ++busy)
    response.on('close', () => busy--)
    if (answer === 'hang up') request.socket.destroy()
    else if (typeof answer === 'function') answer(request, response)
    else {
      // In a later turn of the event loop, so that concurrent requests are counted as concurrent.
      const status = answer
      setImmediate(() => setImmediate(() => response.writeHead(status, { Server: 'canary-banner' }).end('canary-body')))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `http://127.0.0.1:${address.port}`,
    hostAndPort: `127.0.0.1:${address.port}`,
    seen,
    answer: (next: EndpointAnswer) => {
      answer = next
    },
  }
}
