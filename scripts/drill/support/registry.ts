import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@countersign/sdk'
import { createActors } from '../../../tests/support/actors.ts'
import { ask, type Question, type Reply } from '../../../tests/support/ask.ts'
import { startDnsServers } from '../../../tests/support/dns-server.ts'
import { findFreePort } from '../../../tests/support/postgres.ts'
import { type Drill, must } from './fault.ts'

const program = fileURLToPath(new URL('../../../server/bin/countersign-server.cjs', import.meta.url))

export type Timed = Reply & { ms: number }

export interface InstallOptions {
  /** Undefined: SQLite in the folder. */
  databaseUrl?: string
  /** Where its data is. Undefined: a folder of its own. */
  folder?: string
  env?: Readonly<Record<string, string>>
}

/** A registry as it is installed, not started yet. */
export const installRegistry = async (
  { onEnd }: Pick<Drill, 'onEnd'>,
  { databaseUrl, env, ...options }: InstallOptions,
) => {
  const outer = mkdtempSync(join(tmpdir(), 'countersign-drill-'))
  const folder = options.folder ?? outer
  const dns = await startDnsServers()
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  let running: ChildProcess | undefined
  let log = ''
  const exits: string[] = []

  const end = async (signal: NodeJS.Signals) => {
    const child = running
    if (!child) return
    running = undefined
    child.kill(signal)
    if (!isEnded(child)) await once(child, 'exit')
  }

  /** Starts the process without waiting until it listens. */
  const launch = (args: readonly string[] = []) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: outer,
      env: {
        PATH: process.env.PATH ?? '',
        DATA_DIR: folder,
        PORT: String(port),
        RATE_LIMITS: 'off',
        DEV_DNS_SERVERS: dns.addresses.join(','),
        ...(databaseUrl && { DATABASE_URL: databaseUrl }),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running = child
    const launched = { child, output: '' }
    const note = (chunk: Buffer) => {
      launched.output += chunk
      log = (log + chunk).slice(-200_000)
    }
    child.stdout.on('data', note)
    child.stderr.on('data', note)
    child.once('exit', (code, signal) => {
      if (running === child) exits.push(`${code ?? signal}: ${log.slice(-2_000)}`)
    })
    return launched
  }

  const start = async () => {
    const launched = launch()
    const deadline = performance.now() + 60_000
    while (!launched.output.includes('the registry is running')) {
      must(!isEnded(launched.child) && performance.now() < deadline, `The registry did not start.\n${launched.output}`)
      await wait(20)
    }
  }

  /** Runs it until it exits by itself. */
  const runToEnd = async (args: readonly string[] = []) => {
    const launched = launch(args)
    running = undefined
    const timer = setTimeout(() => launched.child.kill('SIGKILL'), 60_000)
    const [code] = (await once(launched.child, 'close')) as [number | null]
    clearTimeout(timer)
    return { code, output: launched.output }
  }

  onEnd(async () => {
    await end('SIGKILL')
    await dns.close()
    rmSync(outer, { recursive: true, force: true })
  })

  return {
    url,
    dns,
    folder,
    launch,
    start,
    runToEnd,
    end,
    signal: (signal: NodeJS.Signals) => running?.kill(signal),
    /** Exits that were not asked for. */
    exits,
    log: () => log,
  }
}

/** A running registry with a provider that may mint. */
export const startRegistry = async (drill: Pick<Drill, 'onEnd'>, options: InstallOptions = {}) => {
  const installed = await installRegistry(drill, options)
  await installed.start()
  return { ...installed, ...(await createClients(drill, installed)) }
}

const createClients = async (
  { onEnd }: Pick<Drill, 'onEnd'>,
  { url, dns }: Pick<Awaited<ReturnType<typeof installRegistry>>, 'url' | 'dns'>,
) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 128 })
  onEnd(() => agent.destroy())
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
    model_id,
    createProvider: provider,
    client: acme.client,
    send,
    get: (path: string) => send(path),
    post,
    mint: (extra: object = {}) => post('/api/v1/create-verification', { model_id, ...extra }),
    check: (link: string) => send(`/api/v1/verify/${encodeURIComponent(link)}`),
  }
}

const isEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

export type Registry = Awaited<ReturnType<typeof startRegistry>>
