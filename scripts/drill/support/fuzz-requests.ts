import { contract, type Endpoint } from '@countersign/sdk/contract'
import { z } from 'zod'
import type { Question } from '../../../tests/support/ask.ts'
import type { Random } from '../../random.ts'
import { createValue, hostileValue, type Schema, spoil, strings } from './hostile-values.ts'

export interface FuzzRequest extends Question {
  /** Undefined for what the contract does not name. */
  endpoint?: Endpoint
  path: string
  /** The server may close the connection instead of answering, or while the body is sent. */
  mayBreak?: true
}

/** What exists on the registry, so that some requests get past the first check. */
export interface Known {
  apiKey: string
  texts: readonly string[]
}

const endpoints = Object.values(contract).flatMap((feature) => Object.values<Endpoint>(feature))
const schemas = new Map(
  endpoints.map((endpoint) => [
    endpoint,
    endpoint.body && (z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as Schema),
  ]),
)

/** An empty part of a path would name another endpoint, for example a list. */
const segments = strings.filter((text) => text !== '')

const pathOf = ({ path }: Endpoint, { pick, isLucky }: Random, { texts }: Known) =>
  path.replace(/:\w+/g, () => encodeURIComponent((isLucky(0.8) ? pick(texts) : pick(segments)).toWellFormed()))

const queryOf = ({ pick, below }: Random) =>
  Array.from({ length: 1 + below(3) }, () => {
    const name = pick(['page', 'limit', 'cursor', 'search', 'sort', 'q', 'from', 'kind', 'filter[a]', '__proto__', ''])
    const value = pick([...strings, '999999999999999999999', '-5', '1.5', 'a,b,c']).toWellFormed()
    return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  }).join('&')

/** Node closes the connection at an address of 16 kB, even while the body is sent. */
const longPath = 8_000

const valid = (endpoint: Endpoint, random: Random, known: Known): FuzzRequest => {
  const schema = schemas.get(endpoint)
  const path = pathOf(endpoint, random, known)
  return {
    endpoint,
    path,
    ...(path.length > longPath && { mayBreak: true }),
    method: endpoint.method,
    headers: random.isLucky(0.85) ? { 'X-API-Key': known.apiKey } : {},
    ...(schema && { body: createValue(schema, random, known.texts) }),
  }
}

const headerValues = [
  '',
  ' ',
  'a',
  '0',
  '-1',
  '*',
  'x'.repeat(4_000),
  '\u00ff\u00fe',
  '"',
  ',,,',
  '../..',
  'null',
  '{}',
]
const headerNames = [
  ...['Authorization', 'X-API-Key', 'Cookie', 'Content-Type', 'Content-Encoding', 'Accept', 'Accept-Encoding'],
  ...['Idempotency-Key', 'If-None-Match', 'If-Match', 'Range', 'Origin', 'Referer', 'Host', 'Expect', 'traceparent'],
  ...['X-Forwarded-For', 'Forwarded', 'Client-Cert', 'X-Client-Cert-Fingerprint', 'X-Forwarded-Client-Cert'],
  ...['X-HTTP-Method-Override', 'Upgrade', 'Sec-Fetch-Site', 'Access-Control-Request-Method', '__proto__'],
]
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK', 'M-SEARCH']
const paths = [
  ...['/', '//', '/%', '/%00', '/%ff%fe', '/api', '/api/v1', '/api/v1/', '/api/v1/..%2f..%2f', '/api/v2/models'],
  ...['/v/', '/v/x', '/v/%E0%A4%A', '/docs', '/docs/..%2f', '/openapi.json', '/robots.txt', '/sitemap.xml', '/oembed'],
  ...[
    '/.well-known/jwks.json',
    '/api/v1/providers/me/changes/',
    '/.well-known/security.txt',
    '/.well-known/',
    '/models',
    '/providers',
    '/badge',
    '/console',
  ],
  ...[
    '/livez',
    '/readyz?for[]=writes',
    '/readyz?for=writes&for=writes',
    '/metrics',
    '/assets/../main.js',
    '/favicon.ico',
  ],
]

/** Text that is not JSON, or barely. */
const brokenJson = (body: unknown, { pick, below }: Random): string | Uint8Array => {
  const text = JSON.stringify(body ?? {})
  return pick<() => string | Uint8Array>([
    () => text.slice(0, below(text.length + 1)),
    () => `${text}${text}`,
    () => `\ufeff${text}`,
    () => '['.repeat(1 + below(5_000)),
    () => '{"a":'.repeat(1 + below(2_000)),
    () => '{"a":1e400,"a":-1e400}',
    () => `{"a":${'9'.repeat(1 + below(5_000))}}`,
    () => '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}',
    () => '"\\ud800"',
    () => Uint8Array.from({ length: 1 + below(400) }, () => below(256)),
    () => Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}')]),
    () => `[${'0,'.repeat(below(30_000))}0]`,
    () => '',
  ])()
}

type Kind = (request: FuzzRequest, random: Random) => FuzzRequest

const spoiledBody: Kind = (request, random) => ({
  ...request,
  body: random.isLucky(0.3) ? hostileValue(random) : spoil(spoil(request.body, random), random),
  mayBreak: true,
})

const kinds: readonly (readonly [share: number, Kind])[] = [
  [0.12, (request) => request],
  [0.42, (request, random) => ({ ...request, body: spoil(request.body ?? {}, random) })],
  [0.08, spoiledBody],
  [0.12, (request, random) => ({ ...request, path: `${request.path}?${queryOf(random)}` })],
  [
    0.1,
    (request, { pick, below }) => ({
      ...request,
      headers: {
        ...request.headers,
        ...Object.fromEntries(Array.from({ length: 1 + below(3) }, () => [pick(headerNames), pick(headerValues)])),
      },
      mayBreak: true,
    }),
  ],
  [0.08, (request, random) => ({ ...request, body: brokenJson(request.body, random), mayBreak: true })],
  [0.04, ({ endpoint: _, ...request }, { pick }) => ({ ...request, method: pick(methods), mayBreak: true })],
  [0.04, ({ endpoint: _, ...request }, { pick }) => ({ ...request, path: pick(paths), mayBreak: true })],
]

export const createRequest = (random: Random, known: Known): FuzzRequest => {
  const request = valid(random.pick(endpoints), random, known)
  let rest = random.next()
  for (const [share, kind] of kinds) {
    rest -= share
    if (rest < 0) return kind(request, random)
  }
  return request
}

/** What no HTTP library sends. */
export const rawRequests = [
  'GET / HTTP/9.9\r\n\r\n',
  'GET /\r\n\r\n',
  'FOO / HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /\u0000 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nBad Header: 1\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\n: 1\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
  `GET /${'x'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\n${'X: 1\r\n'.repeat(3_000)}\r\n`,
  'POST /api/v1/create-verification HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /api/v1/create-verification HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n',
  'POST /api/v1/create-verification HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n',
  'POST /api/v1/create-verification HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n',
  'POST /api/v1/create-verification HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"a":',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001',
  '\r\n\r\n\r\n',
]
