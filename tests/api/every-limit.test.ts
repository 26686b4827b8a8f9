import { randomUUID } from 'node:crypto'
import type { Endpoint } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { createRateLimits } from '../../server/src/http/rate-limits.ts'
import { type Call, describeRules, rulesOf, subjectOf } from '../../server/src/http/rate-rules.ts'
import { createClock } from '../support/clock.ts'
import { describeOnSqlite, openTestDatabase } from '../support/databases.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** The promised limits, independent of the server's table: how many, in how many seconds, and for which endpoints. */
const promised: Record<string, { size: [points: number, seconds: number, burst?: number]; rows: string[] }> = {
  login: { size: [10, minute], rows: ['POST /auth/email/login', 'POST /auth/passkey'] },
  'login-address': { size: [5, minute], rows: ['POST /auth/email/login'] },
  register: { size: [5, hour], rows: ['POST /providers/register', 'POST /auth/email/register'] },
  mail: { size: [3, hour], rows: ['POST /auth/email/register', 'POST /providers/send-verification'] },
  'mail-reset': { size: [3, hour], rows: ['POST /auth/password/forgot'] },
  'mail-network': {
    size: [10, hour],
    rows: ['POST /providers/send-verification', 'POST /auth/password/forgot', 'POST /auth/recovery'],
  },
  'mail-recovery': { size: [3, hour], rows: ['POST /auth/recovery'] },
  recovery: { size: [10, minute], rows: ['PUT /auth/recovery'] },
  undo: { size: [10, minute], rows: ['POST /changes/undo'] },
  links: { size: [600, minute, 100], rows: ['POST /create-verification'] },
  'links-provider': { size: [1_200, minute], rows: ['POST /create-verification'] },
  bind: { size: [10, minute], rows: ['POST /jwt/:token/bind-response'] },
  verify: {
    size: [120, minute, 60],
    rows: ['GET /verify/:token', 'GET /jwt/verify/:token', 'POST /verify/:token/opened'],
  },
  lists: { size: [60, minute], rows: ['GET /search', 'GET /providers/public', 'GET /models/public'] },
  'check-domain': { size: [30, minute], rows: ['POST /providers/check-domain'] },
  disputes: { size: [10, hour], rows: ['POST /log/entries/:index/dispute'] },
  reports: { size: [5, hour], rows: ['POST /incidents/report'] },
  'reports-of-model': { size: [3, day], rows: ['POST /incidents/report'] },
  'bundle-force': { size: [6, hour], rows: ['POST /models/:id/verify-bundle'] },
  sync: { size: [6, hour], rows: ['POST /models/:id/sync-huggingface'] },
  logo: {
    size: [10, hour],
    rows: ['POST /providers/:id/upload-logo', 'PATCH /providers/:id', 'PUT /providers/:id/profile'],
  },
  listing: {
    size: [30, hour],
    rows: [
      'PATCH /providers/:id',
      'PUT /providers/:id/profile',
      'PUT /providers/:id/visibility',
      'PUT /providers/me/domains/:domain/primary',
    ],
  },
  reactivate: { size: [20, hour], rows: ['POST /providers/:id/reactivate'] },
  'new-keys': { size: [20, hour], rows: ['POST /providers/me/api-keys'] },
  'domain-proof': {
    size: [20, hour],
    rows: ['POST /providers/me/verify-domain', 'POST /providers/me/domains/:domain/verify'],
  },
  requests: { size: [600, minute], rows: ['everything else'] },
}

const described = describeRules()

it('every promised limit has its size, and counts the endpoints it was promised for', () => {
  for (const [name, { size, rows }] of Object.entries(promised)) {
    const found = described.find(({ rule }) => rule.name === name)
    const { points, seconds, burst } = found?.rule ?? {}
    expect({ name, size: [points, seconds, ...(burst ? [burst] : [])] }).toEqual({ name, size })
    expect(found?.endpoints.map((endpoint) => endpoint.replace('/api/v1', '')).sort(), name).toEqual(rows.toSorted())
  }
})

