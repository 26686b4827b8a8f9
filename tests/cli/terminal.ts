import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished } from 'vitest'
import type { createCommandLine } from './process.ts'

const bridge = fileURLToPath(new URL('terminal.py', import.meta.url))

/** Shorter than the test's timeout, so that a failure prints what was shown instead. */
const patienceMs = 20_000

/** Python provides the pseudo-terminal; Node has none. */
export const hasTerminals = spawnSync('python3', ['-c', 'import pty']).status === 0

export interface TerminalOptions {
  env?: Record<string, string>
  columns?: number
  /** Redirects stdout to this file instead of the terminal. */
  into?: string
}

/** Runs a command on a pseudo-terminal. */
export const openTerminal = (
  cli: Awaited<ReturnType<typeof createCommandLine>>,
  args: readonly string[],
  { env = {}, columns = 80, into = '/dev/tty' }: TerminalOptions = {},
) => {
  const shell = ['sh', '-c', 'exec "$@" > "$INTO"', 'sh', process.execPath, cli.program]
  const child = spawn('python3', [bridge, String(columns), ...shell, ...args], {
    cwd: cli.folder,
    env: { ...cli.env, TERM: 'xterm', NO_COLOR: '1', INTO: into, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  let shown = ''
  let read = 0
  let look = () => {}
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (chunk: string) => {
    shown += chunk
    look()
  })
  const ended = new Promise<number>((resolve) => {
    child.on('close', (code) => {
      resolve(code ?? -1)
      look()
    })
  })

  /** Waits until this text is shown after the previous match, and returns everything shown up to it. */
  const see = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const giveUp = setTimeout(
        () => reject(new Error(`${JSON.stringify(text)} was not shown:\n${shown.slice(read)}`)),
        patienceMs,
      )
      onTestFinished(() => clearTimeout(giveUp))
      look = () => {
        const at = shown.indexOf(text, read)
        if (at >= 0) {
          const seen = shown.slice(read, at + text.length)
          read = at + text.length
          look = () => {}
          clearTimeout(giveUp)
          resolve(seen)
        } else if (child.exitCode !== null)
          reject(new Error(`Ended before ${JSON.stringify(text)} was shown:\n${shown.slice(read)}`))
      }
      look()
    })

  return {
    see,
    type: (keys: string) => void child.stdin.write(keys),
    /** Waits for the exit, and returns the exit code and the output, both without cursor movements and raw. */
    end: async () => ({ exit: await ended, shown: stripVTControlCharacters(shown), raw: shown }),
  }
}
