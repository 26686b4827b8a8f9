import { SpiffeId } from '@countersign/sdk/contract'
import { spkiFingerprint } from '@countersign/sdk/node'
import { expect, it } from 'vitest'
import { randomFingerprint } from '../support/actors.ts'
import { ask, comparable } from '../support/ask.ts'
import { createSelfSigned } from '../support/certificates.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { createWorld } from '../support/world.ts'

const unknownModel = 'mdl_06dh0e3x7c9bw4vjz2n8qk5ytm'
const unknownDeployment = 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm'

describeOnSqlite('a deployment', (engine) => {
  it('is registered with its names, and its fingerprint in one spelling', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const fingerprint = randomFingerprint()
    const labels = { region: 'eu-north', 'k8s.io/pod': 'gpu-1' }
    const deployment = await acme.client.deployments.register({
      spki_fingerprint: ` SHA256:${fingerprint.toUpperCase()} `,
      spiffe_id: 'spiffe://acme.example/gpu-1',
      cloud_identity: 'arn:cloud:role/atlas',
      labels,
    })
    expect(deployment).toMatchObject({
      provider_id: acme.id,
      spki_fingerprint: fingerprint,
      spiffe_id: 'spiffe://acme.example/gpu-1',
      cloud_identity: 'arn:cloud:role/atlas',
      labels,
      status: 'enabled',
      proven_at: null,
      proven_by: null,
      authorized_models: [],
    })
    expect(await acme.client.deployments.list().toArray()).toEqual([deployment])
  })

  it('records when its permissions ended, until they are given again, and shows it on the record of its links', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const { deployment_id, spki_fingerprint } = await acme.registerDeployment([model_id])
    const { verification_url } = await acme.client.verifications.create(
      { model_id },
      { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } },
    )
    const shown = async () => {
      const [deployment] = await acme.client.deployments.list().toArray()
      const { checks } = await world.anyone.verifications.inspect(verification_url)
      return { ...deployment, detail: checks?.find(({ check }) => check === 'deployment')?.detail }
    }
    const now = () => new Date(world.clock.now()).toISOString()

    world.clock.advance('2m')
    await acme.client.models.revokeDeployment(model_id, deployment_id)
    const revoked_at = now()
    world.clock.advance('2m')
    expect(await shown()).toMatchObject({
      authorized_models: [],
      revoked_models: [{ id: model_id, revoked_at }],
      detail: expect.stringMatching(
        new RegExp(`not been authorized for the model since .*${revoked_at.slice(11, 16)} UTC`),
      ),
    })

    await acme.client.models.allowDeployment(model_id, { deployment_id })
    await acme.client.deployments.setStatus(deployment_id, { status: 'disabled' })
    expect(await shown()).toMatchObject({
      revoked_models: [],
      disabled_at: now(),
      detail: expect.stringMatching(new RegExp(`^On .*${now().slice(11, 16)} UTC, the provider disabled`)),
    })
    await acme.client.deployments.setStatus(deployment_id, { status: 'enabled' })
    expect(await shown()).toMatchObject({ disabled_at: null })
  })

  it('is rejected with an invalid fingerprint, ID or label, in the words of the specification', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const rows: readonly { change: Record<string, unknown>; field: string; message?: string }[] = [
      {
        change: { spki_fingerprint: 'a'.repeat(63) },
        field: 'spki_fingerprint',
        message: 'SPKI fingerprint must be exactly 64 hex characters',
      },
      {
        change: { spki_fingerprint: 'a'.repeat(65) },
        field: 'spki_fingerprint',
        message: 'SPKI fingerprint must be exactly 64 hex characters',
      },
      {
        change: { spki_fingerprint: 'g'.repeat(64) },
        field: 'spki_fingerprint',
        message: 'SPKI fingerprint must be valid hex',
      },
      { change: { spki_fingerprint: undefined }, field: 'spki_fingerprint', message: 'This field is required' },
      { change: { spiffe_id: 'https://acme.example' }, field: 'spiffe_id' },
      { change: { labels: { '': 'empty name' } }, field: 'labels' },
      { change: { labels: { ['n'.repeat(64)]: 'long name' } }, field: 'labels' },
      { change: { labels: { name: 'v'.repeat(256) } }, field: 'labels' },
      { change: { labels: { name: 5 } }, field: 'labels' },
      { change: { labels: ['a'] }, field: 'labels' },
      {
        change: { labels: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`l${index}`, 'x'])) },
        field: 'labels',
      },
      { change: { cloud_identity: 'c'.repeat(501) }, field: 'cloud_identity' },
      { change: { status: 'disabled' }, field: 'status' },
      { change: { proven_at: 1 }, field: 'proven_at' },
    ]
    for (const { change, field, message } of rows) {
      const reply = await ask(`${world.address}/api/v1/deployments/register`, {
        method: 'POST',
        headers: { 'X-API-Key': acme.apiKey },
        body: { spki_fingerprint: randomFingerprint(), ...change },
      })
      const [error] = (reply.body.errors ?? []) as { loc: string[]; msg: string }[]
      expect({ change, status: reply.status, field: error?.loc[1], msg: message && error?.msg }).toEqual({
        change,
        status: 422,
        field,
        msg: message,
      })
    }
    expect(await acme.client.deployments.list().toArray()).toEqual([])
  })

  it('is unique for each key of a provider, until it is deleted', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const { deployment_id, spki_fingerprint } = await acme.registerDeployment()
    await expect(acme.client.deployments.register({ spki_fingerprint })).rejects.toMatchObject({
      status: 409,
      code: 'deployment_exists',
      detail: 'SPKI fingerprint already registered',
    })
    await acme.client.deployments.delete(deployment_id)
    expect((await acme.client.deployments.register({ spki_fingerprint })).deployment_id).not.toBe(deployment_id)
  })

  it('cannot be squatted: anyone may name an unproven key, but a proven one belongs to its owner', async () => {
    const world = await createWorld({
      engine,
      clientCertProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
    })
    const [acme, mallory, late] = [
      await world.provider('acme'),
      await world.provider('mallory'),
      await world.provider('late'),
    ]
    const spki_fingerprint = randomFingerprint()
    const mint = async (by: typeof acme) => {
      const model_id = await by.registerModel()
      const [deployment] = await by.client.deployments.list().toArray()
      await by.client.models.allowDeployment(model_id, { deployment_id: deployment?.deployment_id ?? '' })
      return by.client.verifications.create(
        { model_id },
        { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } },
      )
    }
    await mallory.client.deployments.register({ spki_fingerprint })
    await acme.client.deployments.register({ spki_fingerprint })
    expect((await mint(acme)).deployment_binding).toBe('proxy')
    await expect(mint(mallory)).rejects.toMatchObject({ code: 'deployment_exists' })
    await late.client.deployments.register({ spki_fingerprint })
    await expect(mint(late)).rejects.toMatchObject({ code: 'deployment_exists' })
    const [proven] = await acme.client.deployments.list().toArray()
    await acme.client.deployments.delete(proven?.deployment_id ?? '')
    expect((await mint(late)).deployment_binding).toBe('proxy')
  })

  it("displaces a proxy's proof by its own handshake, and then belongs to its provider alone", async () => {
    const world = await createWorld({
      engine,
      clientCertProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
    })
    const tls = await world.startTls()
    const [mallory, acme, late] = [
      await world.provider('mallory'),
      await world.provider('acme'),
      await world.provider('late'),
    ]
    const credential = await createSelfSigned('gpu-1')
    const spki_fingerprint = spkiFingerprint(credential.cert).hex
    const deploy = async (by: typeof acme) => {
      const model_id = await by.registerModel()
      await by.registerDeployment([model_id], spki_fingerprint)
      return (url: string, question: object) =>
        ask(`${url}/api/v1/create-verification`, { method: 'POST', ...question, body: { model_id } }).then(
          ({ status, body }) => ({
            status,
            body,
          }),
        )
    }
    const throughProxy = (by: typeof acme) => ({
      headers: { 'X-API-Key': by.apiKey, 'X-Client-Cert-Fingerprint': spki_fingerprint },
    })
    const overTls = (by: typeof acme) => ({ headers: { 'X-API-Key': by.apiKey }, tls: { ...credential, ca: tls.ca } })

    const mintAsMallory = await deploy(mallory)
    const stolen = await mintAsMallory(world.address, throughProxy(mallory))
    expect(stolen).toMatchObject({ status: 201, body: { deployment_binding: 'proxy' } })
    const mintAsAcme = await deploy(acme)
    expect(await mintAsAcme(world.address, throughProxy(acme))).toMatchObject({
      status: 409,
      body: { code: 'deployment_exists' },
    })
    expect(await mintAsAcme(tls.url, overTls(acme))).toMatchObject({
      status: 201,
      body: { deployment_binding: 'mtls' },
    })
    expect(await mintAsMallory(world.address, throughProxy(mallory))).toMatchObject({
      status: 409,
      body: { code: 'deployment_exists' },
    })
    expect(await mallory.client.deployments.list().toArray()).toMatchObject([
      { proven_at: null, proven_by: null, last_proven_at: null, last_proven_by: null },
    ])
    const link = String(stolen.body.verification_url)
    const { strength, deployment_info } = await world.anyone.verifications.get(link)
    expect({ strength, binding: deployment_info?.binding }).toEqual({ strength: 'provider', binding: 'self-asserted' })
    expect(await world.anyone.verifications.inspect(link)).toMatchObject({
      strength: 'provider',
      steps: { server: { words: 'server_named' } },
      claims: { deployment_binding: 'proxy' },
    })
    expect((await mallory.client.account.verifications({})).verifications).toMatchObject([
      { result: 'verified', strength: 'provider', deployment_binding: 'self-asserted' },
    ])
    expect((await mallory.client.account.events({ action: 'deployment.proof_displaced' })).events).toMatchObject([
      { actor: 'registry', subject_type: 'deployment', before: null, after: null },
    ])

    const refusal = await ask(`${world.address}/api/v1/deployments/register`, {
      method: 'POST',
      headers: { 'X-API-Key': late.apiKey },
      body: { spki_fingerprint },
    })
    expect(refusal).toMatchObject({
      status: 409,
      body: { code: 'deployment_exists', detail: 'SPKI fingerprint already registered' },
    })
    expect(refusal.text).not.toMatch(/acme|prv_/i)
    const [proven] = await acme.client.deployments.list().toArray()
    await acme.client.deployments.delete(proven?.deployment_id ?? '')
    expect((await late.client.deployments.register({ spki_fingerprint })).status).toBe('enabled')
  })

  it('is only named on every surface, as on a new link, once the registry trusts no proxy', async () => {
    const world = await createWorld({
      engine,
      clientCertProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
    })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const { spki_fingerprint } = await acme.registerDeployment([model_id])
    const headers = { 'X-Client-Cert-Fingerprint': spki_fingerprint ?? '' }
    const { token, verification_url } = await acme.client.verifications.create({ model_id }, { headers })
    const seenAt = async (replica: Awaited<ReturnType<typeof world.startReplica>>) => {
      const { result, strength, deployment_info, checks } = await replica.client().verifications.get(token)
      const { claims, steps } = await replica.client().verifications.inspect(verification_url)
      const { verifications } = await replica.client(acme.apiKey).account.verifications({})
      return {
        shown: [result, strength, deployment_info?.binding, checks.find(({ check }) => check === 'deployment')?.passed],
        steps: [steps?.server.words, claims?.deployment_binding],
        listed: verifications.map((link) => [link.strength, link.deployment_binding]),
        proofs: (await replica.client(acme.apiKey).deployments.list()).deployments.map((one) => [
          one.proven_at,
          one.proven_by,
          one.last_proven_by,
        ]),
        attention: (await replica.client(acme.apiKey).account.attention()).items.some(
          ({ kind }) => kind === 'deployment_unproven',
        ),
      }
    }
    const changed = await world.startReplica({ clientCertProxies: [] })
    expect(await seenAt(changed)).toEqual({
      shown: ['verified', 'provider', 'self-asserted', null],
      steps: ['server_named', 'proxy'],
      listed: [['provider', 'self-asserted']],
      proofs: [[null, null, null]],
      attention: true,
    })
    const { bound_token } = await changed.client(acme.apiKey).verifications.bind(token, { response_text: 'Hello.' })
    const { claims } = await changed.client().verifications.inspect(bound_token)
    expect(claims).toMatchObject({ deployment_binding: 'self-asserted' })
    expect(await changed.client(acme.apiKey).verifications.create({ model_id }, { headers })).toMatchObject({
      deployment_binding: 'self-asserted',
    })
    expect((await seenAt(await world.startReplica())).shown).toEqual(['verified', 'deployment', 'proxy', true])
  })

  it('keeps its own proof by a proxy and upgrades it over mutual TLS', async () => {
    const world = await createWorld({
      engine,
      clientCertProxies: [{ address: '127.0.0.1', prefix: 32, family: 'ipv4' }],
    })
    const tls = await world.startTls()
    const acme = await world.provider('acme')
    const credential = await createSelfSigned('gpu-1')
    const spki_fingerprint = spkiFingerprint(credential.cert).hex
    const model_id = await acme.registerModel()
    await acme.registerDeployment([model_id], spki_fingerprint)
    const first = await acme.client.verifications.create(
      { model_id },
      { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } },
    )
    world.clock.advance('1m')
    await ask(`${tls.url}/api/v1/create-verification`, {
      method: 'POST',
      headers: { 'X-API-Key': acme.apiKey },
      tls: { ...credential, ca: tls.ca },
      body: { model_id },
    })
    expect(await acme.client.deployments.list().toArray()).toMatchObject([
      { proven_at: new Date(world.clock.now()).toISOString(), proven_by: 'mtls' },
    ])
    expect((await world.anyone.verifications.get(first.token)).deployment_info?.binding).toBe('proxy')
  })

  it('is authorized for each model by name, once, and can be revoked', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const [one, two] = [await acme.registerModel(), await acme.registerModel()]
    const { deployment_id } = await acme.registerDeployment()
    expect(await acme.client.models.allowDeployment(one, { deployment_id })).toMatchObject({
      message: 'Deployment authorized for model',
      model_id: one,
      deployment_id,
    })
    await expect(acme.client.models.allowDeployment(one, { deployment_id })).rejects.toMatchObject({
      status: 409,
      code: 'already_authorized',
      detail: 'Deployment already authorized for this model',
    })
    expect((await acme.client.models.deployments(one).toArray()).map((deployment) => deployment.deployment_id)).toEqual(
      [deployment_id],
    )
    expect(await acme.client.models.deployments(two).toArray()).toEqual([])
    expect((await acme.client.deployments.list().toArray())[0]?.authorized_models).toMatchObject([
      { id: one, display_name: 'Atlas Chat', version: '1.0.0' },
    ])
    expect(await acme.client.models.revokeDeployment(one, deployment_id)).toMatchObject({
      message: 'Model authorization revoked',
    })
    await expect(acme.client.models.revokeDeployment(one, deployment_id)).rejects.toMatchObject({ code: 'not_found' })
    const events = await world.database.read
      .selectFrom('events')
      .select('action')
      .where('action', 'like', 'deployment.%')
      .orderBy('id')
      .execute()
    expect(events.map(({ action }) => action)).toEqual([
      'deployment.registered',
      'deployment.authorized',
      'deployment.revoked',
    ])
  })

  it('is counted while it is enabled and authorized, and the version is not archived', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const model_id = await acme.registerModel()
    const first = await acme.registerDeployment([model_id])
    const second = await acme.registerDeployment([model_id])
    await acme.registerDeployment()
    const count = async () => (await world.anyone.models.countDeployments(model_id)).count
    expect(await count()).toBe(2)
    expect((await acme.client.deployments.setStatus(first.deployment_id, { status: 'disabled' })).status).toBe(
      'disabled',
    )
    expect((await acme.client.deployments.setStatus(first.deployment_id, { status: 'disabled' })).status).toBe(
      'disabled',
    )
    expect(await count()).toBe(1)
    await acme.client.deployments.setStatus(first.deployment_id, { status: 'enabled' })
    expect(await count()).toBe(2)
    expect(await acme.client.deployments.delete(second.deployment_id)).toEqual({
      message: 'Deployment deleted',
      deployment_id: second.deployment_id,
    })
    expect(await count()).toBe(1)
    await acme.client.models.archive(model_id, {})
    expect(await count()).toBe(0)
    await acme.client.models.unarchive(model_id, {})
    expect(await count()).toBe(1)
    await expect(acme.client.deployments.delete(second.deployment_id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(acme.client.deployments.setStatus(second.deployment_id, { status: 'enabled' })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(
      acme.client.models.allowDeployment(model_id, { deployment_id: second.deployment_id }),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('does not exist for another provider, in any combination of IDs', async () => {
    const world = await createWorld({ engine })
    const [acme, mallory] = [
      await world.provider('acme', { isVerified: false }),
      await world.provider('mallory', { isVerified: false }),
    ]
    const theirs = { model: await acme.registerModel(), deployment: (await acme.registerDeployment()).deployment_id }
    const own = { model: await mallory.registerModel(), deployment: (await mallory.registerDeployment()).deployment_id }
    await acme.client.models.allowDeployment(theirs.model, { deployment_id: theirs.deployment })
    const call = (method: string, path: string, body?: unknown) =>
      ask(`${world.address}/api/v1/${path}`, {
        method,
        headers: { 'X-API-Key': mallory.apiKey },
        ...(body === undefined ? {} : { body }),
      })
    const pairs = [
      [
        () => call('PUT', `deployments/${theirs.deployment}/status`, { status: 'disabled' }),
        () => call('PUT', `deployments/${unknownDeployment}/status`, { status: 'disabled' }),
      ],
      [
        () => call('DELETE', `deployments/${theirs.deployment}`),
        () => call('DELETE', `deployments/${unknownDeployment}`),
      ],
      [
        () => call('POST', `models/${own.model}/allow-deployment`, { deployment_id: theirs.deployment }),
        () => call('POST', `models/${own.model}/allow-deployment`, { deployment_id: unknownDeployment }),
      ],
      [
        () => call('POST', `models/${theirs.model}/allow-deployment`, { deployment_id: own.deployment }),
        () => call('POST', `models/${unknownModel}/allow-deployment`, { deployment_id: own.deployment }),
      ],
      [
        () => call('GET', `models/${theirs.model}/deployments`),
        () => call('GET', `models/${unknownModel}/deployments`),
      ],
      [
        () => call('DELETE', `models/${theirs.model}/deployments/${theirs.deployment}`),
        () => call('DELETE', `models/${unknownModel}/deployments/${unknownDeployment}`),
      ],
    ] as const
    for (const [foreign, unknown] of pairs) {
      const reply = await foreign()
      expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(comparable(reply)).toEqual(comparable(await unknown()))
    }
    expect(await acme.client.deployments.list().toArray()).toMatchObject([
      { status: 'enabled', authorized_models: [{ id: theirs.model }] },
    ])
  })

  it('is listed page by page, each once', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const model_id = await acme.registerModel()
    const made: string[] = []
    for (let index = 0; index < 7; index++) made.push((await acme.registerDeployment([model_id])).deployment_id)
    const all = await acme.client.deployments.list({ limit: 2 }).toArray()
    expect(all.map(({ deployment_id }) => deployment_id)).toEqual(made.toReversed())
    expect(await acme.client.models.deployments(model_id, { limit: 3 }).toArray()).toEqual(all)
    expect((await acme.client.deployments.list({ skip: 5 })).deployments).toHaveLength(2)
  })
})

it.each([
  'spiffe://acme.example',
  'spiffe://acme.example/chat',
  'spiffe://acme.example/ns/prod/sa/chat_1.v2-B',
  'spiffe://1.2.3.4/service',
  'spiffe://a_b-c.d/...',
  `spiffe://${'a'.repeat(255)}/x`,
  `spiffe://acme.example/${'a'.repeat(2_048 - 22)}`,
])('%s is a SPIFFE ID', (id) => {
  expect(SpiffeId.safeParse(id).success).toBe(true)
})

it.each([
  '',
  'acme.example/chat',
  'http://acme.example/chat',
  'SPIFFE://acme.example/chat',
  'spiffe:///chat',
  'spiffe://Acme.example/chat',
  'spiffe://acme.example/',
  'spiffe://acme.example/chat/',
  'spiffe://acme.example//chat',
  'spiffe://acme.example/./chat',
  'spiffe://acme.example/../chat',
  'spiffe://acme.example/chat/..',
  'spiffe://acme.example:443/chat',
  'spiffe://user@acme.example/chat',
  'spiffe://acme.example/chat?x=1',
  'spiffe://acme.example/chat#x',
  'spiffe://acme.example/%41',
  'spiffe://acme.example/é',
  'spiffe://аcme.example/chat',
  'spiffe://acme.example/chat\n',
  ' spiffe://acme.example/chat',
  `spiffe://${'a'.repeat(256)}/x`,
  `spiffe://acme.example/${'a'.repeat(2_048 - 21)}`,
])('%j is not a SPIFFE ID', (id) => {
  expect(SpiffeId.safeParse(id).success).toBe(false)
})
