import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { expect, it } from 'vitest'
import { createAuthority, createSelfSigned, generateKeys } from './certificates.ts'

it('makes a server certificate that clients of the authority trust, and a client certificate whose key the server sees', async () => {
  const authority = await createAuthority()
  const client = await createSelfSigned('acme-worker')
  const server = createTlsServer({ ...(await authority.issueServer()), requestCert: true, rejectUnauthorized: false })
  const seen = new Promise<string>((resolve) =>
    server.once('secureConnection', (socket) => resolve(fingerprintOfPeer(socket))),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect({
    ...client,
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    ca: authority.cert,
  })
  await once(socket, 'secureConnect')
  expect(socket.authorized).toBe(true)
  expect(await seen).toBe(new X509Certificate(client.cert).fingerprint256)
  socket.destroy()
  server.close()
})

it('keeps the key and changes the certificate when it renews', async () => {
  const authority = await createAuthority()
  const keys = await generateKeys()
  const [first, second] = [
    new X509Certificate((await authority.issueClient('a', keys)).cert),
    new X509Certificate((await authority.issueClient('a', keys)).cert),
  ]
  expect(second.publicKey.equals(first.publicKey)).toBe(true)
  expect(second.fingerprint256).not.toBe(first.fingerprint256)
})

const fingerprintOfPeer = (socket: TLSSocket) => socket.getPeerCertificate().fingerprint256
