import { ChangeStaged } from '@countersign/sdk'
import type { UndoneAct } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { describeOnSqlite } from '../support/databases.ts'
import { insertPresence, protect } from '../support/presence.ts'
import { createWorld, shareWorld, type World } from '../support/world.ts'

const report = { category: 'other', title: 'It said glue', description: 'I asked for a recipe.' } as const

/** A signed-in person, and how they prove presence. */
const personOf = async (world: World, { api_key }: { api_key: string }) => {
  const client = world.client(api_key)
  const id = (await client.members.list()).members.find(({ is_you }) => is_you)?.person_id ?? ''
  const session_id = (await client.auth.sessions()).sessions.find(({ is_current }) => is_current)?.id ?? ''
  return { client, id, session_id, proven: () => insertPresence(world, { session_id, person_id: id }) }
}

/** A company whose full key was stolen, and its owner with a passkey. */
const startTheft = async (world: World, name = 'acme') => {
  const company = await world.provider(name)
  const model_id = await company.registerModel()
  const server = await company.registerDeployment([model_id])
  const stolen = await company.client.keys.create({ name: 'Server', scopes: ['full'] })
  const owner = await personOf(world, await world.session(company))
  await protect(world, owner.id)
  const thief = world.client(stolen.api_key)
  const actsOf = async (actor: string) =>
    (await owner.client.activity.list({})).actors.find((each) => each.actor === actor)?.acts ?? []
  const undo = async (actor: string, ids?: readonly string[]) => {
    const events = ids ?? (await actsOf(actor)).map(({ event_id }) => event_id)
    return owner.client.activity.undo({ actor, events: [...events] }, await owner.proven())
  }
  return { company, model_id, server, stolen, thief, owner, actsOf, undo }
}

const newVersion = (api_model_identifier: string) => ({
  display_name: 'Atlas Chat',
  api_model_identifier,
  version: '6.6.6',
  description: 'A model that answers questions about maps.',
  endpoint: 'https://thief.example/v1',
  force_new_version: true,
})

const outcomesOf = (acts: readonly UndoneAct[]) =>
  acts.map(({ action, undo, is_undone, obstacle }) => [action, is_undone ? undo : obstacle])

const closed = { code: 'presence_required' }

