import { randomInt } from 'node:crypto'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startWebServer } from '../support/web-server.ts'
import { createWorld } from '../support/world.ts'

/** Listens where the registry may never connect, and records what arrives. */
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

it('never connects to its own machine for an address from a provider, as a logo or as an endpoint', async () => {
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

/**
 * Listens on an allowed port at a forbidden address, so that only the address check protects it. Linux gives every
 * program all of 127/8, so no other test has the same address.
 */
const startReachableCanary = async () => {
  const bytes = [127, randomInt(1, 255), randomInt(1, 255), randomInt(2, 255)] as const
  const seen = { connections: 0 }
  const server = createNetServer((socket) => {
    seen.connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(8443, bytes.join('.'), resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { bytes, seen }
}

/** A header holds bytes. */
const onWire = (text: string) => Buffer.from(text).toString('latin1')

/** One address in every notation. */
const spellingsOf = ([a, b, c, d]: readonly [number, number, number, number]) => {
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = (value: number) => value.toString(16)
  const dotted = [a, b, c, d].join('.')
  return [
    dotted,
    `${dotted}.`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${whole}`,
    `0x${hex(whole)}`,
    `0${whole.toString(8)}`,
    `0x${hex(a)}.0x${hex(b)}.${c}.0${d.toString(8)}`,
    [...dotted].map((letter) => (letter === '.' ? '。' : String.fromCodePoint(0xff10 + Number(letter)))).join(''),
    [...dotted].map((letter) => `%${hex(letter.charCodeAt(0))}`).join(''),
    `[::ffff:${dotted}]`,
    `[::ffff:${hex(a * 256 + b)}:${hex(c * 256 + d)}]`,
    `www.acme.com@${dotted}`,
    'inside.acme.com',
    'alias.acme.com',
    'mixed.acme.com',
  ]
}

it.skipIf(process.platform !== 'linux')(
  'never connects inside for any notation, name or redirect: logos, endpoints, bundles, proofs, hub models',
  async () => {
    const { bytes, seen } = await startReachableCanary()
    const inside = bytes.join('.')
    const website = await startWebServer()
    const world = await createWorld({
      egressAllow: [`files.acme.com=127.0.0.1:${website.port}`, `acme.example=127.0.0.1:${website.port}`],
    })
    world.dns.setAddresses('inside.acme.com', [inside])
    world.dns.setAddresses('mixed.acme.com', ['93.184.215.14', inside])
    world.dns.setAlias('alias.acme.com', 'inside.acme.com')
    const acme = await world.provider('acme', { isVerified: false })

    const direct = spellingsOf(bytes).map((host) => `https://${host}:8443/x`)
    const redirected = direct.map((location, index) => {
      website.serve(`/${index}`, 302, '', { Location: onWire(location) })
      return `https://files.acme.com/${index}`
    })
    const targets = [...direct, ...redirected]
    for (const address of targets) {
      await expect(acme.client.providers.setProfile(acme.id, { logo_url: address }), address).rejects.toMatchObject({
        status: expect.toSatisfy((status) => status >= 400 && status < 500),
      })
      // The contract rejects some of them already.
      for (const given of [{ endpoint: address, health_check_enabled: true }, { sigstore_bundle_url: address }])
        await acme
          .registerModel(given)
          .catch((refused) => expect(refused, address).toMatchObject({ code: 'validation_failed' }))
    }
    for (let time = 0; time < 8; time++) {
      await world.jobs.run('health')
      await world.jobs.run('bundles')
      world.clock.advance('2m')
    }
    for (const location of direct) {
      website.serve('/.well-known/countersign.json', 302, '', { Location: onWire(location) })
      expect(await acme.client.providers.verifyDomain({ method: 'file' })).toMatchObject({ domain_verified: false })
    }
    const model_id = await acme.registerModel()
    for (const host of spellingsOf(bytes)) {
      world.hub.move('acme/inside', onWire(`https://${host}:8443/api/models/acme/inside`))
      for (const id of ['acme/inside', `${host}:8443/x`, `@${host}:8443/x`, `../../${host}`])
        await expect(
          acme.client.models.syncHuggingface(model_id, { huggingface_model_id: id }),
          id,
        ).rejects.toMatchObject({
          status: expect.toSatisfy((status) => status >= 400),
        })
    }
    const models = await world.database.read
      .selectFrom('models')
      .select(['endpoint', 'health_status', 'bundle_status'])
      .execute()
    for (const { endpoint, health_status, bundle_status } of models) {
      // A redirect is a final response, and is not followed.
      if (!redirected.includes(endpoint)) expect(health_status, endpoint).not.toBe('healthy')
      expect(bundle_status, endpoint).not.toBe('verified')
    }
    // All must be tried, or the test proves nothing.
    const tried = models.filter(({ health_status }) => health_status !== 'unknown')
    expect(tried.length).toBeGreaterThan(direct.length)
    expect(models.filter(({ bundle_status }) => bundle_status === 'error').length).toBeGreaterThan(direct.length)
    expect(seen.connections).toBe(0)
  },
  60_000,
)
