import { execFile, spawn } from 'node:child_process'
import { realpath, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { onTestFinished } from 'vitest'
import { isFull } from './full.ts'

/** Fetched when a full run needs it: it would be a seventh of what npm installs. */
const workerdPackage = 'workerd@1.20261023.1'

/** The runtime of Cloudflare Workers. `why`: the reason why it is missing. */
const find = async (): Promise<{ program: string; why?: string }> => {
  if (!isFull) return { program: '', why: 'only in a full run' }
  try {
    const fetched = ['exec', '--yes', `--package=${workerdPackage}`, '--call', 'command -v workerd']
    const { stdout } = await promisify(execFile)('npm', fetched, { timeout: 120_000 })
    return { program: createRequire(await realpath(stdout.trim()))('workerd').default }
  } catch {
    return { program: '', why: `npm has no workerd for ${process.platform} ${process.arch}` }
  }
}

export const workerd = await find()

/** May connect to this machine only. */
const configFor = (names: string[]) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["127.0.0.1/32"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  bindings = [${names.map((name) => `(name = "${name}", fromEnvironment = "${name}")`).join(', ')}],
  compatibilityDate = "2026-10-01",
);
`

/** Runs a worker in workerd until the test ends, and returns its address. */
export const startWorker = async (folder: string, env: Readonly<Record<string, string>>) => {
  const bundle = await rolldown({
    input: join(folder, 'worker.ts'),
    platform: 'browser',
    resolve: { conditionNames: ['@countersign/source', 'workerd', 'worker', 'import', 'default'] },
  })
  await bundle.write({ format: 'esm', file: join(folder, 'worker.js') })
  await bundle.close()
  const config = join(folder, 'worker.capnp')
  await writeFile(config, configFor(Object.keys(env)))
  const child = spawn(workerd.program, ['serve', config, '--control-fd=3'], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  })
  const ended = new Promise<never>((_, fail) => {
    child.once('error', fail).once('exit', (code) => fail(new Error(`workerd exited ${code}.`)))
  })
  ended.catch(() => {})
  onTestFinished(async () => {
    child.kill()
    await ended.catch(() => {})
  })
  const readPort = async () => {
    let said = ''
    for await (const chunk of child.stdio[3] as Readable) {
      said += chunk
      const [, port] = /"event":"listen".*"port":(\d+)/.exec(said) ?? []
      if (port !== undefined) return port
    }
    return ended
  }
  return `http://127.0.0.1:${await Promise.race([readPort(), ended])}`
}
