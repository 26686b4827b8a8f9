import { publisherIssuers } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { ask, comparable } from '../support/ask.ts'
import { describeEachEngine, describeOnSqlite } from '../support/databases.ts'
import { insertOwner } from '../support/people.ts'
import { createWorld, type World } from '../support/world.ts'

const pauseOf = (world: World) => world.clock.advance('1s')

describeEachEngine('the links of a provider', (engine) => {
  it('lists only the caller’s, newest first, page by page, with all known fields', async () => {
    const world = await createWorld({ engine })
    const [acme, northwind] = [await world.provider('acme'), await world.provider('northwind')]
    const model_id = await acme.registerModel()
    const other = await acme.registerModel({ display_name: 'Other model' })
    const { spki_fingerprint, deployment_id } = await acme.registerDeployment([model_id])
    await northwind.client.verifications.create({ model_id: await northwind.registerModel() })
    for (let index = 0; index < 4; index++) {
      pauseOf(world)
      await acme.client.verifications.create({ model_id: index % 2 ? other : model_id })
    }
    pauseOf(world)
    const { token } = await acme.client.verifications.create(
      { model_id, user_fingerprint: 'user-1', challenge: 'blue otter', metadata: { chat: 7 }, response: 'Oslo' },
      { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } },
    )
    for (const counted of [true, false, false])
      expect(await world.anyone.verifications.opened(token)).toEqual({ counted })
    expect(await acme.client.verifications.opened(token)).toEqual({ counted: false })

    const page = await acme.client.account.verifications({ limit: 2 })
    expect(page).toMatchObject({ total: 5, total_is_lower_bound: false })
    expect(page.verifications[0]).toMatchObject({
      model_id,
      model_name: 'Atlas Chat',
      model_version: '1.0.0',
      deployment_id,
      deployment_binding: 'self-asserted',
      // Tokens contain whole seconds.
      issued_at: new Date(Math.floor(world.clock.now() / 1_000) * 1_000).toISOString(),
      expires_at: new Date(Math.floor(world.clock.now() / 1_000) * 1_000 + 900_000).toISOString(),
      opened_at: new Date(world.clock.now()).toISOString(),
      // Visits of its own provider do not count.
      opened_count: 3,
      challenge: 'blue otter',
      metadata: { chat: 7 },
      bound_to_response: true,
    })
    expect(page.verifications[0]?.user_fp).not.toBe('user-1')
    expect(page.verifications[1]).toMatchObject({
      model_id: other,
      deployment_id: null,
      opened_at: null,
      opened_count: 0,
      metadata: null,
      bound_to_response: false,
    })
    const all = await acme.client.account.verifications({ limit: 2 }).toArray()
    expect(new Set(all.map(({ id }) => id)).size).toBe(5)
    const times = all.map(({ issued_at }) => issued_at)
    expect(times).toEqual([...times].sort().reverse())

    const ofOther = await acme.client.account.verifications({ model_id: other })
    expect(ofOther).toMatchObject({ total: 2, next_cursor: null })
    expect(ofOther.verifications.map((one) => one.model_name)).toEqual(['Other model', 'Other model'])
    expect(await northwind.client.account.verifications({ model_id })).toMatchObject({ verifications: [], total: 0 })
  })

  it('counts exactly up to ten thousand, then reports that there are more', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const { token } = await acme.client.verifications.create({ model_id })
    expect(token).not.toBe('')
    const [first] = await world.database.read.selectFrom('verifications').selectAll().execute()
    if (!first) throw new Error('No link')
    const add = async (from: number, to: number) => {
      for (let at = from; at < to; at += 500) {
        const rows = Array.from({ length: Math.min(500, to - at) }, (_, index) => ({
          ...first,
          id: `vrf_${String(at + index).padStart(26, '0')}`,
          code_key: `code ${at + index}`,
        }))
        await world.database.transaction((tx) => tx.insertInto('verifications').values(rows).execute())
      }
    }
    await add(0, 9_999)
    expect(await acme.client.account.verifications({ limit: 1 })).toMatchObject({
      total: 10_000,
      total_is_lower_bound: false,
    })
    await add(9_999, 10_000)
    expect(await acme.client.account.verifications({ limit: 1, model_id })).toMatchObject({
      total: 10_000,
      total_is_lower_bound: true,
    })
  })
})

