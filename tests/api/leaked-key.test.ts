import { X509Certificate } from 'node:crypto'
import { createClient } from '@countersign/sdk'
import { createMtlsFetch, spkiFingerprint } from '@countersign/sdk/node'
import { requestSigner } from '@countersign/sdk/signer'
import { workloadSigner } from '@countersign/sdk/workload'
import { expect, it, onTestFinished } from 'vitest'
import { createSelfSigned } from '../support/certificates.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

const newKey = () => crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']) as Promise<CryptoKeyPair>

/** A server with a key and a workload, both authorized for two models, and a thief who has the provider's API key for links. */
const createScene = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const open = await acme.registerModel({ api_model_identifier: 'open' })
  const strict = await acme.registerModel({ api_model_identifier: 'strict', require_deployment_proof: true })
  const server = await createSelfSigned('gpu-1.acme.example')
  const fingerprint = spkiFingerprint(server.cert).hex
  await acme.registerDeployment([open, strict], fingerprint)
  const { issuer } = world.jobIssuer
  const { deployment_id } = await acme.client.workloads.trust({ issuer, subject: 'chat' })
  for (const model of [open, strict]) await acme.client.models.allowDeployment(model, { deployment_id })
  const { api_key } = await acme.client.keys.create({ name: 'leaked', scopes: ['links'] })
  const { url, ca } = await world.startTls()
  const { now } = world.clock
  const key = await newKey()
  const [own, another] = await Promise.all([createSelfSigned('thief.example'), createSelfSigned('gpu-1.acme.example')])

  const over = (fetch: typeof globalThis.fetch, { baseURL = world.address, headers = {} } = {}) => {
    const client = createClient({ baseURL, apiKey: api_key, fetch, maxRetries: 0 })
    return (model_id: string) => client.verifications.create({ model_id }, { headers })
  }
  const overTls = (credential: { key: string; cert: string }, headers = {}) => {
    const fetch = createMtlsFetch({ ...credential, ca })
    onTestFinished(fetch.close)
    return over(fetch, { baseURL: url, headers })
  }
  const signed = requestSigner({ key, now, registry: world.address })
  const certificate = `:${new X509Certificate(server.cert).raw.toString('base64')}:`
  const spki = `:${new X509Certificate(server.cert).publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}:`
  /** Names the server's key in a signature by another. */
  const disguised = requestSigner({
    key,
    now,
    registry: world.address,
    fetch: (input, init = {}) => {
      const headers = new Headers(init.headers)
      const as = (headers.get('Signature-Input') ?? '').replace(/keyid="[^"]*"/, `keyid="${fingerprint}"`)
      headers.set('Signature-Input', as)
      headers.set('Countersign-Key', spki)
      return fetch(input, { ...init, headers })
    },
  })
  const workload = (claims: object) =>
    workloadSigner({
      registry: world.address,
      providerId: acme.id,
      token: () => world.jobIssuer.vouch(world.publicUrl, claims),
      now,
    })
  const named = { 'X-Client-Cert-Fingerprint': fingerprint }
  const attempts = {
    'the key alone': over(fetch),
    'the name of the server': over(fetch, { headers: named }),
    'the certificate of the server in the header of a proxy': over(fetch, { headers: { 'Client-Cert': certificate } }),
    'a signature by another key': over(signed),
    'a signature by another key, and the name of the server': over(signed, { headers: named }),
    'a signature by another key that names the server’s': over(disguised),
    'a platform’s token of another subject': over(workload({ sub: 'thief' })),
    'a platform’s token of no subject': over(workload({ sub: undefined })),
    'another certificate': overTls(own),
    'another certificate with the same names': overTls(another),
    'another certificate, and the name of the server': overTls(own, named),
    'another certificate, and the server’s in the header of a proxy': overTls(own, { 'Client-Cert': certificate }),
  }
  const read = (token: string) => world.anyone.verifications.get(token)
  return {
    world,
    acme,
    open,
    strict,
    attempts,
    read,
    leaked: createClient({ baseURL: world.address, apiKey: api_key }),
    deployment_id,
  }
}

describeOnSqlite('who has only a leaked API key', () => {
  it('gets only links that say that the provider requested them', async () => {
    const { open, strict, attempts, read, world } = await createScene()
    const got: Record<string, unknown> = {}
    for (const [what, mint] of Object.entries(attempts)) {
      const code = (error: { code?: string }) => error.code ?? String(error)
      const minted = await mint(open).catch(code)
      got[what] = typeof minted === 'string' ? minted : minted.deployment_binding
      if (typeof minted !== 'string') {
        const { strength, deployment_info } = await read(minted.token)
        expect([what, strength, deployment_info?.binding ?? null]).toEqual([
          what,
          'provider',
          minted.deployment_binding,
        ])
      }
      // A model that requires proof gets no link at all.
      expect([what, await mint(strict).then(() => 'a link', code)]).not.toEqual([what, 'a link'])
    }
    expect(got).toEqual({
      'the key alone': null,
      'the name of the server': 'self-asserted',
      'the certificate of the server in the header of a proxy': null,
      'a signature by another key': 'deployment_not_authorized',
      'a signature by another key, and the name of the server': 'bad_request',
      'a signature by another key that names the server’s': 'signature_invalid',
      'a platform’s token of another subject': 'workload_mismatch',
      'a platform’s token of no subject': 'workload_mismatch',
      'another certificate': 'deployment_not_authorized',
      'another certificate with the same names': 'deployment_not_authorized',
      'another certificate, and the name of the server': 'bad_request',
      'another certificate, and the server’s in the header of a proxy': 'deployment_not_authorized',
    })
    const bindings = await world.database.read.selectFrom('verifications').select('binding').execute()
    expect(bindings.map(({ binding }) => binding)).toEqual([null, 'self-asserted', null])
  })

  it('cannot authorize a server of their own', async () => {
    const { leaked, open, world, deployment_id } = await createScene()
    const { issuer } = world.jobIssuer
    const forbidden = { status: 403 }
    await expect(leaked.deployments.register({ spki_fingerprint: 'ab'.repeat(32) })).rejects.toMatchObject(forbidden)
    await expect(leaked.models.allowDeployment(open, { deployment_id })).rejects.toMatchObject(forbidden)
    await expect(leaked.workloads.trust({ issuer, subject: 'thief' })).rejects.toMatchObject(forbidden)
  })
})
