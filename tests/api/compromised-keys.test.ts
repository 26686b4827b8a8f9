import { once } from 'node:events'
import { request } from 'node:http'
import { createClient } from '@countersign/sdk'
import type { KeyReview } from '@countersign/sdk/contract'
import { workloadSigner } from '@countersign/sdk/workload'
import { expect, it } from 'vitest'
import { randomFingerprint } from '../support/actors.ts'
import { describeOnSqlite, type Engine } from '../support/databases.ts'
import { declareOwnKey, proveSigner } from '../support/signers.ts'
import { ecKeys } from '../support/sigstore/keys.ts'
import { createWorld } from '../support/world.ts'

const publisher = { kind: 'github', repository: 'mallory/release', workflow: 'release.yml' } as const
const signer = {
  kind: 'identity',
  issuer: 'https://accounts.mallory.example',
  identity: 'ops@mallory.example',
} as const

/** A provider whose full key was stolen, and the thief. */
const startTheft = async (engine: Engine) => {
  const world = await createWorld({ engine })
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel()
  const stolen = await acme.client.keys.create({ name: 'Server', scopes: ['full'] })
  return { world, acme, model_id, stolen, thief: world.client(stolen.api_key) }
}

const kindsOf = (reviews: readonly KeyReview[]) => reviews.map(({ kind }) => kind).sort()

