import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EdgeVM } from '@edge-runtime/vm'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { copyExample } from '../support/examples.ts'
import { createWorld } from '../support/world.ts'

it('the worker gets proven links in an edge runtime, and its health fails without them', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const MODEL_ID = await acme.registerModel()
  const example = await copyExample('edge-worker', world.address)
  const env = { COUNTERSIGN_API_URL: world.address, COUNTERSIGN_API_KEY: acme.apiKey, MODEL_ID }
  const [setUp = ''] = await example.readSteps({})
  const missing = await example.run('node check.ts')
  expect(missing).toMatchObject({ exit: 2, output: expect.stringContaining('DEPLOYMENT_KEY') })
  // Signatures of other processes use the real clock.
  world.clock.advance(`${Math.max(0, Date.now() - world.clock.now())}ms`)
  const checked = await example.run(setUp, env)
  expect(checked.output).toContain('{"result":"verified","strength":"deployment","binding":"signed"}')
  expect(checked.exit).toBe(0)

  const bundle = await rolldown({
    input: join(example.folder, 'worker.ts'),
    platform: 'browser',
    resolve: { conditionNames: ['@countersign/source', 'edge-light', 'worker', 'import', 'default'] },
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'worker', exports: 'named' })
  await bundle.close()
  const edge = new EdgeVM()
  edge.evaluate(`${output[0].code}; globalThis.worker = worker`)
  const DEPLOYMENT_KEY = await readFile(join(example.folder, 'chat.key'), 'utf8')
  const health = () =>
    edge.evaluate<Promise<string>>(`(async () => {
      const reply = await worker.default.fetch(new Request('https://worker.example/health'), ${JSON.stringify({ ...env, DEPLOYMENT_KEY })})
      return JSON.stringify([reply.status, await reply.json()])
    })()`)
  expect(JSON.parse(await health())).toEqual([200, { result: 'verified', strength: 'deployment', binding: 'signed' }])
  const [deployment] = (await acme.client.deployments.list()).deployments
  await acme.client.models.revokeDeployment(MODEL_ID, deployment?.deployment_id ?? '')
  expect(JSON.parse(await health())).toEqual([503, { error: expect.stringContaining('not authorized') }])
}, 60_000)
