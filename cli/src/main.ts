import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { Interruption } from './failure.ts'
import { createSink, stdin } from './io/terminal.ts'

/** The process edge: arguments, environment, signals and the exit code. */
export const main = async () => {
  const argv = process.argv.slice(2)
  const ready = readyText(argv)
  if (ready !== undefined && isWritten(ready)) process.exit()
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const interruption = new Interruption(signal)
      if (stop.signal.aborted) process.exit(interruption.exit)
      stop.abort(interruption)
    })
  }
  const { run } = await import('./run.ts')
  const exit = await run(argv, {
    env: process.env,
    cwd: process.cwd(),
    stdin,
    stdout: createSink(1),
    stderr: createSink(2),
    signal: stop.signal,
    now: () => new Date(),
  })
  // Everything is written. Open sockets and readers must not keep the process alive, and an explicit exit is faster.
  process.exit(exit)
}

/** Otherwise `run` tries again and reports the error. */
const isWritten = (text: string) => {
  try {
    createSink(1).write(text)
    return true
  } catch {
    return false
  }
}

/** The version, and the first page of help if the bundle has it ready: nothing else is loaded for them. */
const readyText = (argv: readonly string[]): string | undefined => {
  const [word] = argv
  if (argv.length !== 1) return undefined
  if (word === '--version' || word === '-V') return `${manifest.version}\n`
  if (word !== '--help' && word !== '-h') return undefined
  const path = join(import.meta.dirname, 'help.txt')
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
