import { randomBytes, randomInt } from 'node:crypto'
import { formatLinkCode } from '@countersign/sdk/verify'
import { createLinkCode } from '@countersign/sdk/verify/link-codes'
import { codeIn } from './answers.ts'
import { measure, type Report, table } from './goal.ts'
import type { Attack, Attacked, Visit, Visited } from './load/order.ts'
import { startLoad, startProgram } from './processes.ts'
import type { World } from './world.ts'

const attackMs = 30_000
/** Until the engine has compiled what the attack asks for. */
const warmUpMs = 6_000
const everyMs = 20

/** 256 IPv4 addresses and one /48 of IPv6. */
type Attacker = readonly [ipv4: string, ipv6: string]
const earlier: Attacker = ['192.0.2', '2001:db8:feed']
const attacker: Attacker = ['203.0.113', '2001:db8:bad']

const addressOf = ([ipv4, ipv6]: Attacker) =>
  randomInt(2) === 0
    ? `${ipv4}.${randomInt(256)}`
    : `${ipv6}:${randomInt(65_536).toString(16)}::${randomInt(1, 65_536).toString(16)}`

const requestFrom =
  (from: Attacker) =>
  (method: string, path: string, body?: string, headers: readonly string[] = []) =>
    [
      `${method} ${path} HTTP/1.1`,
      'Host: registry.example',
      `X-Forwarded-For: ${addressOf(from)}`,
      ...headers,
      ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
      '',
      body ?? '',
    ].join('\r\n')

const many = (count: number, make: () => string) => Array.from({ length: count }, make)
const word = () => randomBytes(6).toString('hex')

/** The costliest requests, 2,000 a second and less than 20 MB. */
const attackOn = (
  from: Attacker,
  ms: number,
  { port, token, owner }: { port: number; token: string; owner: World['owner'] },
): Attack => {
  const requestOf = requestFrom(from)
  const [model] = owner.models
  const forged = () => `${token.slice(0, -20)}${randomBytes(15).toString('base64url')}`
  const arrays = (bytes: number) => `{"a":[${'[],'.repeat(bytes / 3)}0]}`
  const key = [`X-API-Key: ${owner.apiKey}`]
  const kinds: Attack['kinds'] = [
    {
      name: 'bundle uploads of 1 MB',
      perSecond: 6,
      requests: many(2, () => requestOf('PUT', `/api/v1/models/${model}/bundle`, arrays(1_000_000), key)),
    },
    {
      name: 'bindings of 250 kB',
      perSecond: 24,
      requests: many(8, () => requestOf('POST', `/api/v1/jwt/${forged()}/bind-response`, arrays(250_000))),
    },
    {
      name: 'registrations of 60 kB',
      perSecond: 90,
      requests: many(50, () => requestOf('POST', '/api/v1/providers/register', arrays(60_000))),
    },
    {
      name: 'sign-ins',
      perSecond: 300,
      requests: many(300, () =>
        requestOf(
          'POST',
          '/api/v1/auth/email/login',
          JSON.stringify({ email: `${word()}@acme.example`, password: word() }),
        ),
      ),
    },
    { name: 'searches', perSecond: 400, requests: many(400, () => requestOf('GET', `/api/v1/search?q=at+${word()}`)) },
    {
      name: 'tokens with a bad signature',
      perSecond: 700,
      requests: many(700, () => requestOf('GET', `/api/v1/verify/${forged()}`)),
    },
    {
      name: 'links that do not exist',
      perSecond: 480,
      requests: many(480, () =>
        requestOf('GET', `/api/v1/verify/${formatLinkCode(createLinkCode(Date.now(), randomBytes(32)))}`),
      ),
    },
  ]
  return { port, ms, kinds, halfOpenPerSecond: 64 }
}

const describe = ({ statuses, sent, dropped, bytes, seconds, halfOpen, closedByServer }: Attacked): string[] => [
  `${Math.round(sent / seconds)} requests and ${(bytes / seconds / 1e6).toFixed(1)} MB a second, ${dropped} more not sent; ${halfOpen} half-open connections, ${closedByServer} of them closed.`,
  ...table(
    ['attack', 'answers'],
    Object.entries(statuses).map(([name, counts]) => [
      name,
      Object.entries(counts)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
    ]),
  ),
]

const row = (name: string, { p50, p99, longest, statuses }: Visited) => [
  name,
  p50.toFixed(1),
  p99.toFixed(1),
  longest.toFixed(1),
  JSON.stringify(statuses),
]

/** Measures how long a visitor waits for a verification while one attacker sends the costliest requests from many addresses. */
export const measureAbuse = async (world: World): Promise<Report> => {
  const load = await startLoad()
  const visitor = await startProgram<Visit, Visited>('visitor')
  const attack = await startProgram<Attack, Attacked>('attacker')
  const registry = await world.startRegistry(world.copy('abuse'))
  try {
    const { collected } = await load.run({
      port: registry.port,
      file: world.mintRequests,
      ms: 500,
      collect: '"verification_url":"([^"]+)","token":"([^"]+)"',
    })
    const visit = (count: number): Visit => ({
      port: registry.port,
      paths: collected.slice(0, 500).map(([url = '']) => `/api/v1/verify/${codeIn(url)}`),
      everyMs,
      count,
    })
    const calm = visit(500)
    const target = { port: registry.port, token: collected[0]?.[1] ?? '', owner: world.owner }
    await attack.run(attackOn(earlier, warmUpMs, target), warmUpMs + 15_000)
    await visitor.run(calm, 500 * everyMs)
    const idle = await visitor.run(calm, 500 * everyMs)
    const order = attackOn(attacker, attackMs, target)
    const count = attackMs / everyMs - 50
    const [attacked, answered] = await Promise.all([
      visitor.run(visit(count), attackMs + 30_000),
      attack.run(order, attackMs + 15_000),
    ])
    return {
      measured: [
        measure(
          { goal: 'ABUSE', name: 'verify p99 under attack / max(3 × idle, 25 ms)', floor: 1, target: 0.5 },
          attacked.p99 / Math.max(3 * idle.p99, 25),
        ),
      ],
      details: [
        ...table(['visitor', 'p50 ms', 'p99 ms', 'longest', 'answers'], [row('idle', idle), row('attacked', attacked)]),
        ...describe(answered),
      ],
    }
  } finally {
    await Promise.all([load.stop(), visitor.stop(), attack.stop(), registry.kill()])
  }
}
