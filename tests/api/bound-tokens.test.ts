import { createClient } from '@countersign/sdk'
import { createMtlsFetch, spkiFingerprint } from '@countersign/sdk/node'
import { createVerifier } from '@countersign/sdk/verify'
import { workloadSigner } from '@countersign/sdk/workload'
import { expect, it } from 'vitest'
import { createSelfSigned } from '../support/certificates.ts'
import { describeOnSqlite, type Engine } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

const setUp = async (engine: Engine) => {
  const world = await createWorld({
    engine,
    clientCertProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
  })
  const verifier = createVerifier({
    issuer: world.publicUrl,
    jwks: await world.anyone.signing.jwks(),
    now: world.clock.now,
  })
  /** What the registry signs again for a stranger, which it must itself know. */
  const bind = async (token: string) => {
    const { bound_token } = await world.anyone.verifications.bind(token, { response_text: 'I am Acme.' })
    const { claims } = await world.anyone.verifications.inspect(bound_token)
    expect(claims).toEqual(JSON.parse(Buffer.from(bound_token.split('.')[1] ?? '', 'base64url').toString()))
    return { bound_token, claims: claims ?? {} }
  }
  return { world, verifier, bind }
}

describeOnSqlite('a token that is signed again with an answer', (engine) => {
  it('does not repeat the proof of its server that another provider’s handshake displaced', async () => {
    const { world, verifier, bind } = await setUp(engine)
    const tls = await world.startTls()
    const [mallory, acme] = [await world.provider('mallory'), await world.provider('acme')]
    const credential = await createSelfSigned('gpu-1')
    const spki_fingerprint = spkiFingerprint(credential.cert).hex
    const mint = async (by: typeof acme, baseURL: string, options: { fetch?: typeof fetch } = {}) => {
      const model_id = await by.registerModel()
      await by.registerDeployment([model_id], spki_fingerprint)
      const client = createClient({ baseURL, apiKey: by.apiKey, ...options })
      return client.verifications.create({ model_id }, { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } })
    }
    const stolen = await mint(mallory, world.address)
    expect(stolen.deployment_binding).toBe('proxy')
    const mtls = createMtlsFetch({ ...credential, ca: tls.ca })
    const own = await mint(acme, tls.url, { fetch: mtls })
    await mtls.close()

    const lost = await bind(stolen.token)
    expect(lost.claims).toMatchObject({ deployment_id: stolen.deployment_id, deployment_binding: 'self-asserted' })
    expect(lost.claims).not.toHaveProperty('spki_fingerprint')
    const kept = await bind(own.token)
    expect(kept.claims).toMatchObject({ deployment_binding: 'mtls', spki_fingerprint })
    const expected = { expect: { spki_fingerprint } }
    const mismatch = { result: 'not_verified', reason: 'claim_mismatch' }
    expect(await verifier.verify(lost.bound_token, expected)).toMatchObject(mismatch)
    expect(
      await world.anyone.verifications.check(lost.bound_token, { ...expected, now: world.clock.now }),
    ).toMatchObject(mismatch)
    for (const verdict of [
      await verifier.verify(kept.bound_token, expected),
      await world.anyone.verifications.check(kept.bound_token, { ...expected, now: world.clock.now }),
    ])
      expect(verdict).toMatchObject({ result: 'verified' })
  })

  it('has the version and the identity of its server as its page shows them, even after a domain in them was lost', async () => {
    const { world, verifier, bind } = await setUp(engine)
    const acme = await world.provider('acme')
    const { domain_proof } = await acme.client.domains.add({ domain: 'bank.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.domains.verify('bank.example', {})
    const { issuer } = world.jobIssuer
    const subject = 'chat:bank.example'
    const model_id = await acme.registerModel({ version: '2.0 for bank.example' })
    const { deployment_id } = await acme.client.workloads.trust({ issuer, subject })
    await acme.client.models.allowDeployment(model_id, { deployment_id })
    const signer = workloadSigner({
      registry: world.address,
      providerId: acme.id,
      now: world.clock.now,
      token: async () => world.jobIssuer.vouch(world.publicUrl, { sub: subject }),
    })
    const server = createClient({ baseURL: world.address, maxRetries: 0, fetch: signer })
    const { token } = await server.verifications.create({ model_id })
    world.dns.setTxt(domain_proof.record_name, [])
    await acme.client.domains.verify('bank.example', {})
    await acme.client.domains.remove('bank.example')

    const { bound_token, claims } = await bind(token)
    const { model, deployment_info } = await world.anyone.verifications.get(bound_token)
    expect([model?.version, deployment_info?.workload]).toMatchObject(['#1', { issuer, subject: null }])
    expect(claims).toMatchObject({
      version: '#1',
      deployment_binding: 'workload',
      workload_issuer: issuer,
      workload_subject: null,
    })
    expect(await verifier.verify(bound_token)).toMatchObject({ result: 'verified', claims: { version: '#1' } })
  })
})