describeOnSqlite('the links of a provider', (engine) => {
  it("shows the same verdict as the link's page, however it ended", async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const mint = async () => {
      const model_id = await acme.registerModel()
      const { spki_fingerprint, deployment_id } = await acme.registerDeployment([model_id])
      const headers = { 'X-Client-Cert-Fingerprint': spki_fingerprint }
      const { token, verification_id: id } = await acme.client.verifications.create({ model_id }, { headers })
      return { token, id, model_id, deployment_id }
    }
    const expired = await mint()
    world.clock.advance('16m')
    const links = {
      good: await mint(),
      archived: await mint(),
      deleted: await mint(),
      disabled: await mint(),
      expired,
      revoked: await mint(),
      invalid: await mint(),
    }
    await acme.client.models.archive(links.archived.model_id, {})
    await acme.client.deployments.delete(links.deleted.deployment_id)
    await acme.client.deployments.setStatus(links.disabled.deployment_id, { status: 'disabled' })
    await acme.client.models.revokeDeployment(links.revoked.model_id, links.revoked.deployment_id)
    await world.database.transaction((tx) =>
      tx.updateTable('models').set({ bundle_status: 'invalid' }).where('id', '=', links.invalid.model_id).execute(),
    )
    const judged = async () => {
      const { verifications } = await acme.client.account.verifications({})
      return Promise.all(
        Object.entries(links).map(async ([name, { token, id }]) => {
          const listed = verifications.find((one) => one.id === id)
          const { result, reason, change } = await world.anyone.verifications.inspect(token)
          expect({ name, result: listed?.result, reason: listed?.reason, change: listed?.change }).toEqual({
            name,
            result,
            reason,
            change,
          })
          return listed?.change ?? listed?.reason ?? listed?.result
        }),
      )
    }
    expect(await judged()).toEqual([
      'verified',
      'model_archived',
      'deployment_deleted',
      'deployment_disabled',
      'expired',
      'authorization_removed',
      'bundle_invalid',
    ])
    world.dns.clear()
    await acme.client.providers.verifyDomain({})
    expect((await judged())[0]).toBe('provider_unverified')
  })
})

describeEachEngine('the trail of a provider', (engine) => {
  it('lists only the caller’s events, newest first, page by page, for everything or for one entity', async () => {
    const world = await createWorld({ engine })
    const [acme, northwind] = [await world.provider('acme'), await world.provider('northwind')]
    pauseOf(world)
    const model_id = await acme.registerModel()
    pauseOf(world)
    await acme.client.models.archive(model_id, { reason: 'Old' })
    const events = await acme.client.account.events({ limit: 2 }).toArray()
    expect(events.map(({ action }) => action)).toEqual([
      'model.archived',
      'model.registered',
      'domain.verified',
      'key.created',
      'provider.registered',
    ])
    expect(events[0]).toMatchObject({
      actor: acme.keyId,
      subject_type: 'model',
      subject_id: model_id,
      after: { archive_reason: 'Old' },
    })
    expect((await acme.client.account.events({ subject_id: model_id })).events).toHaveLength(2)
    expect((await northwind.client.account.events({ subject_id: model_id })).events).toEqual([])
    expect(JSON.stringify(events)).not.toContain('@acme.example')
  })

  it('can be filtered by kind, action, time or entity, and uses current names', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const began = new Date(world.clock.now()).toISOString()
    world.clock.advance('2d')
    const model_id = await acme.registerModel()
    const { deployment_id } = await acme.registerDeployment([model_id])
    world.clock.advance('1s')
    const noon = new Date(world.clock.now()).toISOString()
    world.clock.advance('2d')
    const { id: key_id } = await acme.client.keys.create({ name: 'ci' })
    await acme.client.models.archive(model_id, { reason: 'Old' })
    const of = async (query: Parameters<typeof acme.client.account.events>[0]) =>
      (await acme.client.account.events({ limit: 1, ...query }).toArray()).map(({ action }) => action)

    expect(await of({ subject_type: 'model' })).toEqual(['model.archived', 'model.registered'])
    expect(await of({ action: 'key.created' })).toEqual(['key.created', 'key.created'])
    expect(await of({ since: noon })).toEqual(['model.archived', 'key.created'])
    expect(await of({ until: began })).toEqual([])
    expect(await of({ subject_type: 'key', since: noon })).toEqual(['key.created'])
    expect(await of({ subject_type: 'model', until: noon })).toEqual(['model.registered'])
    expect(await of({ subject_id: `${model_id} ${deployment_id}` })).toEqual(['deployment.authorized'])
    await expect(acme.client.account.events({ action: 'nothing' as 'key.created' })).rejects.toMatchObject({
      code: 'validation_failed',
    })

    const [archived, created] = (await acme.client.account.events({ since: noon })).events
    expect(archived).toMatchObject({ subject_name: 'Atlas Chat', actor: acme.keyId })
    expect(created).toMatchObject({ subject_id: key_id, subject_name: 'ci', actor_name: archived?.actor_name })
    expect(archived?.actor_name).toEqual(expect.any(String))
  })
})

