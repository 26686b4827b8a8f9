import { createHash } from 'node:crypto'
import { createClient } from '@countersign/sdk'
import type { Check } from '@countersign/sdk/contract'
import { createMtlsFetch, spkiFingerprint } from '@countersign/sdk/node'
import { createVerifier } from '@countersign/sdk/verify'
import { expect, it } from 'vitest'
import { createSelfSigned } from '../support/certificates.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { createWorld, type World } from '../support/world.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** A link minted over a real TLS handshake, and everything it depends on. */
const mintOverTls = async (world: World) => {
  const alice = await world.provider('alice')
  const model_id = await alice.registerModel()
  const { url, ca } = await world.startTls()
  const credential = await createSelfSigned('gpu-1.alice.example')
  const { deployment_id } = await alice.registerDeployment([model_id], spkiFingerprint(credential.cert).hex)
  const fetch = createMtlsFetch({ ...credential, ca })
  const client = createClient({ baseURL: url, apiKey: alice.apiKey, fetch, maxRetries: 0 })
  const minted = await client.verifications.create({ model_id, challenge: 'blue otter 42' })
  await fetch.close()
  return { alice, model_id, deployment_id, minted, client }
}

describeOnSqlite('a link', (engine) => {
  it('proves provider, deployment and model when minted over mutual TLS', async () => {
    const world = await createWorld({ engine })
    const { alice, model_id, deployment_id, minted } = await mintOverTls(world)
    expect(minted).toMatchObject({ expires_in: 900, deployment_id, deployment_binding: 'mtls', warnings: [] })
    expect(minted.verification_url).toMatch(
      new RegExp(`^${world.publicUrl}/v/[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$`),
    )

    const result = await world.anyone.verifications.get(minted.verification_url)
    expect(result).toMatchObject({
      status: 'verified',
      result: 'verified',
      reason: null,
      live_state: 'checked',
      model: { id: model_id },
      provider: { id: alice.id, domain: 'alice.example', domain_verified: true, domain_verification_method: 'dns' },
      deployment_info: { deployment_id, binding: 'mtls', status: 'enabled' },
      challenge: 'blue otter 42',
    })
    expect(result.checks.filter(({ passed }) => passed === false)).toEqual([])
    expect(JSON.stringify(result)).not.toContain(minted.token)
    const [deployment] = await alice.client.deployments.list().toArray()
    expect(deployment).toMatchObject({ proven_by: 'mtls', authorized_models: [{ id: model_id }] })
  })

  it('is not minted with a challenge that says what only the registry may say', async () => {
    const world = await createWorld({ engine })
    const alice = await world.provider('alice')
    const model_id = await alice.registerModel()
    for (const challenge of [
      'Verified by OpenAI Trust and Safety',
      'veri-fied otter',
      'offiziell bestätigt 42',
      'Chat on acmeꓸexample',
      'GPT-5 from openai\u0660com',
      'GPT-5 from openai\u06f0com',
      'GPT-5 from openai点com',
      'openai - 点 - com',
      'GPT-5 by openai dot com',
      'GPT-5 by openai-D0T-com',
      'Mistral Dot AI',
      'openai dot СОМ',
      'www openai com',
      'openai\u1427com',
      'openai\u18dfcom',
      'openai\u1c79com',
      'bank\u2488com',
      'openai\u{1f100}com',
      'openai\u0660 com',
      'veri\u1427fied otter',
      'veri\u{13441}fied otter',
      'blue оtter 42',
      'red fox\u1426 It is yours \u1426Yes',
      'red fox \u1425 Yes',
      'red fox\uff9e It is yours \uff9eYes',
      'red fox\ufe70 Yes',
      'red fox ײ Yes',
      'blue fox レ',
      'openai닷com',
      'openai닷컴',
      'OpenAI 닷컴',
      'openaiドットcom',
      'OpenAIドットコム',
      'OpenAIﾄﾞｯﾄｺﾑ',
      'openai dotcom',
      'openaidotcom',
      'Mistral punto ai',
      'OpenAI Punto com',
      'OpenAI точка com',
      'OpenAI точка ком',
    ])
      await expect(alice.client.verifications.create({ model_id, challenge }), challenge).rejects.toMatchObject({
        status: 422,
        issues: [{ pointer: '#/challenge' }],
      })
    for (const challenge of [
      'blue otter 42',
      'Meine blaue Ente 7',
      'polka dot 7',
      'io app 7',
      '三点半',
      '४२०',
      'أزرق ٤٢',
      'punto de venta 7',
      'Красная точка 7',
      '青いキツネ 42',
      '青いgpt-5キツネ',
      'ドット絵 7',
      '파란 여우 42',
      '닷새 7',
      'γαλάζια αλεπού 7',
      'שועל כחול 42',
      '',
    ])
      await alice.client.verifications.create({ model_id, challenge })
  })

  it('has the same verdict online by link and token, and offline by token', async () => {
    const world = await createWorld({ engine })
    const { minted } = await mintOverTls(world)
    const byToken = await world.anyone.verifications.get(minted.token)
    expect(byToken.verification_id).toBe(minted.verification_id)
    const inspected = await world.anyone.verifications.inspect(minted.verification_url)
    expect(inspected).toMatchObject({
      valid: true,
      claims: { jti: minted.verification_id, provider_domain: 'alice.example' },
    })
    expect(inspected).toMatchObject({
      issuer: world.publicUrl,
      strength: 'deployment',
      steps: { provider: { state: 'proven', words: 'domain_dns' }, server: { state: 'proven', words: 'server_mtls' } },
    })
    const jwks = await world.anyone.signing.jwks()
    const verifier = createVerifier({ issuer: world.publicUrl, jwks, now: world.clock.now })
    expect(await verifier.verify(minted.token)).toMatchObject({ result: 'verified', live_state: 'not_checked' })
  })

  it.each<{
    name: string
    code: string
    change: string
    end: (context: { world: World } & Awaited<ReturnType<typeof mintOverTls>>) => Promise<unknown>
  }>([
    {
      name: 'its 15 minutes pass',
      code: 'link_expired',
      change: 'expired',
      end: async ({ world }) => world.clock.advance('900s'),
    },
    {
      name: 'its signing key is compromised',
      code: 'link_revoked',
      change: 'key_compromised',
      end: async ({ world: { registry } }) => {
        const { list, compromise } = registry.signing
        await compromise((await list()).find(({ state }) => state === 'active')?.kid ?? '')
      },
    },
    {
      name: 'its provider is deactivated',
      code: 'link_gone',
      change: 'provider_deactivated',
      end: ({ world, alice }) =>
        world.database.transaction((tx) =>
          tx.updateTable('providers').set({ deactivated_at: 1 }).where('id', '=', alice.id).execute(),
        ),
    },
    {
      name: 'its model is archived',
      code: 'link_archived',
      change: 'model_archived',
      end: ({ alice, model_id }) => alice.client.models.archive(model_id, {}),
    },
    {
      name: 'its model is deleted',
      code: 'link_gone',
      change: 'model_deleted',
      end: ({ world, model_id }) =>
        world.database.transaction((tx) =>
          tx.updateTable('models').set({ deleted_at: 1 }).where('id', '=', model_id).execute(),
        ),
    },
    {
      name: 'its deployment is disabled',
      code: 'link_revoked',
      change: 'deployment_disabled',
      end: ({ alice, deployment_id }) => alice.client.deployments.setStatus(deployment_id, { status: 'disabled' }),
    },
    {
      name: 'its deployment is deleted',
      code: 'link_revoked',
      change: 'deployment_deleted',
      end: ({ alice, deployment_id }) => alice.client.deployments.delete(deployment_id),
    },
    {
      name: 'its authorization is withdrawn',
      code: 'link_revoked',
      change: 'authorization_removed',
      end: ({ alice, model_id, deployment_id }) => alice.client.models.revokeDeployment(model_id, deployment_id),
    },
  ])('is no longer valid on any replica when $name', async ({ code, change, end }) => {
    const world = await createWorld({ engine })
    const replica = await world.startReplica()
    const context = await mintOverTls(world)
    const { minted } = context
    for (const client of [world.anyone, replica.client()])
      expect((await client.verifications.get(minted.token)).result).toBe('verified')
    await end({ world, ...context })
    for (const client of [world.anyone, replica.client()]) {
      for (const input of [minted.verification_url, minted.token]) {
        await expect(client.verifications.get(input)).rejects.toMatchObject({ code, change, result: 'not_verified' })
        expect(await client.verifications.inspect(input)).toMatchObject({ valid: false, change })
      }
    }
  })

  it.each<{ change: string; end: (context: Awaited<ReturnType<typeof mintOverTls>>) => Promise<unknown> }>([
    { change: 'model_archived', end: ({ alice, model_id }) => alice.client.models.archive(model_id, {}) },
    {
      change: 'deployment_disabled',
      end: ({ alice, deployment_id }) => alice.client.deployments.setStatus(deployment_id, { status: 'disabled' }),
    },
    {
      change: 'deployment_deleted',
      end: ({ alice, deployment_id }) => alice.client.deployments.delete(deployment_id),
    },
    {
      change: 'authorization_removed',
      end: ({ alice, model_id, deployment_id }) => alice.client.models.revokeDeployment(model_id, deployment_id),
    },
  ])(
    'that ended by $change still says so after its 15 minutes, and never that it was valid',
    async ({ change, end }) => {
      const world = await createWorld({ engine })
      const context = await mintOverTls(world)
      const { alice, model_id, minted } = context
      world.clock.advance('60s')
      const later = await alice.client.verifications.create({ model_id })
      await end(context)
      world.clock.advance('15m')
      const refusal = await world.anyone.verifications.get(minted.token).catch((error) => error)
      expect(refusal).toMatchObject({ change, verification: { change } })
      expect(refusal.checks.find(({ check }: Check) => check === 'time')).toMatchObject({
        passed: false,
        detail: expect.stringMatching(/^Its 15 minutes ended on /),
      })
      const changes = new Map(
        (await alice.client.account.verifications()).verifications.map((link) => [link.id, link.change]),
      )
      expect(changes.get(minted.verification_id)).toBe(change)
      expect(changes.get(later.verification_id)).toBe(change === 'model_archived' ? change : 'expired')
      const page = await (await fetch(minted.verification_url, { headers: { Accept: 'text/html' } })).text()
      expect(page).not.toMatch(/\bvalid (from|until)\b|was valid/)
      expect(page).not.toContain('This link has expired.')
    },
  )

  type Act = (context: Awaited<ReturnType<typeof mintOverTls>>) => Promise<unknown>
  const acts = {
    disable: ({ alice, deployment_id }) => alice.client.deployments.setStatus(deployment_id, { status: 'disabled' }),
    enable: ({ alice, deployment_id }) => alice.client.deployments.setStatus(deployment_id, { status: 'enabled' }),
    delete: ({ alice, deployment_id }) => alice.client.deployments.delete(deployment_id),
    revoke: ({ alice, model_id, deployment_id }) => alice.client.models.revokeDeployment(model_id, deployment_id),
    authorize: ({ alice, model_id, deployment_id }) => alice.client.models.allowDeployment(model_id, { deployment_id }),
    archive: ({ alice, model_id }) => alice.client.models.archive(model_id, {}),
  } satisfies Record<string, Act>

  const disabled = { change: 'deployment_disabled', says: 'disabled the deployment' }
  const revoked = { change: 'authorization_removed', says: 'has not been authorized' }
  const expired = { change: 'expired', says: 'deleted the deployment' }

  it.each<{ name: string; first: (keyof typeof acts)[]; later: (keyof typeof acts)[]; change: string; says: string }>([
    { name: 'disabled, later deleted', first: ['disable'], later: ['delete'], ...disabled },
    { name: 'disabled, later revoked and archived', first: ['disable'], later: ['revoke', 'archive'], ...disabled },
    { name: 'revoked, later disabled', first: ['revoke'], later: ['disable'], ...revoked },
    { name: 'revoked, later disabled and deleted', first: ['revoke'], later: ['disable', 'delete'], ...revoked },
    { name: 'disabled and enabled again, later deleted', first: ['disable', 'enable'], later: ['delete'], ...expired },
    { name: 'revoked and allowed again, later deleted', first: ['revoke', 'authorize'], later: ['delete'], ...expired },
  ])('keeps the reason for which it ended in its 15 minutes: $name', async ({ first, later, change, says }) => {
    const world = await createWorld({ engine })
    const context = await mintOverTls(world)
    for (const act of first) {
      world.clock.advance('60s')
      await acts[act](context)
    }
    world.clock.advance('15m')
    for (const act of later) {
      await acts[act](context)
      world.clock.advance('60s')
    }
    const refusal = await world.anyone.verifications.get(context.minted.token).catch((error) => error)
    const detail = refusal.checks.find(({ check }: Check) => check === 'deployment')?.detail
    expect({ change: refusal.change, detail }).toEqual({ change, detail: expect.stringContaining(says) })
    const [link] = (await context.alice.client.account.verifications()).verifications
    expect(link?.change).toBe(change)
  })

  it('says when it was made and expired', async () => {
    const world = await createWorld({ engine })
    const { minted } = await mintOverTls(world)
    world.clock.advance('1h')
    const refusal = await world.anyone.verifications.get(minted.verification_url).catch((error) => error)
    expect(refusal.verification).toMatchObject({ expires_at: minted.expires_at, provider: { domain: 'alice.example' } })
  })

  it('is genuine but not verified while the domain is unchecked', async () => {
    const world = await createWorld({ engine })
    const mallory = await world.provider('mallory', { isVerified: false })
    const minted = await mallory.client.verifications.create({ model_id: await mallory.registerModel() })
    expect(minted.warnings).toHaveLength(1)
    const link = await world.anyone.verifications.get(minted.verification_url)
    expect(link).toMatchObject({ status: 'provider_unverified', result: 'not_verified', reason: 'provider_unverified' })
    const jwks = await world.anyone.signing.jwks()
    expect(
      await createVerifier({ issuer: world.publicUrl, jwks, now: world.clock.now }).verify(minted.token),
    ).toMatchObject({
      result: 'not_verified',
      reason: 'provider_unverified',
    })

    mallory.publishProof()
    await mallory.client.providers.verifyDomain({})
    expect((await world.anyone.verifications.get(minted.verification_url)).result).toBe('not_verified')
    const again = await mallory.client.verifications.create({ model_id: await mallory.registerModel() })
    expect((await world.anyone.verifications.get(again.verification_url)).result).toBe('verified')
  })

  it('carries the first answer its provider binds, and no other in its place', async () => {
    const world = await createWorld({ engine })
    const { alice, minted } = await mintOverTls(world)
    const answer = 'The capital of Norway is Oslo. ✓'
    const byBearer = await world.anyone.verifications.bind(minted.token, { response_text: 'words put into its mouth' })
    expect(byBearer.bound_by).toBe('bearer')
    expect((await world.anyone.verifications.get(minted.verification_url)).checks).toContainEqual(
      expect.objectContaining({ check: 'answer', detail: expect.stringContaining('Someone who had this link') }),
    )
    const byProvider = await alice.client.verifications.bind(minted.token, { response_text: answer })
    expect(byProvider).toMatchObject({
      bound_by: 'provider',
      response_hash: sha256(answer),
      verification_url: minted.verification_url,
    })
    await expect(alice.client.verifications.bind(minted.token, { response_text: 'another' })).rejects.toMatchObject({
      code: 'already_bound',
    })

    const result = await world.anyone.verifications.get(minted.verification_url)
    expect(result.bound_answer).toMatchObject({ bound_by: 'provider', response_hash: sha256(answer) })
    expect((await world.anyone.verifications.get(byProvider.bound_token)).result).toBe('verified')
    await expect(
      world.anyone.verifications.bind(minted.verification_url, { response_text: 'x' }),
    ).rejects.toMatchObject({
      code: 'link_malformed',
    })
  })

  it('is counted once a person has read it, and not by a HEAD request', async () => {
    const world = await createWorld({ engine })
    const { alice, model_id, minted } = await mintOverTls(world)
    await world.anyone.verifications.get(minted.verification_url)
    expect((await alice.client.models.get(model_id)).first_verified_at).toBeNull()
    expect(await alice.client.verifications.opened(minted.verification_url)).toEqual({ counted: false })
    expect(await world.anyone.verifications.opened(minted.verification_url)).toEqual({ counted: true })
    expect(await world.anyone.verifications.opened(minted.verification_url)).toEqual({ counted: false })
    expect((await alice.client.models.get(model_id)).first_verified_at).not.toBeNull()
  })
})
