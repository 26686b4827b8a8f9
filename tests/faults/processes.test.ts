import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@countersign/sdk'
import { expect, it, onTestFinished } from 'vitest'
import { createActors } from '../support/actors.ts'
import { ask } from '../support/ask.ts'
import { createTestDatabase, describeOnSqlite } from '../support/databases.ts'
import { startDnsServers } from '../support/dns-server.ts'
import { isFull, itInFull, sampled } from '../support/full.ts'
import { type Environment, runServer, type ServerProcess, startServer } from '../support/server-process.ts'

/** A data folder and a DNS server for the processes of one test; remaining processes are killed at its end. */
const prepare = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-process-'))
  const dns = await startDnsServers()
  const running: ServerProcess[] = []
  onTestFinished(async () => {
    for (const server of running) await server.end('SIGKILL')
    await dns.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  // One key mints more links per second here than the limits allow per minute.
  const environment: Environment = { DATA_DIR: dataDir, DEV_DNS_SERVERS: dns.addresses.join(','), RATE_LIMITS: 'off' }
  const start = async (more: Environment = {}) => {
    const server = await startServer({ ...environment, ...more })
    running.push(server)
    return server
  }
  const registerOn = async (server: ServerProcess) => {
    const { provider } = createActors({
      clientFor: (apiKey) => createClient({ baseURL: server.url, apiKey, maxRetries: 0 }),
      dns,
    })
    const acme = await provider('acme')
    return { ...acme, model_id: await acme.registerModel() }
  }
  return { dataDir, environment, start, registerOn }
}

const mint = (
  server: ServerProcess,
  { apiKey, model_id }: { apiKey: string; model_id: string },
  agent: Agent,
  extra: object = {},
) =>
  ask(`${server.url}/api/v1/create-verification`, {
    method: 'POST',
    agent,
    headers: { 'X-API-Key': apiKey },
    body: { model_id, ...extra },
  })

it('keeps every acknowledged link when killed repeatedly while minting', async () => {
  const { start, registerOn } = await prepare()
  let server = await start()
  const { port } = new URL(server.url)
  const acme = await registerOn(server)
  const acknowledged: string[] = []
  const kills = isFull ? 4 : 2
  for (let round = 0; round < kills; round++) {
    const agent = new Agent({ keepAlive: true, maxSockets: 16 })
    const enough = acknowledged.length + 100
    let isKilled = false
    const worker = async (index: number) => {
      while (!isKilled) {
        // Some in a transaction of their own, most in a group commit.
        const reply = await mint(server, acme, agent, index % 4 === 0 ? { response: 'Oslo' } : {}).catch(
          () => undefined,
        )
        if (reply === undefined) return
        expect(reply.status).toBe(201)
        acknowledged.push(String(reply.body.verification_url))
        if (acknowledged.length >= enough && !isKilled) {
          isKilled = true
          await server.end('SIGKILL')
        }
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, index) => worker(index)))
    expect(isKilled).toBe(true)
    agent.destroy()
    server = await start({ PORT: port })
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(kills * 100)
  expect(new Set(acknowledged).size).toBe(acknowledged.length)
  for (const link of acknowledged) {
    const { status, body } = await ask(`${server.url}/api/v1/verify/${encodeURIComponent(link)}`)
    expect({ link, status, result: body.result }).toEqual({ link, status: 200, result: 'verified' })
  }
  expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
}, 120_000)

it('is not ready from the stop signal until it exits', async () => {
  const { start } = await prepare()
  const server = await start()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  expect(await ask(`${server.url}/readyz`, { agent })).toMatchObject({ status: 200 })
  const ended = server.end('SIGTERM')
  await expect.poll(() => server.log()).toContain('"msg":"draining"')
  expect(await ask(`${server.url}/readyz`, { agent })).toMatchObject({
    status: 503,
    body: { checks: { draining: true } },
  })
  expect(await ended).toEqual({ code: 0, signal: null })
})

describeOnSqlite('a registry that receives a stop signal', (engine) => {
  it('answers every request that it accepted, and exits by itself', async () => {
    const { start, registerOn } = await prepare()
    const { url, remove } = await createTestDatabase(engine)
    const server = await start({ DATABASE_URL: url })
    const acme = await registerOn(server)
    const agent = new Agent({ keepAlive: true, maxSockets: 32 })
    const answered: string[] = []
    const lost: string[] = []
    const stopAt = 200
    let stopped: Promise<{ code: number | null; ms: number }> | undefined
    const stop = async () => {
      const since = performance.now()
      const { code } = await server.end('SIGTERM')
      return { code, ms: performance.now() - since }
    }
    const worker = async () => {
      for (;;) {
        const isBefore = stopped === undefined
        try {
          const { status, body } = await mint(server, acme, agent)
          if (status !== 201) lost.push(`${status} ${body.code}`)
          else answered.push(String(body.token))
        } catch (error) {
          // Requests in progress when the signal came must be answered. Later ones may fail: the system resets connections that were
          // waiting to be accepted when the port was closed.
          if (isBefore) lost.push(String(error))
          return
        }
        if (answered.length >= stopAt) stopped ??= stop()
      }
    }
    await Promise.all(Array.from({ length: 32 }, worker))
    agent.destroy()
    const end = await stopped
    expect(lost).toEqual([])
    expect(end?.code).toBe(0)
    expect(end?.ms).toBeLessThan(10_000)
    const log = server.log().split('\n')
    const minted = log.filter((line) => line.includes('POST /api/v1/create-verification'))
    expect(minted.filter((line) => !line.includes('"status":201'))).toEqual([])
    expect(minted).toHaveLength(answered.length)
    expect(server.log()).toContain('"msg":"stopped"')

    const again = await start({ DATABASE_URL: url, PORT: new URL(server.url).port })
    for (const token of answered.slice(-50)) expect((await ask(`${again.url}/api/v1/verify/${token}`)).status).toBe(200)
    await again.end('SIGTERM')
    await remove()
  }, 60_000)
})

itInFull(
  'accepts a rotation and a compromise from the command line while it runs',
  async () => {
    const { start, registerOn, environment } = await prepare()
    const server = await start()
    const acme = await registerOn(server)
    const agent = new Agent({ keepAlive: true })
    const linkOf = async () => (await mint(server, acme, agent)).body
    const kidOf = (token: unknown) =>
      JSON.parse(Buffer.from(String(token).split('.')[0] ?? '', 'base64url').toString()).kid as string
    const kids = async () =>
      ((await ask(`${server.url}/.well-known/jwks.json`)).body.keys as { kid: string }[]).map(({ kid }) => kid)
    const check = async (link: unknown) =>
      (await ask(`${server.url}/api/v1/verify/${encodeURIComponent(String(link))}`)).body
    const keys = (...args: string[]) => runServer(['keys', ...args], environment)

    const first = await linkOf()
    const early = await keys('rotate')
    expect(early).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('--force') })
    expect(await keys('rotate', '--force')).toMatchObject({ code: 0, stderr: '' })
    const second = await linkOf()
    expect(kidOf(second.token)).not.toBe(kidOf(first.token))
    for (const link of [first, second]) expect(await check(link.verification_url)).toMatchObject({ result: 'verified' })
    expect(await kids()).toEqual(expect.arrayContaining([kidOf(first.token), kidOf(second.token)]))

    expect(await keys('compromise', kidOf(second.token))).toMatchObject({ code: 0 })
    const third = await linkOf()
    expect(kidOf(third.token)).not.toBe(kidOf(second.token))
    expect(await check(second.verification_url)).toMatchObject({ code: 'link_revoked', change: 'key_compromised' })
    expect(await check(second.token)).toMatchObject({ code: 'link_revoked', change: 'key_compromised' })
    for (const link of [first, third]) expect(await check(link.token)).toMatchObject({ result: 'verified' })
    expect(await kids()).not.toContain(kidOf(second.token))

    const { stdout } = await keys('list')
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/)[1])
        .sort(),
    ).toEqual(['active', 'compromised', 'next', 'retired'])
    expect(await keys('compromise', 'nobody')).toMatchObject({ code: 1 })
    expect(await keys('explode')).toMatchObject({ code: 2 })
    agent.destroy()
  },
  60_000,
)