describeOnSqlite('the attention list', (engine) => {
  it('is empty at first, then lists the most urgent first, with counts and entities', async () => {
    const world = await createWorld({ engine })
    const [acme, northwind] = [await world.provider('acme'), await world.provider('northwind')]
    const verifyMailbox = (email_verified_at: number | null) =>
      world.database.transaction((tx) =>
        tx.updateTable('providers').set({ email_verified_at }).where('id', '=', acme.id).execute(),
      )
    await verifyMailbox(1)
    expect(await acme.client.account.attention()).toEqual({ open_incidents: 0, items: [] })

    const model_id = await acme.registerModel()
    const failing = await acme.registerModel({ display_name: 'Failing' })
    const archived = await acme.registerModel({ display_name: 'Archived' })
    await world.database.transaction(async (tx) => {
      await tx.updateTable('models').set({ bundle_status: 'invalid' }).where('id', 'in', [model_id, archived]).execute()
      await tx
        .updateTable('models')
        .set({ health_check_enabled: 1, health_status: 'unhealthy' })
        .where('id', '=', failing)
        .execute()
    })
    await acme.client.models.archive(archived, {})
    const { token } = await acme.client.verifications.create({ model_id })
    const report = { category: 'other', title: 'It was rude', description: 'It called me names.' } as const
    await world.anyone.incidents.report({ ...report, model_id, severity: 'critical' })
    await world.anyone.incidents.report({ ...report, verification_token: token })
    const { incident_id } = await world.anyone.incidents.report({ ...report, model_id, severity: 'low' })
    await acme.client.incidents.respond(incident_id, { status: 'dismissed' })
    const [unproven, disabled, idle] = [
      await acme.registerDeployment([model_id]),
      await acme.registerDeployment([model_id]),
      await acme.registerDeployment([]),
    ]
    for (const { deployment_id } of [disabled, idle])
      await acme.client.deployments.setStatus(deployment_id, { status: 'disabled' })
    const key = await acme.client.keys.create({ name: 'Release job', expires_in_days: 7 })
    await acme.client.keys.create({ name: 'Of next month', expires_in_days: 30 })
    await verifyMailbox(null)

    const known = { verified: 0 }
    const waiting = [
      { kind: 'incident_critical', count: 1, verified: 0, subjects: [] },
      { ...known, kind: 'bundle_invalid', count: 1, subjects: [{ id: model_id, name: 'Atlas Chat 1.0.0', at: null }] },
      { kind: 'incident_open', count: 2, verified: 1, subjects: [] },
      { ...known, kind: 'endpoint_failing', count: 1, subjects: [{ id: failing, name: 'Failing 1.0.0', at: null }] },
      {
        ...known,
        kind: 'email_unverified',
        count: 1,
        subjects: [{ id: acme.id, name: 'acme@acme.example', at: null }],
      },
      { ...known, kind: 'key_expiring', count: 1, subjects: [{ id: key.id, name: 'Release job', at: key.expires_at }] },
      {
        ...known,
        kind: 'deployment_disabled',
        count: 2,
        subjects: [idle, disabled].map(({ deployment_id }) => expect.objectContaining({ id: deployment_id })),
      },
      {
        ...known,
        kind: 'deployment_unproven',
        count: 1,
        subjects: [expect.objectContaining({ id: unproven.deployment_id })],
      },
    ]
    expect(await acme.client.account.attention()).toEqual({ open_incidents: 2, items: waiting })
    expect((await acme.client.incidents.list({ status: 'open' })).total).toBe(2)
    expect((await acme.client.incidents.list({ status: 'open', severity: 'critical' })).incidents).toMatchObject([
      { severity: 'critical' },
    ])
    expect((await northwind.client.account.attention()).items.map(({ kind }) => kind)).toEqual(['email_unverified'])

    world.dns.clear()
    await acme.client.providers.verifyDomain({})
    expect((await acme.client.account.attention()).items.map(({ kind }) => kind).slice(0, 3)).toEqual([
      'incident_critical',
      'bundle_invalid',
      'domain_lost',
    ])
    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    world.dns.fail(acme.proof.record_name, 'servfail')
    world.clock.advance('25h')
    await world.jobs.run('domains')
    expect((await acme.client.account.attention()).items.find(({ kind }) => kind === 'domain_stale')).toMatchObject({
      count: 1,
      subjects: [{ id: acme.id, name: 'acme.example' }],
    })
  })

  it('names a primary domain that was never proven, and counts changes by compromised keys that wait', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const read = async () =>
      (await acme.client.account.attention()).items.filter(({ kind }) => kind !== 'email_unverified')
    const kinds = async () => (await read()).map(({ kind, count }) => [kind, count])
    expect(await kinds()).toEqual([])
    const leaked = await acme.client.keys.create({ name: 'Leaked', scopes: ['full'] })
    await world.client(leaked.api_key).deployments.register({ spki_fingerprint: 'ab'.repeat(32) })
    await acme.client.keys.compromise(leaked.id)
    expect(await kinds()).toContainEqual(['review_waiting', 1])
    const [review] = (await acme.client.keys.reviews()).reviews
    await acme.client.keys.review(review?.id ?? '', { decision: 'withdrawn' })
    expect(await kinds()).toEqual([])
    await acme.client.providers.update(acme.id, { website: 'https://northwind.example' })
    expect(await read()).toMatchObject([
      { kind: 'domain_unproven', count: 1, subjects: [{ name: 'northwind.example' }] },
    ])
  })
})

