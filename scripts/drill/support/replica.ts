import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../../tests/support/postgres.ts'
import type { Drill } from './fault.ts'

const program = fileURLToPath(new URL('../../../server/bin/countersign-server.cjs', import.meta.url))

/** One process of a registry that has several, with a folder of its own. */
export const startReplica = async ({ onEnd }: Pick<Drill, 'onEnd'>, settings: Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-replica-'))
  const port = await findFreePort()
  let running: ChildProcess | undefined
  let log = ''

  const run = async (more: Record<string, string>): Promise<'runs' | 'port in use'> => {
    const child = spawn(process.execPath, [program], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', DATA_DIR: folder, PORT: String(port), ...settings, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running = child
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk
        log = (log + chunk).slice(-100_000)
      })
    const deadline = performance.now() + 60_000
    while (!output.includes('the registry is running')) {
      if (output.includes('EADDRINUSE')) return 'port in use'
      if (child.exitCode !== null || performance.now() > deadline)
        throw new Error(`A replica did not start.\n${output}`)
      await wait(20)
    }
    return 'runs'
  }

  const start = async (more: Record<string, string> = {}) => {
    // An outgoing connection of another process may use the port for a moment.
    while ((await run(more)) === 'port in use') await wait(200)
  }

  /** Ends the process; returns its exit code or signal. */
  const end = async (signal: NodeJS.Signals) => {
    const child = running
    if (!child) return undefined
    running = undefined
    child.kill(signal)
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    return child.exitCode ?? child.signalCode
  }

  onEnd(async () => {
    await end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  return { port, folder, url: `http://127.0.0.1:${port}`, start, end, log: () => log }
}

export type Replica = Awaited<ReturnType<typeof startReplica>>