/** Each request repeats what the limit counts together, and varies everything else. */
const same: Record<string, (call: Call, name: string) => Call> = {
  network: (call, name) => ({ ...call, network: () => name }),
  'network (the /48 for IPv6)': (call, name) => ({ ...call, network: () => name }),
  provider: (call, name) => ({ ...call, caller: callerOf({ provider_id: name }) }),
  'provider, with logo_url': (call, name) => ({
    ...call,
    caller: callerOf({ provider_id: name }),
    body: { logo_url: 'https://a.example' },
  }),
  'provider, with company_name, website or is_listed': (call, name) => ({
    ...call,
    caller: callerOf({ provider_id: name }),
    body: { company_name: 'Acme Labs' },
  }),
  'key or session': (call, name) => ({ ...call, caller: callerOf({ actor: name }) }),
  'key or session, else network': (call, name) => ({ ...call, caller: undefined, network: () => name }),
  'network and email address': (call, name) => ({
    ...call,
    network: () => name,
    body: { email: `${name}@acme.example` },
  }),
  'email address': (call, name) => ({ ...call, body: { email: `${name}@acme.example` } }),
  'provider and model': (call, name) => ({ ...call, caller: callerOf({ provider_id: name }), params: { id: name } }),
  'provider and model, with force_refresh': (call, name) => ({
    ...call,
    caller: callerOf({ provider_id: name }),
    params: { id: name },
    body: { force_refresh: true },
  }),
  link: (call, name) => ({ ...call, params: { token: name.padStart(43, 'x') } }),
}

const callerOf = (given: { provider_id: string } | { actor: string }): NonNullable<Call['caller']> => ({
  provider_id: randomUUID(),
  actor: randomUUID(),
  key_id: null,
  person_id: null,
  role: 'owner',
  session_id: null,
  isDevice: false,
  scopes: null,
  credential: '',
  isDeactivated: false,
  isSuspended: false,
  ...given,
})

const callOfStranger = (): Call => ({
  network: () => randomUUID(),
  caller: callerOf({ actor: randomUUID() }),
  params: { id: randomUUID(), token: randomUUID().padStart(43, 'y') },
  body: { email: `${randomUUID()}@acme.example` },
})

const everyRow = described.flatMap(({ rule, endpoints }) => endpoints.map((row) => ({ name: rule.name, row })))

const rowOf = (text: string) => {
  const [method, path] = (text === 'everything else' ? 'GET /api/v1/providers/me' : text).split(' ')
  return { method, path } as Pick<Endpoint, 'method' | 'path'>
}

const silent = { setHeader: () => {}, getHeader: () => undefined } as never

describeOnSqlite('every limit of every endpoint', (engine) => {
  it('allows its number of requests and no more, does not affect others, and resets after its window', async () => {
    const { now, advance } = createClock()
    const limits = createRateLimits({ database: await openTestDatabase(engine), now })
    let tried = 0
    for (const { name, row } of everyRow) {
      const rule = rulesOf(rowOf(row)).find((one) => one.name === name)
      const check = limits.of(rowOf(row))
      if (!rule || !check) throw new Error(`${row} has no limit ${name}`)
      // For one network and model, see tests/api/rate-limits.test.ts.
      if (subjectOf(rule) === 'network (the /48 for IPv6) and model') continue
      // Counts kept per process are the same on every engine.
      if (engine !== 'sqlite' && !rule.isShared) continue
      const keep = same[subjectOf(rule)]
      if (!keep) throw new Error(`It is not defined how ${name} is counted together`)
      const repeat = () => check(keep(callOfStranger(), `${name} ${row}`), silent)
      const { points, seconds, burst = 0 } = rule
      for (let count = 1; count <= points + burst; count++)
        await expect(repeat(), `${name}, ${row}, number ${count}`).resolves.toBeUndefined()
      await expect(repeat(), `${name}, ${row}`).rejects.toMatchObject({ code: 'rate_limited' })
      await expect(check(callOfStranger(), silent), `${name}, ${row}, others`).resolves.toBeUndefined()
      tried++
      if (!rule.isShared) continue
      advance(`${seconds}s`)
      await expect(repeat(), `${name}, ${row}, later`).resolves.toBeUndefined()
    }
    expect(tried).toBeGreaterThan(10)
  }, 60_000)
})
