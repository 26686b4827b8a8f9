import { expect, it } from 'vitest'
import { createExampleRunner } from '../support/examples.ts'
import { createWorld } from '../support/world.ts'

it('gives a client links of the server’s model only, with a key for links only', async () => {
  const world = await createWorld()
  const run = await createExampleRunner(world.address)
  const acme = await world.provider('acme')
  const model = await acme.registerModel()
  const { api_key } = await acme.client.keys.create({ name: 'chat servers', scopes: ['links'] })
  const done = await run('mcp-client/client.ts', { COUNTERSIGN_API_KEY: api_key, COUNTERSIGN_MODEL: model })
  expect(done).toMatchObject({ exit: 0, stderr: '' })
  expect(done.stdout).toContain('Tools: get_verification_link\n')
  expect(done.stdout).toMatch(/\/v\/[0-9A-Z-]{19}\n/)
  expect(done.stdout).toMatch(/Another model: rejected\nVerified: acme\.example\n$/)
  expect((await acme.client.account.verifications({})).verifications).toHaveLength(1)

  expect(await run('mcp-client/client.ts')).toEqual({
    exit: 2,
    stdout: '',
    stderr: 'Missing: COUNTERSIGN_API_KEY, COUNTERSIGN_MODEL\n',
  })

  // The example detects a link that does not prove what it should.
  const northwind = await world.provider('northwind', { isVerified: false })
  const unproven = { COUNTERSIGN_API_KEY: northwind.apiKey, COUNTERSIGN_MODEL: await northwind.registerModel() }
  const failed = await run('mcp-client/client.ts', unproven)
  expect(failed.exit).toBe(1)
  expect(failed.stderr).toContain('not_verified provider_unverified')
}, 60_000)