describeOnSqlite('the emails that a provider receives', (engine) => {
  it('are chosen one by one, with the defaults of the specification', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme', { isVerified: false })
    const defaults = { incident_reported: true, weekly_reports: false, security_alerts: true }
    expect(await acme.client.account.notifications()).toEqual(defaults)
    const chosen = { ...defaults, weekly_reports: true, security_alerts: false }
    expect(await acme.client.account.setNotifications({ weekly_reports: true, security_alerts: false })).toEqual(chosen)
    expect(await acme.client.account.setNotifications({})).toEqual(chosen)
    expect(await acme.client.account.notifications()).toEqual(chosen)
    const [event] = (await acme.client.account.events()).events
    expect(event).toMatchObject({
      action: 'notifications.changed',
      before: { weekly_reports: false, security_alerts: true },
      after: { weekly_reports: true, security_alerts: false },
    })
  })

  it('do not include security alerts once they are switched off, except a last one about switching them off', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await world.database.transaction((tx) =>
      tx.updateTable('providers').set({ email_verified_at: 1 }).where('id', '=', acme.id).execute(),
    )
    const addKey = async () => {
      await acme.client.keys.create({ name: 'Release job' })
      return (await world.mails('acme@acme.example')).length
    }
    expect(await addKey()).toBe(1)
    await acme.client.account.setNotifications({ security_alerts: false })
    // The alerts that follow.
    expect((await world.mails('acme@acme.example')).at(-1)?.subject).toBe('Security alerts were switched off')
    expect(await addKey()).toBe(2)
  })

  it('report every added key and publisher, but never to an unverified mailbox', async () => {
    const world = await createWorld({ engine, oidcIssuers: [{ kind: 'github', issuer: publisherIssuers.github }] })
    const acme = await world.provider('acme')
    const publisher = { kind: 'github', repository: 'acme/models', workflow: 'release.yml' } as const
    await acme.client.keys.create({ name: 'Before' })
    expect(await world.mails('acme@acme.example')).toEqual([])
    await world.database.transaction((tx) =>
      tx.updateTable('providers').set({ email_verified_at: 1 }).where('id', '=', acme.id).execute(),
    )
    const { api_key } = await acme.client.keys.create({
      name: 'Release job',
      scopes: ['models', 'read'],
      expires_in_days: 30,
    })
    await acme.client.publishers.add(publisher)
    const [key, added, ...others] = await world.mails('acme@acme.example')
    expect(others).toEqual([])
    expect(key?.text).toMatch(/> Release job\n[\s\S]*restricted to: models, read, and expires on \d{4}-/)
    expect(key?.text).not.toContain(api_key)
    expect(key?.link).toBe(`${world.publicUrl}/dashboard?tab=settings&section=keys`)
    expect(added?.text).toContain('> “acme/models”')
    expect(added?.link).toBe(`${world.publicUrl}/dashboard?tab=settings&section=publishers`)
    await acme.client.account.setNotifications({ security_alerts: false })
    await acme.client.keys.create({ name: 'After' })
    expect(await world.mails('acme@acme.example')).toHaveLength(3)
  })
})

