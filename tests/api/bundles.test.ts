import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BundleRecord } from '@countersign/sdk/contract'
import { type ModelToSign, modelStatement, signModel } from '@countersign/sdk/integrity'
import { expect, it, onTestFinished } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { ask } from '../support/ask.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { startEndpointServer } from '../support/endpoint-server.ts'
import { declareOwnKey, proveRepository } from '../support/signers.ts'
import { createChain } from '../support/sigstore/authority.ts'
import { ecKeys, pemOf } from '../support/sigstore/keys.ts'
import { createPrivateSigstore, identity, issuer, repository } from '../support/sigstore/private-sigstore.ts'
import { createWorld, type World } from '../support/world.ts'

const hexOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** A model of two files, with the digest that a provider registers. */
const someModel = (seed = 'weights') => {
  const files = [
    { name: 'config.json', digest: hexOf('{}') },
    { name: 'weights.safetensors', digest: hexOf(seed) },
  ]
  const toSign: ModelToSign = { name: 'atlas', files }
  const statement = modelStatement(toSign) as { subject: [{ digest: { sha256: string } }] }
  return { toSign, statement, digest: `sha256:${statement.subject[0].digest.sha256}` }
}

const publicPem = (keys: ReturnType<typeof ecKeys>) =>
  keys.publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
const signedBy = (keys: ReturnType<typeof ecKeys>, model = someModel()) =>
  JSON.parse(signModel(model.toSign, keys.privateKey))
const keySigner = (keys: ReturnType<typeof ecKeys>) =>
  ({ signer: { kind: 'key', public_key: publicPem(keys) } }) as const

const model = someModel()
const registerSigned = (acme: ProviderActor, input: Parameters<ProviderActor['registerModel']>[0] = {}) =>
  acme.registerModel({ model_digest: model.digest, ...input })

const outcomeOf = ({ bundle_status, reason, verification_status }: BundleRecord) => ({
  bundle_status,
  reason,
  verification_status,
})
const completed = (bundle_status: string, reason: string | null = null) => ({
  bundle_status,
  reason,
  verification_status: 'completed',
})

const checkedBy = async (world: World, owner: ProviderActor, id: string) => {
  await world.jobs.run('bundles')
  return owner.client.bundles.status(id)
}

const trailOf = async (owner: ProviderActor, action: string) =>
  (await owner.client.account.events({ limit: 100 })).events.filter((event) => event.action === action)

/** The results of the bundle after each change, newest first. */
const statusTrail = async (owner: ProviderActor) =>
  (await trailOf(owner, 'model.bundle_checked')).map(
    ({ after }) => (after as { bundle_status?: string } | null)?.bundle_status,
  )

/** A file on a server of the provider's. */
const startHost = async (engine: World['engine']) => {
  const host = await startEndpointServer(404)
  const world = await createWorld({ engine, egressAllow: [`files.acme.example=${host.hostAndPort}`] })
  const serve = (body: unknown) =>
    host.answer((_request, response) => response.end(typeof body === 'string' ? body : JSON.stringify(body)))
  return { world, host, serve, url: 'https://files.acme.example/atlas.sig' }
}

