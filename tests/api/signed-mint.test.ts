import { webcrypto } from 'node:crypto'
import { createClient } from '@countersign/sdk'
import { spkiFingerprint } from '@countersign/sdk/node'
import { requestSigner } from '@countersign/sdk/signer'
import { EdgeVM } from '@edge-runtime/vm'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import { randomFingerprint } from '../support/actors.ts'
import { describeEachEngine, describeOnSqlite } from '../support/databases.ts'
import { createWorld, type World, type WorldOptions } from '../support/world.ts'

const { subtle } = webcrypto

const kinds = {
  Ed25519: { name: 'Ed25519' },
  'ECDSA P-256': { name: 'ECDSA', namedCurve: 'P-256' },
  'ECDSA P-384': { name: 'ECDSA', namedCurve: 'P-384' },
  'RSA-PSS': { name: 'RSA-PSS', hash: 'SHA-512', modulusLength: 2_048, publicExponent: new Uint8Array([1, 0, 1]) },
}

const newKey = (kind: keyof typeof kinds = 'Ed25519', isExtractable = false) =>
  subtle.generateKey(kinds[kind], isExtractable, ['sign', 'verify']) as Promise<CryptoKeyPair>

const fingerprintOf = async ({ publicKey }: CryptoKeyPair) =>
  spkiFingerprint(new Uint8Array(await subtle.exportKey('spki', publicKey))).hex

/** A provider with a model, and a deployment of this key that is authorized for it. */
const deploy = async (world: World, key: CryptoKeyPair, name = 'acme') => {
  const provider = await world.provider(name)
  const model_id = await provider.registerModel({ require_deployment_proof: true })
  const deployment = await provider.registerDeployment([model_id], await fingerprintOf(key))
  return { ...provider, model_id, ...deployment }
}

/** A client that signs, and the last request that it sent. */
const signerOf = (
  world: Pick<World, 'address' | 'clock'>,
  apiKey: string,
  key: CryptoKeyPair,
  address = world.address,
) => {
  const sent: { url: string; init: RequestInit }[] = []
  const fetch = requestSigner({
    key,
    now: world.clock.now,
    registry: world.address,
    fetch: (input, init = {}) => {
      sent.push({ url: String(input), init })
      return globalThis.fetch(input, init)
    },
  })
  const client = createClient({ apiKey, baseURL: address, fetch, maxRetries: 0 })
  const repeat = async (change: { url?: string; init?: RequestInit; headers?: Record<string, string> } = {}) => {
    const { url, init } = sent.at(-1) ?? { url: '', init: {} }
    const headers = new Headers(init.headers)
    for (const [name, value] of Object.entries(change.headers ?? {})) headers.set(name, value)
    const response = await globalThis.fetch(change.url ?? url, { ...init, ...change.init, headers })
    return { status: response.status, body: await response.json() }
  }
  return { client, sent, repeat }
}

const invalid = { status: 403, code: 'signature_invalid' }

