import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { onTestFinished } from 'vitest'
import type { createCommandLine } from './process.ts'

const bridge = fileURLToPath(new URL('terminal.py', import.meta.url))

/** So that a failure says what was shown instead, before the test's own end. */
const patienceMs = 20_000

/** Pseudo-terminals come from Python, as Node has none. */
export const hasTerminals = spawnSync('python3', ['-c', 'import pty']).status === 0

export interface TerminalOptions {
  env?: Record<string, string>
  columns?: number
  /** Where stdout goes, instead of to the terminal. */
  into?: string
}

/** A command at a real terminal: a pseudo-terminal is all that it reads and writes. */
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

  /** Waits until this is shown, after all that was waited for before, and answers what was shown until then. */
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
    /** Waits for the end, and answers the exit code and all that was shown, without what moved the cursor and as it was. */
    end: async () => ({ exit: await ended, shown: stripVTControlCharacters(shown), raw: shown }),
  }
}