describeOnSqlite('a bundle', (engine) => {
  it('that was signed with a declared key is verified on upload, and every response names the signer', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const keys = ecKeys()
    const declared = await declareOwnKey(acme.client, keys)
    expect(declared.key_fingerprint).toMatch(/^[0-9a-f]{64}$/)
    const id = await registerSigned(acme)
    expect(outcomeOf(await acme.client.bundles.status(id))).toEqual({
      bundle_status: 'unknown',
      reason: null,
      verification_status: 'not_started',
    })

    const record = await acme.client.bundles.upload(id, signedBy(keys))
    expect(outcomeOf(record)).toEqual(completed('verified'))
    expect(record).toMatchObject({
      bundle_source: 'upload',
      method: 'key',
      signer: { key_fingerprint: declared.key_fingerprint },
      signed_digest: model.digest,
      bundle_verification_details: { signatures_valid: true, artifact_hash_match: true, error: null },
      declared_signers: [keySigner(keys).signer],
    })
    expect(await world.anyone.bundles.status(id)).toEqual(record)
    expect(await world.anyone.models.get(id)).toMatchObject({ bundle_status: 'verified', bundle_signer: record.signer })

    const { token } = await acme.client.verifications.create({ model_id: id })
    const result = await world.anyone.verifications.get(token)
    expect(result.model).toMatchObject({
      bundle_status: 'verified',
      bundle_signer: record.signer,
      bundle_last_checked: record.bundle_last_checked,
    })
    expect(result.checks.find(({ check }) => check === 'bundle')).toMatchObject({
      passed: true,
      detail: expect.stringContaining(declared.key_fingerprint ?? ''),
    })
    const { bundle_check } = await world.anyone.verifications.inspect(token)
    expect(bundle_check).toMatchObject({
      status: 'verified',
      signer: record.signer,
      timestamp: record.bundle_last_checked,
    })
    expect(await statusTrail(acme)).toEqual(['verified'])
  })

  it('says on upload and in its record whether the domain of its provider is proven', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const keys = ecKeys()
    await declareOwnKey(acme.client, keys)
    const id = await registerSigned(acme)
    const unproven = await acme.client.bundles.upload(id, signedBy(keys))
    expect(unproven).toMatchObject({ bundle_status: 'verified', provider_domain_verified: false })
    expect(await world.anyone.bundles.status(id)).toEqual(unproven)
    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    const proven = { bundle_status: 'verified', provider_domain_verified: true }
    expect(await world.anyone.bundles.status(id)).toMatchObject(proven)
    expect(await acme.client.bundles.upload(id, signedBy(keys))).toMatchObject(proven)
    world.clock.advance('3d')
    expect(await world.anyone.bundles.status(id)).toMatchObject({ provider_domain_verified: false })
  })

  it('of an undeclared signer is verified once the signer is declared, and no longer after it is withdrawn', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const keys = ecKeys()
    const id = await registerSigned(acme)
    const record = await acme.client.bundles.upload(id, signedBy(keys))
    expect(outcomeOf(record)).toEqual(completed('unknown', 'signer_not_declared'))
    expect(record.message).toMatch(/declare that key/)
    const declared = await declareOwnKey(acme.client, keys)
    expect((await acme.client.bundles.status(id)).verification_status).toBe('in_progress')
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('verified'))
    await acme.client.signers.withdraw(declared.id)
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('unknown', 'signer_not_declared'))
    await acme.client.signers.declare({ ...keySigner(keys), api_model_identifier: 'another-model' })
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('unknown', 'signer_not_declared'))
    expect(await statusTrail(acme)).toEqual(['unknown', 'verified', 'unknown'])
  })

  it.each([
    {
      name: 'for another model',
      bundle: signedBy,
      digest: someModel('other').digest,
      status: 'invalid',
      reason: 'digest_mismatch',
      words: /for another model/,
    },
    {
      name: 'by another signer',
      bundle: () => signedBy(ecKeys()),
      digest: model.digest,
      status: 'invalid',
      reason: 'signer_mismatch',
      words: /Declare that key if it is yours/,
    },
    {
      name: 'with another signature',
      bundle: (keys: ReturnType<typeof ecKeys>) => {
        const bundle = signedBy(keys)
        bundle.dsseEnvelope.signatures[0].sig = signedBy(keys, someModel('x')).dsseEnvelope.signatures[0].sig
        return bundle
      },
      digest: model.digest,
      status: 'invalid',
      reason: 'signature_invalid',
      words: /Do not trust this bundle/,
    },
    {
      name: 'of a version without digest',
      bundle: signedBy,
      digest: undefined,
      status: 'unknown',
      reason: 'digest_missing',
      words: /no digest/,
    },
    {
      name: 'that is not a bundle',
      bundle: () => ({ mediaType: 'text/html', verificationMaterial: {} }),
      digest: model.digest,
      status: 'error',
      reason: 'bundle_unsupported',
      words: /not supported/,
    },
  ])('$name is $status, with a message that says what to do', async ({ bundle, digest, status, reason, words }) => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const keys = ecKeys()
    await declareOwnKey(acme.client, keys)
    const id = await acme.registerModel({ model_digest: digest })
    const record = await acme.client.bundles.upload(id, bundle(keys))
    expect(outcomeOf(record)).toEqual(completed(status, reason))
    expect(record.message).toMatch(words)
    expect(record.bundle_verification_details?.error).toBe(record.message)
    expect((await world.anyone.models.get(id)).bundle_status).toBe(status)
  })

  it('is fetched from its address, and again only by force or when it is due', async () => {
    const { world, host, serve, url } = await startHost(engine)
    const acme = await world.provider('acme')
    const keys = ecKeys()
    await declareOwnKey(acme.client, keys)
    serve(signedBy(keys))
    const id = await registerSigned(acme, { sigstore_bundle_url: url })
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('verified'))
    expect(host.seen.requests).toEqual(['/atlas.sig'])

    const fresh = await acme.client.bundles.verify(id, {})
    expect(fresh).toMatchObject({
      verification_status: 'completed',
      bundle_status: 'verified',
      estimated_completion: null,
      bundle_url: url,
    })
    const asked = await acme.client.bundles.verify(id, { force_refresh: true })
    expect(asked).toMatchObject({
      message: 'Bundle verification triggered successfully',
      model_id: id,
      verification_status: 'in_progress',
    })
    expect(Date.parse(asked.estimated_completion ?? '')).toBeGreaterThan(world.clock.now())
    await world.jobs.run('bundles')
    expect(host.seen.requests).toHaveLength(2)
    world.clock.advance('23h')
    await world.jobs.run('bundles')
    expect(host.seen.requests).toHaveLength(2)
    world.clock.advance('2h')
    await world.jobs.run('bundles')
    expect(host.seen.requests).toHaveLength(3)
    // Repeating the same verdict records no event.
    expect(await trailOf(acme, 'model.bundle_checked')).toHaveLength(1)
  })

  it('whose address does not answer keeps its verdict for seven days and is retried sooner', async () => {
    const { world, host, serve, url } = await startHost(engine)
    const acme = await world.provider('acme')
    const keys = ecKeys()
    await declareOwnKey(acme.client, keys)
    serve(signedBy(keys))
    const id = await registerSigned(acme, { sigstore_bundle_url: url })
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('verified'))
    serve('<h1>We will be back soon</h1>')
    world.clock.advance('25h')
    expect(await checkedBy(world, acme, id)).toMatchObject({
      bundle_status: 'verified',
      message: expect.stringContaining('did not return a bundle'),
    })
    host.answer(503)
    world.clock.advance('5d')
    const stored = await checkedBy(world, acme, id)
    expect(stored).toMatchObject({ bundle_status: 'verified', message: expect.stringContaining('answered 503') })
    world.clock.advance('2d')
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('error', 'bundle_not_fetched'))
    const { next_check_at } = await acme.client.bundles.status(id)
    expect(Date.parse(next_check_at ?? '') - world.clock.now()).toBe(60_000)
    serve(signedBy(keys))
    world.clock.advance('2m')
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('verified'))
  })

  it('is reset together with its digest, even during a check', async () => {
    const { world, host, serve, url } = await startHost(engine)
    const acme = await world.provider('acme')
    const keys = ecKeys()
    await declareOwnKey(acme.client, keys)
    serve(signedBy(keys))
    const id = await registerSigned(acme, { sigstore_bundle_url: url })
    await world.jobs.run('bundles')
    const other = someModel('other')
    expect(await acme.client.models.quickEdit(id, { model_digest: other.digest })).toMatchObject({
      bundle_status: 'unknown',
      bundle_last_checked: null,
      bundle_signer: null,
    })
    await acme.client.models.quickEdit(id, { model_digest: model.digest })

    // The digest changes during the fetch: the verdict on the old one is never written.
    host.answer(async (_request, response) => {
      await acme.client.models.quickEdit(id, { model_digest: other.digest })
      serve(signedBy(keys))
      response.end(JSON.stringify(signedBy(keys)))
    })
    await acme.client.bundles.verify(id, { force_refresh: true })
    await world.jobs.run('bundles')
    expect(await statusTrail(acme)).toEqual(['verified'])
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('invalid', 'digest_mismatch'))
  })

  it('is reset together with its list of files', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const keys = ecKeys()
    await declareOwnKey(acme.client, keys)
    const model_files = model.toSign.files.map(({ name, digest }) => ({ name, sha256: digest, size: 3 }))
    const id = await registerSigned(acme, { model_files })
    expect(outcomeOf(await acme.client.bundles.upload(id, signedBy(keys)))).toEqual(completed('verified'))
    const renamed = model_files.map((file, index) => (index === 0 ? { ...file, name: 'autorun.py' } : file))
    expect(await acme.client.models.quickEdit(id, { model_files: renamed })).toMatchObject({
      bundle_status: 'unknown',
      bundle_last_checked: null,
      bundle_signer: null,
    })
    const { token } = await acme.client.verifications.create({ model_id: id })
    expect((await world.anyone.verifications.get(token)).model).toMatchObject({
      bundle_status: 'unknown',
      bundle_signer: null,
    })
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('invalid', 'files_mismatch'))
  })

  it('that is valid for the current digest says nothing about a link issued for another digest', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const keys = ecKeys()
    await declareOwnKey(acme.client, keys)
    const id = await acme.registerModel({ model_digest: someModel('other').digest })
    const { token } = await acme.client.verifications.create({ model_id: id })
    await world.database.transaction((tx) =>
      tx
        .updateTable('models')
        .set({ model_digest: model.digest ?? null })
        .where('id', '=', id)
        .execute(),
    )
    expect(outcomeOf(await acme.client.bundles.upload(id, signedBy(keys)))).toEqual(completed('verified'))
    const { model: shown, checks } = await world.anyone.verifications.get(token)
    expect(shown).toMatchObject({
      model_digest: someModel('other').digest,
      bundle_status: 'unknown',
      bundle_signer: null,
    })
    expect(checks.find(({ check }) => check === 'bundle')).toMatchObject({ passed: null })
    const fresh = await acme.client.verifications.create({ model_id: id })
    expect((await world.anyone.verifications.get(fresh.token)).model).toMatchObject({ bundle_status: 'verified' })
  })

  it('that is uploaded twice concurrently has the verdict of the one that is stored', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const keys = ecKeys()
    await declareOwnKey(acme.client, keys)
    const id = await registerSigned(acme)
    const good = signedBy(keys)
    const bad = signedBy(keys, someModel('other'))
    for (let round = 0; round < 8; round++) {
      await Promise.all([good, bad, good, bad, good, bad].map((bundle) => acme.client.bundles.upload(id, bundle)))
      world.clock.advance('5m')
      const record = await checkedBy(world, acme, id)
      const isGood = record.bundle_sha256 === createHash('sha256').update(JSON.stringify(good)).digest('hex')
      expect(outcomeOf(record)).toEqual(isGood ? completed('verified') : completed('invalid', 'digest_mismatch'))
    }
  })

  it('that is uploaded counts until another address is given', async () => {
    const { world, host, serve, url } = await startHost(engine)
    const acme = await world.provider('acme')
    const keys = ecKeys()
    await declareOwnKey(acme.client, keys)
    const id = await registerSigned(acme)
    await acme.client.bundles.upload(id, signedBy(keys))
    serve(signedBy(ecKeys()))
    await acme.client.models.quickEdit(id, { sigstore_bundle_url: url })
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('invalid', 'signer_mismatch'))
    expect(outcomeOf(await acme.client.bundles.upload(id, signedBy(keys)))).toEqual(completed('verified'))
    await acme.client.bundles.verify(id, { force_refresh: true })
    expect(await checkedBy(world, acme, id)).toMatchObject({
      bundle_status: 'verified',
      bundle_source: 'upload',
      bundle_url: null,
    })
    expect(host.seen.requests).toHaveLength(1)
  })

  it.each([
    'https://localhost/atlas.sig',
    'https://127.0.0.1/atlas.sig',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/atlas.sig',
    'https://10.0.0.8/atlas.sig',
    'https://files.acme.example:9200/atlas.sig',
  ])('is never fetched from %s', async (url) => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const id = await registerSigned(acme).catch(() => '')
    await world.database.transaction((tx) =>
      tx
        .updateTable('models')
        .set({ sigstore_bundle_url: url, bundle_due_at: world.clock.now() })
        .where('id', '=', id)
        .execute(),
    )
    const record = await checkedBy(world, acme, id)
    expect(outcomeOf(record)).toEqual(completed('error', 'bundle_not_fetched'))
    expect(record.message).toMatch(/does not connect|could not be reached/)
  })

  it('says if its address redirected to another host', async () => {
    const host = await startEndpointServer(404)
    const other = await startEndpointServer(404)
    const egressAllow = [`files.acme.example=${host.hostAndPort}`, other.hostAndPort]
    const world = await createWorld({ engine, egressAllow })
    const acme = await world.provider('acme')
    const keys = ecKeys()
    await declareOwnKey(acme.client, keys)
    const signed = JSON.stringify(signedBy(keys))
    other.answer((_request, response) => response.end(signed))
    host.answer((_request, response) => response.end(signed))
    const id = await registerSigned(acme, { sigstore_bundle_url: 'https://files.acme.example/atlas.sig' })
    expect(await checkedBy(world, acme, id)).toMatchObject({ bundle_status: 'verified', bundle_source: 'url' })
    host.answer((_request, response) => response.writeHead(302, { Location: `${other.url}/atlas.sig` }).end())
    await acme.client.bundles.verify(id, { force_refresh: true })
    expect(await checkedBy(world, acme, id)).toMatchObject({ bundle_status: 'verified', bundle_source: 'redirect' })
  })

  it('does not follow a redirect to a private address', async () => {
    const { world, host, url } = await startHost(engine)
    const inside = await startEndpointServer((_request, response) => response.end(JSON.stringify(signedBy(ecKeys()))))
    host.answer((_request, response) => response.writeHead(302, { Location: `${inside.url}/secret` }).end())
    const acme = await world.provider('acme')
    const id = await registerSigned(acme, { sigstore_bundle_url: url })
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('error', 'bundle_not_fetched'))
    expect(inside.seen.requests).toEqual([])
  })

  it('of a private model is hidden from others, and cannot be checked if there is none', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const northwind = await world.provider('northwind')
    const id = await registerSigned(acme, { is_public: false })
    await expect(world.anyone.bundles.status(id)).rejects.toMatchObject({ code: 'not_found' })
    for (const call of [
      () => northwind.client.bundles.status(id),
      () => northwind.client.bundles.verify(id, {}),
      () => northwind.client.bundles.upload(id, signedBy(ecKeys())),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'not_found' })
    await expect(acme.client.bundles.verify(id, {})).rejects.toMatchObject({ code: 'bundle_missing' })
    const { id: signer_id } = await acme.client.signers.declare(keySigner(ecKeys()))
    await expect(northwind.client.signers.withdraw(signer_id)).rejects.toMatchObject({ code: 'not_found' })
    expect((await northwind.client.signers.list()).signers).toEqual([])
  })

  it('is not read from strangers, however large it is', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const id = await registerSigned(acme)
    const url = `${world.address}/api/v1/models/${id}/bundle`
    const send = (apiKey: string) =>
      ask(url, { method: 'PUT', headers: { 'X-API-Key': apiKey }, body: 'x'.repeat(4_000_000) })
    expect(await send('csk_wrong')).toMatchObject({ status: 401 })
    // The owner's body is checked for valid JSON, a stranger's is not.
    expect(await send(acme.apiKey)).toMatchObject({ status: 400 })
  })

  it('with hostile content gets a verdict', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const id = await registerSigned(acme)
    const good = signedBy(ecKeys())
    const large = 'A'.repeat(4_000_000)
    const nested = JSON.parse(`${'{"a":'.repeat(25)}1${'}'.repeat(25)}`)
    for (const bundle of [
      { ...good, verificationMaterial: {} },
      { ...good, verificationMaterial: nested },
      {
        ...good,
        verificationMaterial: { ...good.verificationMaterial, tlogEntries: Array.from({ length: 5_000 }, () => ({})) },
      },
      { ...good, dsseEnvelope: { ...good.dsseEnvelope, payload: large } },
      { ...good, dsseEnvelope: { ...good.dsseEnvelope, payload: Buffer.from('[').toString('base64') } },
      { ...good, dsseEnvelope: { ...good.dsseEnvelope, payload: randomBytes(1_000).toString('base64') } },
      {
        ...good,
        dsseEnvelope: undefined,
        messageSignature: { messageDigest: { algorithm: 'SHA2_256', digest: '' }, signature: '' },
      },
      { ...good, messageSignature: { signature: 'x' } },
    ]) {
      const record = await acme.client.bundles.upload(id, bundle)
      expect(['error', 'invalid']).toContain(record.bundle_status)
      expect(record.checks.length).toBeGreaterThan(0)
    }
    await expect(
      acme.client.bundles.upload(id, { ...good, dsseEnvelope: { payload: `${large}${large}` } }),
    ).rejects.toMatchObject({
      code: 'body_too_large',
    })
  })

  it('waits if its provider has many slow ones, so that other providers’ bundles are checked', {
    timeout: 90_000,
  }, async () => {
    const { world, host, url } = await startHost(engine)
    const [slow, acme] = [await world.provider('northwind'), await world.provider('acme')]
    host.answer((_request, response) => {
      world.clock.advance('4s')
      response.writeHead(404).end()
    })
    for (let count = 0; count < 60; count++) await slow.registerModel({ sigstore_bundle_url: url })
    const keys = ecKeys()
    const id = await registerSigned(acme)
    expect((await acme.client.bundles.upload(id, signedBy(keys))).reason).toBe('signer_not_declared')
    await declareOwnKey(acme.client, keys)

    await world.jobs.run('bundles')
    expect(outcomeOf(await acme.client.bundles.status(id))).toEqual(completed('verified'))
    const asked = () => host.seen.requests.length
    expect(asked()).toBeLessThan(30)
    for (let run = 0; run < 20 && asked() < 60; run++) {
      world.clock.advance('1m')
      await world.jobs.run('bundles')
    }
    expect(asked()).toBeGreaterThanOrEqual(60)
  })

  it('is tried with few keys, for all models and for each', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const declare = (of: { api_model_identifier?: string } = {}) =>
      acme.client.signers.declare({ ...keySigner(ecKeys()), ...of })
    for (const of of [{}, { api_model_identifier: 'atlas' }]) {
      for (let count = 0; count < 25; count++) await declare(of)
      await expect(declare(of)).rejects.toMatchObject({
        status: 422,
        detail: expect.stringContaining('At most 25 keys'),
      })
    }
    await acme.client.signers.declare({ signer: { kind: 'repository', issuer, repository } })
  })

  it('has signers of a bounded length, so that public answers about it stay short', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const id = await registerSigned(acme)
    const keys = ecKeys()
    const { root } = await createChain({ leafKeys: keys, from: new Date(world.clock.now()) })
    const anchor = pemOf('CERTIFICATE', root)
    const declare = (count: number) =>
      acme.client.signers.declare({ signer: { kind: 'certificate', certificate_chain: anchor.repeat(count) } })
    const many = Math.floor(64_000 / anchor.length)
    for (const fewer of [0, 1, 2]) await declare(many - fewer)
    await expect(declare(many - 3)).rejects.toMatchObject({
      status: 422,
      detail: expect.stringContaining('withdraw a signer'),
    })
    expect((await declareOwnKey(acme.client, keys)).key_fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.stringify(await world.anyone.bundles.status(id)).length).toBeLessThan(300_000)
  })
})