describeOnSqlite('a deactivated provider', (engine) => {
  it('is gone for everyone, its links too, but can read its own data and reactivate itself', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const { token } = await acme.client.verifications.create({ model_id })
    expect(await acme.client.providers.deactivate(acme.id, {})).toMatchObject({
      is_active: false,
      message: 'Provider deactivated',
    })

    const url = (path: string) => `${world.address}/api/v1/${path}`
    const unknown = [
      await ask(url('providers/prv_06dh0e3x7c9bw4vjz2n8qk5ytm/public')),
      await ask(url('models/mdl_06dh0e3x7c9bw4vjz2n8qk5ytm/public')),
    ]
    const gone = [await ask(url(`providers/${acme.id}/public`)), await ask(url(`models/${model_id}/public`))]
    expect(gone.map(comparable)).toEqual(unknown.map(comparable))
    await expect(world.anyone.verifications.get(token)).rejects.toMatchObject({ status: 404, code: 'link_gone' })
    expect((await world.anyone.providers.list({})).providers).toEqual([])
    expect((await world.anyone.models.list({})).models).toEqual([])

    for (const attempt of [
      () => acme.client.verifications.create({ model_id }),
      () => acme.client.providers.update(acme.id, { industry: 'Maps' }),
      () => acme.client.providers.getPrivate(acme.id),
      () => acme.client.keys.create({ name: 'x' }),
      () => acme.client.account.events(),
      () => acme.client.providers.deactivate(acme.id, {}),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 403, code: 'provider_deactivated' })
    expect(await acme.client.providers.me()).toMatchObject({ id: acme.id, is_active: false, domain_verified: true })

    expect(await acme.client.providers.reactivate(acme.id, {})).toMatchObject({ is_active: true })
    expect(await acme.client.providers.reactivate(acme.id, {})).toMatchObject({ is_active: true })
    expect((await world.anyone.verifications.get(token)).status).toBe('verified')
    expect((await world.anyone.models.list({})).models).toHaveLength(1)
    const { events } = await acme.client.account.events({ subject_id: acme.id })
    expect(events.map(({ action }) => action).slice(0, 2)).toEqual(['provider.reactivated', 'provider.deactivated'])
  })
})

describeOnSqlite('an owner whose provider is deactivated', (engine) => {
  it('gets an error that says how to come back, and can still revoke keys and change the password', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { client, token } = await world.session(acme)
    const leaked = await client.keys.create({ name: 'Leaked' })
    await client.providers.deactivate(acme.id, {})
    const { email } = await client.providers.me()
    const again = await world.anyone.auth.login({ email: email ?? '', password: 'a quiet heron at dawn' })
    expect(await world.client(again.token).providers.me()).toMatchObject({ id: acme.id, is_active: false })
    for (const key of [acme.apiKey, token]) {
      const refused = world.client(key).account.events()
      await expect(refused).rejects.toMatchObject({
        status: 403,
        code: 'provider_deactivated',
        detail: expect.stringMatching(/deactivated.*reactivate/is),
      })
    }
    expect((await client.keys.list()).map(({ name }) => name)).toContain('Leaked')
    expect(await client.keys.revoke(leaked.id)).toMatchObject({ is_active: false })
    const passwords = { current_password: 'a quiet heron at dawn', new_password: 'another heron at dusk' }
    const changed = await client.auth.changePassword(passwords)
    expect(await world.client(changed.token).providers.reactivate(acme.id, {})).toMatchObject({ is_active: true })
  })
})

