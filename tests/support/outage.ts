import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@countersign/sdk'
import { expect } from 'vitest'
import { createActors } from './actors.ts'
import { ask, type Reply } from './ask.ts'
import { startDnsServers } from './dns-server.ts'
import { type Environment, type ServerProcess, startServer } from './server-process.ts'

/** A registry in a process of its own, with a provider that mints links on it. The caller stops it. */
export const startRegistry = async (environment: Environment) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-outage-'))
  const dns = await startDnsServers()
  const complete: Environment = {
    DATA_DIR: dataDir,
    DEV_DNS_SERVERS: dns.addresses.join(','),
    RATE_LIMITS: 'off',
    ...environment,
  }
  const server = await startServer(complete)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const stop = async () => {
    agent.destroy()
    await server.end('SIGKILL')
    await dns.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { server, environment: complete, stop, ...(await createMinter(server, dns, agent)) }
}

const createMinter = async (server: ServerProcess, dns: Awaited<ReturnType<typeof startDnsServers>>, agent: Agent) => {
  const { provider } = createActors({
    clientFor: (apiKey) => createClient({ baseURL: server.url, apiKey, maxRetries: 0 }),
    dns,
  })
  const acme = await provider('acme')
  const model_id = await acme.registerModel()
  const timed = async (send: () => Promise<Reply>) => {
    const started = performance.now()
    const reply = await send()
    return { ...reply, ms: performance.now() - started }
  }
  return {
    acme,
    provider,
    /** Mints a link: in a group commit, or with a response in a transaction of its own. */
    mint: (extra: object = {}) =>
      timed(() =>
        ask(`${server.url}/api/v1/create-verification`, {
          method: 'POST',
          agent,
          headers: { 'X-API-Key': acme.apiKey },
          body: { model_id, ...extra },
        }),
      ),
    get: (path: string) => timed(() => ask(`${server.url}${path}`, { agent })),
  }
}

export type Timed = Reply & { ms: number }

/** What every request must get while the database is away. */
export const expectHonest = ({ status, headers, body, ms }: Timed, withinMs: number) => {
  expect({ status, type: headers['content-type'], code: body.code }).toEqual({
    status: 503,
    type: 'application/problem+json',
    code: 'unavailable',
  })
  expect(headers['retry-after']).toMatch(/^\d+$/)
  expect(ms).toBeLessThan(withinMs)
}
