import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { checkSameAnswers, mintOnce } from './answers.ts'
import { measure, type Report, ratioOfRounds } from './goal.ts'
import { latencyGoals } from './latency.ts'
import { startDurablePeer, startPeer, tokenRequests } from './peer/start.ts'
import { type Load, type Server, startLoad, startServer } from './processes.ts'
import { describeSamples, rates, ratioOfCpu, runRounds } from './rounds.ts'
import type { World } from './world.ts'

export const startLimit = (world: World, copy: string): Promise<Server> =>
  startServer(
    'bare node:http',
    [fileURLToPath(new URL('./limit/server.ts', import.meta.url))],
    world.env(copy),
    world.log(`limit-${copy}`),
  )

const idPattern = '"verification_id":"([^"]+)"'

/** Kills the registry while it mints, and checks that every acknowledged link is in the database. Returns their number. */
const checkNothingIsLost = async (load: Load, world: World, registry: Server, copy: string): Promise<number> => {
  const answered = load.run({ port: registry.port, file: world.mintRequests, ms: 2_000, collect: idPattern })
  setTimeout(() => registry.kill(), 700)
  const { collected, count } = await answered
  const database = new Sqlite(world.databaseOf(copy))
  const find = database.prepare('select 1 from verifications where id = ?')
  const lost = collected.filter(([id]) => find.get(id) === undefined)
  database.close()
  if (count === 0 || collected.length !== count)
    throw new Error('Before it was killed, the registry returned responses without a link.')
  if (lost.length > 0) throw new Error(`${lost.length} of ${count} acknowledged links were lost with the process.`)
  return count
}

/** Measures minting over HTTP, from the request to the durable row. */
export const measureMint = async (world: World): Promise<Report> => {
  const sameFields = await checkSameAnswers(world)
  const load = await startLoad()
  const limit = await startLimit(world, world.copy('mint-limit'))
  const registry = await world.startRegistry(world.copy('mint-registry'))
  const peer = await startPeer(world)
  const durablePeer = await startDurablePeer(world)
  try {
    await mintOnce(registry, world)
    const contenders = [
      { server: limit, file: world.mintRequests, status: 201 },
      { server: registry, file: world.mintRequests, status: 201 },
      { server: peer, file: tokenRequests(world, 'jwt'), status: 200 },
      { server: durablePeer, file: tokenRequests(world, 'opaque'), status: 200 },
    ]
    const samples = await runRounds(load, contenders)
    const [limitRates, ourRates, peerRates, durableRates] = samples.map(rates)
    const kept = await checkNothingIsLost(load, world, registry, 'mint-registry')
    return {
      measured: [
        measure(
          { goal: 'G1', name: 'mint / bare node:http', floor: 0.5, target: 0.7 },
          ratioOfRounds(ourRates ?? [], limitRates ?? []),
        ),
        measure(
          { goal: 'G2', name: 'mint / oidc-provider client credentials', floor: 1, target: 1.5 },
          ratioOfRounds(ourRates ?? [], peerRates ?? []),
        ),
        measure(
          { goal: 'G2', name: 'mint / oidc-provider, opaque and durable', floor: 1, target: 1.5 },
          ratioOfRounds(ourRates ?? [], durableRates ?? []),
        ),
        ...latencyGoals('mint', samples[1], samples[0]),
      ],
      details: [
        ...describeSamples(contenders, samples),
        `CPU per link: ${ratioOfCpu(samples[1], samples[0])} of the bare server's, ${ratioOfCpu(samples[1], samples[2])} of oidc-provider's.`,
        `The bare server returns the same responses: each verified the other's links; ${sameFields} fields are equal.`,
        `kill -9 under load: all ${kept} acknowledged links are in the database.`,
      ],
    }
  } finally {
    await Promise.all([load.stop(), limit.kill(), registry.kill(), peer.kill(), durablePeer.kill()])
  }
}