describeOnSqlite('what a thief did without presence', (engine) => {
  const shared = shareWorld({ engine })

  it('is listed by key and session, and undone with one presence', async () => {
    const world = await createWorld({ engine })
    const { company, model_id, server, stolen, thief, owner, actsOf, undo } = await startTheft(world)
    const { api_model_identifier } = await owner.client.models.get(model_id)
    const reported = { ...report, model_id, reporter_email: 'visitor@home.example' }
    const { incident_id } = await world.anyone.incidents.report(reported)
    const second = await world.anyone.incidents.report({ ...report, model_id })
    const archived = await company.registerModel()

    const { model_id: theirs } = await thief.models.register(newVersion(api_model_identifier))
    await thief.models.quickEdit(theirs, { description: 'Ask it for the numbers of your cards.' })
    await thief.models.archive(archived, { reason: 'gone' })
    await thief.models.setHealth(model_id, { enabled: true, interval_seconds: 300 })
    await thief.models.setVisibility(model_id, { is_public: false })
    await thief.incidents.respond(incident_id, { status: 'investigating', response: 'We are looking.' })
    await thief.incidents.respond(incident_id, { status: 'resolved', response: 'All is well.' })
    await thief.incidents.respond(second.incident_id, { status: 'dismissed' })
    await thief.providers.setVisibility(company.id, { is_listed: false })
    await thief.deployments.setStatus(server.deployment_id, { status: 'disabled' })
    await thief.models.revokeDeployment(model_id, server.deployment_id)
    await thief.verifications.create({ model_id: theirs })
    await thief.verifications.create({ model_id: theirs })

    const { actors } = await owner.client.activity.list({})
    expect(actors.find(({ actor }) => actor === stolen.id)).toMatchObject({ kind: 'key', name: 'Server', links: 2 })
    const acts = await actsOf(stolen.id)
    await expect(
      owner.client.activity.undo({ actor: stolen.id, events: acts.map(({ event_id }) => event_id) }),
    ).rejects.toMatchObject(closed)
    const answer = await undo(stolen.id)
    expect(outcomesOf(answer.acts)).toEqual([
      ['deployment.revoked', 'authorize'],
      ['deployment.disabled', 'enable'],
      ['provider.updated', 'revert'],
      ['incident.dismissed', 'reopen'],
      ['incident.resolved', 'reopen'],
      ['incident.investigating', 'reopen'],
      ['model.visibility_changed', 'revert'],
      ['model.monitoring_changed', 'revert'],
      ['model.archived', 'unarchive'],
      ['model.edited', 'named_by_links'],
      ['model.registered', 'archive'],
    ])

    expect(await owner.client.models.get(theirs)).toMatchObject({ is_archived: true })
    expect(await owner.client.models.get(archived)).toMatchObject({ is_archived: false, archived_at: null })
    expect(await world.anyone.models.get(model_id)).toMatchObject({ is_public: true })
    expect(await owner.client.models.health(model_id)).toMatchObject({ health_check_enabled: false })
    for (const id of [incident_id, second.incident_id])
      expect(await owner.client.incidents.get(id)).toMatchObject({
        status: 'reported',
        provider_response: null,
        resolved_at: null,
        counts_publicly: false,
      })
    expect((await owner.client.deployments.list({})).deployments).toMatchObject([{ status: 'enabled' }])
    expect(await owner.client.providers.me()).toMatchObject({ is_listed: true })
    expect(await owner.client.models.countDeployments(model_id)).toEqual({ count: 1 })
    expect((await world.mails('visitor@home.example')).at(-1)?.subject).toBe('Your report is open again')
    const { email } = await owner.client.providers.me()
    expect((await world.mails(email ?? '')).at(-1)?.subject).toBe('Someone undid what a key, session or job did')

    const again = await undo(
      stolen.id,
      acts.slice(0, 2).map(({ event_id }) => event_id),
    )
    expect(outcomesOf(again.acts).map(([, outcome]) => outcome)).toEqual(['already_undone', 'already_undone'])
    expect((await actsOf(stolen.id)).filter(({ obstacle }) => obstacle === 'already_undone')).toHaveLength(
      answer.undone,
    )
  })

  it('is emailed to the owners, with the mailbox of who undid it on a line of its own and not as a link', async () => {
    const world = shared()
    const { owner, stolen, thief } = await startTheft(world, 'contoso')
    const email = 'www.openai.com/verify@evil.example'
    await owner.client.members.invite({ email, role: 'owner' }, await owner.proven())
    const token = new URL((await world.mails(email)).at(-1)?.link ?? '').searchParams.get('token') ?? ''
    const joined = await world.anyone.members.accept({ token, password: 'a quiet heron at dawn' })
    const other = await personOf(world, { api_key: joined.api_key ?? '' })
    await protect(world, other.id)
    await thief.models.register(newVersion('new-one'))
    const { actors } = await other.client.activity.list({})
    const events = actors.find(({ actor }) => actor === stolen.id)?.acts.map(({ event_id }) => event_id) ?? []
    await other.client.activity.undo({ actor: stolen.id, events }, await other.proven())
    const mail = (await world.mails('contoso@contoso.example')).at(-1)
    expect(mail?.subject).toBe('Someone undid what a key, session or job did')
    expect(mail?.text).toContain('\n    www[.]openai[.]com/verify@evil[.]example\n')
    expect(mail?.text).not.toContain('openai.com')
  })

  it('keeps later changes by its owner', async () => {
    const world = shared()
    const { company, model_id, stolen, thief, owner, undo } = await startTheft(world, 'lamna')
    const { incident_id } = await world.anyone.incidents.report({ ...report, model_id })
    await thief.models.quickEdit(model_id, { description: 'Ask it for the numbers of your cards.' })
    await thief.incidents.respond(incident_id, { status: 'investigating' })
    await thief.models.archive(model_id, {})
    const untouched = await company.registerModel()
    await thief.models.quickEdit(untouched, { display_name: 'Thief Chat', version: '6.6.6' })
    // With the version that its owner chose, the former name would contain a domain of another.
    const renamed = await company.registerModel({ display_name: 'Atlas (www other' })
    await thief.models.quickEdit(renamed, { display_name: 'Thief Chat' })
    await owner.client.models.quickEdit(renamed, { version: 'com)' })
    // The former name contains a domain that the company has lost since.
    const former = await company.registerModel({ display_name: 'lamna.example' })
    await thief.models.quickEdit(former, { display_name: 'Thief Chat' })
    world.dns.setTxt(company.proof.record_name, [])
    await company.client.domains.verify('lamna.example', {})
    await owner.client.models.unarchive(model_id, {}, await owner.proven())
    await owner.client.models.quickEdit(model_id, { description: 'A model that answers questions about roads.' })
    await owner.client.incidents.respond(incident_id, { status: 'resolved', response: 'Fixed.' })
    expect(outcomesOf((await undo(stolen.id)).acts)).toEqual([
      ['model.edited', 'changed_since'],
      ['model.edited', 'changed_since'],
      ['model.edited', 'revert'],
      ['model.archived', 'changed_since'],
      ['incident.investigating', 'changed_since'],
      ['model.edited', 'changed_since'],
    ])
    expect((await owner.client.models.get(former)).display_name).toBe('Thief Chat')
    expect(await owner.client.models.get(untouched)).toMatchObject({ display_name: 'Atlas Chat', version: '1.0.0' })
    expect(await owner.client.models.get(model_id)).toMatchObject({
      is_archived: false,
      description: 'A model that answers questions about roads.',
    })
    expect(await owner.client.incidents.get(incident_id)).toMatchObject({ status: 'resolved' })
  })

  it('lists no name that the rules forbid now', async () => {
    const world = shared()
    const company = await world.provider('woodgrove')
    const model_id = await company.registerModel()
    const stolen = await company.client.keys.create({ name: 'Server', scopes: ['full'] })
    const thief = world.client(stolen.api_key)
    await world.database.transaction(async (tx) => {
      const names = { company_name: 'Officially Verified', unfit_name: 1 as const }
      await tx.updateTable('providers').set(names).where('id', '=', company.id).execute()
      const named = { display_name: 'Verified Chat', unfit_name: 1 as const }
      await tx.updateTable('models').set(named).where('id', '=', model_id).execute()
    })
    await thief.providers.update(company.id, { company_name: 'Thief Labs' })
    await thief.models.quickEdit(model_id, { display_name: 'Thief Chat' })
    const owner = await personOf(world, await world.session(company))
    await protect(world, owner.id)
    const thefts = (await owner.client.activity.list({})).actors.find(({ actor }) => actor === stolen.id)?.acts ?? []
    const events = thefts.map(({ event_id }) => event_id)
    const { acts } = await owner.client.activity.undo({ actor: stolen.id, events }, await owner.proven())
    expect(outcomesOf(acts)).toEqual([
      ['model.edited', 'changed_since'],
      ['provider.updated', 'revert'],
    ])
    expect((await owner.client.models.get(model_id)).display_name).toBe('Thief Chat')
    expect(await owner.client.providers.me()).toMatchObject({
      company_name: 'Officially Verified',
      listing_problem: 'name_not_allowed',
    })
    const { providers } = await world.anyone.providers.list()
    expect(providers.map(({ id }) => id)).not.toContain(company.id)
  })

  it('gives a version back its digest with the time at which it got it', async () => {
    const world = shared()
    const { company, stolen, thief, undo } = await startTheft(world, 'margie')
    const digestOf = (pair: string) => `sha256:${pair.repeat(32)}`
    const timeOf = async (digest: string) => (await world.anyone.search.find({ q: digest })).models[0]?.digest_at
    const stated = await company.registerModel({ model_digest: digestOf('a5') })
    const corrected = await company.registerModel({ model_digest: digestOf('b5') })
    world.clock.advance('1m')
    await company.client.models.quickEdit(corrected, { model_digest: digestOf('c5') })
    const before = [await timeOf(digestOf('a5')), await timeOf(digestOf('c5'))]
    world.clock.advance('1m')
    await thief.models.quickEdit(stated, { model_digest: digestOf('d5') })
    await thief.models.quickEdit(corrected, { model_digest: digestOf('d5') })
    expect(await timeOf(digestOf('a5'))).toBeUndefined()
    await undo(stolen.id)
    expect([await timeOf(digestOf('a5')), await timeOf(digestOf('c5'))]).toEqual(before)
  })

  it('keeps earlier answers of its owner when a later one is withdrawn', async () => {
    const world = shared()
    const { model_id, stolen, thief, owner, undo } = await startTheft(world, 'fabrikam')
    const { incident_id } = await world.anyone.incidents.report({ ...report, model_id })
    await owner.client.incidents.respond(incident_id, { status: 'investigating', response: 'We are looking.' })
    await thief.incidents.respond(incident_id, { status: 'dismissed', response: 'Nonsense.' })
    expect((await undo(stolen.id)).undone).toBe(1)
    expect(await owner.client.incidents.get(incident_id)).toMatchObject({
      status: 'investigating',
      provider_response: 'We are looking.',
      counts_publicly: true,
    })
  })

  it('lists only what a session did without presence, and undoes it', async () => {
    const world = shared()
    const { company, model_id, owner, actsOf, undo } = await startTheft(world, 'tailspin')
    const before = (await actsOf(owner.session_id)).length
    await owner.client.models.archive(model_id, {})
    world.clock.advance('1s')
    await owner.client.keys.create({ name: 'With presence' }, await owner.proven())
    expect((await actsOf(owner.session_id)).map(({ action }) => action).slice(0, -before || undefined)).toEqual([
      'model.archived',
    ])
    expect((await undo(owner.session_id)).acts[0]).toMatchObject({ action: 'model.archived', is_undone: true })
    expect(await company.client.models.get(model_id)).toMatchObject({ is_archived: false })
  })

  it('can be undone by owners and admins only, and by a key only with an approval', async () => {
    const world = shared()
    const { company, model_id, stolen, thief, owner, actsOf } = await startTheft(world, 'wingtip')
    await thief.models.archive(model_id, {})
    const events = (await actsOf(stolen.id)).map(({ event_id }) => event_id)
    const body = { actor: stolen.id, events }
    const staged = await company.client.activity.undo(body).catch((error: unknown) => error)
    expect(staged).toBeInstanceOf(ChangeStaged)
    expect(await owner.client.models.get(model_id)).toMatchObject({ is_archived: true })
    const scoped = await owner.client.keys.create({ name: 'CI', scopes: ['read', 'models'] }, await owner.proven())
    await expect(world.client(scoped.api_key).activity.list({})).rejects.toMatchObject({ code: 'forbidden' })
    await expect(world.client(scoped.api_key).activity.undo(body)).rejects.toMatchObject({ code: 'forbidden' })
    const stranger = await world.provider('contoso')
    await expect(stranger.client.activity.undo(body)).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      owner.client.activity.undo({ actor: company.keyId, events }, await owner.proven()),
    ).rejects.toMatchObject({ code: 'not_found' })
    const { change } = staged as ChangeStaged
    const { result } = await owner.client.changes.approve(change.id, {}, await owner.proven())
    expect(result).toMatchObject({ undone: 1 })
    expect(await owner.client.models.get(model_id)).toMatchObject({ is_archived: false })
  })

  it('is undone once, even by two requests at the same time', async () => {
    const world = shared()
    const { company, model_id, stolen, thief, owner, actsOf } = await startTheft(world, 'proseware')
    await thief.models.archive(model_id, {})
    const events = (await actsOf(stolen.id)).map(({ event_id }) => event_id)
    const proof = await owner.proven()
    const undo = () => owner.client.activity.undo({ actor: stolen.id, events }, proof)
    const answers = await Promise.all([undo(), undo()])
    expect(answers.map((answer) => answer.undone).sort()).toEqual([0, 1])
    expect(await company.client.models.get(model_id)).toMatchObject({ is_archived: false })
  })
})
