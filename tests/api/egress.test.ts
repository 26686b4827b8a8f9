import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isPublicAddress } from '../../server/src/outbound/addresses.ts'
import { createEgress, type EgressOptions } from '../../server/src/outbound/egress.ts'

const serve = async (listener: RequestListener, host = '127.0.0.1') => {
  const server: Server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** Listens at a forbidden address, and records what arrives. */
const startCanary = async () => {
  const visits: string[] = []
  const listener: RequestListener = (request, response) => {
    visits.push(request.url ?? '')
    response.end('secret of the inside')
  }
  const ports = [await serve(listener), await serve(listener, '::1').catch(() => 0)]
  return { visits, ports, port: ports[0] ?? 0 }
}

const createDoor = (options: EgressOptions = {}) => {
  const egress = createEgress(options)
  onTestFinished(() => egress.close())
  return (
    url: string,
    more: { allowHttp?: boolean; maxBytes?: number; timeoutMs?: number; maxRedirects?: number } = {},
  ) =>
    egress.fetch(url, { maxBytes: 1_000, timeoutMs: 2_000, ...more }).then(
      ({ status, body }) => ({ status, text: body.toString() }),
      (error: { kind?: string; message: string }) => ({ refused: error.kind ?? error.message, words: error.message }),
    )
}

const specialIpv4 = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.255.255.254',
    '0',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '①②⑦.⓪.⓪.①',
  ],
  ...[
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.0.1',
    '192.168.255.1',
    '100.64.0.1',
    '100.127.255.254',
  ],
  ...[
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
  ],
  ...[
    '198.18.0.1',
    '198.19.255.255',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '192.88.99.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
  ],
  ...['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '192.0.0.1'],
]
const specialIpv6 = [
  ...[
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:169.254.169.254',
    '::127.0.0.1',
    '::7f00:1',
  ],
  ...[
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::',
    '2001::1',
    '2001:0:7f00:1::',
    '2001:10::1',
  ],
  ...[
    '2001:20::1',
    '2001:1ff::1',
    '100::1',
    '100:0:0:1::1',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
  ],
  ...['ff02::1', 'ff0e::1', '2620:4f:8000::1', '4000::1', '::ffff:0:127.0.0.1'],
]
const badNames = [
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'foo.localhost',
    'metadata.google.internal',
    'registry.internal',
    'printer.local',
    'router',
  ],
  ...[
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    'acme.com.',
    'com',
    'co.uk',
    'github.io',
    'acme.test',
    'acme.invalid',
  ],
  ...['acme.onion', 'home.arpa', 'nas.home', 'host.lan', 'acme.corp', '127.0.0.1.', 'xn--0.localhost'],
]
const badTexts = [
  'https://good.com@127.0.0.1/',
  'https://user:pass@acme.com/',
  'https://acme.com\\@127.0.0.1/',
  'https://127.0.0.1#@acme.com/',
  'https://127.0.0.1?@acme.com/',
  'https://[::1%25lo]/',
  'https://[fe80::1%25eth0]/',
  'https://acme.com:22/',
  'https://acme.com:25/',
  'https://acme.com:6379/',
  'https://acme.com:0/',
  'https://acme.com:65536/',
  'https://acme.com:80/',
  'http://acme.com/',
  'file:///etc/passwd',
  'gopher://acme.com/',
  'ftp://acme.com/',
  'data:text/plain,hello',
  'blob:https://acme.com/1',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  '//acme.com/',
  'https://',
  '',
  'https://127.0.0.1%00.acme.com/',
  'https://127。0。0。1/',
  'https://0/',
]

