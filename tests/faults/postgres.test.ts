import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { itInFull, sampled } from '../support/full.ts'
import { expectHonest, startRegistry, type Timed } from '../support/outage.ts'
import { createPostgresDatabase, startPostgres } from '../support/postgres.ts'
import { startServer } from '../support/server-process.ts'

/** This file's own server, because its tests stop and freeze it; and a registry that must survive all of them. */
let postgres: Awaited<ReturnType<typeof startPostgres>>
let registry: Awaited<ReturnType<typeof startRegistry>>
let url: string
let databases = 0

beforeAll(async () => {
  postgres = await startPostgres()
  url = await createDatabase()
  registry = await startRegistry({ DATABASE_URL: url })
})
afterAll(async () => {
  await registry?.stop()
  await postgres?.stop()
})
beforeEach(async () => {
  await expect.poll(async () => (await registry.mint()).status).toBe(201)
})
afterEach(() => {
  expect(registry.server.isRunning(), registry.server.log()).toBe(true)
})

const createDatabase = () => createPostgresDatabase(postgres.urlOf('postgres'), `outage_${++databases}`)

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Mints with eight workers until it is stopped, and remembers what was answered. */
const startMinting = (mint: (extra?: object) => Promise<Timed>) => {
  const links: string[] = []
  const others: Timed[] = []
  let isOver = false
  const worker = async (index: number) => {
    while (!isOver) {
      const reply = await mint(index % 2 === 0 ? {} : { response: 'Oslo' })
      if (reply.status === 201) links.push(String(reply.body.verification_url))
      else {
        others.push(reply)
        await wait(20)
      }
    }
  }
  const workers = Promise.all(Array.from({ length: 8 }, (_, index) => worker(index)))
  const stop = async () => {
    isOver = true
    await workers
  }
  onTestFinished(stop)
  return {
    links,
    others,
    /** Waits until this many more links were minted. */
    more: (count: number) => {
      const enough = links.length + count
      return expect.poll(() => links.length, { timeout: 20_000, interval: 20 }).toBeGreaterThanOrEqual(enough)
    },
    stop,
  }
}

const secondsUntil = async (isTrue: () => Promise<boolean>) => {
  const started = performance.now()
  while (!(await isTrue())) await wait(20)
  return (performance.now() - started) / 1_000
}

const stops = [
  { how: 'immediately', signal: 'SIGQUIT' },
  { how: 'fast', signal: 'SIGINT' },
] as const

it.each(sampled(stops, 2))(
  'answers 503 while PostgreSQL is stopped ($how) under load, and recovers by itself',
  async ({ signal }) => {
    const { mint, get } = registry
    const load = startMinting(mint)
    await load.more(50)
    await postgres.end(signal)
    try {
      const during = await Promise.all([mint(), mint({ response: 'Oslo' }), get('/api/v1/models/public?search=atlas')])
      for (const reply of during) expectHonest(reply, 5_000)
      expect((await get('/livez')).status).toBe(200)
      expect((await get('/readyz')).status).toBe(503)
    } finally {
      await postgres.start()
    }
    expect(await secondsUntil(async () => (await mint()).status === 201)).toBeLessThan(5)
    await load.stop()
    for (const reply of load.others) expectHonest(reply, 5_000)
    for (const link of load.links.slice(-100))
      expect(await get(`/api/v1/verify/${encodeURIComponent(link)}`)).toMatchObject({ status: 200 })
  },
  60_000,
)

it('survives connections that are terminated under load', async () => {
  const { mint } = registry
  const load = startMinting(mint)
  for (let round = 0; round < 5; round++) {
    await load.more(20)
    await withClient(postgres.urlOf('postgres'), (client) =>
      client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        new URL(url).pathname.slice(1),
      ]),
    )
  }
  await load.stop()
  for (const reply of load.others) expectHonest(reply, 5_000)
  expect(await secondsUntil(async () => (await mint()).status === 201)).toBeLessThan(5)
}, 60_000)

it('answers 503 within 5 s while PostgreSQL is frozen, and recovers when it continues', async () => {
  const { server, mint, get } = registry
  postgres.signalAll('SIGSTOP')
  try {
    const replies = await Promise.all([
      ...Array.from({ length: 30 }, (_, index) => mint(index % 2 === 0 ? {} : { response: 'Oslo' })),
      get('/api/v1/models/public?search=atlas'),
    ])
    for (const reply of replies) expectHonest(reply, 5_000)
    // Now that the failure is known, requests don't wait.
    expectHonest(await mint(), 5_000)
    expect(await get('/readyz')).toMatchObject({ status: 503, body: { checks: { database: false } } })
    expect((await get('/livez')).status).toBe(200)
    await expect.poll(server.log).toContain('the database does not answer')
  } finally {
    postgres.signalAll('SIGCONT')
  }
  expect(await secondsUntil(async () => (await mint()).status === 201)).toBeLessThan(5)
  expect((await get('/readyz')).status).toBe(200)
  await expect.poll(server.log).toContain('the database answers again')
}, 60_000)