describeOnSqlite('a bundle of a workflow', (engine) => {
  const startWithRoot = async (egressAllow: string[] = []) => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-root-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const trustedRoot = join(folder, 'trusted_root.json')
    await writeFile(trustedRoot, '{}')
    const world = await createWorld({ engine, trustedRoot, egressAllow })
    const sigstore = await createPrivateSigstore({ at: new Date(world.clock.now()) })
    world.clock.advance('1m')
    return {
      world,
      sigstore,
      writeRoot: (root: unknown) => writeFile(trustedRoot, JSON.stringify(root)),
      acme: await world.provider('acme'),
    }
  }

  it("is verified if the operator's trusted root contains its log, and its publisher is declared", async () => {
    const { world, sigstore, writeRoot, acme } = await startWithRoot()
    await writeRoot(sigstore.trustedRoot())
    await acme.client.signers.declare({ signer: { kind: 'repository', issuer, repository } })
    await proveRepository(world, acme.id)
    const id = await registerSigned(acme)
    const bundle = await sigstore.bundle({ kind: 'dsse/0.0.1', statement: model.statement })
    const record = await acme.client.bundles.upload(id, bundle as never)
    expect(outcomeOf(record)).toEqual(completed('verified'))
    expect(record).toMatchObject({
      method: 'sigstore',
      signer: { identity, issuer, repository },
      log: { kind: 'rekor-v1' },
      trusted_root_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      signed_at: expect.any(String),
      bundle_verification_details: {
        signatures_valid: true,
        certificate_valid: true,
        transparency_log_verified: true,
        artifact_hash_match: true,
        signer_identity: expect.stringContaining(identity),
      },
    })
    expect((await world.anyone.models.get(id)).bundle_signer).toMatchObject({ identity })
  })

  it('is checked again when the trusted root changes; an expired or unreadable root is reported and the previous one stays', async () => {
    const { world, sigstore, writeRoot, acme } = await startWithRoot()
    const root = sigstore.trustedRoot()
    for (const authority of [...root.certificateAuthorities, ...root.timestampAuthorities])
      authority.validFor.end = new Date(sigstore.start.getTime() - 60_000).toISOString()
    await writeRoot(root)
    await acme.client.signers.declare({ signer: { kind: 'identity', issuer, identity } })
    await proveRepository(world, acme.id)
    const id = await registerSigned(acme)
    const bundle = await sigstore.bundle({ kind: 'dsse/0.0.1', statement: model.statement })
    const ended = await acme.client.bundles.upload(id, bundle as never)
    expect(outcomeOf(ended)).toEqual(completed('error', 'trusted_root_expired'))
    expect(ended.message).toMatch(/Replace it with the current one/)

    await writeRoot(sigstore.trustedRoot())
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('verified'))
    await writeRoot({ not: 'a root' })
    await acme.client.bundles.verify(id, { force_refresh: true })
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('verified'))
  })

  it('is checked once more if the trusted root was replaced during the check', async () => {
    const host = await startEndpointServer(404)
    const { world, sigstore, writeRoot, acme } = await startWithRoot([`files.acme.example=${host.hostAndPort}`])
    await writeRoot(sigstore.trustedRoot())
    await acme.client.signers.declare({ signer: { kind: 'identity', issuer, identity } })
    await proveRepository(world, acme.id)
    const bundle = await sigstore.bundle({ kind: 'dsse/0.0.1', statement: model.statement })
    const elsewhere = await registerSigned(acme)
    host.answer(async (_request, response) => {
      host.answer((_again, answer) => answer.end(JSON.stringify(bundle)))
      await writeRoot((await createPrivateSigstore({ at: new Date(world.clock.now()) })).trustedRoot())
      await acme.client.bundles.upload(elsewhere, bundle as never)
      response.end(JSON.stringify(bundle))
    })
    const id = await registerSigned(acme, { sigstore_bundle_url: 'https://files.acme.example/atlas.sig' })
    await world.jobs.run('bundles')
    expect(outcomeOf(await checkedBy(world, acme, id))).toEqual(completed('invalid', 'certificate_untrusted'))
  })

  it('is checked with the new trusted root on every replica, even if no job runs', async () => {
    const { world, sigstore, writeRoot, acme } = await startWithRoot()
    await writeRoot(sigstore.trustedRoot())
    const other = await world.startReplica()
    const there = other.client(acme.apiKey)
    await acme.client.signers.declare({ signer: { kind: 'identity', issuer, identity } })
    await proveRepository(world, acme.id)
    const bundle = (await sigstore.bundle({ kind: 'dsse/0.0.1', statement: model.statement })) as never
    expect((await there.bundles.upload(await registerSigned(acme), bundle)).bundle_status).toBe('verified')

    await writeRoot((await createPrivateSigstore({ at: new Date(world.clock.now()) })).trustedRoot())
    await world.jobs.run('bundles')
    expect(outcomeOf(await there.bundles.upload(await registerSigned(acme), bundle))).toEqual(
      completed('invalid', 'certificate_untrusted'),
    )
  })
})
