import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { measure, median, type Report } from './goal.ts'
import { verifyRequests } from './online-verify.ts'
import { type Load, startLoad } from './processes.ts'
import { type Contender, describeSamples, runRounds, type Sample } from './rounds.ts'
import type { World } from './world.ts'

/** In many short rounds, other load slows both versions alike. With more of them, a server would reach the limits of its visitors. */
const rounds = { count: 24, ms: 400 }

const start = async (world: World, copy: string, name: string) => ({
  world,
  server: { ...(await world.startRegistry(world.copy(copy))), name },
})

type Version = Awaited<ReturnType<typeof start>>

const contenders = {
  mint: async (_load: Load, { world, server }: Version): Promise<Contender> => ({
    server,
    file: world.mintRequests,
    status: 201,
  }),
  verify: async (load: Load, { world, server }: Version): Promise<Contender> => ({
    server,
    file: await verifyRequests(load, world, server),
    status: 200,
  }),
}

const quartilesOf = (values: readonly number[]) => {
  const sorted = [...values].sort((a, b) => a - b)
  return [0.25, 0.75].map((share) => sorted[Math.floor(share * sorted.length)]?.toFixed(2)).join(' to ')
}

/** The rate of two servers together, in each round. */
const sums = (one: readonly Sample[] = [], other: readonly Sample[] = []) =>
  one.map(({ rate }, round) => rate + (other[round]?.rate ?? Number.NaN))

/**
 * Compares this version with another one, built in another folder: with the same load, in the same rounds. It starts two servers of each
 * because, of equal servers, the one that starts first is a few percent slower, and no two are compiled alike.
 */
export const measureBeside = async (world: World, folder: string): Promise<Report> => {
  const file = pathToFileURL(join(resolve(folder), 'scripts/bench/world.ts')).href
  const { createWorld } = (await import(file)) as { createWorld: () => Promise<World> }
  const otherWorld = await createWorld()
  const load = await startLoad()
  const versions: Version[] = []
  try {
    versions.push(await start(world, 'beside-1', 'this version, first'))
    versions.push(await start(otherWorld, 'beside-1', `${folder}, second`))
    versions.push(await start(otherWorld, 'beside-2', `${folder}, third`))
    versions.push(await start(world, 'beside-2', 'this version, last'))
    const measured: Report['measured'] = []
    const details: string[] = []
    for (const kind of ['mint', 'verify'] as const) {
      const all: Contender[] = []
      for (const version of versions) all.push(await contenders[kind](load, version))
      const samples = await runRounds(load, all, rounds.count, rounds.ms)
      const there = sums(samples[1], samples[2])
      const ratios = sums(samples[0], samples[3]).map((rate, round) => rate / (there[round] ?? Number.NaN))
      measured.push(measure({ goal: 'BESIDE', name: `${kind} / ${folder}`, floor: 0.97, target: 1 }, median(ratios)))
      details.push(`${kind}: quartiles ${quartilesOf(ratios)}`, ...describeSamples(all, samples))
    }
    return { measured, details }
  } finally {
    await Promise.all([load.stop(), ...versions.map(({ server }) => server.kill())])
    await otherWorld.remove()
  }
}
