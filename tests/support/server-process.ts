import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { askShared } from './databases.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Saves half of what a start costs. */
export const compileCache = join(tmpdir(), 'countersign-compile-cache')

export type Environment = Record<string, string>

/** A clean environment: settings of the machine must not affect the test. */
const spawnServer = async (args: readonly string[], environment: Environment): Promise<ChildProcess> => {
  const program = await askShared('server')
  return spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_NO_WARNINGS: '1',
      NODE_COMPILE_CACHE: compileCache,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Runs `countersign-server` with these arguments until it exits. `isUnread`: no one reads what it prints, as after `| head`. */
export const runServer = async (args: readonly string[], environment: Environment, { isUnread = false } = {}) => {
  const child = await spawnServer(args, environment)
  if (isUnread) child.stdout?.destroy()
  const output = { stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}

/** A registry in its own process, on a free port. Resolves once it says that it is ready. */
export const startServer = async (environment: Environment, args: readonly string[] = []) => {
  const child = await spawnServer(args, { PORT: '0', LOG_LEVEL: 'info', CHECK_ANSWERS: 'true', ...environment })
  const exited = once(child, 'exit').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }))
  let log = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      log += chunk
    })
    child.stdout?.on('data', (chunk) => {
      log += chunk
      const [, address] = /"url":"([^"]+)".*the registry is running/.exec(log) ?? []
      if (address) resolve(address)
    })
    void exited.then(({ code }) => reject(new Error(`The registry ended with ${code}.\n${log}`)))
  })
  return {
    url,
    exited,
    log: () => log,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** Sends a signal and waits for the exit. */
    end: (signal: NodeJS.Signals) => {
      child.kill(signal)
      return exited
    },
  }
}

export type ServerProcess = Awaited<ReturnType<typeof startServer>>