/** Rows of one account in every table that can contain its data. */
const createFullAccount = async (world: World) => {
  const acme = await world.provider('canary')
  const { client, id } = acme
  await client.providers.update(id, {
    description: 'canary description',
    phone_number: '+47 canary',
    support_email: 'canary@canary.example',
    hq_city: 'canary city',
    github_url: 'https://github.example/canary',
    specialties: ['canary'],
    compliance_certifications: ['canary'],
  })
  const model_id = await acme.registerModel({
    display_name: 'Atlas',
    api_model_identifier: 'atlas',
    endpoint: 'https://api.example',
  })
  const { deployment_id } = await acme.registerDeployment([model_id])
  await client.deployments.register({
    spki_fingerprint: 'ab'.repeat(32),
    cloud_identity: 'canary',
    labels: { owner: 'canary' },
  })
  const { token } = await client.verifications.create({ model_id, metadata: { who: 'canary' }, challenge: 'canary' })
  await client.keys.create({ name: 'canary' })
  const at = world.clock.now()
  const email_norm = 'canary@canary.example'
  await world.database.transaction(async (tx) => {
    const person_id = await insertOwner(tx, { provider_id: id, at })
    await tx
      .insertInto('logos')
      .values({ provider_id: id, id: 'lgo_x', bytes: Buffer.from('canary'), created_at: at })
      .execute()
    await tx.insertInto('passwords').values({ person_id, hash: 'canary', set_at: at }).execute()
    await tx
      .insertInto('identities')
      .values({
        issuer: 'https://github.example',
        subject: 'canary',
        person_id,
        login: 'canary',
        email: email_norm,
        linked_at: at,
      })
      .execute()
    await tx
      .insertInto('sessions')
      .values({
        person_id,
        provider_id: id,
        id: 'ses_x',
        token_hash: 'x',
        user_agent: 'canary',
        created_at: at,
        last_used_at: at,
        expires_at: at,
        revoked_at: null,
      })
      .execute()
    await tx
      .insertInto('registrations')
      .values({
        id: 'reg_x',
        email: email_norm,
        email_norm,
        company_name: 'canary',
        website: null,
        password_hash: null,
        cookie_hash: null,
        confirmation_hash: 'x',
        created_at: at,
        expires_at: at,
        completed_at: null,
      })
      .execute()
    const oneTime = {
      purpose: 'reset',
      registration_id: null,
      code_hash: null,
      cookie_hash: null,
      attempts: 0,
      created_at: at,
    } as const
    const token = { ...oneTime, expires_at: at, used_at: null, data: '"canary"' }
    await tx
      .insertInto('one_time_tokens')
      .values({ ...token, hash: 'a', provider_id: id, email_norm: null })
      .execute()
    await tx
      .insertInto('one_time_tokens')
      .values({ ...token, hash: 'b', provider_id: null, email_norm })
      .execute()
    await tx
      .insertInto('mails')
      .values({
        id: 'mal_x',
        recipient: email_norm,
        subject: 'x',
        body_text: 'canary',
        body_html: 'canary',
        attempts: 0,
        due_at: at,
        created_at: at,
        sent_at: null,
      })
      .execute()
    await tx
      .insertInto('incidents')
      .values({
        provider_id: id,
        id: 'inc_x',
        model_id,
        verification_id: null,
        category: 'other',
        severity: 'low',
        status: 'reported',
        title: 'x',
        description: 'x',
        reference_url: null,
        screenshot_url: null,
        reporter_email: 'canary@reporter.example',
        reporter_fingerprint: 'canary',
        is_verified_report: 0,
        counts_publicly: 0,
        provider_response: null,
        created_at: at,
        updated_at: at,
        resolved_at: null,
        digested_at: null,
      })
      .execute()
  })
  return { acme, model_id, deployment_id, token }
}

/** The entire database as text. */
const dump = async (world: World) => {
  const tables = await world.database.read.introspection.getTables()
  const names = tables
    .map(({ name }) => name)
    .filter((name) => !/^sqlite_|_(data|idx|docsize|config|content)$/.test(name))
  expect(names).toContain('identities')
  const rows = names.map(
    async (name) =>
      [
        name,
        await world.database.read
          .selectFrom(name as 'providers')
          .selectAll()
          .execute(),
      ] as const,
  )
  // The use of a key is recorded a moment later.
  return (await Promise.all(rows)).flatMap(([name, found]) =>
    found.map((row) => `${name} ${textOf(name === 'api_keys' ? { ...row, last_used_at: null } : row)}`),
  )
}

