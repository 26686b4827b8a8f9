import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A website on loopback. It answers each path as configured, else 404, and records its requests. */
export const startWebServer = async () => {
  const answers = new Map<string, RequestListener>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push(`${request.headers.host}${path}`)
    const answer = answers.get(path)
    if (answer) return answer(request, response)
    response.writeHead(404).end('not here')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Sets the response for a path. */
    serve: (path: string, status: number, body: string | Buffer = '', headers: Record<string, string> = {}) => {
      answers.set(path, (_request, response) => response.writeHead(status, headers).end(body))
    },
    handle: (path: string, listener: RequestListener) => {
      answers.set(path, listener)
    },
    clear: () => answers.clear(),
  }
}
