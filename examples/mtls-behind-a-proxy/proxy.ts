// Terminates mutual TLS in front of a registry and forwards the client's certificate as in RFC 9440. It accepts any certificate,
// including self-signed ones, because the registry knows which keys belong to whom. Set
//   REGISTRY_URL          the registry's address; its CLIENT_CERT_PROXIES must contain this proxy's address
//   TLS_CERT_FILE, TLS_KEY_FILE, PORT     by default proxy.crt, proxy.key and 8443
//   LOCAL_ADDRESS         the local address to connect from, if this machine has several
import { constants } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { createServer, request as requestTls } from 'node:https'
import type { TLSSocket } from 'node:tls'

const {
  REGISTRY_URL: registryURL = '',
  TLS_CERT_FILE: certFile = 'proxy.crt',
  TLS_KEY_FILE: keyFile = 'proxy.key',
} = process.env
const missing = [...(registryURL ? [] : ['REGISTRY_URL']), ...[certFile, keyFile].filter((file) => !existsSync(file))]
if (missing.length > 0) {
  console.error(`Missing: ${missing.join(', ')}`)
  process.exit(2)
}

const registry = new URL(registryURL)
const send = registry.protocol === 'https:' ? requestTls : request

// Never forward these headers from a client, in any spelling: some servers treat - and _ alike.
const forged = /^(client[-_]cert.*|x[-_]client[-_]cert.*|forwarded|x[-_]forwarded[-_].*|x[-_]real[-_]ip)$/i
// Headers for this connection only (RFC 9110 §7.6.1).
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
    // Resumes no session: it would show the certificate of an earlier connection, whose key this one did not prove.
    secureOptions: constants.SSL_OP_NO_TICKET,
  },
  (incoming, outgoing) => {
    const { method, url = '/', headers, socket } = incoming
    const forwarded = send(
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
    forwarded.on('error', () => {
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end()
    })
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  },
)

server.listen(Number(process.env.PORT ?? 8443), () => {
  const address = server.address()
  console.log(`Listening on port ${typeof address === 'object' ? address?.port : address}`)
})
