import { webcrypto } from 'node:crypto'
import { createClient } from '@countersign/sdk'
import { contract } from '@countersign/sdk/contract'
import { requestSigner } from '@countersign/sdk/signer'
import { workloadSigner } from '@countersign/sdk/workload'
import { expect, it } from 'vitest'
import { describeOnSqlite, type Engine } from '../support/databases.ts'
import { call, createTargets, rows } from '../support/tour.ts'
import { createWorld } from '../support/world.ts'

const { subtle } = webcrypto
const newKey = () => subtle.generateKey('Ed25519', false, ['sign', 'verify']) as Promise<CryptoKeyPair>
const spkiOf = async ({ publicKey }: CryptoKeyPair) =>
  Buffer.from(await subtle.exportKey('spki', publicKey)).toString('base64')

/** A provider that trusts an identity of a local platform for a deployment without a key. */
const setUp = async (engine: Engine, trusted: object = {}) => {
  const world = await createWorld({ engine })
  const acme = await world.provider('northwind')
  const model_id = await acme.registerModel({ require_deployment_proof: true })
  const { issuer } = world.jobIssuer
  const workload = await acme.client.workloads.trust({
    issuer,
    subject: '1122334455',
    claims: { email: 'chat-prod@northwind.example' },
    ...trusted,
  })
  await acme.client.models.allowDeployment(model_id, { deployment_id: workload.deployment_id })
  const vouch = (claims: object = {}, audience = world.publicUrl) =>
    world.jobIssuer.vouch(audience, { sub: '1122334455', email: 'chat-prod@northwind.example', ...claims })
  const exchange = async (subject_token: string, key: CryptoKeyPair, provider_id = acme.id) =>
    world.anyone.workloads.exchange({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      provider_id,
      public_key: await spkiOf(key),
    })
  const clientOf = (apiKey: string, key: CryptoKeyPair) =>
    createClient({
      apiKey,
      baseURL: world.address,
      maxRetries: 0,
      fetch: requestSigner({ key, now: world.clock.now }),
    })
  const begin = async () => {
    const key = await newKey()
    const { access_token, ...rest } = await exchange(vouch(), key)
    return { ...rest, key, access_token, client: clientOf(access_token, key) }
  }
  return { world, acme, model_id, issuer, workload, vouch, exchange, clientOf, begin }
}

