import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Answered, Order } from './load/order.ts'

/** With two cores, servers run on one and the load on the other. */
const canPin = availableParallelism() >= 2 && spawnSync('taskset', ['--version']).status === 0
const cores = { server: '0', load: '1', any: '0,1' } as const

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export const pinnedNode = (core: keyof typeof cores, args: readonly string[]): [command: string, args: string[]] =>
  canPin ? ['taskset', ['-c', cores[core], process.execPath, ...args]] : [process.execPath, [...args]]

const follow = (child: ChildProcess) => {
  running.add(child)
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve())).finally(() => running.delete(child))
  return { child, ended }
}

export interface Server {
  name: string
  port: number
  /** CPU seconds used so far, those of the main thread, and resident MB; undefined without /proc. */
  usage: () => { cpuSeconds: number; loopSeconds: number; rssMb: number } | undefined
  kill: () => Promise<void>
}

export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(500) }).then(
    ({ status }) => status < 500,
    () => false,
  )

/** Linux counts CPU in ticks of 10 ms and memory in pages of 4 kB. */
const readUsage = (pid: number) => {
  if (!existsSync(`/proc/${pid}/stat`)) return undefined
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const [loopNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return {
    loopSeconds: Number(loopNs) / 1e9,
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100,
    rssMb: Math.round((Number(fields[21]) * 4_096) / 1e6),
  }
}

/** Starts a server process on a free loopback port and waits until it responds. `log`: the file for its output; `core`: where it may run. */
export const startServer = async (
  name: string,
  args: readonly string[],
  env: Record<string, string>,
  log: string,
  core: keyof typeof cores = 'server',
): Promise<Server> => {
  const port = await freePort()
  const output = openSync(log, 'a')
  const [command, rest] = pinnedNode(core, args)
  const { child, ended } = follow(
    spawn(command, rest, {
      env: { PATH: process.env.PATH, NODE_ENV: 'production', ...env, HOST: '127.0.0.1', PORT: String(port) },
      stdio: ['ignore', output, output],
    }),
  )
  closeSync(output)
  for (const deadline = Date.now() + 30_000; !(await answers(port)); await wait(50)) {
    if (child.exitCode === null && Date.now() < deadline) continue
    child.kill('SIGKILL')
    throw new Error(`${name} did not start.\n${readFileSync(log, 'utf8').slice(-2_000)}`)
  }
  return {
    name,
    port,
    usage: () => readUsage(child.pid ?? 0),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

export interface Load {
  run: (order: Omit<Order, 'connections'>) => Promise<Answered>
  stop: () => Promise<void>
}

export const connections = 32

const message = <T>(child: ChildProcess, timeoutMs: number): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The load generator does not respond.')), timeoutMs)
    child.once('message', (value) => {
      clearTimeout(timer)
      resolve(value as T)
    })
  })

/** A program of `load/`, which answers one order at a time. */
export const startProgram = async <Input extends object, Answer>(program: string) => {
  const file = fileURLToPath(new URL(`./load/${program}.ts`, import.meta.url))
  const [command, args] = pinnedNode('load', ['--expose-gc', file])
  const { child, ended } = follow(spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }))
  await message(child, 15_000)
  return {
    run: async (input: Input, ms: number) => {
      child.send(input)
      return message<Answer>(child, ms + 15_000)
    },
    stop: async () => {
      child.disconnect()
      await ended
    },
  }
}

export const startLoad = async (): Promise<Load> => {
  const { run, stop } = await startProgram<Order, Answered>('generator')
  return { run: (order) => run({ ...order, connections }, order.ms), stop }
}
