import { expect, it } from 'vitest'
import { describeEachEngine, describeOnSqlite } from '../support/databases.ts'
import { insertPresence, protect } from '../support/presence.ts'
import { shareWorld, type World } from '../support/world.ts'

const dayMs = 24 * 3_600_000
const password = 'a quiet heron at dawn'

const signIn = async (world: World, { api_key }: { api_key: string }) => {
  const client = world.client(api_key)
  const person_id = (await client.members.list()).members.find(({ is_you }) => is_you)?.person_id ?? ''
  const session_id = (await client.auth.sessions()).sessions.find(({ is_current }) => is_current)?.id ?? ''
  return { client, person_id, proven: () => insertPresence(world, { session_id, person_id }) }
}

/** A protected provider with two owners. */
const createCompany = async (world: World, name: string) => {
  const company = await world.provider(name)
  const head = await signIn(world, await world.session(company))
  const email = `bo@${name}.example`
  await head.client.members.invite({ email, role: 'owner' })
  const token = new URL((await world.mails(email)).at(-1)?.link ?? '').searchParams.get('token') ?? ''
  const other = await signIn(world, await world.anyone.members.accept({ token, password }))
  await protect(world, head.person_id)
  return { company, head, other, mailboxes: [`${name}@${name}.example`, email] }
}

const undoTokenOf = async (world: World, mailbox: string) =>
  new URL((await world.mails(mailbox)).at(-1)?.link ?? '').searchParams.get('token') ?? ''

const publish = (world: World, { record_name, record_value }: { record_name: string; record_value: string }) =>
  world.dns.setTxt(record_name, [record_value])

const prove = async (world: World, { client, proven }: Awaited<ReturnType<typeof signIn>>, domain: string) => {
  publish(world, (await client.domains.add({ domain }, await proven())).domain_proof)
  await client.domains.verify(domain, {})
}

const stateOf = async (world: World, { id }: { id: string }) =>
  (await world.database.read.selectFrom('changes').select('state').where('id', '=', id).executeTakeFirst())?.state

