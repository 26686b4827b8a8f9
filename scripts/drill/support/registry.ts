import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@countersign/sdk'
import { createActors } from '../../../tests/support/actors.ts'
import { ask, type Question, type Reply } from '../../../tests/support/ask.ts'
import { startDnsServers } from '../../../tests/support/dns-server.ts'
import { findFreePort } from '../../../tests/support/postgres.ts'
import type { Drill } from './fault.ts'

const program = fileURLToPath(new URL('../../../server/bin/countersign-server.cjs', import.meta.url))

export type Timed = Reply & { ms: number }

/** A registry as it is installed, with a provider that may mint. `databaseUrl` undefined: SQLite in its folder. */
export const startRegistry = async ({ onEnd }: Pick<Drill, 'onEnd'>, databaseUrl?: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-drill-'))
  const dns = await startDnsServers()
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const agent = new Agent({ keepAlive: true, maxSockets: 128 })
  let running: ChildProcess | undefined
  let log = ''
  const exits: string[] = []

  const end = async (signal: NodeJS.Signals) => {
    const child = running
    if (!child) return
    running = undefined
    child.kill(signal)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  const start = async () => {
    const child = spawn(process.execPath, [program], {
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        DATA_DIR: folder,
        PORT: String(port),
        RATE_LIMITS: 'off',
        DEV_DNS_SERVERS: dns.addresses.join(','),
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running = child
    let output = ''
    const note = (chunk: Buffer) => {
      output += chunk
      log = (log + chunk).slice(-200_000)
    }
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    child.once('exit', (code, signal) => {
      if (running === child) exits.push(`${code ?? signal}: ${log.slice(-2_000)}`)
    })
    const deadline = performance.now() + 60_000
    while (!output.includes('the registry is running')) {
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`The registry did not start.\n${log}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  onEnd(async () => {
    await end('SIGKILL')
    agent.destroy()
    await dns.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await start()

  const { provider } = createActors({
    clientFor: (apiKey) => createClient({ baseURL: url, apiKey, maxRetries: 0 }),
    dns,
  })
  const acme = await provider('acme')
  const model_id = await acme.registerModel()

  const send = async (path: string, question: Question = {}): Promise<Timed> => {
    const started = performance.now()
    const reply = await ask(`${url}${path}`, { agent, ...question })
    return { ...reply, ms: performance.now() - started }
  }
  const post = (path: string, body: unknown) =>
    send(path, { method: 'POST', headers: { 'X-API-Key': acme.apiKey }, body })

  return {
    url,
    folder,
    model_id,
    client: acme.client,
    start,
    end,
    /** Exits that were not asked for. */
    exits,
    log: () => log,
    get: (path: string) => send(path),
    post,
    mint: (extra: object = {}) => post('/api/v1/create-verification', { model_id, ...extra }),
    check: (link: string) => send(`/api/v1/verify/${encodeURIComponent(link)}`),
  }
}

export type Registry = Awaited<ReturnType<typeof startRegistry>>
