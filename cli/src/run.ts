import { readArgv } from './args/read-argv.ts'
import { completeWord } from './completion/complete-word.ts'
import { perform } from './perform.ts'
import { createProgram } from './program.ts'
import type { World } from './world.ts'

/** Runs one command in a given world and returns its exit code. */
export const run = async (argv: readonly string[], world: World): Promise<number> => {
  const program = createProgram()
  const reading = await readArgv(argv[0] === completeWord ? [] : argv, program)
  const work = argv[0] === completeWord ? completeWords(argv.slice(1), world) : perform(reading, program, world)
  try {
    return await Promise.race([work, interrupted(world.signal)])
  } catch (error) {
    const { reportFailure } = await import('./render/report.ts')
    if (world.signal.aborted) await settled(work)
    return reportFailure(world.signal.aborted ? world.signal.reason : error, reading, world)
  }
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
