import { randomInt } from 'node:crypto'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createNetServer, type Server } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createResolveAddresses } from '../../server/src/outbound/dns.ts'
import { createEgress, type EgressOptions } from '../../server/src/outbound/egress.ts'
import { createAuthority } from '../support/certificates.ts'
import { startDnsServer } from '../support/dns-server.ts'

const listen = async <S extends Server>(server: S, host: string, port: number): Promise<S> => {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return server
}

/** Linux gives every program all of 127/8: an address that no other test listens on. */
const somewhereOnLoopback = () => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`

/** Listens on an allowed port, and records every connection. */
const startCanary = async (host = somewhereOnLoopback(), port = 8443) => {
  const seen = { connections: 0 }
  const server = createNetServer((socket) => {
    seen.connections += 1
    socket.destroy()
  })
  await listen(server, host, port)
  return { host, seen, port: (server.address() as AddressInfo).port }
}

const describeOnLinux = describe.skipIf(process.platform !== 'linux')

const prepare = async (options: EgressOptions = {}) => {
  const dns = await startDnsServer()
  onTestFinished(dns.close)
  const resolve = createResolveAddresses([{ host: '127.0.0.1', port: dns.port, text: dns.address }])
  const egress = createEgress({ resolve, ...options })
  onTestFinished(() => egress.close())
  const get = (url: string, more: { allowHttp?: boolean; timeoutMs?: number } = {}) =>
    egress.fetch(url, { maxBytes: 1_000, timeoutMs: 5_000, ...more }).then(
      ({ status, body }) => ({ status, text: body.toString() }),
      (error: { kind?: string; message: string }) => ({ refused: error.kind ?? error.message }),
    )
  return { dns, egress, get }
}

describeOnLinux('a name', () => {
  it.each([
    { name: 'a private address', answers: (inside: string) => [[inside]] },
    { name: 'a public address beside a private one', answers: (inside: string) => [['93.184.215.14', inside]] },
    { name: 'a private IPv4-mapped address', answers: (inside: string) => [[`::ffff:${inside}`]] },
    { name: 'a public IPv6 address beside a private one', answers: (inside: string) => [['2606:4700::1111', inside]] },
    { name: 'nothing', answers: () => [[]] },
  ])('that resolves to $name is not contacted', async ({ answers }) => {
    const canary = await startCanary()
    const { dns, get } = await prepare()
    dns.setAddresses('acme.com', ...answers(canary.host))
    dns.setAlias('www.acme.com', 'acme.com')
    expect(await get('https://acme.com:8443/')).toEqual({ refused: 'refused' })
    expect(await get('https://www.acme.com:8443/')).toEqual({ refused: 'refused' })
    expect(canary.seen.connections).toBe(0)
  })

  it('that changes between check and connection is not contacted', async () => {
    const canary = await startCanary()
    const open = await startCanary()
    const isOpen = (address: string) => address === open.host
    const { dns, get } = await prepare({ isOpen })
    // Each query gets a new answer: a second lookup for the connection would meet the canary.
    dns.setAddresses('acme.com', [open.host], [canary.host])
    expect(await get('https://acme.com:8443/')).toEqual({ refused: 'unreachable' })
    expect(open.seen.connections).toBe(1)
    for (let time = 0; time < 3; time++) expect(await get('https://acme.com:8443/')).toEqual({ refused: 'refused' })
    expect(open.seen.connections).toBe(1)
    expect(canary.seen.connections).toBe(0)
  })

  it('that does not exist, or whose DNS fails, is unreachable or rejected, with the same words for all', async () => {
    const { dns, get } = await prepare()
    dns.fail('acme.org', 'servfail')
    expect(await get('https://acme.net/')).toEqual({ refused: 'refused' })
    expect(await get('https://acme.org/')).toEqual({ refused: 'unreachable' })
  })

  it('of the registry itself is not contacted', async () => {
    const canary = await startCanary()
    const { dns, get } = await prepare({ own: 'registry.com', isOpen: () => true })
    dns.setAddresses('registry.com', [canary.host])
    expect(await get('https://registry.com:8443/')).toEqual({ refused: 'refused' })
    expect(canary.seen.connections).toBe(0)
  })
})

describeOnLinux('a connection', () => {
  /** A server with a certificate of its own authority, at an address that counts as public. */
  const startTls = async (names: readonly string[]) => {
    const authority = await createAuthority()
    const host = somewhereOnLoopback()
    const { cert, key } = await authority.issueServer(names)
    const requests: unknown[] = []
    const server = createTlsServer({ cert, key }, (request, response) => {
      requests.push([(request.socket as TLSSocket & { servername?: string }).servername, request.headers.host])
      response.end('hello')
    })
    await listen(server, host, 8443)
    return { host, ca: authority.cert, requests, isOpen: (address: string) => address === host }
  }

  it('connects to the checked address, under the requested name', async () => {
    const { host, ca, requests, isOpen } = await startTls(['acme.com'])
    const { dns, get } = await prepare({ ca, isOpen })
    dns.setAddresses('acme.com', [host])
    expect(await get('https://acme.com:8443/')).toEqual({ status: 200, text: 'hello' })
    expect(requests).toEqual([['acme.com', 'acme.com:8443']])
  })

  it('sends nothing to a server with a certificate of another name, or of an unknown authority', async () => {
    const { host, ca, requests, isOpen } = await startTls(['northwind.com'])
    const { dns, get } = await prepare({ ca, isOpen })
    dns.setAddresses('acme.com', [host])
    dns.setAddresses('northwind.com', [host])
    expect(await get('https://acme.com:8443/')).toEqual({ refused: 'unreachable' })
    const stranger = await prepare({ isOpen })
    stranger.dns.setAddresses('northwind.com', [host])
    expect(await stranger.get('https://northwind.com:8443/')).toEqual({ refused: 'unreachable' })
    expect(requests).toEqual([])
    expect(await get('https://northwind.com:8443/')).toMatchObject({ status: 200 })
  })

  it('tries the next address if one is down', async () => {
    const { host, ca, isOpen } = await startTls(['acme.com'])
    const down = somewhereOnLoopback()
    const { dns, get } = await prepare({ ca, isOpen: (address) => isOpen(address) || address === down })
    dns.setAddresses('acme.com', [down, host])
    expect(await get('https://acme.com:8443/')).toMatchObject({ status: 200 })
  })

  it('gets at most two concurrent requests', async () => {
    const waiting: (() => void)[] = []
    let most = 0
    const server = createServer((_request, response) => {
      waiting.push(() => response.end('hello'))
      most = Math.max(most, waiting.length)
      // Long enough for a third request to arrive, if it was sent.
      const answerAll = () => {
        for (const answer of waiting.splice(0)) answer()
      }
      if (waiting.length === 2) setTimeout(answerAll, 20)
    })
    await listen(server, '127.0.0.1', 0)
    const { port } = server.address() as AddressInfo
    const { get } = await prepare({ allow: [{ name: null, host: '127.0.0.1', port }] })
    const answers = await Promise.all(Array.from({ length: 8 }, () => get(`http://127.0.0.1:${port}/`)))
    expect(answers.every((answer) => 'status' in answer)).toBe(true)
    expect(most).toBe(2)
  })

  it('ignores proxies of the environment', async () => {
    const canary = await startCanary('127.0.0.1', 0)
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy']) {
      vi.stubEnv(name, `http://127.0.0.1:${canary.port}`)
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    const server = createServer((_request, response) => response.end('direct'))
    await listen(server, '127.0.0.1', 0)
    const { port } = server.address() as AddressInfo
    const { get } = await prepare({ allow: [{ name: null, host: '127.0.0.1', port }] })
    expect(await get(`http://127.0.0.1:${port}/`)).toEqual({ status: 200, text: 'direct' })
    expect(canary.seen.connections).toBe(0)
  })

  it('fails if the headers are too large', async () => {
    const server = createServer((_request, response) =>
      response.writeHead(200, { 'X-Large': 'x'.repeat(100_000) }).end('hello'),
    )
    await listen(server, '127.0.0.1', 0)
    const { port } = server.address() as AddressInfo
    const { get } = await prepare({ allow: [{ name: null, host: '127.0.0.1', port }] })
    expect(await get(`http://127.0.0.1:${port}/`)).toEqual({ refused: 'unreachable' })
  })
})
