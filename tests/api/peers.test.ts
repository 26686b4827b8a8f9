import { X509Certificate } from 'node:crypto'
import type { OutgoingHttpHeaders } from 'node:http'
import { Agent } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { spkiFingerprint } from '@countersign/sdk/node'
import { expect, it } from 'vitest'
import { markUsed } from '../../server/src/deployments/store.ts'
import { randomFingerprint } from '../support/actors.ts'
import { ask } from '../support/ask.ts'
import { type Credential, createAuthority, createSelfSigned, generateKeys } from '../support/certificates.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { createWorld, type World } from '../support/world.ts'

const loopbackProxy = [{ address: '127.0.0.0', prefix: 8, family: 'ipv4' as const }]

/** A provider with a model, and a deployment of this certificate that is authorized for it. */
const deploy = async (world: World, credential: Credential, name = 'acme') => {
  const provider = await world.provider(name)
  const model_id = await provider.registerModel()
  const { deployment_id } = await provider.registerDeployment([model_id], spkiFingerprint(credential.cert).hex)
  const mint = (url: string, question: { headers?: OutgoingHttpHeaders; tls?: object; agent?: Agent } = {}) =>
    ask(`${url}/api/v1/create-verification`, {
      method: 'POST',
      ...question,
      headers: { 'X-API-Key': provider.apiKey, ...question.headers },
      body: { model_id },
    })
  return { ...provider, model_id, deployment_id, mint }
}

/** RFC 9440 §2.2. */
const clientCert = ({ cert }: Credential) => `:${new X509Certificate(cert).raw.toString('base64')}:`

const refusal = (code: string, status: number) => ({ status, body: { code } })

