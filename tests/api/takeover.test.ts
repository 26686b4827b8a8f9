import { ChangeStaged } from '@countersign/sdk'
import type { Role } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import type { Database } from '../../server/src/db/engine.ts'
import type { ProviderActor } from '../support/actors.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { addPasskey } from '../support/passkeys.ts'
import { insertPresence, protect } from '../support/presence.ts'
import { startWebServer } from '../support/web-server.ts'
import { createWorld, shareWorld, type World } from '../support/world.ts'

const password = 'a quiet heron at dawn'
const tokenOf = (link: string | undefined) => new URL(link ?? '').searchParams.get('token') ?? ''

/** A signed-in person, and how they prove presence. */
const personOf = async (world: World, { api_key }: { api_key: string }) => {
  const client = world.client(api_key)
  const id = (await client.members.list()).members.find(({ is_you }) => is_you)?.person_id ?? ''
  const session_id = (await client.auth.sessions()).sessions.find(({ is_current }) => is_current)?.id ?? ''
  return { client, id, proven: () => insertPresence(world, { session_id, person_id: id }) }
}

type Person = Awaited<ReturnType<typeof personOf>>

/** A company whose owner has a passkey. */
const createCompany = async (world: World, name: string) => {
  const company = await world.provider(name)
  const owner = await personOf(world, await world.session(company))
  await protect(world, owner.id)
  return { company, key: company.client, owner }
}

const invite = async (world: World, by: Person, { email, role }: { email: string; role: Role }) => {
  await by.client.members.invite({ email, role }, await by.proven())
  return tokenOf((await world.mails(email)).at(-1)?.link)
}

const join = async (world: World, by: Person, email: string, role: Role) =>
  personOf(world, await world.anyone.members.accept({ token: await invite(world, by, { email, role }), password }))

const stagedBy = async (call: Promise<unknown>) => {
  const error = await call.catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ChangeStaged)
  return (error as ChangeStaged).change
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const refused = { code: 'presence_required' }