/** The client and the signer as one script for an edge runtime. */
const bundleForEdge = async () => {
  const bundle = await rolldown({
    input: 'edge',
    platform: 'browser',
    resolve: { conditionNames: ['@countersign/source', 'edge-light', 'worker', 'import', 'default'] },
    plugins: [
      {
        name: 'edge',
        resolveId: (id) => (id === 'edge' ? new URL('edge.ts', import.meta.url).pathname : null),
        load: (id) =>
          id.endsWith('/edge.ts')
            ? "export { createClient } from '@countersign/sdk'\nexport { requestSigner } from '@countersign/sdk/signer'"
            : null,
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'countersign' })
  await bundle.close()
  return `${output[0].code}; globalThis.countersign = countersign`
}

describeOnSqlite('an edge runtime, whose fetch has no client certificates', (engine) => {
  let script: Promise<string> | undefined

  it.each(Object.keys(kinds) as (keyof typeof kinds)[])('gets a proven link with a key as PEM: %s', async (kind) => {
    const world = await createWorld({ engine })
    const key = await newKey(kind, true)
    const acme = await deploy(world, key)
    const pkcs8 = Buffer.from(await subtle.exportKey('pkcs8', key.privateKey)).toString('base64')
    const edge = new EdgeVM()
    script ??= bundleForEdge()
    edge.evaluate(await script)
    const given = {
      key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n`,
      options: { baseURL: world.address, apiKey: acme.apiKey },
      model_id: acme.model_id,
    }
    const link: string = await edge.evaluate(`(async ({ key, options, model_id }) => {
      const fetch = countersign.requestSigner({ key })
      return JSON.stringify(await countersign.createClient({ ...options, fetch }).verifications.create({ model_id }))
    })(${JSON.stringify(given)})`)
    expect(JSON.parse(link)).toMatchObject({ deployment_binding: 'signed' })
  })
})

describeOnSqlite('a mint request signed by the deployment’s key', (engine) => {
  it.each(Object.keys(kinds) as (keyof typeof kinds)[])('proves the deployment with %s', async (kind) => {
    const world = await createWorld({ engine })
    const key = await newKey(kind)
    const acme = await deploy(world, key)
    const { client } = signerOf(world, acme.apiKey, key)
    const link = await client.verifications.create({ model_id: acme.model_id })
    expect(link).toMatchObject({ deployment_id: acme.deployment_id, deployment_binding: 'signed', warnings: [] })
    expect(await world.anyone.verifications.get(link.token)).toMatchObject({
      result: 'verified',
      strength: 'deployment',
      deployment_info: { binding: 'signed' },
    })
    expect((await acme.client.deployments.list()).deployments).toMatchObject([{ proven_by: 'signed' }])
  })

  it('is authorized as over mutual TLS', async () => {
    const world = await createWorld({ engine })
    const [key, stranger] = [await newKey(), await newKey()]
    const acme = await deploy(world, key)
    const mint = (of: CryptoKeyPair) =>
      signerOf(world, acme.apiKey, of).client.verifications.create({ model_id: acme.model_id })
    await expect(mint(stranger)).rejects.toMatchObject({ code: 'deployment_not_authorized' })
    const { token } = await mint(key)
    await acme.client.deployments.setStatus(acme.deployment_id, { status: 'disabled' })
    await expect(mint(key)).rejects.toMatchObject({ code: 'deployment_not_authorized' })
    expect(await world.anyone.verifications.inspect(token)).toMatchObject({
      valid: false,
      change: 'deployment_disabled',
    })
  })

  it('makes the key exclusive to its provider', async () => {
    const world = await createWorld({ engine })
    const key = await newKey()
    const acme = await deploy(world, key)
    const rival = await world.provider('rival')
    await signerOf(world, acme.apiKey, key).client.verifications.create({ model_id: acme.model_id })
    await expect(rival.registerDeployment([], await fingerprintOf(key))).rejects.toMatchObject({
      code: 'deployment_exists',
    })
  })

  it('makes no link for another provider or model that captured it', async () => {
    const world = await createWorld({ engine })
    const key = await newKey()
    const acme = await deploy(world, key)
    const rival = await deploy(world, key, 'rival')
    const { client, repeat, sent } = signerOf({ ...world, address: world.address }, acme.apiKey, key)
    await client.models.get(acme.model_id)
    expect(new Headers(sent.at(-1)?.init.headers).has('Signature')).toBe(false)
    await client.verifications.create({ model_id: acme.model_id })
    expect(await repeat({ headers: { 'X-API-Key': rival.apiKey } })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    expect(
      await repeat({
        init: { body: JSON.stringify({ model_id: rival.model_id }) },
        headers: { 'X-API-Key': rival.apiKey },
      }),
    ).toMatchObject({ status: 403, body: { code: 'signature_invalid' } })
  })

  it('is rejected if it is present and wrong, and says what was expected', async () => {
    const world = await createWorld({ engine })
    const key = await newKey()
    const acme = await deploy(world, key)
    const open_id = await acme.registerModel({ api_model_identifier: 'open' })
    const { client, repeat, sent } = signerOf(world, acme.apiKey, key)
    await client.verifications.create({ model_id: acme.model_id })
    const headers = new Headers(sent[0]?.init.headers)
    const [input, signature] = [headers.get('Signature-Input') ?? '', headers.get('Signature') ?? '']
    const rows: Record<string, Parameters<typeof repeat>[0]> = {
      'another body': { init: { body: JSON.stringify({ model_id: open_id }) } },
      'another address': { url: `${sent[0]?.url}?a=1` },
      'another key': { headers: { 'Countersign-Key': headers.get('Countersign-Key')?.replace('MCow', 'MCox') ?? '' } },
      'another algorithm': { headers: { 'Signature-Input': input.replace('ed25519', 'rsa-pss-sha512') } },
      'another purpose': { headers: { 'Signature-Input': input.replace('countersign-mint', 'other') } },
      'a longer life': {
        headers: { 'Signature-Input': input.replace(/expires=(\d+)/, (_, at) => `expires=${+at + 1}`) },
      },
      'another nonce': { headers: { 'Signature-Input': input.replace(/nonce="./, 'nonce="_') } },
      'fewer components': { headers: { 'Signature-Input': input.replace(' "content-digest"', '') } },
      'two signatures': { headers: { 'Signature-Input': `${input}, ${input.replace('mint', 'more')}` } },
      'another label': { headers: { Signature: signature.replace('mint', 'more') } },
      'no signature': { headers: { Signature: '' } },
      'a wrong digest': { headers: { 'Content-Digest': `sha-256=:${randomFingerprint().slice(0, 43)}=:` } },
    }
    for (const [name, change] of Object.entries(rows)) {
      const { status, body } = await repeat(change)
      expect({ status, code: body.code, expected: typeof body.expected }, name).toEqual({
        ...invalid,
        expected: 'string',
      })
    }
    // Nothing falls back to a link without proof.
    expect(await world.database.read.selectFrom('verifications').select('binding').execute()).toEqual([
      { binding: 'signed' },
    ])
  })

  it('says how far the clock is off', async () => {
    const world = await createWorld({ engine })
    const key = await newKey()
    const acme = await deploy(world, key)
    const mint = (byMs: number) =>
      signerOf(
        { ...world, clock: { ...world.clock, now: () => world.clock.now() + byMs } },
        acme.apiKey,
        key,
      ).client.verifications.create({ model_id: acme.model_id })
    await expect(mint(-90_000)).rejects.toMatchObject({ code: 'signature_invalid', detail: /expired 3\d seconds ago/ })
    await expect(mint(90_000)).rejects.toMatchObject({ code: 'signature_invalid', detail: /90 seconds in the future/ })
    await expect(mint(-30_000)).resolves.toMatchObject({ deployment_binding: 'signed' })
  })

  it('must not contradict another way to name the deployment', async () => {
    const world = await createWorld({ engine })
    const key = await newKey()
    const acme = await deploy(world, key)
    const { client } = signerOf(world, acme.apiKey, key)
    const mint = (fingerprint: string) =>
      client.verifications.create(
        { model_id: acme.model_id },
        { headers: { 'X-Client-Cert-Fingerprint': fingerprint } },
      )
    await expect(mint(randomFingerprint())).rejects.toMatchObject({ code: 'bad_request' })
    expect(await mint(await fingerprintOf(key))).toMatchObject({ deployment_binding: 'signed' })
  })
})

describeEachEngine('the nonce of a signed mint request', (engine) => {
  const setUp = async (options: WorldOptions = {}) => {
    const world = await createWorld({ engine, ...options })
    const key = await newKey()
    return { world, key, acme: await deploy(world, key) }
  }

  const replayed = { status: 403, body: { code: 'signature_invalid', expected: 'a new nonce for each request' } }

  it('counts once on all replicas, even if they get it at the same moment', async () => {
    const { world, key, acme } = await setUp()
    const replicas = [world, await world.startReplica(), await world.startReplica()]
    const path = '/api/v1/create-verification'
    const { client, repeat, sent } = signerOf(world, acme.apiKey, key)
    for (let round = 0; round < 3; round++) {
      // The first one never arrives.
      const lost = requestSigner({
        key,
        now: world.clock.now,
        registry: world.address,
        fetch: async (input, init = {}) => {
          sent.push({ url: String(input), init })
          return Response.json({ code: 'unavailable' }, { status: 503 })
        },
      })
      await createClient({ apiKey: acme.apiKey, baseURL: world.address, fetch: lost, maxRetries: 0 })
        .verifications.create({ model_id: acme.model_id })
        .catch(() => {})
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, index) => repeat({ url: `${replicas[index % 3]?.address}${path}` })),
      )
      expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(403)])
    }
    expect(await client.verifications.create({ model_id: acme.model_id })).toMatchObject({
      deployment_binding: 'signed',
    })
    expect(await world.database.read.selectFrom('verifications').select('id').execute()).toHaveLength(4)
  })

  it('counts once also for a link that is bound to a response', async () => {
    const { world, key, acme } = await setUp()
    const { client, repeat } = signerOf(world, acme.apiKey, key)
    await client.verifications.create({ model_id: acme.model_id, response: 'Hello' })
    expect(await repeat()).toMatchObject(replayed)
  })

  it('stays usable until a request makes a link', async () => {
    const { world, key, acme } = await setUp()
    const { client, repeat } = signerOf(world, acme.apiKey, key)
    await acme.client.deployments.setStatus(acme.deployment_id, { status: 'disabled' })
    await expect(client.verifications.create({ model_id: acme.model_id })).rejects.toMatchObject({
      code: 'deployment_not_authorized',
    })
    await acme.client.deployments.setStatus(acme.deployment_id, { status: 'enabled' })
    expect(await repeat()).toMatchObject({ status: 201, body: { deployment_binding: 'signed' } })
    expect(await repeat()).toMatchObject(replayed)
  })

  it('is stored until the signature expires, even if its deployment was deleted', async () => {
    const { world, key, acme } = await setUp({ linkRetentionDays: 1 })
    const { client, repeat } = signerOf(world, acme.apiKey, key)
    await client.verifications.create({ model_id: acme.model_id })
    await acme.client.deployments.delete(acme.deployment_id)
    const again = await acme.registerDeployment([acme.model_id], await fingerprintOf(key))
    expect(again.deployment_id).not.toBe(acme.deployment_id)
    world.clock.advance('59s')
    await world.jobs.run('cleanup')
    expect(await repeat()).toMatchObject(replayed)
    world.clock.advance('2s')
    expect(await repeat()).toMatchObject({ status: 403, body: { detail: /expired 1 seconds ago/ } })
    world.clock.advance('2d')
    await world.jobs.run('cleanup')
    expect(await world.database.read.selectFrom('verifications').select('nonce').execute()).toEqual([])
  })
})