itInFull(
  'exits on a stop signal while PostgreSQL is frozen',
  async () => {
    const { server, mint, stop } = await startRegistry({ DATABASE_URL: await createDatabase() })
    onTestFinished(stop)
    expect((await mint()).status).toBe(201)
    postgres.signalAll('SIGSTOP')
    try {
      expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
    } finally {
      postgres.signalAll('SIGCONT')
    }
  },
  60_000,
)

it('serves reads and answers writes with 503 while the database is read-only', async () => {
  const { mint, get } = registry
  const link = String((await mint()).body.verification_url)
  const setReadOnly = (isOn: boolean) =>
    withClient(postgres.urlOf('postgres'), async (client) => {
      const name = new URL(url).pathname.slice(1)
      await client.query(`alter database ${name} set default_transaction_read_only = ${isOn ? 'on' : 'off'}`)
      // Waits until they have ended: one that has not could still write.
      await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [name])
    })
  await setReadOnly(true)
  try {
    for (const reply of [await mint(), await mint({ response: 'Oslo' })]) expectHonest(reply, 5_000)
    // The registry may not have noticed yet that its connections have ended.
    const verify = () => get(`/api/v1/verify/${encodeURIComponent(link)}`)
    expect(await secondsUntil(async () => (await verify()).status === 200)).toBeLessThan(5)
    expect((await get('/readyz')).status).toBe(200)
    expect(await get('/readyz?for=writes')).toMatchObject({ status: 503, body: { checks: { writes: false } } })
  } finally {
    await setReadOnly(false)
  }
  expect(await secondsUntil(async () => (await mint()).status === 201)).toBeLessThan(5)
  expect(await secondsUntil(async () => (await get('/readyz?for=writes')).status === 200)).toBeLessThan(5)
}, 60_000)

it('answers 503 soon while a table is locked, even if more requests wait than it has connections', async () => {
  const { mint, get } = registry
  const link = String((await mint()).body.verification_url)
  await withClient(url, async (client) => {
    await client.query('begin')
    await client.query('lock table verifications in access exclusive mode')
    const replies = await Promise.all([
      ...Array.from({ length: 60 }, (_, index) => mint(index % 2 === 0 ? {} : { response: 'Oslo' })),
      get(`/api/v1/verify/${encodeURIComponent(link)}`),
    ])
    for (const { status, ms } of replies) {
      expect(status).toBe(503)
      expect(ms).toBeLessThan(2_500)
    }
    await client.query('rollback')
  })
  expect((await mint()).status).toBe(201)
}, 60_000)

it('lets other providers write while writers of one provider wait for each other', async () => {
  const { acme, provider } = registry
  const waiters = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  const other = await provider(`other${databases}`)
  await withClient(url, async (client) => {
    await client.query('begin')
    await client.query('update providers set id = id where id = $1', [acme.id])
    let written = 0
    const waiting = Array.from({ length: 20 }, () => acme.registerModel().then(() => written++))
    const settled = Promise.allSettled(waiting)
    // In one transaction, pg_stat_activity never changes.
    await withClient(url, (observer) =>
      expect.poll(async () => (await observer.query(waiters)).rowCount, { interval: 10 }).toBe(1),
    )
    await other.registerModel()
    expect(written).toBe(0)
    await client.query('rollback')
    // On a slow machine some have waited too long by now.
    for (const result of await settled)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 503 })
  })
}, 60_000)

it('waits for PostgreSQL when it starts, says so, and starts once it is there', async () => {
  // First a server in its place that hangs up, then a route to the real one.
  let isThere = false
  const door = createServer((socket) => {
    if (!isThere) return socket.destroy()
    const inner = connect(Number(new URL(url).port), '127.0.0.1')
    for (const [from, to] of [
      [socket, inner],
      [inner, socket],
    ] as const)
      from.on('error', () => to.destroy()).pipe(to)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    door.close()
  })
  await once(door, 'listening')
  const throughDoor = new URL(url)
  throughDoor.port = String((door.address() as AddressInfo).port)
  const starting = startServer({ ...registry.environment, DATABASE_URL: throughDoor.href, DATABASE_WAIT: '30' })
  await once(door, 'connection')
  isThere = true
  const server = await starting
  onTestFinished(async () => {
    await server.end('SIGKILL')
  })
  expect(server.log()).toMatch(/"database":"127\.0\.0\.1:\d+\/outage_\d+".*"msg":"waiting for the database"/)
  expect(server.log()).not.toContain(new URL(url).password)
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
}, 60_000)

it('does not start if PostgreSQL stays unreachable, or rejects the password', async () => {
  const wrong = url.replace(new URL(url).password, 'wrong')
  await expect(startServer({ DATABASE_URL: wrong })).rejects.toThrow(
    /ended with 1[\s\S]*password authentication failed/,
  )
  await postgres.end('SIGINT')
  await expect(startServer({ DATABASE_URL: url, DATABASE_WAIT: '1' })).rejects.toThrow(
    /ended with 1[\s\S]*The database 127\.0\.0\.1:\d+\/outage_\d+ cannot be used/,
  )
  await postgres.start()
}, 60_000)