const textOf = (row: object) =>
  JSON.stringify(Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value)))

describeOnSqlite('a deleted account', (engine) => {
  it('leaves no personal data in the database; the trail of actions stays', async () => {
    const world = await createWorld({ engine })
    const { acme } = await createFullAccount(world)
    const holders = (await dump(world)).filter((row) => /canary/i.test(row)).map((row) => row.split(' ')[0])
    for (const table of [
      'providers',
      'logos',
      'passwords',
      'identities',
      'sessions',
      'registrations',
      'one_time_tokens',
      'mails',
      'incidents',
      'events',
      'api_keys',
      'deployments',
    ])
      expect(holders).toContain(table)
    expect(await acme.client.providers.delete(acme.id)).toMatchObject({ provider_id: acme.id })
    // Its members still exist as people: they sign in, and erase themselves.
    const email = 'canary@canary.example'
    await world.anyone.auth.forgotPassword({ email })
    const reset = new URL((await world.mails(email)).at(-1)?.link ?? '').searchParams.get('token') ?? ''
    const { auth_token } = await world.anyone.auth.setPassword({ token: reset, password: 'a quiet heron at dawn' })
    expect((await world.client(auth_token).providers.me()).verification_level).toBe('unregistered')
    const { person_id } = await world.client(auth_token).account.deleteMe({ current_password: 'a quiet heron at dawn' })
    expect(person_id).toMatch(/^per_/)
    await expect(world.client(auth_token).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    await world.database.transaction((tx) => tx.deleteFrom('mails').execute())
    // Domains stay in the transparency log, which no one can change; its names are salted hashes.
    const domainInLog = /(?<=^log_.*)(?<!@)canary\.example/g
    const left = async () =>
      (await dump(world))
        .filter((row) => /canary/i.test(row.replaceAll(domainInLog, '')))
        .map((row) => row.split(' ')[0])
    expect(await left()).toEqual(['link_snapshots', 'verifications'])
    await world.jobs.run('erasure')
    expect(await left()).toEqual(['link_snapshots'])
    // The domain that its links named stays with them, for reports.
    world.clock.advance('31d')
    await world.jobs.run('cleanup')
    expect(await left()).toEqual([])
    const events = await world.database.read
      .selectFrom('events')
      .select(['action', 'actor'])
      .where('provider_id', '=', acme.id)
      .orderBy('id')
      .execute()
    expect(events.map(({ action }) => action)).toContain('provider.registered')
    expect(events.at(-1)).toEqual({ action: 'provider.deleted', actor: acme.keyId })
  })

  it('is gone: its key, its pages, its models, and its links say so', async () => {
    const world = await createWorld({ engine })
    const { acme, model_id, token } = await createFullAccount(world)
    await acme.client.providers.delete(acme.id)
    await expect(acme.client.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(world.anyone.providers.get(acme.id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(world.anyone.models.get(model_id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(world.anyone.verifications.get(token)).rejects.toMatchObject({ status: 404, code: 'link_gone' })
    expect((await world.anyone.search.find({ q: 'canary' })).providers).toEqual([])
    expect((await world.anyone.models.list({})).models).toEqual([])
  })

  it('frees its domain and its fingerprints', async () => {
    const world = await createWorld({ engine })
    const { acme } = await createFullAccount(world)
    await acme.client.providers.delete(acme.id)
    const next = await world.provider('canary')
    expect(await next.client.providers.me()).toMatchObject({ domain_verified: true })
    await next.client.deployments.register({ spki_fingerprint: 'ab'.repeat(32) })
  })

  it('removes no data of an address that it never verified', async () => {
    const world = await createWorld({ engine })
    await createFullAccount(world)
    const mallory = await world.anyone.providers.register({
      company_name: 'Mallory',
      email: 'canary@canary.example',
      website: 'https://mallory.example',
    })
    const before = await dump(world)
    await world.client(mallory.api_key).providers.delete(mallory.provider_id)
    const after = new Set(await dump(world))
    const lost = before.filter((row) => !after.has(row) && !row.includes(mallory.provider_id))
    expect(lost).toEqual([])
  })

  it('can be deleted while it is deactivated', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    await acme.client.providers.deactivate(acme.id, {})
    await acme.client.providers.delete(acme.id)
    await expect(acme.client.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
  })
})
