import type { Role } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { skeletonOf } from '../../server/src/names/rules.ts'
import { password } from '../support/account-rows.ts'
import type { ProviderActor } from '../support/actors.ts'
import { describeEachEngine, describeOnSqlite } from '../support/databases.ts'
import { createImpostor } from '../support/impostor.ts'
import { createWorld, shareWorld, type World } from '../support/world.ts'

const tokenOf = (link: string | undefined) => new URL(link ?? '').searchParams.get('token') ?? ''

/** A provider with an owner who is signed in. */
const createCompany = async (world: World, name: string) => {
  const company = await world.provider(name)
  const { api_key } = await world.session(company)
  const owner = world.client(api_key)
  const { members } = await owner.members.list()
  return { company, owner, owner_id: members[0]?.person_id ?? '' }
}

const invite = async (world: World, owner: ProviderActor['client'], email: string, role: Role) => {
  await owner.members.invite({ email, role })
  return tokenOf((await world.mails(email)).at(-1)?.link)
}

/** A new person who joins with a role. */
const join = async (world: World, owner: ProviderActor['client'], email: string, role: Role) => {
  const session = await world.anyone.members.accept({ token: await invite(world, owner, email, role), password })
  const client = world.client(session.api_key)
  const { members } = await client.members.list()
  const person_id = members.find(({ is_you }) => is_you)?.person_id ?? ''
  return { client, session, person_id }
}

