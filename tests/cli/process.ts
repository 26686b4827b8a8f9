import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { askShared } from '../support/databases.ts'
import { compileCache } from '../support/server-process.ts'

export interface Outcome {
  exit: number
  stdout: string
  stderr: string
}

export interface CallOptions {
  stdin?: string | Uint8Array
  env?: Record<string, string>
}

/** The command line as separate processes, with an empty home and a clean environment. */
export const createCommandLine = async (apiUrl: string) => {
  const program = await askShared('cli')
  const folder = await mkdtemp(join(tmpdir(), 'countersign-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    COUNTERSIGN_CONFIG_DIR: join(folder, 'config'),
    COUNTERSIGN_API_URL: apiUrl,
    NODE_COMPILE_CACHE: compileCache,
  }

  const start = (args: readonly string[], options: CallOptions = {}) =>
    spawn(process.execPath, [program, ...args], { cwd: folder, env: { ...env, ...options.env } })

  /** Runs one command and waits until it exits. */
  const call = (args: readonly string[], options: CallOptions = {}): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const child = start(args, options)
      const out: Buffer[] = []
      const err: Buffer[] = []
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
      child.on('error', reject)
      child.on('close', (code, signal) =>
        resolve({
          exit: code ?? (signal === null ? -1 : -2),
          stdout: Buffer.concat(out).toString(),
          stderr: Buffer.concat(err).toString(),
        }),
      )
      child.stdin.on('error', () => {})
      child.stdin.end(options.stdin ?? '')
    })

  return { folder, program, env, configFolder: env.COUNTERSIGN_CONFIG_DIR, start, call, ...onCommandLine(folder, call) }
}

/** How tests use the command line, in this process or as a process. */
export const onCommandLine = (folder: string, call: (args: string[]) => Promise<Outcome>) => ({
  /** Runs a command that must succeed, and parses its JSON. */
  json: async <T = Record<string, unknown>>(...args: string[]): Promise<T> => {
    const { exit, stdout, stderr } = await call([...args, '--json'])
    if (exit !== 0 || stderr !== '') throw new Error(`${args.join(' ')}: exit ${exit}\n${stderr}${stdout}`)
    return JSON.parse(stdout) as T
  },
  write: async (name: string, content: string | Uint8Array) => {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  },
})

/** The error object that JSON mode prints on stderr. */
export const errorOf = ({ stderr }: Outcome) =>
  (
    JSON.parse(stderr) as {
      error: {
        code: string
        message: string
        hint: string | null
        status: number | null
        request_id: string | null
        retryable: boolean
        exit_code: number
      }
    }
  ).error
