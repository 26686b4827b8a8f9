// The smallest server that returns the registry's responses: node:http, prepared SQL and the same key, without a framework or
// validation. The difference is the cost of everything else in the registry.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createMint } from './mint.ts'
import { openStore } from './store.ts'
import { createVerify } from './verify.ts'

const setting = (name: string) => process.env[name] ?? ''

const store = openStore(`${setting('DATA_DIR')}/countersign.db`)
const publicUrl = setting('PUBLIC_URL')
const encryptionKey = Buffer.from(setting('KEY_ENCRYPTION_KEY'), 'hex')
const mint = createMint({ store, publicUrl, encryptionKey })
const verify = createVerify({ store, publicUrl, encryptionKey })

const send = (response: ServerResponse, status: number, body: unknown) => {
  const text = JSON.stringify(body)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
  response.end(text)
}

const readBody = (request: IncomingMessage, done: (body: Buffer) => void) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => done(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
}

const verifyPath = '/api/v1/verify/'

const server = createServer((request, response) => {
  const { method, url = '' } = request
  if (method === 'POST' && url === '/api/v1/create-verification') {
    readBody(request, (body) => {
      const key = request.headers['x-api-key']
      const fingerprint = request.headers['x-client-cert-fingerprint']
      mint(String(key), String(fingerprint), JSON.parse(body.toString()), (status, answer) =>
        send(response, status, answer),
      )
    })
  } else if (method === 'GET' && url.startsWith(verifyPath)) {
    const answer = verify(url.slice(verifyPath.length))
    send(response, answer ? 200 : 400, answer ?? {})
  } else send(response, url === '/readyz' ? 200 : 404, {})
})

server.keepAliveTimeout = 65_000
server.listen(Number(setting('PORT')), '127.0.0.1')