describeOnSqlite('a workload that its platform vouches for', (engine) => {
  it('mints proven links without a stored key, and each names the issuer', async () => {
    const { world, acme, model_id, issuer, workload, begin } = await setUp(engine)
    const { client, expires_in, spki_fingerprint } = await begin()
    expect(expires_in).toBe(3_600)
    const link = await client.verifications.create({ model_id })
    expect(link).toMatchObject({ deployment_id: workload.deployment_id, deployment_binding: 'workload', warnings: [] })
    const said = { issuer, subject: '1122334455', platform: new URL(issuer).host }
    expect(await world.anyone.verifications.get(link.token)).toMatchObject({
      result: 'verified',
      strength: 'deployment',
      deployment_info: { binding: 'workload', workload: said, spki_fingerprint },
    })
    expect((await world.anyone.verifications.inspect(link.token)).claims).toMatchObject({
      deployment_binding: 'workload',
      workload_issuer: issuer,
      workload_subject: said.subject,
      spki_fingerprint,
    })
    await expect
      .poll(async () => (await acme.client.deployments.list()).deployments)
      .toMatchObject([{ spki_fingerprint: null, proven_at: null, last_proven_by: 'workload' }])
  })

  it('has links that say no more of it than their tokens, even if the domain in its name was proven later', async () => {
    const subject = 'chat.northwind.example'
    const { world, acme, model_id, vouch, exchange, clientOf } = await setUp(engine, { subject })
    const key = await newKey()
    const client = clientOf((await exchange(vouch({ sub: subject }), key)).access_token, key)
    const mint = async () => {
      const link = await client.verifications.create({ model_id })
      const { claims } = await world.anyone.verifications.inspect(link.token)
      return { ...link, subject: claims?.workload_subject }
    }
    const shown = async (link: string) =>
      (await world.anyone.verifications.get(link)).deployment_info?.workload?.subject
    const check = (link: string) => world.anyone.verifications.check(link, { now: world.clock.now })
    const proven = await mint()
    expect([proven.subject, await shown(proven.token)]).toEqual([subject, subject])
    world.dns.clear()
    await acme.client.providers.verifyDomain({})
    expect(await shown(proven.token)).toBeNull()
    const unproven = await mint()
    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    expect([unproven.subject, await shown(unproven.token)]).toEqual([null, null])
    expect(await check(unproven.token)).toMatchObject({ outcome: 'provider_unverified', doubt: null })
    expect(await check(proven.token)).toMatchObject({ result: 'verified' })
  })

  it.each([
    ['acme', 'https://oidc.vercel.com/acme'],
    ['openai-officially-verified', 'oidc.vercel.com'],
    ['openai.com', 'oidc.vercel.com'],
  ])(
    'has links whose checks name its issuer by the host alone if they may not quote its path: %s',
    async (path, shown) => {
      const { world, model_id, begin } = await setUp(engine)
      const { token } = await (await begin()).client.verifications.create({ model_id })
      for (const subject of ['1122334455', 'verified by openai.com']) {
        const workload = { issuer: `https://oidc.vercel.com/${path}`, subject, spki_fingerprint: 'a'.repeat(64) }
        await world.database.transaction((tx) =>
          tx
            .updateTable('verifications')
            .set({ workload: JSON.stringify(workload) })
            .execute(),
        )
        const { checks } = await world.anyone.verifications.get(token)
        const detail = checks.find(({ check }) => check === 'deployment')?.detail
        expect(/ \((.*?)\) (said|confirmed) that /.exec(detail ?? '')?.[1]).toBe(shown)
      }
    },
  )

  it('loses its links at the next reading when it is no longer trusted', async () => {
    const { world, acme, model_id, workload, begin } = await setUp(engine)
    const { client } = await begin()
    const { token } = await client.verifications.create({ model_id })
    expect(await acme.client.workloads.list()).toMatchObject({ workloads: [{ id: workload.id }] })
    const counted = () => world.anyone.models.countDeployments(model_id)
    expect(await counted()).toEqual({ count: 1 })
    await acme.client.workloads.remove(workload.id)
    expect(await counted()).toEqual({ count: 0 })
    expect(await world.anyone.verifications.inspect(token)).toMatchObject({
      valid: false,
      change: 'authorization_removed',
    })
    const { verifications } = await acme.client.account.verifications()
    expect(verifications).toMatchObject([{ result: 'not_verified', change: 'authorization_removed' }])
    await expect(client.verifications.create({ model_id })).rejects.toMatchObject({ status: 401 })
    expect(await world.database.read.selectFrom('workload_keys').select('workload_id').execute()).toEqual([])
  })

  it('loses its links, keys and tokens when the operator no longer accepts its issuer', async () => {
    const { world, acme, model_id, workload, begin, exchange, vouch } = await setUp(engine)
    const { client } = await begin()
    const { token } = await client.verifications.create({ model_id })
    const lastProof = async () => (await acme.client.deployments.list()).deployments.map((one) => one.last_proven_by)
    await expect.poll(lastProof).toEqual(['workload'])
    await world.startReplica({ oidcIssuers: [] })
    expect(await lastProof()).toEqual([null])
    expect(await world.anyone.verifications.inspect(token)).toMatchObject({
      valid: false,
      change: 'authorization_removed',
    })
    await expect(client.verifications.create({ model_id })).rejects.toMatchObject({ status: 401 })
    expect(await acme.client.workloads.list()).toMatchObject({ workloads: [{ is_issuer_accepted: false }] })
    const { events } = await acme.client.account.events({ action: 'workload.issuer_refused' })
    expect(events).toMatchObject([{ subject_id: workload.id, actor: 'registry' }])

    // The same links are valid again, but their server needs a new key.
    await world.startReplica()
    expect(await world.anyone.verifications.inspect(token)).toMatchObject({ valid: true })
    await expect(client.verifications.create({ model_id })).rejects.toMatchObject({ status: 401 })
    await exchange(vouch(), await newKey())
    expect(await acme.client.workloads.list()).toMatchObject({ workloads: [{ is_issuer_accepted: true }] })
    expect(await lastProof()).toEqual(['workload'])
  })

  it('leaves no last proof behind, and a key to be proven, even if another identity is trusted for its deployment', async () => {
    const { world, acme, model_id, issuer, exchange, clientOf } = await setUp(engine)
    const { deployment_id } = await acme.registerDeployment([model_id])
    const trust = (subject: string) => acme.client.workloads.trust({ issuer, subject, claims: {}, deployment_id })
    const proved = await trust('leaked')
    const unproven = async () => {
      const { items } = await acme.client.account.attention()
      return items.flatMap(({ kind, subjects }) => (kind === 'deployment_unproven' ? subjects.map(({ id }) => id) : []))
    }
    expect(await unproven()).toEqual([deployment_id])
    const key = await newKey()
    const { access_token } = await exchange(world.jobIssuer.vouch(world.publicUrl, { sub: 'leaked' }), key)
    await clientOf(access_token, key).verifications.create({ model_id })
    const lastProof = async () =>
      (await acme.client.deployments.list()).deployments.find((one) => one.deployment_id === deployment_id)
        ?.last_proven_by
    await expect.poll(lastProof).toBe('workload')
    expect(await unproven()).toEqual([])
    await trust('other')
    await acme.client.workloads.remove(proved.id)
    expect(await lastProof()).toBeNull()
    expect(await unproven()).toEqual([deployment_id])
  })

  type Context = Awaited<ReturnType<typeof setUp>>
  const ends = {
    remove: ({ acme, workload }: Context) => acme.client.workloads.remove(workload.id),
    refuse: ({ world }: Context) => world.startReplica({ oidcIssuers: [] }),
    accept: ({ world }: Context) => world.startReplica(),
    revoke: ({ acme, model_id, workload }: Context) =>
      acme.client.models.revokeDeployment(model_id, workload.deployment_id),
  }

  it.each<{ name: string; first: (keyof typeof ends)[]; later: (keyof typeof ends)[]; change: string }>([
    { name: 'identity no longer trusted', first: ['remove'], later: [], change: 'authorization_removed' },
    { name: 'issuer no longer accepted', first: ['refuse'], later: [], change: 'authorization_removed' },
    {
      name: 'issuer not accepted, later revoked',
      first: ['refuse'],
      later: ['revoke'],
      change: 'authorization_removed',
    },
    { name: 'revoked, later not trusted', first: ['revoke'], later: ['remove'], change: 'authorization_removed' },
    { name: 'issuer accepted again', first: ['refuse', 'accept'], later: [], change: 'expired' },
    {
      name: 'issuer accepted again, later not trusted',
      first: ['refuse', 'accept'],
      later: ['remove'],
      change: 'expired',
    },
    { name: 'only later not trusted', first: [], later: ['remove'], change: 'expired' },
    { name: 'only later not accepted', first: [], later: ['refuse'], change: 'expired' },
  ])('has links that keep why they ended in their 15 minutes: $name', async ({ first, later, change }) => {
    const context = await setUp(engine)
    const { world, acme, model_id, begin } = context
    const { token } = await (await begin()).client.verifications.create({ model_id })
    for (const act of first) {
      world.clock.advance('60s')
      await ends[act](context)
    }
    world.clock.advance('15m')
    for (const act of later) await ends[act](context)
    expect(await world.anyone.verifications.inspect(token)).toMatchObject({ valid: false, change })
    expect(await acme.client.account.verifications()).toMatchObject({ verifications: [{ change }] })
  })

  it('exchanges a token once, even if it is sent many times at the same moment', async () => {
    const { exchange, vouch } = await setUp(engine)
    const token = vouch()
    const keys = await Promise.all(Array.from({ length: 6 }, newKey))
    const replies = await Promise.allSettled(keys.map((key) => exchange(token, key)))
    expect(replies.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    // Without a jti, the token itself counts once.
    const nameless = vouch({ jti: undefined })
    await exchange(nameless, await newKey())
    await expect(exchange(nameless, await newKey())).rejects.toMatchObject({ code: 'identity_token_invalid' })
  })
})

describeOnSqlite('workloadSigner', (engine) => {
  it('goes from an identity token to proven links, with a new key each hour', async () => {
    const { world, acme, model_id, vouch } = await setUp(engine)
    let tokens = 0
    const options = {
      registry: world.address,
      providerId: acme.id,
      token: () => {
        tokens++
        return vouch()
      },
      now: world.clock.now,
    }
    const client = createClient({ baseURL: world.address, fetch: workloadSigner(options), maxRetries: 0 })
    const mint = () => client.verifications.create({ model_id })
    const links = await Promise.all([mint(), mint(), mint()])
    expect(links.map(({ deployment_binding }) => deployment_binding)).toEqual(Array(3).fill('workload'))
    expect(tokens).toBe(1)
    world.clock.advance('56m')
    expect(await mint()).toMatchObject({ deployment_binding: 'workload' })
    expect(tokens).toBe(2)
    const stranger = workloadSigner({ ...options, token: () => vouch({ sub: 'x' }) })
    const strangers = createClient({ baseURL: world.address, fetch: stranger, maxRetries: 0 })
    await Promise.all(
      [1, 2].map(() =>
        expect(strangers.verifications.create({ model_id })).rejects.toMatchObject({
          code: 'workload_mismatch',
          problem: { claim: 'sub' },
        }),
      ),
    )
    await expect(stranger('https://other.example/')).rejects.toThrow('is not the registry')
  })
})

describeOnSqlite('the access token of a workload', (engine) => {
  it('mints links and binds answers: every other endpoint rejects it', async () => {
    const world = await createWorld({ engine })
    const { targets } = await createTargets(world)
    const exchanged = await call(world, contract.workloads.exchange, targets['workloads.exchange'])
    expect(exchanged).toMatchObject({ status: 200, body: { scope: 'mint' } })
    const may: string[] = []
    for (const { name, row } of rows.filter(({ row: { caller } }) => caller !== 'public')) {
      const reply = await call(world, row, targets[name], { apiKey: String(exchanged.body.access_token) })
      if (row.workload) {
        expect(reply.body.code, name).not.toBe('forbidden')
        may.push(name)
      } else if (row.caller === 'provider' || row.method !== 'GET')
        expect({ name, code: reply.body.code }).toEqual({ name, code: 'forbidden' })
    }
    expect(may.sort()).toEqual(['verifications.bind', 'verifications.create'])
  })
})

describeOnSqlite('an identity token of a platform', (engine) => {
  it('is rejected if any claim differs, and says which', async () => {
    const { world, vouch, exchange } = await setUp(engine)
    const rival = await world.provider('rival')
    const seconds = Math.floor(world.clock.now() / 1_000)
    const rows: [string, string, string?][] = [
      [vouch({ sub: '1122334456' }), 'sub'],
      [vouch({ sub: ['1122334455'] }), 'sub'],
      [vouch({ sub: 1_122_334_455 }), 'sub'],
      [vouch({ email: 'chat@northwind.example' }), 'email'],
      [vouch({ email: undefined }), 'email'],
      [vouch({ email: ['chat-prod@northwind.example'] }), 'email'],
      [vouch({ email_verified: false }), 'email_verified'],
      [vouch({ email_verified: 'false' }), 'email_verified'],
      [vouch({}, 'https://other.example'), 'aud'],
      [vouch({ aud: [world.publicUrl, 'https://other.example'] }), 'aud'],
      [vouch({ iss: 'https://accounts.google.com' }), 'iss'],
      [vouch({ iss: 'https://evil.example' }), 'iss'],
      [vouch({ exp: seconds - 60 }), 'exp'],
      [vouch({ exp: undefined }), 'exp'],
      [vouch({ iat: seconds + 90 }), 'iat'],
      [vouch({ nbf: seconds + 90 }), 'nbf'],
      [vouch().replace(/.{8}$/, 'AAAAAAAA'), 'signature'],
      [vouch(), 'iss', rival.id],
    ]
    for (const [token, claim, provider_id] of rows)
      await expect(exchange(token, await newKey(), provider_id), claim).rejects.toMatchObject({ problem: { claim } })
    expect(await world.database.read.selectFrom('workload_keys').select('workload_id').execute()).toEqual([])
  })

  it('gives a key that works for an hour, once, and only while the deployment is enabled', async () => {
    const { world, acme, workload, model_id, begin, exchange, vouch } = await setUp(engine)
    const { client, key } = await begin()
    await expect(exchange(vouch(), key)).rejects.toMatchObject({ code: 'validation_failed' })
    await acme.client.deployments.setStatus(workload.deployment_id, { status: 'disabled' })
    await expect(client.verifications.create({ model_id })).rejects.toMatchObject({ code: 'deployment_not_authorized' })
    await expect(exchange(vouch(), await newKey())).rejects.toMatchObject({ code: 'workload_mismatch' })
    await acme.client.deployments.setStatus(workload.deployment_id, { status: 'enabled' })
    await client.verifications.create({ model_id })
    world.clock.advance('1h')
    await expect(client.verifications.create({ model_id })).rejects.toMatchObject({ status: 401 })
    world.clock.advance('2d')
    await world.jobs.run('cleanup')
    expect(await world.database.read.selectFrom('workload_keys').select('workload_id').execute()).toEqual([])
  })

  it('makes nothing but links, and proven ones only with its own key', async () => {
    const { world, acme, model_id, begin, clientOf } = await setUp(engine)
    const { access_token, key } = await begin()
    const leaked = world.client(access_token)
    await expect(leaked.verifications.create({ model_id })).rejects.toMatchObject({ code: 'deployment_proof_required' })
    await expect(leaked.models.archive(model_id)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(clientOf(access_token, await newKey()).verifications.create({ model_id })).rejects.toMatchObject({
      code: 'deployment_not_authorized',
    })
    // The key belongs to the provider of its workload.
    const rival = await world.provider('rival')
    const theirs = await rival.registerModel()
    await expect(clientOf(rival.apiKey, key).verifications.create({ model_id: theirs })).rejects.toMatchObject({
      code: 'deployment_not_authorized',
    })
    expect(await clientOf(acme.apiKey, key).verifications.create({ model_id })).toMatchObject({
      deployment_binding: 'workload',
    })
  })

  it('counts for no other service if its platform can name the registry, even if it was trusted before', async () => {
    const { world, acme, exchange } = await setUp(engine)
    const client = '9876-chat.apps.googleusercontent.com'
    const visitor = { issuer: 'https://accounts.google.com', subject: '42', claims: { email: 'ceo@acme.example' } }
    await expect(acme.client.workloads.trust({ ...visitor, audience: client })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await acme.client.workloads.trust(visitor)
    await world.database.transaction((tx) =>
      tx.updateTable('workloads').set({ audience: client }).where('subject', '=', '42').execute(),
    )
    const signedIn = world.jobIssuer.vouch(client, { iss: visitor.issuer, sub: '42', email: 'ceo@acme.example' })
    await expect(exchange(signedIn, await newKey())).rejects.toMatchObject({ problem: { claim: 'iss' } })
    const azure = `https://login.microsoftonline.com/${crypto.randomUUID()}/v2.0`
    expect(await acme.client.workloads.trust({ issuer: azure, subject: '42', audience: 'api://chat' })).toMatchObject({
      audience: 'api://chat',
    })
  })

  it('is trusted only of known platforms and listed issuers, and once', async () => {
    const { acme, issuer, workload } = await setUp(engine)
    const trust = (input: object) => acme.client.workloads.trust({ issuer, subject: 'x', ...input })
    for (const unknown of [
      'https://evil.example',
      'https://accounts.google.com.evil.example',
      'http://accounts.google.com',
    ])
      await expect(trust({ issuer: unknown })).rejects.toMatchObject({ code: 'validation_failed' })
    for (const wrong of [{ subject: '' }, { subject: 'a\nb' }, { claims: { aud: 'x' } }, { claims: { email: '' } }])
      await expect(trust(wrong)).rejects.toMatchObject({ code: 'validation_failed' })
    const {
      id: _,
      platform,
      created_at: __,
      last_used_at: ___,
      audience: ____,
      is_issuer_accepted: _____,
      ...same
    } = workload
    expect(platform).toBe(new URL(issuer).host)
    await expect(trust(same)).rejects.toMatchObject({ code: 'workload_exists' })
    await expect(trust({ deployment_id: 'dep_06dh0e3x7c9bw4vjz2n8qk5ytm' })).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await trust({ issuer: 'https://accounts.google.com' })).toMatchObject({ platform: 'Google Cloud' })
  })

  it('is trusted only with the number that a recreated repository or project does not have', async () => {
    const { acme } = await setUp(engine)
    for (const [issuer, id] of [
      ['https://token.actions.githubusercontent.com', 'repository_id'],
      ['https://gitlab.com', 'project_id'],
      ['https://oidc.vercel.com/northwind', 'project_id'],
    ] as const) {
      const named = { issuer, subject: 'repo:northwind/chat:ref:refs/heads/main' }
      const trust = (claims: Record<string, string>) => acme.client.workloads.trust({ ...named, claims })
      await expect(trust({ environment: 'production' })).rejects.toMatchObject({
        code: 'validation_failed',
        detail: expect.stringContaining(id),
      })
      expect(await trust({ [id]: '740112233' })).toMatchObject(named)
    }
  })
})