describeOnSqlite('a deployment at the other end of a TLS handshake', (engine) => {
  it('is known by its key: a renewed certificate matches, another key does not', async () => {
    const world = await createWorld({ engine })
    const authority = await createAuthority('Acme CA')
    const keys = await generateKeys()
    const acme = await deploy(world, await authority.issueClient('gpu-1', keys))
    const tls = await world.startTls()
    for (const credential of [await authority.issueClient('gpu-1', keys), await createSelfSigned('renamed', keys)]) {
      const reply = await acme.mint(tls.url, { tls: { ...credential, ca: tls.ca } })
      expect(reply).toMatchObject({
        status: 201,
        body: { deployment_id: acme.deployment_id, deployment_binding: 'mtls', warnings: [] },
      })
    }
    const stranger = await createSelfSigned('gpu-1')
    expect(await acme.mint(tls.url, { tls: { ...stranger, ca: tls.ca } })).toMatchObject(
      refusal('deployment_not_authorized', 403),
    )
    expect(await acme.mint(tls.url, { tls: { ca: tls.ca } })).toMatchObject({
      status: 201,
      body: { deployment_id: null, deployment_binding: null },
    })
    expect((await acme.client.deployments.list()).deployments).toMatchObject([{ proven_by: 'mtls' }])
  })

  it('records its last proof, and whether it was only named since', async () => {
    const world = await createWorld({ engine })
    const credential = await createSelfSigned('gpu-1')
    const acme = await deploy(world, credential)
    const tls = await world.startTls()
    const seen = async () => {
      const [deployment] = (await acme.client.deployments.list()).deployments
      return (
        deployment && [
          deployment.proven_at,
          deployment.last_proven_at,
          deployment.last_proven_by,
          deployment.last_used_at,
        ]
      )
    }
    const named = { headers: { 'X-Client-Cert-Fingerprint': spkiFingerprint(credential.cert).hex } }
    const time = () => new Date(world.clock.now()).toISOString()
    expect(await seen()).toEqual([null, null, null, null])
    await acme.mint(tls.url, { tls: { ...credential, ca: tls.ca } })
    const first = time()
    expect(await seen()).toEqual([first, first, 'mtls', first])
    world.clock.advance('30s')
    await acme.mint(tls.url, { tls: { ...credential, ca: tls.ca } })
    world.clock.advance('2m')
    await acme.mint(world.address, named)
    const second = time()
    await expect.poll(seen).toEqual([first, first, 'mtls', second])
    world.clock.advance('30s')
    await acme.mint(tls.url, { tls: { ...credential, ca: tls.ca } })
    const third = time()
    await expect.poll(seen).toEqual([first, third, 'mtls', third])
  })

  it('keeps the latest use and the latest proof, in whichever order replicas save them', async () => {
    const world = await createWorld({ engine, clientCertProxies: loopbackProxy })
    const acme = await deploy(world, await createSelfSigned('gpu-1'))
    const save = (at: number, proven_by: 'mtls' | 'proxy' | null) =>
      world.database.transaction((tx) =>
        markUsed(tx, { provider_id: acme.id, id: acme.deployment_id, at, proven_by, workload_id: null }),
      )
    const seen = async () => {
      const [deployment] = (await acme.client.deployments.list()).deployments
      return deployment && [deployment.last_proven_at, deployment.last_proven_by, deployment.last_used_at]
    }
    const time = (at: number) => new Date(at).toISOString()
    await world.database.transaction((tx) =>
      tx.updateTable('deployments').set({ proven_at: 1_000, proven_by: 'mtls' }).execute(),
    )
    await save(5_000, null)
    await save(3_000, 'mtls')
    expect(await seen()).toEqual([time(3_000), 'mtls', time(5_000)])
    await save(2_000, 'proxy')
    await save(4_000, null)
    expect(await seen()).toEqual([time(3_000), 'mtls', time(5_000)])
    await save(6_000, 'proxy')
    expect(await seen()).toEqual([time(6_000), 'proxy', time(6_000)])
  })

  it('proves its key even with an expired certificate, and gets a warning', async () => {
    const world = await createWorld({ engine })
    const credential = await createSelfSigned('gpu-1', undefined, { isExpired: true })
    const acme = await deploy(world, credential)
    const tls = await world.startTls()
    const reply = await acme.mint(tls.url, { tls: { ...credential, ca: tls.ca } })
    expect(reply).toMatchObject({
      status: 201,
      body: { deployment_binding: 'mtls', warnings: [expect.stringContaining('expired')] },
    })
  })

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'proves its key for each %s connection, also with a saved session',
    async (version) => {
      const world = await createWorld({ engine })
      const credential = await createSelfSigned('gpu-1')
      const acme = await deploy(world, credential)
      const tls = await world.startTls()
      const settings = { ca: tls.ca, minVersion: version, maxVersion: version }
      const agent = new Agent({ ...settings, ...credential, keepAlive: false })
      const sessions: Buffer[] = []
      agent.on('keylog', (_, socket: TLSSocket) => socket.once('session', (session) => sessions.push(session)))
      for (const _ of [1, 2])
        expect(await acme.mint(tls.url, { agent })).toMatchObject({
          status: 201,
          isResumed: false,
          body: { deployment_binding: 'mtls', deployment_id: acme.deployment_id },
        })
      agent.destroy()
      for (const session of sessions)
        expect(await acme.mint(tls.url, { tls: { ...settings, session } })).toMatchObject({
          status: 201,
          isResumed: false,
          body: { deployment_binding: null },
        })
    },
  )

  it('must be authorized for the model, enabled, and of the provider whose key is shown', async () => {
    const world = await createWorld({ engine })
    const credential = await createSelfSigned('gpu-1')
    const acme = await deploy(world, credential)
    const mallory = await deploy(world, await createSelfSigned('gpu-2'), 'mallory')
    const tls = await world.startTls()
    const client = { tls: { ...credential, ca: tls.ca } }
    expect(await mallory.mint(tls.url, client)).toMatchObject(refusal('deployment_not_authorized', 403))
    expect(await acme.mint(tls.url, client)).toMatchObject({ status: 201 })
    await acme.client.deployments.setStatus(acme.deployment_id, { status: 'disabled' })
    expect(await acme.mint(tls.url, client)).toMatchObject(refusal('deployment_not_authorized', 403))
    await acme.client.deployments.setStatus(acme.deployment_id, { status: 'enabled' })
    await acme.client.models.revokeDeployment(acme.model_id, acme.deployment_id)
    expect(await acme.mint(tls.url, client)).toMatchObject(refusal('deployment_not_authorized', 403))
    await acme.client.deployments.delete(acme.deployment_id)
    expect(await acme.mint(tls.url, client)).toMatchObject(refusal('deployment_not_authorized', 403))
  })

  it('must show its registered SPIFFE ID, if it has one and the certificate has one', async () => {
    const world = await createWorld({ engine })
    const keys = await generateKeys()
    const acme = await deploy(world, await createSelfSigned('gpu-0'))
    const named = await createSelfSigned('gpu-1', keys, { spiffeId: 'spiffe://acme.example/gpu-1' })
    const { deployment_id } = await acme.client.deployments.register({
      spki_fingerprint: spkiFingerprint(named.cert).hex,
      spiffe_id: 'spiffe://acme.example/gpu-1',
    })
    await acme.client.models.allowDeployment(acme.model_id, { deployment_id })
    const tls = await world.startTls()
    const impostor = await createSelfSigned('gpu-1', keys, { spiffeId: 'spiffe://acme.example/gpu-11' })
    expect(await acme.mint(tls.url, { tls: { ...named, ca: tls.ca } })).toMatchObject({
      status: 201,
      body: { deployment_id },
    })
    expect(await acme.mint(tls.url, { tls: { ...impostor, ca: tls.ca } })).toMatchObject(
      refusal('deployment_not_authorized', 403),
    )
  })

  it('shows a SPIFFE ID as only stated, whether or not the certificate has it, and none with the domain of another', async () => {
    const world = await createWorld({ engine })
    const acme = await deploy(world, await createSelfSigned('gpu-0'))
    const tls = await world.startTls()
    const [own, foreign] = ['spiffe://acme.example/prod', 'spiffe://openai.com/prod']
    for (const { spiffe_id, isInCertificate } of [
      { spiffe_id: own, isInCertificate: false },
      { spiffe_id: own, isInCertificate: true },
      { spiffe_id: foreign, isInCertificate: true },
    ]) {
      const server = await createSelfSigned('gpu-1', undefined, isInCertificate ? { spiffeId: spiffe_id } : {})
      const { hex } = spkiFingerprint(server.cert)
      const { deployment_id } = await acme.client.deployments.register({ spki_fingerprint: hex, spiffe_id })
      await acme.client.models.allowDeployment(acme.model_id, { deployment_id })
      const { body } = await acme.mint(tls.url, { tls: { ...server, ca: tls.ca } })
      const { deployment_info } = await world.anyone.verifications.get(String(body.token))
      expect(deployment_info).toMatchObject({
        binding: 'mtls',
        spiffe_id: spiffe_id === own ? own : null,
        spiffe_id_proven: false,
      })
    }
  })

  it('reads no SPIFFE ID from a certificate with two URI names', async () => {
    const world = await createWorld({ engine })
    const keys = await generateKeys()
    const acme = await deploy(world, await createSelfSigned('gpu-0'))
    const own = 'spiffe://acme.example/gpu-1'
    const other = 'spiffe://acme.example/gpu-11'
    const both = await createSelfSigned('gpu-1', keys, { spiffeId: [other, own] })
    const { deployment_id } = await acme.client.deployments.register({
      spki_fingerprint: spkiFingerprint(both.cert).hex,
      spiffe_id: own,
    })
    await acme.client.models.allowDeployment(acme.model_id, { deployment_id })
    const tls = await world.startTls()
    const statusOf = async (spiffeId: readonly string[]) => {
      const credential = await createSelfSigned('gpu-1', keys, { spiffeId })
      return (await acme.mint(tls.url, { tls: { ...credential, ca: tls.ca } })).status
    }
    // The key is the proof; a certificate with two names is not an SVID, so neither name counts for or against it.
    expect(await Promise.all([[own], [other], [other, own], [own, other]].map(statusOf))).toEqual([201, 403, 201, 201])
  })

  it('cannot use the authorization of another deployment of the same model', async () => {
    const world = await createWorld({ engine })
    const [allowed, other] = [await createSelfSigned('gpu-1'), await createSelfSigned('gpu-2')]
    const acme = await deploy(world, allowed)
    await acme.registerDeployment([], spkiFingerprint(other.cert).hex)
    const tls = await world.startTls()
    expect(await acme.mint(tls.url, { tls: { ...other, ca: tls.ca } })).toMatchObject(
      refusal('deployment_not_authorized', 403),
    )
    expect(await acme.mint(tls.url, { tls: { ...allowed, ca: tls.ca } })).toMatchObject({
      status: 201,
      body: { deployment_id: acme.deployment_id },
    })
  })

  it('loses the links of one model when its authorization for that model ends, even if it keeps another', async () => {
    const world = await createWorld({ engine })
    const credential = await createSelfSigned('gpu-1')
    const acme = await deploy(world, credential)
    const second = await acme.registerModel()
    await acme.client.models.allowDeployment(second, { deployment_id: acme.deployment_id })
    const tls = await world.startTls()
    const { body } = await acme.mint(tls.url, { tls: { ...credential, ca: tls.ca } })
    const resultOf = async () => {
      const { result, change } = await world.anyone.verifications.inspect(String(body.verification_url))
      return [result, change]
    }
    expect(await resultOf()).toEqual(['verified', null])
    await acme.client.models.revokeDeployment(acme.model_id, acme.deployment_id)
    expect(await resultOf()).toEqual(['not_verified', 'authorization_removed'])
    expect((await acme.client.account.verifications({})).verifications).toMatchObject([
      { change: 'authorization_removed' },
    ])
  })
})

