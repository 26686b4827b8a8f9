import { fileURLToPath } from 'node:url'
import { measureCommits } from './commits.ts'
import { measure, type Report, ratioOfRounds } from './goal.ts'
import { startLoad, startServer } from './processes.ts'
import { describeSamples, rates, runRounds } from './rounds.ts'
import type { World } from './world.ts'

const program = fileURLToPath(new URL('./durability-server.ts', import.meta.url))

const variants = [
  { name: 'FULL, group commit', BENCH_SYNCHRONOUS: 'FULL', BENCH_COMMIT: 'group' },
  { name: 'NORMAL, group commit', BENCH_SYNCHRONOUS: 'NORMAL', BENCH_COMMIT: 'group' },
  { name: 'FULL, one commit each', BENCH_SYNCHRONOUS: 'FULL', BENCH_COMMIT: 'each' },
] as const

/** Measures the cost of links that survive a power failure, with and without group commit. */
export const measureDurability = async (world: World): Promise<Report> => {
  const load = await startLoad()
  const contenders = []
  try {
    for (const [index, { name, ...settings }] of variants.entries()) {
      const copy = world.copy(`durability-${index}`)
      const server = await startServer(name, [program], { ...world.env(copy), ...settings }, world.log(copy))
      contenders.push({ server, file: world.mintRequests, status: 201 })
    }
    const samples = await runRounds(load, contenders)
    const [full, normal, each] = samples.map(rates)
    const commits = await measureCommits(world)
    return {
      measured: [
        measure(
          { goal: 'G3', name: 'mint FULL / NORMAL, both with group commit', floor: 0.7, target: 0.78 },
          ratioOfRounds(full ?? [], normal ?? []),
        ),
        measure(
          { goal: 'G3', name: 'durable rows, 32 writers: group commit / one commit each', floor: 3, target: 4 },
          commits.ratio,
        ),
      ],
      details: [
        ...describeSamples(contenders, samples),
        commits.detail,
        `Over HTTP, with all other work of minting: ${ratioOfRounds(full ?? [], each ?? []).toFixed(2)}.`,
      ],
    }
  } finally {
    await Promise.all([load.stop(), ...contenders.map(({ server }) => server.kill())])
  }
}
