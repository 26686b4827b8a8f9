import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { type Reading, readArgv } from './args/read-argv.ts'
import { completeWord } from './completion/complete-word.ts'
import { Interruption } from './failure.ts'
import { createSink, stdin } from './io/terminal.ts'
import { perform } from './perform.ts'
import { createProgram, type Program } from './program.ts'
import type { World } from './world.ts'

/** Runs one command in a given world and returns its exit code. */
export const run = async (argv: readonly string[], world: World): Promise<number> => {
  const program = createProgram()
  const reading = await readArgv(argv[0] === completeWord ? [] : argv, program)
  const work = start(argv, reading, program, world)
  try {
    return await Promise.race([work, interrupted(world.signal)])
  } catch (error) {
    const { reportFailure } = await import('./render/report.ts')
    if (world.signal.aborted) await settled(work)
    return reportFailure(world.signal.aborted ? world.signal.reason : error, reading, world)
  }
}

const start = async (argv: readonly string[], reading: Reading, program: Program, world: World): Promise<number> => {
  const ready = readyText(argv)
  if (ready === undefined)
    return argv[0] === completeWord ? completeWords(argv.slice(1), world) : perform(reading, program, world)
  world.stdout.write(ready)
  return 0
}

/** The version, and the first page of help if the bundle has it ready: no command is loaded for them. */
const readyText = (argv: readonly string[]): string | undefined => {
  const [word] = argv
  if (argv.length !== 1) return undefined
  if (word === '--version' || word === '-V') return `${manifest.version}\n`
  if (word !== '--help' && word !== '-h') return undefined
  const path = join(import.meta.dirname, 'help.txt')
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

const completeWords = async (words: readonly string[], world: World) => {
  const { complete } = await import('./completion/complete.ts')
  return complete(words, world)
}

// An interrupted command gets a moment to clean up, for example to remove a half-written file.
const settled = (work: Promise<number>) =>
  Promise.race([work.then(nothing, nothing), new Promise<void>((resolve) => setTimeout(resolve, graceMs))])

const nothing = () => {}
const graceMs = 250

const interrupted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** The process edge: arguments, environment, signals and the exit code. */
export const main = async () => {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const interruption = new Interruption(signal)
      if (stop.signal.aborted) process.exit(interruption.exit)
      stop.abort(interruption)
    })
  }
  const exit = await run(process.argv.slice(2), {
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