describeOnSqlite('a deployment that is named in a header', (engine) => {
  it('is only named if a stranger names it, with any headers', async () => {
    const world = await createWorld({ engine })
    const credential = await createSelfSigned('gpu-1')
    const acme = await deploy(world, credential)
    const fingerprint = spkiFingerprint(credential.cert).hex
    const named = await acme.mint(world.address, {
      headers: { 'X-Client-Cert-Fingerprint': `SHA256:${fingerprint.toUpperCase()}` },
    })
    expect(named).toMatchObject({
      status: 201,
      body: {
        deployment_id: acme.deployment_id,
        deployment_binding: 'self-asserted',
        warnings: [expect.stringContaining('named, not proven')],
      },
    })
    const shown = await world.anyone.verifications.get(String(named.body.verification_url))
    expect(shown.deployment_info).toMatchObject({ binding: 'self-asserted' })
    expect(shown.checks.find(({ check }) => check === 'deployment')).toMatchObject({
      passed: null,
      detail: 'A deployment was named by the caller, not proven.',
    })
    const spoofs: OutgoingHttpHeaders[] = [
      { 'Client-Cert': clientCert(credential) },
      { 'X-Forwarded-Client-Cert': `Hash=${fingerprint}` },
      { 'X-Client-Cert-Subject': 'CN=gpu-1', 'X-Client-Cert-Issuer': 'CN=Acme CA' },
      { X_Client_Cert_Fingerprint: fingerprint },
    ]
    for (const headers of spoofs) {
      const reply = await acme.mint(world.address, {
        headers: { ...headers, 'X-Forwarded-For': '127.0.0.1', Forwarded: 'for=127.0.0.1' },
      })
      expect(reply, JSON.stringify(headers)).toMatchObject({
        status: 201,
        body: { deployment_id: null, deployment_binding: null },
      })
    }
    expect((await acme.client.deployments.list()).deployments).toMatchObject([{ proven_at: null, proven_by: null }])
  })

  it('must still be a deployment of that provider', async () => {
    const world = await createWorld({ engine })
    const credential = await createSelfSigned('gpu-1')
    const acme = await deploy(world, credential)
    const mallory = await deploy(world, await createSelfSigned('gpu-2'), 'mallory')
    const headers = { 'X-Client-Cert-Fingerprint': spkiFingerprint(credential.cert).hex }
    expect(await mallory.mint(world.address, { headers })).toMatchObject(refusal('deployment_not_authorized', 403))
    expect(
      await acme.mint(world.address, { headers: { 'X-Client-Cert-Fingerprint': randomFingerprint() } }),
    ).toMatchObject(refusal('deployment_not_authorized', 403))
    const ofCertificate = spkiFingerprint(credential.cert).certificateSha256
    expect(await acme.mint(world.address, { headers: { 'X-Client-Cert-Fingerprint': ofCertificate } })).toMatchObject(
      refusal('deployment_not_authorized', 403),
    )
  })

  it('proves nothing through a proxy that only counts visitors', async () => {
    const world = await createWorld({ engine, trustedProxies: loopbackProxy })
    const credential = await createSelfSigned('gpu-1')
    const acme = await deploy(world, credential)
    const fingerprint = spkiFingerprint(credential.cert).hex
    expect(await acme.mint(world.address, { headers: { 'X-Client-Cert-Fingerprint': fingerprint } })).toMatchObject({
      status: 201,
      body: { deployment_binding: 'self-asserted' },
    })
    expect(await acme.mint(world.address, { headers: { 'Client-Cert': clientCert(credential) } })).toMatchObject({
      status: 201,
      body: { deployment_binding: null },
    })
    expect((await acme.client.deployments.list()).deployments).toMatchObject([{ proven_at: null, proven_by: null }])
  })

  it('is proven if a trusted proxy says it, in either header', async () => {
    const world = await createWorld({ engine, clientCertProxies: loopbackProxy })
    const credential = await createSelfSigned('gpu-1')
    const acme = await deploy(world, credential)
    const fingerprint = spkiFingerprint(credential.cert).hex
    for (const headers of [
      { 'Client-Cert': clientCert(credential) },
      { 'X-Client-Cert-Fingerprint': fingerprint, 'X-Client-Cert-Subject': 'CN=gpu-1' },
      { 'Client-Cert': clientCert(credential), 'X-Client-Cert-Fingerprint': fingerprint },
    ]) {
      const reply = await acme.mint(world.address, { headers })
      expect(reply).toMatchObject({
        status: 201,
        body: { deployment_id: acme.deployment_id, deployment_binding: 'proxy', warnings: [] },
      })
    }
    expect((await acme.client.deployments.list()).deployments).toMatchObject([{ proven_by: 'proxy' }])
  })

  it('is rejected if the headers allow two answers', async () => {
    const world = await createWorld({ engine, clientCertProxies: loopbackProxy })
    const [credential, other] = [await createSelfSigned('gpu-1'), await createSelfSigned('gpu-2')]
    const acme = await deploy(world, credential)
    const [fingerprint, stranger] = [spkiFingerprint(credential.cert).hex, randomFingerprint()]
    const rows: OutgoingHttpHeaders[] = [
      { 'X-Client-Cert-Fingerprint': [fingerprint, stranger] },
      { 'X-Client-Cert-Fingerprint': [fingerprint, fingerprint] },
      { 'X-Client-Cert-Fingerprint': `${fingerprint}, ${stranger}` },
      { 'Client-Cert': [clientCert(credential), clientCert(other)] },
      { 'X-Client-Cert-Fingerprint': fingerprint, 'X-Client-Cert-Subject': ['CN=a', 'CN=b'] },
      { 'Client-Cert': clientCert(credential), 'X-Client-Cert-Fingerprint': spkiFingerprint(other.cert).hex },
      { 'X-Client-Cert-Fingerprint': fingerprint.slice(1) },
      { 'X-Client-Cert-Fingerprint': `${fingerprint}0` },
      { 'X-Client-Cert-Fingerprint': 'z'.repeat(64) },
      { 'Client-Cert': clientCert(credential).slice(1, -1) },
      { 'Client-Cert': ':AAAA:' },
      { 'Client-Cert': '::' },
      { 'Client-Cert': credential.cert.replaceAll('\n', ' ') },
    ]
    for (const headers of rows)
      expect(await acme.mint(world.address, { headers }), JSON.stringify(headers)).toMatchObject(
        refusal('bad_request', 400),
      )
    expect(await world.database.read.selectFrom('verifications').select('id').execute()).toEqual([])
  })

  it('counts less than the handshake, and must not contradict it', async () => {
    const world = await createWorld({ engine, clientCertProxies: loopbackProxy })
    const [credential, other] = [await createSelfSigned('gpu-1'), await createSelfSigned('gpu-2')]
    const acme = await deploy(world, credential)
    const tls = await world.startTls()
    const client = { ...credential, ca: tls.ca }
    const fingerprint = spkiFingerprint(credential.cert).hex
    expect(
      await acme.mint(tls.url, { tls: client, headers: { 'X-Client-Cert-Fingerprint': fingerprint } }),
    ).toMatchObject({
      status: 201,
      body: { deployment_binding: 'mtls' },
    })
    const contradicting = await acme.mint(tls.url, {
      tls: client,
      headers: { 'X-Client-Cert-Fingerprint': spkiFingerprint(other.cert).hex },
    })
    expect(contradicting).toMatchObject(refusal('bad_request', 400))
    const forwarded = await acme.mint(tls.url, {
      tls: { ...other, ca: tls.ca },
      headers: { 'Client-Cert': clientCert(credential) },
    })
    expect(forwarded).toMatchObject(refusal('deployment_not_authorized', 403))
  })
})

describeOnSqlite('a model that requires proof', (engine) => {
  it('gets links only over TLS or a trusted proxy', async () => {
    const world = await createWorld({ engine })
    const credential = await createSelfSigned('gpu-1')
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel({ require_deployment_proof: true })
    const { spki_fingerprint } = await acme.registerDeployment([model_id], spkiFingerprint(credential.cert).hex)
    const mint = (url: string, question: { headers?: OutgoingHttpHeaders; tls?: object } = {}) =>
      ask(`${url}/api/v1/create-verification`, {
        method: 'POST',
        ...question,
        headers: { 'X-API-Key': acme.apiKey, ...question.headers },
        body: { model_id },
      })
    const tls = await world.startTls()
    expect(await mint(world.address)).toMatchObject(refusal('deployment_proof_required', 403))
    expect(await mint(world.address, { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } })).toMatchObject(
      refusal('deployment_proof_required', 403),
    )
    expect(await mint(tls.url, { tls: { ca: tls.ca } })).toMatchObject(refusal('deployment_proof_required', 403))
    expect(await mint(tls.url, { tls: { ...credential, ca: tls.ca } })).toMatchObject({
      status: 201,
      body: { deployment_binding: 'mtls' },
    })
  })
})
