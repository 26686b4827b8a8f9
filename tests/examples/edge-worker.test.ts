import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copyExample } from '../support/examples.ts'
import { startWorker, workerd } from '../support/workerd.ts'
import { createWorld } from '../support/world.ts'

const proven = { result: 'verified', strength: 'deployment', binding: 'signed' }

const setUp = async () => {
  const world = await createWorld()
  // Signatures of other processes use the real clock.
  world.clock.advance(`${Math.max(0, Date.now() - world.clock.now())}ms`)
  const acme = await world.provider('acme')
  const MODEL_ID = await acme.registerModel()
  const example = await copyExample('edge-worker', world.address)
  const env = { COUNTERSIGN_API_URL: world.address, COUNTERSIGN_API_KEY: acme.apiKey, MODEL_ID }
  return { world, acme, example, env }
}

it('the steps of the example lead to proven links, and check.ts says what is missing', async () => {
  const { world, acme, example, env } = await setUp()
  const [steps = ''] = await example.readSteps({
    'https://registry.example': world.address,
    mdl_06dh0e3x7c9bw4vjz2n8qk5ytm: env.MODEL_ID,
  })
  const missing = await example.run('node check.ts')
  expect(missing).toMatchObject({ exit: 2, output: expect.stringContaining('DEPLOYMENT_KEY') })
  const checked = await example.run(steps, { COUNTERSIGN_API_KEY: acme.apiKey })
  expect(checked.output).toContain(JSON.stringify(proven))
  expect(checked.exit).toBe(0)
}, 60_000)

const skipped = workerd.why === undefined ? '' : ` (skipped: ${workerd.why})`

it.skipIf(workerd.why !== undefined).each(['p256', 'p384', 'ed25519'])(
  `the worker gets proven links in workerd with a key of type %s, and its health fails without them${skipped}`,
  async (type) => {
    const { world, acme, example, env } = await setUp()
    const made = await example.run(
      `countersign deployments keygen chat --type ${type} && countersign deployments register --cert chat.csr --model "$MODEL_ID"`,
      env,
    )
    expect(made).toMatchObject({ exit: 0 })
    const DEPLOYMENT_KEY = await readFile(join(example.folder, 'chat.key'), 'utf8')
    const address = await startWorker(example.folder, { ...env, DEPLOYMENT_KEY })
    const health = async () => {
      const response = await fetch(`${address}/health`)
      return [response.status, await response.json()]
    }
    expect(await health()).toEqual([200, proven])

    const askFor = async (session: string) => {
      const response = await fetch(`${address}/link`, { method: 'POST', headers: { 'X-Session': session } })
      const { url } = (await response.json()) as { url: string }
      return url
    }
    // workerd lets a request use only its own connections, and these share one link.
    const links = await Promise.all(Array.from({ length: 8 }, (_, index) => askFor(`session ${index % 2}`)))
    expect(new Set(links).size).toBe(2)
    expect(await world.anyone.verifications.get(links[0] ?? '')).toMatchObject({
      result: 'verified',
      strength: 'deployment',
      deployment_info: { binding: 'signed' },
    })

    const [deployment] = (await acme.client.deployments.list()).deployments
    await acme.client.models.revokeDeployment(env.MODEL_ID, deployment?.deployment_id ?? '')
    expect(await health()).toEqual([503, { error: expect.stringContaining('not authorized') }])
  },
  60_000,
)
