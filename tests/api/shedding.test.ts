import { expect, it } from 'vitest'
import { ask } from '../support/ask.ts'
import { createWorld } from '../support/world.ts'

const calm = { utilization: 0.3, delayMs: 1 }
const busy = { utilization: 0.95, delayMs: 20 }
const drowning = { utilization: 1, delayMs: 5_000 }

/** A registry whose load the test sets. */
const createBusyWorld = async () => {
  const load = { ...calm }
  const world = await createWorld({ rateLimits: 'on', readLoad: () => load })
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel()
  const { token } = await acme.client.verifications.create({ model_id })
  const statuses = async (path: string, headers = {}) => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask(`${world.address}${path}`, { headers })))
    return replies.map(({ status }) => status).sort()
  }
  return {
    world,
    acme,
    statuses,
    paths: {
      list: '/api/v1/models/public',
      card: `/api/v1/models/${model_id}/public`,
      search: '/api/v1/search?q=acme',
      verify: `/api/v1/verify/${token}`,
    },
    feel: (felt: typeof load, seconds: number) => {
      Object.assign(load, felt)
      for (let second = 0; second < seconds; second++) world.registry.shedding.look()
    },
  }
}

const all = (status: number) => Array.from({ length: 8 }, () => status)

it('rejects a growing part of public reads while it is busy, says when to retry, and accepts them again', async () => {
  const { world, feel, statuses, paths } = await createBusyWorld()
  feel(calm, 3)
  expect(await statuses(paths.list)).toEqual(all(200))
  feel(busy, 1)
  expect(await statuses(paths.list)).toEqual([...all(200).slice(2), 503, 503])
  feel(busy, 3)
  for (const path of [paths.list, paths.card, paths.search]) expect(await statuses(path), path).toEqual(all(503))
  expect(await ask(`${world.address}${paths.list}`)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '2', 'content-type': 'application/problem+json' },
    body: { code: 'unavailable' },
  })
  feel(calm, 10)
  for (const path of [paths.list, paths.card, paths.search]) expect(await statuses(path), path).toEqual(all(200))
})

it('keeps verifying, minting and serving owners while public reads are rejected', async () => {
  const { acme, feel, statuses, paths, world } = await createBusyWorld()
  feel(busy, 60)
  expect(await statuses(paths.list)).toEqual(all(503))
  expect(await statuses(paths.verify)).toEqual(all(200))
  expect(await statuses('/.well-known/jwks.json')).toEqual(all(200))
  expect(await statuses('/api/v1/providers/me', { 'X-API-Key': acme.apiKey })).toEqual(all(200))
  const { verification_url } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
  expect(await world.anyone.verifications.check(verification_url)).toMatchObject({ result: 'verified' })
  for (const path of ['/livez', '/readyz']) expect(await statuses(path), path).toEqual(all(200))
})

it('rejects verifications last, a part of them, and reports them as unchecked', async () => {
  const { feel, statuses, paths, world } = await createBusyWorld()
  feel(busy, 4)
  feel(drowning, 5)
  expect(await statuses(paths.verify)).toEqual([...all(200).slice(4), ...all(503).slice(4)])
  feel(drowning, 5)
  expect(
    await world.anyone.verifications.check(`${world.address}${paths.verify.replace('/api/v1/verify', '/v')}`),
  ).toMatchObject({
    result: 'unknown',
  })
  feel(calm, 4)
  expect(await statuses(paths.verify)).toEqual(all(200))
})