itInFull(
  'makes its key file readable only by its owner, restores that, and refuses to start with another key',
  async () => {
    const { start, registerOn, dataDir, environment } = await prepare()
    const first = await start()
    const acme = await registerOn(first)
    const agent = new Agent()
    const { body } = await mint(first, acme, agent)
    await first.end('SIGTERM')
    const file = join(dataDir, 'key-encryption-key')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const key = await readFile(file, 'utf8')
    expect(first.log()).not.toContain(key.trim())

    const wrong = await runServer([], {
      ...environment,
      PORT: '0',
      KEY_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    })
    expect(wrong).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('KEY_ENCRYPTION_KEY does not open the signing keys'),
    })
    await writeFile(file, 'something else')
    expect(await runServer([], { ...environment, PORT: '0' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('key-encryption-key must contain 32 bytes'),
    })

    await writeFile(file, key)
    await chmod(file, 0o644)
    const again = await start({ PORT: new URL(first.url).port })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await ask(`${again.url}/api/v1/verify/${body.token}`)).status).toBe(200)
    await again.end('SIGTERM')
  },
  60_000,
)

itInFull(
  'names an invalid setting and an occupied port, and ends quietly if no one reads its output',
  async () => {
    const { start, environment } = await prepare()
    expect(await runServer([], { ...environment, PORT: 'http' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/PORT must be a port from 0 to 65535; it is "http"/),
    })
    const { url } = await start()
    const taken = await runServer([], { ...environment, PORT: new URL(url).port })
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining('Set PORT to a free port') })
    expect(await runServer(['--version'], environment)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+( \(commit \S+\))?, schema \d{4}-\S+\n$/),
    })
    expect(await runServer(['nonsense'], environment)).toMatchObject({ code: 2 })
    expect(await runServer(['--help'], environment, { isUnread: true })).toMatchObject({ code: 0, stderr: '' })
  },
  60_000,
)

const helped: [string[], RegExp][] = [
  [['reports', '--help'], /^Usage: .*reports withdraw/s],
  [['keys', 'rotate', '--help'], /^countersign-server .*keys rotate/s],
  [['backup', '-h'], /^countersign-server .*backup FILE/s],
]

it.each(sampled(helped, 3, 1))('prints help and does nothing: %j', async (args, expected) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-help-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const environment = { DATA_DIR: join(folder, 'data'), PORT: 'invalid' }
  const { code, stdout, stderr } = await runServer(args, environment)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(expected)
  expect(await readdir(folder)).toEqual([])
})