describeEachEngine('deleting a protected provider', (engine) => {
  const shared = shareWorld({ engine })

  it('takes effect once on three replicas, after 24 hours; all owners are emailed', async () => {
    const world = shared()
    const { company, head, mailboxes } = await createCompany(world, 'acme')
    await expect(head.client.providers.delete(company.id)).rejects.toMatchObject({ code: 'presence_required' })
    const asked = await head.client.providers.delete(company.id, await head.proven()).withResponse()
    expect(asked.response.status).toBe(202)
    expect(asked.data).toMatchObject({ provider_id: company.id, change_id: expect.stringMatching(/^chg_/) })
    expect(Date.parse(asked.data.deletes_at) - world.clock.now()).toBe(dayMs)
    // Asking again changes nothing.
    expect(await head.client.providers.delete(company.id, await head.proven())).toMatchObject({
      deletes_at: asked.data.deletes_at,
    })
    for (const mailbox of mailboxes) {
      const mail = (await world.mails(mailbox)).at(-1)
      expect(mail?.subject).toBe('Your company will be deleted in 24 hours')
      expect(mail?.text).toContain('acme@acme[.]example')
    }
    expect(await company.client.providers.me()).toMatchObject({ delayed_changes: 1 })
    expect((await company.client.account.attention()).items.map(({ kind }) => kind)).toContain('change_delayed')

    world.clock.advance('23h')
    await world.jobs.run('delayed-changes')
    expect(await company.client.providers.me()).toMatchObject({ id: company.id })
    world.clock.advance('1h')
    const replicas = [world, await world.startReplica(), await world.startReplica()]
    await Promise.all(replicas.map(({ jobs }) => jobs.run('delayed-changes')))
    await expect(company.client.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    const deleted = await world.database.read
      .selectFrom('events')
      .select('action')
      .where('provider_id', '=', company.id)
      .where('action', '=', 'provider.deleted')
      .execute()
    expect(deleted).toHaveLength(1)
  })

  it('is cancelled by another owner with the email, once, and by any owner in the console', async () => {
    const world = shared()
    const { company, head, other, mailboxes } = await createCompany(world, 'northwind')
    const first = await head.client.providers.delete(company.id, await head.proven())
    const token = await undoTokenOf(world, mailboxes[1] ?? '')
    const undone = await Promise.allSettled(Array.from({ length: 3 }, () => world.anyone.changes.undo({ token })))
    expect(undone.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await company.client.changes.get(first.change_id ?? '')).toMatchObject({
      state: 'cancelled',
      decided_by: mailboxes[1],
      takes_effect_at: null,
    })
    expect((await world.mails(mailboxes[0] ?? '')).at(-1)).toMatchObject({
      subject: 'A change to your company was cancelled',
    })

    const second = await head.client.providers.delete(company.id, await head.proven())
    expect(await other.client.changes.cancel(second.change_id ?? '')).toMatchObject({ state: 'cancelled' })
    await expect(head.client.changes.cancel(second.change_id ?? '')).rejects.toMatchObject({ code: 'already_decided' })
    world.clock.advance('1d')
    await world.jobs.run('delayed-changes')
    expect(await company.client.providers.me()).toMatchObject({ delayed_changes: 0 })
  })
})

describeOnSqlite('a protected provider', (engine) => {
  const shared = shareWorld({ engine })

  it('changes its primary domain after 24 hours, to the last one requested', async () => {
    const world = shared()
    const { company, head } = await createCompany(world, 'contoso')
    for (const domain of ['contoso-ai.example', 'contoso-labs.example']) await prove(world, head, domain)
    const asked = await head.client.domains.makePrimary('contoso-ai.example', {}, await head.proven())
    expect(asked).toMatchObject({ is_primary: false, becomes_primary_at: expect.any(String) })
    await head.client.domains.makePrimary('contoso-labs.example', {}, await head.proven())
    expect((await company.client.changes.list()).changes.map(({ state }) => state)).toEqual(['delayed', 'cancelled'])
    world.clock.advance('1d')
    await world.jobs.run('delayed-changes')
    expect(await company.client.providers.me()).toMatchObject({ domain: 'contoso-labs.example' })
  })

  it('keeps its website and domain for 24 hours when a new website is given', async () => {
    const world = shared()
    const { company, head, mailboxes } = await createCompany(world, 'fabrikam')
    const website = 'https://fabrikam-ai.example'
    const saved = await head.client.providers.setProfile(company.id, { website, hq_city: 'Oslo' }, await head.proven())
    expect(saved).toMatchObject({ domain: 'fabrikam.example', hq_city: 'Oslo', delayed_changes: 1 })
    expect(saved.message).toContain('any owner can cancel it')
    expect((await company.client.domains.list()).domains.map(({ domain }) => domain)).toContain('fabrikam-ai.example')
    world.clock.advance('1d')
    await world.jobs.run('delayed-changes')
    expect(await company.client.providers.me()).toMatchObject({ domain: 'fabrikam-ai.example', website })
    const changed = (await world.mails(mailboxes[0] ?? '')).find(({ subject }) => /domain was changed/.test(subject))
    expect(changed?.text).toContain('It is not proven')
    expect(changed?.text).not.toContain('links show it')
  })

  it('emails a new domain without its website and without anything that opens it', async () => {
    const world = shared()
    const { company, head, mailboxes } = await createCompany(world, 'relecloud')
    const website = 'https://relecloud-security.example/sign-in/confirm-your-account?session=expired'
    await head.client.providers.setProfile(company.id, { website }, await head.proven())
    await prove(world, head, 'relecloud-security.example')
    await head.client.domains.makePrimary('relecloud-security.example', {}, await head.proven())
    world.clock.advance('1d')
    await world.jobs.run('delayed-changes')
    await world.jobs.run('log-notices')
    for (const mailbox of mailboxes) {
      const mails = (await world.mails(mailbox)).filter(({ text }) => text.includes('relecloud-security'))
      expect(mails.map(({ subject }) => subject)).toEqual(
        expect.arrayContaining([
          'Your primary domain changes in 24 hours',
          'Your domain is verified',
          'Your primary domain was changed',
        ]),
      )
      for (const { subject, text } of mails) {
        expect(text, subject).toContain('    relecloud-security[.]example')
        expect(text, subject).not.toMatch(/relecloud-security\.example|sign-in|confirm-your-account/)
      }
    }
  })

  it('cancels a primary domain that is no longer proven when its time comes', async () => {
    const world = shared()
    const { company, head } = await createCompany(world, 'wingtip')
    await prove(world, head, 'wingtip-ai.example')
    await head.client.domains.makePrimary('wingtip-ai.example', {}, await head.proven())
    await head.client.domains.remove('wingtip-ai.example', await head.proven())
    world.clock.advance('1d')
    await world.jobs.run('delayed-changes')
    const [change] = (await company.client.changes.list()).changes
    expect(change).toMatchObject({ state: 'cancelled', decided_by: null })
    expect(await company.client.providers.me()).toMatchObject({ domain: 'wingtip.example' })
  })

  it('keeps the last passkey of an owner if another owner cancels its removal', async () => {
    const world = shared()
    const { company, head, other, mailboxes } = await createCompany(world, 'litware')
    const [factor] = (await head.client.factors.list()).factors
    await head.client.factors.remove(factor?.id ?? '', await head.proven())
    expect((await world.mails(mailboxes[1] ?? '')).at(-1)?.subject).toBe('A passkey of an owner is removed in 24 hours')
    const [change] = (await other.client.changes.list()).changes
    await other.client.changes.cancel(change?.id ?? '')
    expect((await head.client.factors.list()).factors).toMatchObject([{ id: factor?.id, removes_at: null }])

    await head.client.factors.remove(factor?.id ?? '', await head.proven())
    world.clock.advance('1d')
    await world.jobs.run('delayed-changes')
    const left = world.database.read
      .selectFrom('factors')
      .select('id')
      .where('id', '=', factor?.id ?? '')
    expect(await left.execute()).toEqual([])
    expect(await company.client.providers.me()).toMatchObject({ is_protected: false, delayed_changes: 0 })
  })

  it('lets only its owners cancel', async () => {
    const world = shared()
    const { company, head } = await createCompany(world, 'tailspin')
    const email = 'admin@tailspin.example'
    await head.client.members.invite({ email, role: 'admin' }, await head.proven())
    const token = new URL((await world.mails(email)).at(-1)?.link ?? '').searchParams.get('token') ?? ''
    const admin = world.client((await world.anyone.members.accept({ token, password })).api_key)
    const { change_id } = await head.client.providers.delete(company.id, await head.proven())
    const stranger = await world.provider('lucerne')
    await expect(admin.changes.cancel(change_id ?? '')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(stranger.client.changes.cancel(change_id ?? '')).rejects.toMatchObject({ code: 'not_found' })
    await expect(world.anyone.changes.undo({ token: 'guessed' })).rejects.toMatchObject({ code: 'code_invalid' })
    expect(await stateOf(world, { id: change_id ?? '' })).toBe('delayed')
  })

  it('rejects the link of someone who is no longer an owner', async () => {
    const world = shared()
    const { head, other, mailboxes } = await createCompany(world, 'proseware')
    const { change_id } = await head.client.providers.delete((await head.client.providers.me()).id, await head.proven())
    const token = await undoTokenOf(world, mailboxes[1] ?? '')
    await protect(world, other.person_id)
    await other.client.members.remove(other.person_id, {}, await other.proven())
    await expect(world.anyone.changes.undo({ token })).rejects.toMatchObject({ code: 'code_invalid' })
    expect(await stateOf(world, { id: change_id ?? '' })).toBe('delayed')
  })

  it('removes or demotes another owner only after 24 hours, and each owner can undo it', async () => {
    const world = shared()
    const { company, head, other, mailboxes } = await createCompany(world, 'woodgrove')
    await protect(world, other.person_id)
    const of = async () =>
      (await company.client.members.list()).members.find((each) => each.person_id === other.person_id)
    const asked = await head.client.members.remove(other.person_id, {}, await head.proven())
    const effect = new Date(world.clock.now() + dayMs).toISOString()
    expect(asked).toMatchObject({ member: { role: 'owner', changes_at: effect }, revoked_keys: [] })
    expect(await of()).toMatchObject({ changes_at: effect })
    const mail = (await world.mails(mailboxes[1] ?? '')).at(-1)
    expect(mail).toMatchObject({ subject: 'An owner of your company is removed in 24 hours' })
    expect(mail?.text).toContain(mailboxes[1]?.replace('.', '[.]'))
    await world.anyone.changes.undo({ token: await undoTokenOf(world, mailboxes[1] ?? '') })
    expect(await of()).toMatchObject({ role: 'owner', changes_at: null })

    const key = await other.client.keys.create({ name: 'kept', scopes: ['read'] }, await other.proven())
    await head.client.members.setRole(other.person_id, { role: 'viewer' }, await head.proven())
    expect(await of()).toMatchObject({ role: 'owner', changes_at: effect })
    await head.client.members.setRole(other.person_id, { role: 'admin' }, await head.proven())
    world.clock.advance('1d')
    await world.jobs.run('delayed-changes')
    expect(await of()).toMatchObject({ role: 'admin', changes_at: null })
    // Only owners wait.
    const again = await signIn(world, await world.anyone.auth.login({ email: mailboxes[0] ?? '', password }))
    await again.client.members.remove(other.person_id, { keep_keys: [key.id] }, await again.proven())
    expect(await of()).toBeUndefined()
    expect((await company.client.changes.list()).changes.map(({ state }) => state)).toEqual([
      'done',
      'cancelled',
      'cancelled',
    ])
  })

  it('does not remove the last owner when the time comes', async () => {
    const world = shared()
    const { head, other } = await createCompany(world, 'fourth-coffee')
    await head.client.members.remove(other.person_id, {}, await head.proven())
    await head.client.members.remove(head.person_id, {}, await head.proven())
    world.clock.advance('1d')
    await world.jobs.run('delayed-changes')
    const { api_key } = await world.anyone.auth.login({ email: 'bo@fourth-coffee.example', password })
    expect((await world.client(api_key).members.list()).members).toMatchObject([{ role: 'owner' }])
  })
})