describeEachEngine('members of a provider', (engine) => {
  const shared = shareWorld({ engine })

  it('see the name of each of their companies only if its invitation would show it', async () => {
    const world = shared()
    const fabrikam = await createCompany(world, 'fabrikam')
    const impostor = await createImpostor(world, 'fabrikam.example')
    const mallory = world.client((await world.session(impostor)).api_key)
    const ada = await join(world, fabrikam.owner, 'ada@two.example', 'viewer')
    await ada.client.members.accept({ token: await invite(world, mallory, 'ada@two.example', 'viewer') })
    const seen = async () => (await ada.client.members.providers()).providers
    expect(await seen()).toMatchObject([
      { company_name: 'Fabrikam Labs', domain: 'fabrikam.example' },
      { provider_id: impostor.id, company_name: null, domain: null },
    ])
    await mallory.providers.update(impostor.id, { company_name: 'Fabrikam Labs' })
    expect((await seen())[1]).toMatchObject({ company_name: null })
    await mallory.providers.update(impostor.id, { company_name: 'Mallory Labs' })
    expect((await seen())[1]).toMatchObject({ company_name: 'Mallory Labs', domain: null })
  })

  it('join with the link of an invitation, once, and act with their own session', async () => {
    const world = shared()
    const { owner, company } = await createCompany(world, 'acme')
    const token = await invite(world, owner, 'ada@acme.example', 'publisher')
    expect(await world.anyone.members.preview({ token })).toMatchObject({
      provider_id: company.id,
      role: 'publisher',
      email: 'ada@acme.example',
      has_account: false,
    })
    await expect(world.anyone.members.accept({ token })).rejects.toMatchObject({ code: 'sign_in_required' })
    const { api_key } = await world.anyone.members.accept({ token, password })
    const ada = world.client(api_key)
    expect((await ada.members.list()).members).toMatchObject([
      { role: 'owner', is_you: false },
      { role: 'publisher', is_you: true, email: 'ada@acme.example' },
    ])
    await expect(world.anyone.members.accept({ token, password })).rejects.toMatchObject({ code: 'code_invalid' })
    expect((await owner.account.events()).events).toContainEqual(
      expect.objectContaining({ action: 'member.joined', subject_name: 'ada@acme.example' }),
    )
    // Rows of sessions are deleted after a while; the trail still names the person.
    await world.database.transaction((tx) => tx.deleteFrom('sessions').where('provider_id', '=', company.id).execute())
    expect((await company.client.account.events({ action: 'member.joined' })).events).toMatchObject([
      { actor_name: 'ada@acme.example' },
    ])
  })

  it('always include an owner, even if two owners leave at once', async () => {
    const world = shared()
    const { owner, owner_id } = await createCompany(world, 'contoso')
    await expect(owner.members.remove(owner_id, {})).rejects.toMatchObject({ code: 'last_owner' })
    await expect(owner.members.setRole(owner_id, { role: 'viewer' })).rejects.toMatchObject({ code: 'last_owner' })
    await expect(owner.account.deleteMe({ current_password: password })).rejects.toMatchObject({ code: 'last_owner' })
    const other = await join(world, owner, 'cy@contoso.example', 'owner')
    const left = await Promise.allSettled([
      owner.members.remove(owner_id, {}),
      other.client.account.deleteMe({ current_password: password }),
    ])
    expect(left.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})

describeOnSqlite('members of a provider', (engine) => {
  const shared = shareWorld({ engine })

  it('lose their session and their keys when they are removed, except keys that an owner keeps', async () => {
    const world = shared()
    const { owner } = await createCompany(world, 'northwind')
    const { client, person_id } = await join(world, owner, 'bo@northwind.example', 'admin')
    const [lost, kept] = [
      await client.keys.create({ name: 'lost', scopes: ['read'] }),
      await client.keys.create({ name: 'kept', scopes: ['read'] }),
    ]
    const made = await world
      .client((await client.keys.create({ name: 'full', scopes: ['full'] })).api_key)
      .keys.create({
        name: 'made with a key',
        scopes: ['read'],
      })
    const { revoked_keys } = await owner.members.remove(person_id, { keep_keys: [kept.id] })
    expect(revoked_keys).toEqual(expect.arrayContaining([lost.id, made.id]))
    await expect(client.members.list()).rejects.toMatchObject({ code: 'unauthorized' })
    for (const { api_key } of [lost, made])
      await expect(world.client(api_key).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    expect((await world.client(kept.api_key).providers.me()).key_id).toBe(kept.id)
  })

  it('erase themselves only with their password, and without one soon after they signed in', async () => {
    const world = shared()
    const { owner } = await createCompany(world, 'adatum')
    const { client, person_id } = await join(world, owner, 'el@adatum.example', 'viewer')
    for (const body of [{}, { current_password: 'a loud heron' }])
      await expect(client.account.deleteMe(body)).rejects.toMatchObject({ code: 'unauthorized' })
    await world.database.transaction((tx) => tx.deleteFrom('passwords').where('person_id', '=', person_id).execute())
    world.clock.advance('16m')
    await expect(client.account.deleteMe({})).rejects.toMatchObject({ code: 'sign_in_again' })
    world.clock.goBack('2m')
    expect(await client.account.deleteMe({})).toMatchObject({ person_id })
  })

  it('have at most 20 keys each, so that no viewer can use up all keys', async () => {
    const world = shared()
    const { owner } = await createCompany(world, 'lucerne')
    const { client } = await join(world, owner, 'flo@lucerne.example', 'viewer')
    for (const index of Array.from({ length: 20 }).keys())
      await client.keys.create({ name: `${index}`, scopes: ['read'] })
    await expect(client.keys.create({ name: 'more', scopes: ['read'] })).rejects.toMatchObject({
      code: 'validation_failed',
    })
    await owner.keys.create({ name: 'CI' })
  })

  it('do no more with their keys than their new role allows', async () => {
    const world = shared()
    const { owner, company } = await createCompany(world, 'fabrikam')
    const { client, person_id } = await join(world, owner, 'di@fabrikam.example', 'admin')
    const full = await client.keys.create({ name: 'full', scopes: ['full'] })
    const links = await client.keys.create({ name: 'links', scopes: ['links'] })
    await expect(world.client(full.api_key).providers.delete(company.id)).rejects.toMatchObject({ code: 'forbidden' })
    await owner.members.setRole(person_id, { role: 'responder' })
    await expect(client.keys.create({ name: 'more' })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(world.client(full.api_key).keys.create({ name: 'more' })).rejects.toMatchObject({ code: 'forbidden' })
    expect(await world.client(full.api_key).incidents.list()).toMatchObject({ incidents: [] })
    await expect(world.client(links.api_key).account.verifications()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('revoke their own keys whatever their role, and no others', async () => {
    const world = shared()
    const { owner, company } = await createCompany(world, 'fourth')
    const { client } = await join(world, owner, 'di@fourth.example', 'publisher')
    const own = await client.keys.create({ name: 'CI', scopes: ['models'] })
    expect(own.is_own).toBe(true)
    const seen = async (by: typeof client) => (await by.keys.list()).map(({ id, is_own }) => [id, is_own])
    expect(await seen(client)).toEqual([
      [own.id, true],
      [company.keyId, false],
    ])
    expect(await seen(company.client)).toEqual([
      [own.id, false],
      [company.keyId, true],
    ])
    await expect(client.keys.revoke(company.keyId)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(world.client(own.api_key).keys.revoke(company.keyId)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await client.keys.revoke(own.id)).toMatchObject({ is_active: false })
    await expect(world.client(own.api_key).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
  })
})

describeOnSqlite('the roles of members', (engine) => {
  const shared = shareWorld({ engine })

  it('allow what they are for, and nothing else', async () => {
    const world = shared()
    const { owner, company } = await createCompany(world, 'acme')
    const model = {
      api_model_identifier: 'atlas',
      display_name: 'Atlas',
      description: 'Answers questions about maps.',
      version: '1',
      endpoint: 'https://api.acme.example',
    }
    const attempts = {
      look: (client: ProviderActor['client']) => client.members.list(),
      register: (client: ProviderActor['client'], role: Role) =>
        client.models.register({ ...model, api_model_identifier: `atlas-${role}` }),
      edit: (client: ProviderActor['client']) => client.providers.update(company.id, { industry: 'Maps' }),
      invite: (client: ProviderActor['client'], role: Role) =>
        client.members.invite({ email: `${role}@home.example`, role: 'viewer' }),
      makeOwner: (client: ProviderActor['client'], role: Role) =>
        client.members.invite({ email: `${role}-owner@home.example`, role: 'owner' }),
      pause: (client: ProviderActor['client']) => client.providers.deactivate(company.id),
    }
    const allowed: Record<Exclude<Role, 'owner'>, (keyof typeof attempts)[]> = {
      admin: ['look', 'register', 'edit', 'invite'],
      publisher: ['look', 'register'],
      responder: ['look'],
      viewer: ['look'],
    }
    for (const [role, may] of Object.entries(allowed) as [Exclude<Role, 'owner'>, (keyof typeof attempts)[]][]) {
      const { client } = await join(world, owner, `${role}@acme.example`, role)
      for (const [name, attempt] of Object.entries(attempts) as [keyof typeof attempts, (typeof attempts)['edit']][]) {
        const outcome = await (attempt as (client: ProviderActor['client'], role: Role) => Promise<unknown>)(
          client,
          role,
        ).then(
          () => 'allowed',
          (error: { code?: string }) => error.code,
        )
        expect({ role, name, outcome }).toEqual({ role, name, outcome: may.includes(name) ? 'allowed' : 'forbidden' })
      }
    }
  })

  it('let admins manage members, but not owners', async () => {
    const world = shared()
    const { owner, owner_id } = await createCompany(world, 'northwind')
    const admin = await join(world, owner, 'ed@northwind.example', 'admin')
    const viewer = await join(world, owner, 'fay@northwind.example', 'viewer')
    await expect(admin.client.members.remove(owner_id, {})).rejects.toMatchObject({ code: 'forbidden' })
    await expect(viewer.client.members.remove(admin.person_id, {})).rejects.toMatchObject({ code: 'forbidden' })
    expect(await admin.client.members.setRole(viewer.person_id, { role: 'responder' })).toMatchObject({
      role: 'responder',
    })
    expect((await viewer.client.members.remove(viewer.person_id, {})).member.email).toBe('fay@northwind.example')
  })
})

describeOnSqlite('a person with two companies', (engine) => {
  const shared = shareWorld({ engine })

  it('accepts only while signed in with the invited address, and gets a key for each company', async () => {
    const world = shared()
    const [acme, contoso] = [await createCompany(world, 'acme'), await createCompany(world, 'contoso')]
    const ada = await join(world, acme.owner, 'ada@home.example', 'viewer')
    const token = await invite(world, contoso.owner, 'ada@home.example', 'publisher')
    expect((await world.anyone.members.preview({ token })).has_account).toBe(true)
    for (const client of [world.anyone, acme.owner])
      await expect(client.members.accept({ token, password })).rejects.toMatchObject({ code: 'sign_in_required' })
    await ada.client.members.accept({ token })
    const { providers } = await ada.client.members.providers()
    expect(providers).toMatchObject([
      { provider_id: acme.company.id, role: 'viewer', is_current: true },
      { provider_id: contoso.company.id, role: 'publisher', is_current: false },
    ])
    const { api_key } = await ada.client.members.use(contoso.company.id)
    expect((await world.client(api_key).providers.me()).id).toBe(contoso.company.id)
    // The first key still works for the first company only.
    expect((await ada.client.providers.me()).id).toBe(acme.company.id)
    await expect(acme.owner.members.use(contoso.company.id)).rejects.toMatchObject({ code: 'not_found' })
    await contoso.owner.members.remove((await world.client(api_key).members.list()).members[1]?.person_id ?? '', {})
    await expect(world.client(api_key).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    expect((await ada.client.providers.me()).id).toBe(acme.company.id)
  })

  it('is emailed about a company by its proven domain, or else its name and that no domain is verified', async () => {
    const world = shared()
    const northwind = await createCompany(world, 'northwind')
    const tailspin = await world.provider('tailspin', { isVerified: false })
    const owner = world.client((await world.session(tailspin)).api_key)
    const ada = await join(world, northwind.owner, 'ada@three.example', 'viewer')
    await ada.client.members.accept({ token: await invite(world, owner, 'ada@three.example', 'viewer') })
    const removed = async (by: ProviderActor['client']) => {
      await by.members.remove(ada.person_id, {})
      return (await world.mails('ada@three.example')).at(-1)?.text
    }
    expect(await removed(owner)).toContain('> Tailspin Labs\n\nIts domain is not verified.')
    const text = await removed(northwind.owner)
    expect(text).toContain('northwind[.]example')
    expect(text).not.toContain('Northwind Labs')
  })

  it('stays an owner if an older invitation for less is accepted', async () => {
    const world = shared()
    const [acme, contoso] = [await createCompany(world, 'litware'), await createCompany(world, 'wingtip')]
    const ada = await join(world, acme.owner, 'ada@lab.example', 'viewer')
    const token = await invite(world, contoso.owner, 'ada@lab.example', 'viewer')
    await world.database.transaction((tx) =>
      tx
        .insertInto('members')
        .values({ provider_id: contoso.company.id, person_id: ada.person_id, role: 'owner', created_at: 1 })
        .execute(),
    )
    await ada.client.members.accept({ token })
    expect((await ada.client.members.use(contoso.company.id)).role).toBe('owner')
  })

  it('is invited once at a time: a new link replaces the old one, and withdrawing ends it', async () => {
    const world = shared()
    const { owner, company } = await createCompany(world, 'fabrikam')
    const first = await invite(world, owner, 'gus@home.example', 'viewer')
    const second = await invite(world, owner, 'gus@home.example', 'admin')
    await expect(world.anyone.members.preview({ token: first })).rejects.toMatchObject({ code: 'code_invalid' })
    const [waiting] = (await owner.members.list()).invitations
    await owner.members.withdraw(waiting?.id ?? '')
    await expect(world.anyone.members.accept({ token: second, password })).rejects.toMatchObject({
      code: 'code_invalid',
    })

    world.dns.setTxt(company.proof.record_name, [])
    await company.client.providers.verifyDomain({})
    await invite(world, owner, 'gus@home.example', 'viewer')
    const emails = (await world.mails('gus@home.example')).map(({ text }) => [
      text.includes('\n    fabrikam[.]example\n'),
      text.includes('has not proven a domain'),
    ])
    expect(emails).toEqual([
      [true, false],
      [true, false],
      [false, true],
    ])
  })

  it('names the proven domain of the company, and whose name it resembles', async () => {
    const world = shared()
    await world.provider('northwind')
    world.clock.advance('1h')
    const { owner } = await createCompany(world, 'mallory')
    await owner.providers.update((await owner.providers.me()).id, { company_name: 'Northwind Labs' })
    await invite(world, owner, 'hal@home.example', 'viewer')
    const text = (await world.mails('hal@home.example')).at(-1)?.text
    expect(text).toContain('mallory[.]example')
    expect(text).toContain('has had a similar name and a proven domain for longer:\n\n    northwind[.]example')
    const token = /invitation\?token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''
    expect(await world.anyone.members.preview({ token })).toMatchObject({ similar_name_domain: 'northwind.example' })
    expect(text).not.toContain('mallory.example')
  })

  it('says who invited by a mailbox that is no link', async () => {
    const world = shared()
    const email = 'www.openai.com/verify@evil.example'
    const { api_key } = await world.anyone.providers.register({
      company_name: 'Evil',
      email,
      website: 'https://evil.example',
      is_listed: true,
    })
    const evil = { ...(await world.provider('evil', { isVerified: false })), client: world.client(api_key) }
    const owner = world.client((await world.session(evil)).api_key)
    await invite(world, owner, 'victim@home.example', 'viewer')
    const text = (await world.mails('victim@home.example')).at(-1)?.text
    expect(text).toContain('Invited by this member:\n\n    www[.]openai[.]com/verify@evil[.]example\n')
    expect(text).not.toContain('openai.com')
  })

  it('names the member who joins or leaves to the company, by a mailbox that is no link', async () => {
    const world = shared()
    const { owner } = await createCompany(world, 'proseware')
    const { client, person_id } = await join(world, owner, 'www.openai.com/join@evil.example', 'viewer')
    await client.members.remove(person_id, {})
    const mails = (await world.mails('proseware@proseware.example')).slice(-2)
    expect(mails.map(({ subject }) => subject)).toEqual(['A member joined your company', 'A member left your company'])
    for (const { text } of mails) {
      expect(text).toContain('\n    www[.]openai[.]com/join@evil[.]example\n')
      expect(text).not.toContain('openai.com')
    }
  })
})

interface Case {
  stored: string
  isUnfit?: boolean
  isVerified?: boolean
}

describeOnSqlite('an invitation', (engine) => {
  it('shows no name that keeps its company off the lists, and no domain that is not proven', async () => {
    const world = await createWorld({ engine, protectedNames: [{ name: 'Tailspin', domain: 'tailspin.example' }] })
    await world.provider('northwind')
    /** What an invitation and an email to a member show of a company. */
    const shown = async (name: string, { stored, isUnfit = false, isVerified = false }: Case) => {
      const company = await world.provider(name, { isVerified })
      const owner = world.client((await world.session(company)).api_key)
      const columns = { company_name: stored, name_skeleton: skeletonOf(stored), unfit_name: isUnfit ? 1 : 0 } as const
      await world.database.transaction((tx) =>
        tx.updateTable('providers').set(columns).where('id', '=', company.id).execute(),
      )
      const email = `${name}@home.test`
      const token = await invite(world, owner, email, 'publisher')
      const { company_name, domain } = await world.anyone.members.preview({ token })
      await world.anyone.members.accept({ token, password })
      const { members } = await owner.members.list()
      await owner.members.setRole(members.find((each) => each.email === email)?.person_id ?? '', { role: 'viewer' })
      const texts = (await world.mails(email))
        .filter(({ subject }) => /invited|role/.test(subject))
        .map(({ text }) => text.replaceAll(`${name}@${name}[.]example`, 'The owner'))
      return { company_name, domain, texts }
    }
    const cases: Record<string, Case> = {
      tailspin: { stored: 'Tailspin Inc.' },
      mallory: { stored: 'Tailspin Inc.', isVerified: true },
      eve: { stored: 'Northwind Labs Inc.' },
      trent: { stored: 'Trent.example' },
      oscar: { stored: 'Globe (globe.example)', isVerified: true },
      peggy: { stored: 'Officially Peggy', isUnfit: true, isVerified: true },
    }
    for (const [name, input] of Object.entries(cases)) {
      const domain = input.isVerified ? `${name}.example` : null
      const { texts, ...preview } = await shown(name, input)
      expect(preview, name).toEqual({ company_name: null, domain })
      expect(texts, name).toHaveLength(2)
      for (const text of texts) {
        expect(text).not.toMatch(/tailspin|^> |globe|officially|trent|calls itself/im)
        expect(text).toContain(domain === null ? 'A company without a name' : domain.replace('.', '[.]'))
      }
    }
    const fine = await shown('heidi', { stored: 'Heidi & Co.', isVerified: true })
    expect(fine).toMatchObject({ company_name: 'Heidi & Co.', domain: 'heidi.example' })
    for (const text of fine.texts) expect(text).toContain('heidi[.]example')
    expect(fine.texts[0]).toContain('It calls itself:\n\n> Heidi & Co.')
  })
})
