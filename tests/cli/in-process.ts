import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { run } from '../../cli/src/main.ts'
import type { CallOptions, Outcome } from './process.ts'

/** The command line in this process, for what needs no process of its own: the same calls, many times as fast. */
export const createQuickCommandLine = async (apiUrl: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const configFolder = join(folder, 'config')

  const call = async (args: readonly string[], { env = {}, stdin = '' }: CallOptions = {}): Promise<Outcome> => {
    const outcome = { exit: -1, stdout: '', stderr: '' }
    const sink = (name: 'stdout' | 'stderr') => ({
      isTerminal: false,
      write: (text: string) => {
        outcome[name] += text
      },
    })
    outcome.exit = await run(args, {
      env: { HOME: folder, COUNTERSIGN_CONFIG_DIR: configFolder, COUNTERSIGN_API_URL: apiUrl, ...env },
      cwd: folder,
      stdin: { isTerminal: false, read: async () => Buffer.from(stdin) },
      stdout: sink('stdout'),
      stderr: sink('stderr'),
      signal: new AbortController().signal,
      now: () => new Date(),
    })
    return outcome
  }

  /** Runs a command that must succeed, and reads its JSON. */
  const json = async <T = Record<string, unknown>>(...args: string[]): Promise<T> => {
    const { exit, stdout, stderr } = await call([...args, '--json'])
    if (exit !== 0 || stderr !== '') throw new Error(`${args.join(' ')}: exit ${exit}\n${stderr}${stdout}`)
    return JSON.parse(stdout) as T
  }

  const write = async (name: string, content: string | Uint8Array) => {
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }

  return { folder, configFolder, call, json, write }
}
