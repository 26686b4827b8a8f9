import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startCiIssuer } from '../support/ci-issuer.ts'
import { copyExample } from '../support/examples.ts'
import { sampled } from '../support/full.ts'
import { startWorker, workerd } from '../support/workerd.ts'
import { createWorld } from '../support/world.ts'

const proven = { result: 'verified', strength: 'deployment', binding: 'signed' }

/** Serves the example, and below /workload a worker without a stored key. */
const bothWorkers = `import { createClient } from '@countersign/sdk'
import { workloadSigner } from '@countersign/sdk/workload'
import signed from './signed.ts'

let client
const start = ({ COUNTERSIGN_API_URL: registry, PROVIDER_ID: providerId, TOKEN_URL, TOKEN_SECRET }) => {
  const token = async (audience) => {
    const address = TOKEN_URL + '&audience=' + encodeURIComponent(audience)
    const response = await fetch(address, { headers: { Authorization: 'bearer ' + TOKEN_SECRET } })
    return (await response.json()).value
  }
  return createClient({ baseURL: registry, fetch: workloadSigner({ registry, providerId, token }) })
}

export default {
  fetch: async (request, env) => {
    if (new URL(request.url).pathname !== '/workload') return signed.fetch(request, env)
    client ??= start(env)
    return Response.json(await client.verifications.create({ model_id: env.MODEL_ID }).catch(String))
  },
}
`

const setUp = async () => {
  const platform = await startCiIssuer()
  onTestFinished(platform.close)
  const world = await createWorld({
    egressAllow: [platform.hostAndPort],
    oidcIssuers: [{ kind: 'other', issuer: platform.issuer }],
  })
  // Signatures of other processes use the real clock.
  world.clock.advance(`${Math.max(0, Date.now() - world.clock.now())}ms`)
  const acme = await world.provider('acme')
  const MODEL_ID = await acme.registerModel()
  const example = await copyExample('edge-worker', world.address)
  const env = { COUNTERSIGN_API_URL: world.address, COUNTERSIGN_API_KEY: acme.apiKey, MODEL_ID }
  return { world, acme, example, env, platform }
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

it.skipIf(workerd.why !== undefined).each(sampled(['p256', 'p384', 'ed25519'], 3))(
  `the worker gets proven links in workerd with a key of type %s and with no key, and its health fails without them${skipped}`,
  async (type) => {
    const { world, acme, example, env, platform } = await setUp()
    const made = await example.run(
      `countersign deployments keygen chat --type ${type} && countersign deployments register --cert chat.csr --model "$MODEL_ID"`,
      env,
    )
    expect(made).toMatchObject({ exit: 0 })
    const DEPLOYMENT_KEY = await readFile(join(example.folder, 'chat.key'), 'utf8')
    await rename(join(example.folder, 'worker.ts'), join(example.folder, 'signed.ts'))
    await writeFile(join(example.folder, 'worker.ts'), bothWorkers)
    const { ACTIONS_ID_TOKEN_REQUEST_URL: TOKEN_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN: TOKEN_SECRET } =
      platform.environment()
    const given = { ...env, DEPLOYMENT_KEY, PROVIDER_ID: acme.id, TOKEN_URL, TOKEN_SECRET }
    const address = await startWorker(example.folder, given)
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

    const mintByWorkload = async () => (await fetch(`${address}/workload`)).json()
    expect(await mintByWorkload()).toContain('workload_mismatch')
    const trust = `countersign deployments trust add --issuer ${platform.issuer} --subject job --model "$MODEL_ID"`
    expect(await example.run(trust, env)).toMatchObject({ exit: 0 })
    const minted = (await mintByWorkload()) as { verification_url: string }
    expect(await world.anyone.verifications.get(minted.verification_url)).toMatchObject({
      result: 'verified',
      strength: 'deployment',
      deployment_info: { binding: 'workload', workload: { issuer: platform.issuer, subject: 'job' } },
    })

    const deployment = (await acme.client.deployments.list()).deployments.find(({ spki_fingerprint: own }) => own)
    await acme.client.models.revokeDeployment(env.MODEL_ID, deployment?.deployment_id ?? '')
    expect(await health()).toEqual([503, { error: expect.stringContaining('not authorized') }])
  },
  60_000,
)
