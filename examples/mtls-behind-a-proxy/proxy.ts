// Ends mutual TLS in front of a registry and tells it which certificate the client showed, as RFC 9440 says. Any certificate is taken,
// self-signed ones too: the registry knows which keys belong to whom. Set
//   REGISTRY_URL          where the registry listens; it names this proxy's address in CLIENT_CERT_PROXIES
//   TLS_CERT_FILE, TLS_KEY_FILE, PORT     by default proxy.crt, proxy.key and 8443
//   LOCAL_ADDRESS         of this machine, from which the registry is asked, where it has several
import { existsSync, readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { createServer, request as requestTls } from 'node:https'
import type { TLSSocket } from 'node:tls'

const { REGISTRY_URL: registryURL = '', TLS_CERT_FILE: certFile = 'proxy.crt', TLS_KEY_FILE: keyFile = 'proxy.key' } = process.env
const lacks = [...(registryURL ? [] : ['REGISTRY_URL']), ...[certFile, keyFile].filter((file) => !existsSync(file))]
if (lacks.length > 0) {
  console.error(`Missing: ${lacks.join(', ')}`)
  process.exit(2)
}

const registry = new URL(registryURL)
const ask = registry.protocol === 'https:' ? requestTls : request

// What a client says of itself in these is never passed on, however it spells them: some servers read - and _ alike.
const forged = /^(client[-_]cert.*|x[-_]client[-_]cert.*|forwarded|x[-_]forwarded[-_].*|x[-_]real[-_]ip)$/i
// Of this connection alone (RFC 9110 §7.6.1).
const hopByHop = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i

const headersFor = (given: IncomingHttpHeaders, socket: TLSSocket): OutgoingHttpHeaders => {
  const named = new Set((given.connection ?? '').split(',').map((name) => name.trim().toLowerCase()))
  const kept = Object.entries(given).filter(([name]) => !forged.test(name) && !hopByHop.test(name) && !named.has(name))
  const certificate = socket.getPeerX509Certificate()
  return {
    ...Object.fromEntries(kept),
    'x-forwarded-for': socket.remoteAddress,
    // RFC 9440 §2.2: DER, in base64, between colons.
    ...(certificate && { 'client-cert': `:${certificate.raw.toString('base64')}:` }),
  }
}

const server = createServer(
  {
    cert: readFileSync(certFile),
    key: readFileSync(keyFile),
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
  },
  (incoming, outgoing) => {
    const { method, url = '/', headers, socket } = incoming
    const asked = ask(
      {
        host: registry.hostname,
        port: registry.port,
        localAddress: process.env.LOCAL_ADDRESS,
        method,
        path: url,
        headers: headersFor(headers, socket as TLSSocket),
      },
      (answer) => {
        const passed = Object.entries(answer.headers).filter(([name]) => !hopByHop.test(name))
        outgoing.writeHead(answer.statusCode ?? 502, Object.fromEntries(passed))
        answer.pipe(outgoing)
      },
    )
    asked.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    })
    outgoing.on('close', () => asked.destroy())
    incoming.pipe(asked)
  },
)

server.listen(Number(process.env.PORT ?? 8443), () => {
  const address = server.address()
  console.log(`Listening on port ${typeof address === 'object' ? address?.port : address}`)
})
