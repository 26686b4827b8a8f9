import { codeIn, verifyAt } from './answers.ts'
import { measure, type Report, ratioOfRounds } from './goal.ts'
import { latencyGoals } from './latency.ts'
import { startLimit } from './mint.ts'
import { introspectionRequests, startPeer } from './peer/start.ts'
import { type Load, type Server, startLoad } from './processes.ts'
import { describeSamples, rates, ratioOfCpu, runRounds } from './rounds.ts'
import type { World } from './world.ts'

const linkCount = 2_000

/** Requests that verify links, half by code and half by token. */
export const verifyRequests = async (load: Load, world: World, registry: Server) => {
  const { collected } = await load.run({
    port: registry.port,
    file: world.mintRequests,
    ms: 1_500,
    collect: '"verification_url":"([^"]+)","token":"([^"]+)"',
  })
  const links = collected
    .slice(0, linkCount)
    .map(([url = '', token = ''], index) => (index % 2 === 0 ? codeIn(url) : token))
  // From many visitors, as named by the trusted proxy: each has its own limit, and so has the /24 around it.
  const requests = links.map((link, index) =>
    [
      `GET /api/v1/verify/${link} HTTP/1.1`,
      'Host: registry.example',
      'User-Agent: bench',
      'Accept: application/json',
      `X-Forwarded-For: 198.${index % 250}.${Math.floor(index / 250)}.7`,
      '',
      '',
    ].join('\r\n'),
  )
  return world.write(`verify-${registry.port}.json`, JSON.stringify(requests))
}

/** A withdrawal must show at the next read: nothing about a link may be cached. */
const checkNothingIsCached = async (registry: Server, { owner }: World) => {
  const api = `http://127.0.0.1:${registry.port}/api/v1`
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': owner.apiKey }
  const [model_id] = owner.models
  const minted = await fetch(`${api}/create-verification`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model_id }),
  })
  const { verification_url } = (await minted.json()) as { verification_url: string }
  const before = await verifyAt(registry, codeIn(verification_url))
  await fetch(`${api}/models/${model_id}/archive`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ reason: 'Withdrawn by a benchmark' }),
  })
  const after = (await (await verifyAt(registry, codeIn(verification_url))).json()) as { code?: string }
  if (before.status !== 200 || after.code !== 'link_archived')
    throw new Error(`A withdrawn model still verifies: ${before.status}, ${after.code}`)
}

/** Measures checking a link online: the registry reads its live state; the peer looks up a token in memory. */
export const measureOnlineVerify = async (world: World): Promise<Report> => {
  const load = await startLoad()
  const copy = world.copy('verify')
  const registry = await world.startRegistry(copy)
  const limit = await startLimit(world, copy)
  const peer = await startPeer(world)
  try {
    const file = await verifyRequests(load, world, registry)
    const contenders = [
      { server: peer, file: await introspectionRequests(world, peer), status: 200 },
      { server: registry, file, status: 200 },
      { server: limit, file, status: 200 },
    ]
    const samples = await runRounds(load, contenders)
    await checkNothingIsCached(registry, world)
    const [peerRates, ourRates, limitRates] = samples.map(rates)
    return {
      measured: [
        measure(
          { goal: 'G4', name: 'online verify / oidc-provider introspection', floor: 1, target: 1.6 },
          ratioOfRounds(ourRates ?? [], peerRates ?? []),
        ),
        measure(
          { goal: 'G4', name: 'online verify / bare node:http', floor: 0.8, target: 0.85 },
          ratioOfRounds(ourRates ?? [], limitRates ?? []),
        ),
        ...latencyGoals('online verify', samples[1], samples[2]),
      ],
      details: [
        ...describeSamples(contenders, samples),
        `CPU per response: ${ratioOfCpu(samples[1], samples[2])} of the bare server's, ${ratioOfCpu(samples[1], samples[0])} of oidc-provider's.`,
        'An archived model is rejected at the next read.',
      ],
    }
  } finally {
    await Promise.all([load.stop(), registry.kill(), limit.kill(), peer.kill()])
  }
}