describe('the outgoing client', () => {
  const targets = [
    ...specialIpv4.map((host) => `https://${host}/`),
    ...specialIpv6.map((host) => `https://[${host}]/`),
    ...badNames.map((host) => `https://${host}/`),
    ...badTexts,
  ]

  it('is tested with more than 120 addresses that attackers try', () => {
    expect(new Set(targets).size).toBeGreaterThan(120)
  })

  it.each(targets)('rejects %s', async (url) => {
    const ask = createDoor({ resolve: async () => ['127.0.0.1'] })
    expect(await ask(url)).toMatchObject({ refused: 'refused' })
    expect(await ask(url.replace(/^https:/, 'http:'), { allowHttp: true })).toMatchObject({ refused: 'refused' })
  })

  it.each([
    { name: 'a private address', answers: ['10.0.0.1'] },
    { name: 'loopback', answers: ['127.0.0.1'] },
    { name: 'loopback of IPv6', answers: ['::1'] },
    { name: 'a mapped address', answers: ['::ffff:127.0.0.1'] },
    { name: 'one public and one private address', answers: ['93.184.215.14', '127.0.0.1'] },
    { name: 'one private and one public address', answers: ['169.254.169.254', '93.184.215.14'] },
    { name: 'nothing', answers: [] },
  ])('rejects a name that resolves to $name', async ({ answers }) => {
    const { visits } = await startCanary()
    expect(await createDoor({ resolve: async () => answers })('https://acme.com/')).toMatchObject({
      refused: 'refused',
    })
    expect(visits).toEqual([])
  })

  it('connects to the address that it checked, and checks a changing name each time', async () => {
    const { visits, port } = await startCanary()
    let requests = 0
    const ask = createDoor({ resolve: async () => (requests++ % 2 === 0 ? ['203.0.113.1'] : ['127.0.0.1']) })
    for (let time = 0; time < 6; time++)
      expect(await ask(`https://acme.com:8443/?${port}`)).toMatchObject({ refused: 'refused' })
    expect(requests).toBe(6)
    expect(visits).toEqual([])
  })

  it.each([301, 302, 303, 307, 308])('follows no %d redirect to a forbidden address', async (status) => {
    const canary = await startCanary()
    const goals = [
      `http://127.0.0.1:${canary.port}/`,
      'http://localhost/',
      'https://[::1]/',
      'file:///etc/passwd',
      'https://169.254.169.254/',
      '//127.0.0.1/',
      'http://acme.com:22/',
    ]
    for (const goal of goals) {
      const port = await serve((_request, response) => response.writeHead(status, { Location: goal }).end('moved'))
      const ask = createDoor({ allow: [{ name: null, host: '127.0.0.1', port }], resolve: async () => ['127.0.0.1'] })
      expect(await ask(`http://127.0.0.1:${port}/`), goal).toMatchObject({ refused: 'refused' })
    }
    expect(canary.visits).toEqual([])
  })

  it('ends a loop of redirects, and sends no credential to another origin', async () => {
    const seen: (string | undefined)[] = []
    const second = await serve((request, response) => {
      seen.push(request.headers.authorization)
      response.end('second')
    })
    const first = await serve((request, response) => {
      const location = request.url === '/loop' ? '/loop' : `http://127.0.0.1:${second}/`
      response.writeHead(302, { Location: location }).end()
    })
    const allow = [first, second].map((port) => ({ name: null, host: '127.0.0.1', port }))
    expect(await createDoor({ allow })(`http://127.0.0.1:${first}/loop`)).toMatchObject({
      refused: 'too_many_redirects',
    })
    const egress = createEgress({ allow })
    onTestFinished(() => egress.close())
    const answer = await egress.fetch(`http://127.0.0.1:${first}/`, {
      maxBytes: 100,
      headers: { Authorization: 'Bearer secret' },
    })
    expect(answer).toMatchObject({ status: 200, url: `http://127.0.0.1:${second}/` })
    expect(seen).toEqual([undefined])
  })

  it('reads at most the given size, compressed or not, and waits no longer than allowed', async () => {
    const port = await serve((request, response) => {
      if (request.url === '/large') return void response.end('x'.repeat(10_000))
      if (request.url === '/endless') {
        response.write('x'.repeat(900))
        return
      }
      if (request.url === '/silent') return
      if (request.url === '/odd') return void response.writeHead(200, { 'Content-Encoding': 'zstd-of-ours' }).end('x')
      const size = request.url === '/bomb' ? 10_000_000 : 500
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(size, 'x')))
    })
    const ask = createDoor({ allow: [{ name: null, host: '127.0.0.1', port }] })
    const at = (path: string, timeoutMs = 5_000) =>
      ask(`http://127.0.0.1:${port}${path}`, { timeoutMs, maxBytes: 20_000 })
    expect(await ask(`http://127.0.0.1:${port}/large`)).toMatchObject({ refused: 'too_large' })
    expect(await at('/bomb')).toMatchObject({ refused: 'too_large' })
    expect(await at('/fine')).toEqual({ status: 200, text: 'x'.repeat(500) })
    expect(await at('/endless', 300)).toMatchObject({ refused: 'timeout' })
    expect(await at('/silent', 300)).toMatchObject({ refused: 'timeout' })
    expect(await at('/odd')).toMatchObject({ refused: 'unreachable' })
  })

  it('reveals nothing of what it found at a private address', async () => {
    const port = await serve((_request, response) => response.socket?.end('SSH-2.0-OpenSSH_9.9 internal\r\n'))
    const shown = await createDoor({ allow: [{ name: null, host: '127.0.0.1', port }] })(`http://127.0.0.1:${port}/`)
    expect(shown).toEqual({ refused: 'unreachable', words: 'The address could not be reached.' })
  })

  it('allows the listed exceptions of a registry on this machine, by address or by mapped name', async () => {
    const port = await serve((request, response) => response.end(`${request.headers.host}${request.url}`))
    const ask = createDoor({ allow: [{ name: 'acme.example', host: '127.0.0.1', port }] })
    expect(await ask('https://acme.example/.well-known/x?y=1')).toEqual({
      status: 200,
      text: 'acme.example/.well-known/x?y=1',
    })
    expect(await ask('https://other.acme.example/')).toMatchObject({ refused: 'refused' })
  })
})

describe('a public address', () => {
  it.each([
    '93.184.215.14',
    '1.1.1.1',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '172.32.0.1',
    '100.128.0.1',
    '11.0.0.1',
  ])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})