describeOnSqlite('a thief', (engine) => {
  const shared = shareWorld({ engine })

  it('changes nothing about a member of a protected company through another company of that person', async () => {
    const world = shared()
    const { owner } = await createCompany(world, 'acme')
    const admin = await join(world, owner, 'ada@acme.example', 'admin')
    const rival = await world.provider('rival')
    const head = await personOf(world, await world.session(rival))
    await head.client.members.invite({ email: 'ada@acme.example', role: 'viewer' })
    const token = tokenOf((await world.mails('ada@acme.example')).at(-1)?.link)
    const { api_key } = await admin.client.members.accept({ token })
    const there = world.client(api_key)
    expect((await there.providers.me()).id).toBe(rival.id)
    const change = { email: 'thief@rival.example', current_password: password }
    await expect(there.account.changeEmail(change)).rejects.toMatchObject(refused)
    const other = { current_password: password, new_password: 'another heron at dusk' }
    await expect(there.auth.changePassword(other)).rejects.toMatchObject(refused)
    await expect(there.auth.startLink({ provider: 'github' })).rejects.toMatchObject(refused)
    await expect(there.account.deleteMe({})).rejects.toMatchObject(refused)
  })

  it('does not bring back an earlier name or website by reporting a key that once changed it', async () => {
    const world = shared()
    const company = await world.provider('fabrikam')
    await company.client.providers.update(company.id, { company_name: 'Fabrikam' })
    const owner = await personOf(world, await world.session(company))
    await protect(world, owner.id)
    const { reviews } = await owner.client.keys.compromise(company.keyId, {})
    const profile = reviews.find(({ kind }) => kind === 'profile')
    const withdraw = (presence = {}) => owner.client.keys.review(profile?.id ?? '', { decision: 'withdrawn' }, presence)
    await expect(withdraw()).rejects.toMatchObject(refused)
    expect((await owner.client.providers.me()).company_name).toBe('Fabrikam')
    await withdraw(await owner.proven())
  })

  it('keeps its primary domain when a key that once changed it is reported, and changes it with presence after 24 hours', async () => {
    const world = shared()
    const company = await world.provider('lamna')
    const { domain_proof } = await company.client.domains.add({ domain: 'lamna-ai.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await company.client.domains.verify('lamna-ai.example', {})
    await company.client.domains.makePrimary('lamna-ai.example', {})
    const owner = await personOf(world, await world.session(company))
    await protect(world, owner.id)
    const { reviews } = await owner.client.keys.compromise(company.keyId, {})
    const primary = async () => (await owner.client.providers.me()).domain
    expect(await primary()).toBe('lamna-ai.example')
    const review = (kind: string, presence = {}) =>
      owner.client.keys.review(
        reviews.find((each) => each.kind === kind)?.id ?? '',
        { decision: 'withdrawn' },
        presence,
      )
    await expect(review('primary_domain')).rejects.toMatchObject(refused)
    await review('primary_domain', await owner.proven())
    expect(await primary()).toBe('lamna-ai.example')
    expect((await owner.client.changes.list()).changes).toMatchObject([
      { endpoint: 'domains.makePrimary', state: 'delayed', params: { domain: 'lamna.example' } },
    ])
    // The report blocked the current domain: that shortens nothing.
    const website = 'https://thief.example'
    const changed = await owner.client.providers.update(company.id, { website }, await owner.proven())
    expect(changed).toMatchObject({ domain: 'lamna-ai.example', delayed_changes: 1 })
  })

  it('removes the members whom the leaked key invited, but owners of a protected company only after 24 hours', async () => {
    const world = shared()
    const company = await world.provider('margie')
    const owner = await personOf(world, await world.session(company))
    const inviteByKey = async (email: string, role: Role) => {
      await company.client.members.invite({ email, role })
      const token = tokenOf((await world.mails(email)).at(-1)?.link)
      return personOf(world, await world.anyone.members.accept({ token, password }))
    }
    const admin = await inviteByKey('ada@margie.example', 'admin')
    const second = await inviteByKey('bo@margie.example', 'owner')
    await protect(world, owner.id)
    const { reviews } = await owner.client.keys.compromise(company.keyId, {})
    const rolesSeenBy = async ({ client }: Pick<Person, 'client'>) =>
      (await client.members.list()).members.map(({ email, role }) => `${email} ${role}`)
    const roles = () => rolesSeenBy(owner)
    expect(await roles()).toEqual(['margie@margie.example owner', 'bo@margie.example owner'])
    await expect(admin.client.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    const [first, last] = reviews.filter(({ kind }) => kind === 'member')
    await owner.client.keys.review(first?.id ?? '', { decision: 'confirmed' }, await owner.proven())
    expect(await roles()).toContain('ada@margie.example admin')
    const withdraw = (presence = {}) => owner.client.keys.review(last?.id ?? '', { decision: 'withdrawn' }, presence)
    await expect(withdraw()).rejects.toMatchObject(refused)
    await withdraw(await owner.proven())
    expect((await second.client.members.list()).members.find(({ is_you }) => is_you)).toMatchObject({ role: 'owner' })
    world.clock.advance('1d')
    await world.jobs.run('delayed-changes')
    const { api_key } = await world.anyone.auth.login({ email: 'margie@margie.example', password })
    expect(await rolesSeenBy({ client: world.client(api_key) })).not.toContain('bo@margie.example owner')
  })

  it('neither removes nor restores an owner with a key of an admin', async () => {
    const world = shared()
    const company = await world.provider('relecloud')
    const owner = await personOf(world, await world.session(company))
    const inviteBy = async ({ client }: Pick<Person, 'client'>, email: string, role: Role) => {
      await client.members.invite({ email, role })
      const token = tokenOf((await world.mails(email)).at(-1)?.link)
      return personOf(world, await world.anyone.members.accept({ token, password }))
    }
    const admin = await inviteBy(owner, 'ada@relecloud.example', 'admin')
    const second = await inviteBy(company, 'bo@relecloud.example', 'owner')
    const { reviews } = await admin.client.keys.compromise(company.keyId, {})
    const [review] = reviews.filter(({ kind }) => kind === 'member')
    expect((await second.client.members.list()).members).toHaveLength(3)
    const withdrawn = admin.client.keys.review(review?.id ?? '', { decision: 'withdrawn' })
    await expect(withdrawn).rejects.toMatchObject({ code: 'forbidden' })
    const spare = await owner.client.keys.create({ name: 'Spare', scopes: ['full'] })
    const third = await inviteBy({ client: world.client(spare.api_key) }, 'cy@relecloud.example', 'owner')
    const again = (await owner.client.keys.compromise(spare.id, {})).reviews
    await expect(third.client.members.list()).rejects.toMatchObject({ code: 'unauthorized' })
    const confirmed = admin.client.keys.review(again[0]?.id ?? '', { decision: 'confirmed' })
    await expect(confirmed).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('does not come back with an invitation that they sent before they were removed, or lost their role', async () => {
    const world = shared()
    const { owner } = await createCompany(world, 'contoso')
    for (const act of ['remove', 'setRole'] as const) {
      const admin = await join(world, owner, `${act.toLowerCase()}@contoso.example`, 'admin')
      await protect(world, admin.id)
      const token = await invite(world, admin, { email: `second-${act.toLowerCase()}@contoso.example`, role: 'admin' })
      if (act === 'remove') await owner.client.members.remove(admin.id, {}, await owner.proven())
      else await owner.client.members.setRole(admin.id, { role: 'viewer' }, await owner.proven())
      await expect(world.anyone.members.accept({ token, password })).rejects.toMatchObject({ code: 'code_invalid' })
    }
    expect((await owner.client.members.list()).invitations).toEqual([])
  })

  it('does not become an owner with an invitation from before they were removed, or lost their role', async () => {
    const world = shared()
    const { owner } = await createCompany(world, 'adatum')
    for (const act of ['remove', 'setRole'] as const) {
      const email = `${act.toLowerCase()}@adatum.example`
      const admin = await join(world, owner, email, 'admin')
      const token = await invite(world, owner, { email, role: 'owner' })
      if (act === 'remove') await owner.client.members.remove(admin.id, {}, await owner.proven())
      else await owner.client.members.setRole(admin.id, { role: 'viewer' }, await owner.proven())
      const again = await world.anyone.auth.login({ email, password })
      const accepted = world.client(again.api_key).members.accept({ token })
      await expect(accepted).rejects.toMatchObject({ code: 'code_invalid' })
    }
  })

  it('does not come back with an invitation to an address that they had before', async () => {
    const world = shared()
    const { owner } = await createCompany(world, 'nod')
    const [before, after] = ['ed@nod.example', 'ed@home.example']
    const member = await join(world, owner, before, 'admin')
    await protect(world, member.id)
    await member.client.account.changeEmail({ email: after }, await member.proven())
    await member.client.account.confirmEmail({ code: (await world.mails(after)).at(-1)?.code ?? '' })
    const token = await invite(world, owner, { email: before, role: 'owner' })
    await owner.client.members.remove(member.id, {}, await owner.proven())
    await expect(world.anyone.members.accept({ token, password })).rejects.toMatchObject({ code: 'code_invalid' })
  })

  it('cannot confirm an address that was requested before the company was protected', async () => {
    const world = shared()
    const company = await world.provider('alpine')
    const owner = await personOf(world, await world.session(company))
    const ask = async (presence = {}) => {
      await owner.client.account.changeEmail({ email: 'other@alpine.example', current_password: password }, presence)
      return (await world.mails('other@alpine.example')).at(-1)?.code ?? ''
    }
    const code = await ask()
    await protect(world, owner.id)
    await expect(owner.client.account.confirmEmail({ code })).rejects.toMatchObject({ code: 'code_invalid' })
    const proven = await ask(await owner.proven())
    expect(await owner.client.account.confirmEmail({ code: proven })).toEqual({ email: 'other@alpine.example' })
  })

  it('leaves no change that could still be approved when their key is revoked', async () => {
    const world = shared()
    const { company, key, owner } = await createCompany(world, 'tailwind')
    const change = await stagedBy(key.members.invite({ email: 'thief@rival.example', role: 'admin' }))
    await owner.client.keys.revoke(company.keyId)
    await expect(owner.client.changes.approve(change.id, {}, await owner.proven())).rejects.toMatchObject({
      code: 'already_decided',
    })
  })

  it('does not authorize a server again that the owner revoked, although an earlier version still allows it', async () => {
    const world = shared()
    const { company, key, owner } = await createCompany(world, 'proseware')
    const v1 = await company.registerModel({ api_model_identifier: 'atlas' })
    const { deployment_id } = await company.registerDeployment([])
    const allow = (id: string) => key.models.allowDeployment(id, { deployment_id })
    await owner.client.models.allowDeployment(v1, { deployment_id }, await owner.proven())
    const v2 = await company.registerModel({ api_model_identifier: 'atlas', version: '2.0.0', force_new_version: true })
    await allow(v2)
    await owner.client.models.revokeDeployment(v2, deployment_id)
    await stagedBy(allow(v2))
    const v3 = await company.registerModel({ api_model_identifier: 'atlas', version: '3.0.0', force_new_version: true })
    await stagedBy(allow(v3))

    // A deployment that was revoked on an old version may still be authorized for a new one.
    await owner.client.models.allowDeployment(v3, { deployment_id }, await owner.proven())
    await key.models.revokeDeployment(v1, deployment_id)
    const v4 = await company.registerModel({ api_model_identifier: 'atlas', version: '4.0.0', force_new_version: true })
    await allow(v4)
  })

  it('copies no authorizations from a version that the owner archived to the next one', async () => {
    const world = shared()
    const { company, key, owner } = await createCompany(world, 'trey')
    const v1 = await company.registerModel({ api_model_identifier: 'atlas' })
    const { deployment_id } = await company.registerDeployment([])
    await owner.client.models.allowDeployment(v1, { deployment_id }, await owner.proven())
    const next = (version: string, by: Pick<Person, 'client'> = { client: key }, presence = {}) =>
      by.client.models.register(
        {
          display_name: 'Atlas Chat',
          api_model_identifier: 'atlas',
          version,
          description: 'A model that answers questions about maps.',
          endpoint: 'https://api.trey.example/v1',
          force_new_version: true,
          copy_authorizations: true,
        },
        presence,
      )
    const v2 = await next('2.0.0')
    expect(v2.authorizations).toEqual({ previous: 1, copied: 1 })
    await owner.client.models.archive(v2.model_id, { reason: 'It answers for someone else' })
    const change = await stagedBy(next('3.0.0'))
    await expect(next('3.0.0', owner)).rejects.toMatchObject(refused)
    const { result } = await owner.client.changes.approve(change.id, {}, await owner.proven())
    expect(result).toMatchObject({ version_number: 3, authorizations: { previous: 1, copied: 1 } })
  })

  it('does not reuse the authorization for an archived version for a newer one', async () => {
    const world = shared()
    const { company, key, owner } = await createCompany(world, 'initech')
    const [v1, { deployment_id }] = [
      await company.registerModel({ api_model_identifier: 'atlas' }),
      await company.registerDeployment(),
    ]
    const again = (id: string) => key.models.allowDeployment(id, { deployment_id })
    await owner.client.models.allowDeployment(v1, { deployment_id }, await owner.proven())
    const v2 = await company.registerModel({ api_model_identifier: 'atlas', version: '2.0.0', force_new_version: true })
    await again(v2)
    const v3 = await company.registerModel({ api_model_identifier: 'atlas', version: '3.0.0', force_new_version: true })
    for (const id of [v1, v2]) await owner.client.models.archive(id)
    await stagedBy(again(v3))
  })

  it('changes and asks for nothing with a request that waits while the key is revoked or the member removed', async () => {
    const website = await startWebServer()
    const world = await createWorld({ engine, egressAllow: [`thief.example=127.0.0.1:${website.port}`] })
    const company = await world.provider('umbrella')
    const owner = await personOf(world, await world.session(company))
    const admin = await join(world, owner, 'ada@umbrella.example', 'admin')
    const late = async ({ client }: Pick<Person, 'client'>, end: () => Promise<unknown>) => {
      website.handle('/logo.png', (_request, response) => {
        void end().then(() => response.writeHead(200).end(png))
      })
      const change = { company_name: 'Thief Labs', logo_url: 'https://thief.example/logo.png' }
      await expect(client.providers.update(company.id, change)).rejects.toMatchObject({ code: 'unauthorized' })
    }
    await late(admin, async () => owner.client.members.remove(admin.id, {}, await owner.proven()))
    const { id, api_key } = await owner.client.keys.create({ name: 'stolen', scopes: ['full'] })
    await late({ client: world.client(api_key) }, () => owner.client.keys.revoke(id))
    const another = await owner.client.keys.create({ name: 'stolen again', scopes: ['full'] })
    await protect(world, owner.id)
    await late({ client: world.client(another.api_key) }, () => owner.client.keys.revoke(another.id))
    expect((await owner.client.changes.list()).changes).toEqual([])
    expect((await owner.client.providers.me()).company_name).toBe('Umbrella Labs')
  })

  it('brings back no earlier name or address with a request that waits while the owner changes them', async () => {
    const website = await startWebServer()
    const world = await createWorld({ engine, egressAllow: [`thief.example=127.0.0.1:${website.port}`] })
    const { company, key, owner } = await createCompany(world, 'soylent')
    const { company_name, email } = await key.providers.me()
    const earlier = { company_name: company_name ?? '', support_email: 'help@soylent.example' }
    const rename = async (change: Partial<typeof earlier>) =>
      owner.client.providers.update(company.id, change, await owner.proven())
    await rename(earlier)
    const later = { company_name: 'Soylent Foods', support_email: 'care@soylent.example' }
    const late = async (call: (change: object) => Promise<unknown>) => {
      website.handle('/logo.png', (_request, response) => {
        void rename(later).then(() => response.writeHead(200).end(png))
      })
      const change = await call({ ...earlier, logo_url: 'https://thief.example/logo.png' })
      expect(await owner.client.providers.me()).toMatchObject(later)
      await rename(earlier)
      return change
    }
    await late((change) => stagedBy(key.providers.update(company.id, change)))
    const { token } = await world.anyone.auth.login({ email: email ?? '', password })
    const thief = world.client(token)
    await late((change) => expect(thief.providers.update(company.id, change)).rejects.toMatchObject(refused))
  })

  it('does nothing that needs presence by now, even if it needed none when the request arrived', async () => {
    const beforeTransactions: (() => Promise<unknown>)[] = []
    const wrapDatabase = (database: Database): Database => ({
      ...database,
      transaction: async (work, options) => {
        await beforeTransactions.shift()?.()
        return database.transaction(work, options)
      },
    })
    const world = await createWorld({ engine, wrapDatabase })
    const { company, key, owner } = await createCompany(world, 'globex')
    const v1 = await company.registerModel({ api_model_identifier: 'atlas' })
    const { deployment_id } = await company.registerDeployment()
    await owner.client.models.allowDeployment(v1, { deployment_id }, await owner.proven())
    const v2 = await company.registerModel({ api_model_identifier: 'atlas', version: '2.0.0', force_new_version: true })
    // The first stores the Idempotency-Key, before the decision.
    const noWait = () => Promise.resolve()
    beforeTransactions.push(noWait, () => owner.client.models.revokeDeployment(v1, deployment_id))
    await stagedBy(key.models.allowDeployment(v2, { deployment_id }))
    expect(await owner.client.models.countDeployments(v2)).toEqual({ count: 0 })

    // Protection itself takes effect after the decision.
    const late = await world.provider('lucerne')
    const { token, client: stolen } = await world.session(late)
    const { id } = await personOf(world, { api_key: token })
    beforeTransactions.push(noWait, () => protect(world, id))
    await stagedBy(late.client.keys.create({ name: 'For the thief' }))
    await world.database.transaction((tx) => tx.deleteFrom('factors').where('person_id', '=', id).execute())
    beforeTransactions.push(() => protect(world, id))
    await expect(stolen.providers.update(late.id, { company_name: 'Thief Labs' })).rejects.toMatchObject(refused)
  })

  it('does not become an owner with a key and the address of the company, if it has owners', async () => {
    const world = shared()
    const company: ProviderActor = await world.provider('wingtip')
    await company.client.members.invite({ email: 'olga@wingtip.example', role: 'owner' })
    const token = tokenOf((await world.mails('olga@wingtip.example')).at(-1)?.link)
    const owner = await personOf(world, await world.anyone.members.accept({ token, password }))
    await protect(world, owner.id)
    await company.client.auth.sendVerification({})
    const code = (await world.mails('wingtip@wingtip.example')).at(-1)?.code ?? ''
    await company.client.auth.verifyEmail({ verification_code: code })
    expect((await owner.client.members.list()).members.map(({ email }) => email)).toEqual(['olga@wingtip.example'])
    expect(await company.client.providers.me()).toMatchObject({ email_verified: true })
  })

  it('adds no passkey that counts at once, even if it was begun before the first one counts', async () => {
    const world = shared()
    const company = await world.provider('litware')
    await world.session(company)
    world.clock.advance('25h')
    const own = await world.session(company)
    await addPasskey(world, own.client)
    world.clock.advance('23h')
    world.clock.advance('59m')
    const login = await world.anyone.auth.login({ email: 'litware@litware.example', password })
    const thief = world.client(login.api_key)
    await thief.factors.sendCode({})
    const code = (await world.mails('litware@litware.example')).at(-1)?.code ?? ''
    const begun = await thief.factors.begin({ code })
    world.clock.advance('2m')
    const authenticator = createAuthenticator({ origin: world.publicUrl })
    const added = await thief.factors.add({ name: 'Thief', passkey: authenticator.create(begun) })
    expect(Date.parse(added.effective_at) - world.clock.now()).toBe(24 * 3_600_000)
  })

  it('adds no passkey that counts at once to a new account, if another one was added meanwhile', async () => {
    const world = shared()
    const { client } = await world.session(await world.provider('bellows'))
    const thief = world.client((await world.anyone.auth.login({ email: 'bellows@bellows.example', password })).api_key)
    await thief.factors.sendCode({})
    const begun = await thief.factors.begin({ code: (await world.mails('bellows@bellows.example')).at(-1)?.code ?? '' })
    await addPasskey(world, client)
    const authenticator = createAuthenticator({ origin: world.publicUrl })
    const added = await thief.factors.add({ name: 'Thief', passkey: authenticator.create(begun) })
    expect(Date.parse(added.effective_at) - world.clock.now()).toBe(24 * 3_600_000)
    expect(added.recovery_codes).toBeNull()
  })

  it('cannot delete the recovery codes of the first passkey by removing a second one that does not count yet', async () => {
    const world = shared()
    const company = await world.provider('fourth')
    await world.session(company)
    world.clock.advance('25h')
    await addPasskey(world, (await world.session(company)).client)
    world.clock.advance('1h')
    const signIn = async () =>
      world.client((await world.anyone.auth.login({ email: 'fourth@fourth.example', password })).api_key)
    const phone = await addPasskey(world, await signIn(), { name: 'Phone' })
    world.clock.advance('23h')
    const thief = await signIn()
    await thief.factors.remove(phone.id)
    expect(await thief.factors.list()).toMatchObject({ is_protected: true, recovery_codes_left: 10 })
  })

  it('cannot join with an invitation that a key or a session sent before the company was protected', async () => {
    const world = shared()
    const company = await world.provider('tailspin')
    const { client: stolen } = await world.session(company)
    world.clock.advance('1h')
    await company.client.members.invite({ email: 'thief@home.example', role: 'owner' })
    await stolen.members.invite({ email: 'friend@home.example', role: 'viewer' })
    const owner = await personOf(world, await world.session(company))
    await protect(world, owner.id)
    const kept = await invite(world, owner, { email: 'bo@home.example', role: 'viewer' })
    for (const email of ['thief@home.example', 'friend@home.example']) {
      const token = tokenOf((await world.mails(email)).at(-1)?.link)
      await expect(world.anyone.members.accept({ token, password })).rejects.toMatchObject({ code: 'code_invalid' })
      await expect(world.anyone.members.preview({ token })).rejects.toMatchObject({ code: 'code_invalid' })
    }
    await world.jobs.run('unproven-invitations')
    await world.jobs.run('unproven-invitations')
    const { invitations } = await owner.client.members.list()
    expect(invitations.map(({ email }) => email)).toEqual(['bo@home.example'])
    const told = (await world.mails('tailspin@tailspin.example')).filter(({ subject }) => subject.includes('ended'))
    expect(told).toHaveLength(1)
    for (const ended of ['friend@home[.]example (viewer)', 'thief@home[.]example (owner)'])
      expect(told[0]?.text).toContain(ended)
    await world.anyone.members.accept({ token: kept, password })
  })

  it('cannot add the first passkey of a member with their mailbox unnoticed: all owners are emailed', async () => {
    const world = shared()
    const { owner } = await createCompany(world, 'munson')
    const ada = await join(world, owner, 'ada@munson.example', 'admin')
    const told = async () =>
      (await world.mails('munson@munson.example')).filter(({ subject }) => subject.includes('A member added'))
    await addPasskey(world, ada.client)
    expect(await told()).toHaveLength(1)
    for (const word of ['ada@munson[.]example', '127.0.0.1', 'section=members'])
      expect((await told())[0]?.text).toContain(word)
    // Presence confirms the second one.
    const { options } = await ada.client.factors.begin({}, await ada.proven())
    const authenticator = createAuthenticator({ origin: world.publicUrl })
    const passkey = authenticator.create({ options })
    await ada.client.factors.add({ name: 'Phone', passkey })
    expect(await told()).toHaveLength(1)
  })

  it('replaces no recovery codes with a passkey that does not count yet', async () => {
    const world = shared()
    const company = await world.provider('globex')
    await world.session(company)
    world.clock.advance('25h')
    const own = await world.session(company)
    expect((await addPasskey(world, own.client)).recovery_codes).toHaveLength(10)
    const login = await world.anyone.auth.login({ email: 'globex@globex.example', password })
    const thief = world.client(login.api_key)
    expect((await addPasskey(world, thief, { name: 'Thief' })).recovery_codes).toBeNull()
  })
})
