import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { completeWord } from './completion/complete-word.ts'
import { Interruption } from './failure.ts'
import { createSink, stdin } from './io/terminal.ts'
import type { World } from './world.ts'

/** Runs one command in a given world and answers its exit code. */
export const run = async (argv: readonly string[], world: World): Promise<number> => {
  const work = dispatch(argv, world)
  try {
    return await Promise.race([work, interrupted(world.signal)])
  } catch (error) {
    const { tellFailure } = await import('./render/report.ts')
    if (world.signal.aborted) await settled(work)
    return tellFailure(world.signal.aborted ? world.signal.reason : error, argv, world)
  }
}

// The three calls that must be quick go first; everything else loads the whole tree of commands.
const dispatch = async (argv: readonly string[], world: World): Promise<number> => {
  const [first] = argv
  const isAlone = argv.length === 1
  if (isAlone && (first === '--version' || first === '-V')) return say(world, `${manifest.version}\n`)
  const help = isAlone && (first === '--help' || first === '-h') ? renderedHelp() : undefined
  if (help !== undefined) return say(world, help)
  if (first === 'verify') {
    const { verifyPlainly } = await import('./commands/verify/plain-verify.ts')
    const exit = await verifyPlainly(argv.slice(1), world)
    if (exit !== undefined) return exit
  }
  if (first === completeWord) {
    const { complete } = await import('./completion/complete.ts')
    return complete(argv.slice(1), world)
  }
  const { perform } = await import('./perform.ts')
  return perform(argv, world)
}

const say = ({ stdout }: World, text: string) => {
  stdout.write(text)
  return 0
}

/** The first page of help, which the bundle has ready. */
const renderedHelp = () => {
  const path = join(import.meta.dirname, 'help.txt')
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

// What was begun is tidied up, such as a half-written file; who waits for nothing is left after a moment.
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
  // All is written by now. Sockets and readers must not keep the process, and Node leaves sooner than it tidies up.
  process.exit(exit)
}