describeOnSqlite('a key that is reported as compromised', (engine) => {
  it('ends the links that were minted with it, on every replica, and no others', async () => {
    const { world, acme, model_id, stolen, thief } = await startTheft(engine)
    const replica = await world.startReplica()
    const session = await world.session(acme)
    const forged = await thief.verifications.create({ model_id })
    const own = [
      await acme.client.verifications.create({ model_id }),
      await session.client.verifications.create({ model_id }),
    ]
    const { key } = await acme.client.keys.compromise(stolen.id)
    expect(key).toMatchObject({
      id: stolen.id,
      is_active: false,
      revoked_at: expect.any(String),
      compromised_since: expect.any(String),
    })
    for (const client of [world.anyone, replica.client()]) {
      await expect(client.verifications.get(forged.verification_url)).rejects.toMatchObject({
        code: 'link_revoked',
        problem: { result: 'not_verified', reason: 'revoked', change: 'api_key_compromised' },
      })
      for (const { token } of own) expect(await client.verifications.get(token)).toMatchObject({ result: 'verified' })
    }
    const { verifications } = await acme.client.account.verifications({})
    expect(verifications.map(({ change }) => change).sort()).toEqual(['api_key_compromised', null, null])
    await expect(thief.verifications.create({ model_id })).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('no longer binds answers as the provider: those that it bound since, and those being bound', async () => {
    const { world, acme, model_id, stolen, thief } = await startTheft(engine)
    const [first, second, third] = await Promise.all(
      Array.from({ length: 3 }, () => acme.client.verifications.create({ model_id })),
    )
    const tokens = [first, second, third].map((link) => link?.token ?? '')
    const boundBy = () =>
      Promise.all(
        tokens.map(async (token) => (await world.anyone.verifications.get(token)).bound_answer?.bound_by ?? null),
      )
    const [before = '', after = '', meanwhile = ''] = tokens
    await thief.verifications.bind(before, { response_text: 'Before the leak.' })
    world.clock.advance('2s')
    const since = new Date(world.clock.now()).toISOString()
    await world.anyone.verifications.bind(after, { response_text: 'A stranger’s.' })
    const { bound_token } = await thief.verifications.bind(after, { response_text: 'The thief’s.' })
    expect(await boundBy()).toEqual(['provider', 'provider', null])
    await Promise.allSettled([
      acme.client.keys.compromise(stolen.id, { since }),
      ...Array.from({ length: 5 }, () => thief.verifications.bind(meanwhile, { response_text: 'Meanwhile.' })),
    ])
    const [kept, disowned, raced] = await boundBy()
    expect([kept, disowned]).toEqual(['provider', 'bearer'])
    expect(raced).not.toBe('provider')
    const shown = await world.anyone.verifications.check(bound_token, { now: world.clock.now })
    expect(shown.verification?.bound_answer?.bound_by ?? null).not.toBe('provider')
    await acme.client.verifications.bind(after, { response_text: 'The model’s.' })
    expect((await boundBy())[1]).toBe('provider')
  })

  it('ends links that were being minted when it was reported', async () => {
    const { world, acme, model_id, stolen, thief } = await startTheft(engine)
    const minted = Promise.allSettled(Array.from({ length: 12 }, () => thief.verifications.create({ model_id })))
    await acme.client.keys.compromise(stolen.id)
    const links = (await minted).filter(({ status }) => status === 'fulfilled')
    const { verifications } = await acme.client.account.verifications({})
    expect(verifications.length).toBeGreaterThanOrEqual(links.length)
    expect(verifications.every(({ change }) => change === 'api_key_compromised')).toBe(true)
    expect(await world.database.read.selectFrom('verifications').select('api_key_id').execute()).toEqual(
      verifications.map(() => ({ api_key_id: stolen.id })),
    )
  })

  it('ends a request whose body was still being sent, without effect', async () => {
    const { world, acme, stolen } = await startTheft(engine)
    const late = request(`${world.address}/api/v1/models/register`, {
      method: 'POST',
      headers: { 'x-api-key': stolen.api_key, 'content-type': 'application/json' },
    })
    const answered = once(late, 'response')
    late.write('{"display_name": "Thief Chat", "api_model_identifier": "thief", ')
    await once(late, 'socket')
    await acme.client.keys.compromise(stolen.id)
    late.end('"version": "1", "description": "A model unknown at Acme.", "endpoint": "https://api.acme.example/v1"}')
    const [answer] = await answered
    expect(answer.statusCode).toBe(401)
    await once(answer.resume(), 'close')
  })
})

describeOnSqlite('a key that is reported as compromised', (engine) => {
  it('ends only links from the time that its owner gives', async () => {
    const { world, acme, model_id, stolen, thief } = await startTheft(engine)
    const before = await thief.verifications.create({ model_id })
    world.clock.advance('2m')
    const since = new Date(world.clock.now()).toISOString()
    const after = await thief.verifications.create({ model_id })
    const { key } = await acme.client.keys.compromise(stolen.id, { since })
    expect(Date.parse(key.compromised_since ?? '')).toBeLessThanOrEqual(Date.parse(since))
    const changeOf = async (token: string) => (await world.anyone.verifications.inspect(token)).change
    expect([await changeOf(before.token), await changeOf(after.token)]).toEqual([null, 'api_key_compromised'])
    // A later report with an earlier time counts; one with a later time changes nothing.
    await acme.client.keys.compromise(stolen.id)
    await acme.client.keys.compromise(stolen.id, { since })
    expect(await changeOf(before.token)).toBe('api_key_compromised')
  })

  it('loses the platform identities that it trusted until they are confirmed, and its invitations for good', async () => {
    const { world, acme, stolen, thief } = await startTheft(engine)
    const { deployment_id } = await acme.registerDeployment()
    const identity = { issuer: world.jobIssuer.issuer, subject: 'mallory', deployment_id }
    const { id } = await thief.workloads.trust(identity)
    await thief.members.invite({ email: 'mallory@rival.example', role: 'owner' })
    await acme.client.members.invite({ email: 'ada@acme.example', role: 'owner' })
    const { reviews } = await acme.client.keys.compromise(stolen.id)
    expect(reviews).toMatchObject([{ kind: 'workload', subject_id: id, name: 'mallory' }])
    expect((await acme.client.workloads.list()).workloads).toEqual([])
    const { invitations } = await acme.client.members.list()
    expect(invitations.map(({ email }) => email)).toEqual(['ada@acme.example'])
    await acme.client.keys.review(reviews[0]?.id ?? '', { decision: 'confirmed' })
    expect((await acme.client.workloads.list()).workloads).toMatchObject([identity])
  })

  it('gets a platform identity back that proves nothing if its issuer is no longer accepted', async () => {
    const { world, acme, model_id, stolen, thief } = await startTheft(engine)
    const subject = 'chat-prod'
    const { issuer } = world.jobIssuer
    const { deployment_id } = await acme.registerDeployment([model_id])
    const { id } = await thief.workloads.trust({ issuer, subject, deployment_id })
    const signer = workloadSigner({
      registry: world.address,
      providerId: acme.id,
      token: () => world.jobIssuer.vouch(world.publicUrl, { sub: subject }),
      now: world.clock.now,
    })
    const client = createClient({ baseURL: world.address, fetch: signer, maxRetries: 0 })
    const { token } = await client.verifications.create({ model_id })
    const { reviews } = await acme.client.keys.compromise(stolen.id)
    const replica = await world.startReplica({ oidcIssuers: [] })
    await replica.client(acme.apiKey).keys.review(reviews[0]?.id ?? '', { decision: 'confirmed' })
    const stateOf = async () => {
      const { valid, change } = await world.anyone.verifications.inspect(token)
      const { workloads } = await acme.client.workloads.list()
      return { valid, change, workloads: workloads.map((one) => [one.id, one.is_issuer_accepted]) }
    }
    expect(await stateOf()).toEqual({ valid: false, change: 'authorization_removed', workloads: [[id, false]] })
    const { events } = await acme.client.account.events({ action: 'workload.issuer_refused' })
    expect(events).toMatchObject([{ subject_id: id, actor: 'registry' }])
    await world.startReplica()
    expect(await stateOf()).toEqual({ valid: true, change: null, workloads: [[id, true]] })
  })

  it('gets a platform identity back that proves its servers if its issuer is accepted again', async () => {
    const { world, acme, stolen, thief } = await startTheft(engine)
    const { deployment_id } = await acme.registerDeployment()
    await thief.workloads.trust({ issuer: world.jobIssuer.issuer, subject: 'chat-prod', deployment_id })
    await world.startReplica({ oidcIssuers: [] })
    const { reviews } = await acme.client.keys.compromise(stolen.id)
    await world.startReplica()
    await acme.client.keys.review(reviews[0]?.id ?? '', { decision: 'confirmed' })
    expect((await acme.client.workloads.list()).workloads).toMatchObject([{ is_issuer_accepted: true }])
  })

  it('suspends later changes by it and by keys it created, and leaves changes by others', async () => {
    const { world, acme, model_id, stolen, thief } = await startTheft(engine)
    const own = await acme.registerDeployment([model_id])
    const made = await thief.keys.create({ name: 'Spare', scopes: ['full'] })
    const second = world.client(made.api_key)
    const { deployment_id } = await thief.deployments.register({ spki_fingerprint: randomFingerprint() })
    await second.models.allowDeployment(model_id, { deployment_id })
    await second.publishers.add({ ...publisher, issuer: world.jobIssuer.issuer })
    const declared = await second.signers.declare({ signer })
    const version = await thief.models.register({
      display_name: 'Atlas Pro',
      api_model_identifier: 'atlas-pro',
      version: '1',
      description: 'A model that no one at Acme knows.',
      endpoint: 'https://api.acme.example/v1',
    })
    const { revoked_keys, reviews } = await acme.client.keys.compromise(stolen.id)
    expect(revoked_keys).toEqual([made.id])
    expect(kindsOf(reviews)).toEqual(['authorization', 'deployment', 'publisher', 'signer', 'version'])
    await expect(second.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    const deployments = await acme.client.deployments.list().toArray()
    expect(deployments.find((one) => one.deployment_id === deployment_id)).toMatchObject({
      status: 'disabled',
      authorized_models: [],
    })
    expect(deployments.find((one) => one.deployment_id === own.deployment_id)).toMatchObject({ status: 'enabled' })
    expect((await acme.client.publishers.list()).publishers).toEqual([])
    expect((await acme.client.signers.list({})).signers).toEqual([])
    expect((await acme.client.keys.reviews()).reviews.map(({ decision }) => decision)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ])
    // A second report finds nothing new.
    expect((await acme.client.keys.compromise(stolen.id)).reviews).toEqual([])

    const decide = async (decision: 'confirmed' | 'withdrawn') => {
      for (const { id } of (await acme.client.keys.reviews()).reviews.filter((review) => review.decision === null))
        expect(await acme.client.keys.review(id, { decision })).toMatchObject({
          decision,
          decided_at: expect.any(String),
        })
    }
    await decide('confirmed')
    const back = (await acme.client.deployments.list().toArray()).find((one) => one.deployment_id === deployment_id)
    expect(back).toMatchObject({ status: 'enabled', authorized_models: [{ id: model_id }] })
    expect((await acme.client.publishers.list()).publishers).toMatchObject([{ repository: publisher.repository }])
    expect((await acme.client.signers.list({})).signers).toMatchObject([{ id: declared.id }])
    expect((await acme.client.models.get(version.model_id)).archived_at).toBeNull()
    expect((await acme.client.keys.compromise(stolen.id)).reviews).toEqual([])
    const [first] = (await acme.client.keys.reviews()).reviews
    await expect(acme.client.keys.review(first?.id ?? '', { decision: 'withdrawn' })).rejects.toMatchObject({
      code: 'already_decided',
    })
  })

  it('permanently ends the changes that its owner withdraws', async () => {
    const { acme, model_id, stolen, thief } = await startTheft(engine)
    const { deployment_id } = await thief.deployments.register({ spki_fingerprint: randomFingerprint() })
    await thief.models.allowDeployment(model_id, { deployment_id })
    const { api_model_identifier } = await acme.client.models.get(model_id)
    const copied = await thief.models.register({
      display_name: 'Atlas Chat',
      api_model_identifier,
      version: '2',
      description: 'A version that no one at Acme knows.',
      endpoint: 'https://api.acme.example/v1',
      force_new_version: true,
      copy_authorizations: true,
    })
    const { reviews } = await acme.client.keys.compromise(stolen.id)
    expect(kindsOf(reviews)).toEqual(['authorization', 'authorization', 'deployment', 'version'])
    for (const { id } of reviews) await acme.client.keys.review(id, { decision: 'withdrawn' })
    expect(await acme.client.deployments.list().toArray()).toEqual([])
    expect((await acme.client.models.get(copied.model_id)).archived_at).not.toBeNull()
    expect((await acme.client.account.events({ action: 'key.reviewed' })).events).toHaveLength(4)
  })

  const startTakeover = async () => {
    const { world, acme, stolen, thief, model_id } = await startTheft(engine)
    await acme.client.models.archive(model_id, { reason: 'Unsafe' })
    const { domain_proof } = await thief.domains.add({ domain: 'thief.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await thief.domains.verify('thief.example', {})
    await thief.domains.verify('acme.example', {})
    await thief.domains.makePrimary('thief.example', {})
    await thief.providers.update(acme.id, { company_name: 'Thief Corp' })
    await thief.models.unarchive(model_id, {})
    const before = await acme.client.verifications.create({ model_id, origin: 'https://chat.thief.example' })
    const { reviews } = await acme.client.keys.compromise(stolen.id)
    const decide = async (decision: 'confirmed' | 'withdrawn') => {
      for (const { id } of reviews) await acme.client.keys.review(id, { decision })
    }
    const primary = async () =>
      (await acme.client.domains.list()).domains.map(({ domain, status }) => `${domain} ${status}`)
    return { world, acme, thief, model_id, before, reviews, decide, primary }
  }

  it('no longer vouches for the domain, the name and the version that it restored', async () => {
    const { world, acme, model_id, before, reviews, decide, primary } = await startTakeover()
    expect(kindsOf(reviews)).toEqual(['domain', 'primary_domain', 'profile', 'unarchived'])
    expect(reviews.find(({ kind }) => kind === 'profile')?.name).toMatch(/ → Thief Corp$/)
    expect(await primary()).toEqual(['acme.example proven', 'thief.example unproven'])
    await expect(world.anyone.verifications.get(before.token)).rejects.toMatchObject({ code: 'link_archived' })
    expect(await acme.client.domains.verify('thief.example', {})).toMatchObject({ reason: 'claim_blocked' })
    const other = await acme.registerModel()
    const after = await acme.client.verifications.create({ model_id: other })
    expect(await world.anyone.verifications.get(after.token)).toMatchObject({
      result: 'verified',
      provider: { domain: 'acme.example' },
    })
    await decide('withdrawn')
    expect(await primary()).toEqual(['acme.example proven'])
    expect((await acme.client.providers.me()).company_name).not.toBe('Thief Corp')
    expect((await acme.client.models.get(model_id)).archived_at).not.toBeNull()
    expect((await acme.client.keys.reviews()).reviews.every(({ decision }) => decision === 'withdrawn')).toBe(true)
  })

  it('no longer vouches for a domain of another stolen key that it confirmed', async () => {
    const { world, acme, stolen, thief } = await startTheft(engine)
    const second = await acme.client.keys.create({ name: 'Stolen as well', scopes: ['full'] })
    const { domain_proof } = await thief.domains.add({ domain: 'thief.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await thief.domains.verify('thief.example', {})
    const [review] = (await acme.client.keys.compromise(stolen.id)).reviews
    world.clock.advance('1m')
    await world.client(second.api_key).keys.review(review?.id ?? '', { decision: 'confirmed' })
    const { reviews } = await acme.client.keys.compromise(second.id)
    expect(reviews).toMatchObject([{ kind: 'domain', subject_id: 'thief.example' }])
    expect((await acme.client.domains.list()).domains.map(({ domain, status }) => `${domain} ${status}`)).toEqual([
      'acme.example proven',
      'thief.example unproven',
    ])
  })

  it('has the versions that it edited reviewed', async () => {
    const { acme, model_id, stolen, thief } = await startTheft(engine)
    await thief.models.quickEdit(model_id, { display_name: 'Thief Chat' })
    const { reviews } = await acme.client.keys.compromise(stolen.id)
    expect(reviews).toMatchObject([{ kind: 'version', subject_id: model_id, name: 'Thief Chat 1.0.0' }])
    await acme.client.keys.review(reviews[0]?.id ?? '', { decision: 'withdrawn' })
    await expect(acme.client.verifications.create({ model_id })).rejects.toMatchObject({ code: 'model_archived' })
  })

  it('can be reported even after adding the maximum number of domains', async () => {
    const { world, acme, model_id, stolen, thief } = await startTheft(engine)
    const { domain_proof } = await thief.domains.add({ domain: 'thief.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await thief.domains.verify('thief.example', {})
    await thief.domains.makePrimary('thief.example', {})
    await thief.domains.remove('acme.example')
    for (let number = 2; number <= 20; number += 1) await thief.domains.add({ domain: `thief-${number}.example` })
    const { token } = await thief.verifications.create({ model_id })
    const { reviews } = await acme.client.keys.compromise(stolen.id)
    await expect(world.anyone.verifications.get(token)).rejects.toMatchObject({ code: 'link_revoked' })
    for (const { id } of reviews) await acme.client.keys.review(id, { decision: 'withdrawn' })
    expect((await acme.client.domains.list()).domains.map(({ domain }) => domain)).toEqual(['acme.example'])
  })

  it('restores the changes that its owner confirms', async () => {
    const { acme, model_id, decide, primary } = await startTakeover()
    await decide('confirmed')
    expect(await primary()).toEqual(['thief.example proven', 'acme.example proven'])
    expect(await acme.client.providers.me()).toMatchObject({
      company_name: 'Thief Corp',
      domain: 'thief.example',
      domain_verified: true,
    })
    expect((await acme.client.models.get(model_id)).archived_at).toBeNull()
  })

  it('loses its website, its primary domain with it, and the proofs of signers', async () => {
    const { acme, stolen, thief } = await startTheft(engine)
    const own = ecKeys()
    await declareOwnKey(thief, own)
    await thief.providers.update(acme.id, { website: 'https://thief.example' })
    const declared = async () => (await acme.client.signers.list({})).signers.map(({ proven_at }) => proven_at !== null)
    expect(await declared()).toEqual([true])
    const { reviews } = await acme.client.keys.compromise(stolen.id)
    expect(kindsOf(reviews)).toEqual(['domain', 'primary_domain', 'profile', 'signer'])
    expect((await acme.client.providers.me()).domain).toBe('acme.example')
    for (const { id, kind } of reviews)
      await acme.client.keys.review(id, { decision: kind === 'signer' ? 'confirmed' : 'withdrawn' })
    expect((await acme.client.providers.me()).website).toBe('https://acme.example')
    expect(await declared()).toEqual([true])
  })

  it('loses the proof of a signer that its owner had declared, until they confirm it', async () => {
    const { acme, stolen, thief } = await startTheft(engine)
    const keys = ecKeys()
    const public_key = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const { id } = await acme.client.signers.declare({ signer: { kind: 'key', public_key } })
    await proveSigner(thief, id, keys)
    const isProven = async () => (await acme.client.signers.list({})).signers.map(({ proven_at }) => proven_at !== null)
    const { reviews } = await acme.client.keys.compromise(stolen.id)
    expect(kindsOf(reviews)).toEqual(['signer_proof'])
    expect(await isProven()).toEqual([false])
    await acme.client.keys.review(reviews[0]?.id ?? '', { decision: 'confirmed' })
    expect(await isProven()).toEqual([true])
  })

  it('is reported by its provider only, and emails the owner', async () => {
    const { world, acme, stolen } = await startTheft(engine)
    const rival = await world.provider('rival')
    await expect(rival.client.keys.compromise(stolen.id)).rejects.toMatchObject({ code: 'not_found' })
    await world.database.transaction((tx) =>
      tx.updateTable('providers').set({ email_verified_at: 1 }).where('id', '=', acme.id).execute(),
    )
    await acme.client.keys.compromise(stolen.id, { since: new Date(world.clock.now()).toISOString() })
    const { email } = await acme.client.providers.me()
    const told = (await world.mails(email ?? '')).find(
      ({ subject }) => subject === 'An API key of your account was reported as compromised',
    )
    expect(told?.text).toMatch(/links made with it since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC are no longer valid/)
  })
})
