import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createWorld } from '../support/world.ts'

/** Listens where the registry may never go, and remembers who came. */
const startCanary = async () => {
  const visits: string[] = []
  const server = createServer((request, response) => {
    visits.push(request.url ?? '')
    response.end('secret of the inside')
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { visits, port: (server.address() as AddressInfo).port }
}

const hosts = [
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '2130706433',
  '0.0.0.0',
  '[::1]',
  '[::ffff:127.0.0.1]',
  'localhost',
  'localhost.',
  '169.254.169.254',
  '10.0.0.1',
]

it('no address that a provider gives makes the registry ask on its own machine, as a logo or as an endpoint', async () => {
  const { visits, port } = await startCanary()
  const world = await createWorld()
  const acme = await world.provider('acme')
  for (const [index, host] of hosts.entries()) {
    for (const address of [`http://${host}:${port}/x`, `https://${host}:${port}/x`, `https://${host}/x`]) {
      await expect(acme.client.providers.setProfile(acme.id, { logo_url: address }), address).rejects.toMatchObject({
        status: expect.toSatisfy((status) => status >= 400 && status < 500),
      })
      await acme.registerModel({
        api_model_identifier: `at-${index}-${address.length}-${address.startsWith('https') ? 's' : 'p'}`,
        endpoint: address,
        health_check_enabled: true,
      })
    }
  }
  for (let time = 0; time < 10; time++) {
    await world.jobs.run('health')
    world.clock.advance('2m')
  }
  const { models } = await acme.client.providers.models(acme.id, { limit: 100 })
  expect(models).toHaveLength(hosts.length * 3)
  for (const model of models) expect(model.health_status, model.endpoint).not.toBe('healthy')
  expect(visits).toEqual([])
}, 60_000)
