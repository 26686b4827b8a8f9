import { hash } from 'node:crypto'
import { deviceGrantType } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { createAuthenticator } from '../support/authenticator.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { insertPresence, protect } from '../support/presence.ts'
import { shareWorld, type World } from '../support/world.ts'

const password = 'a quiet heron at dawn'

const signIn = async (world: World, { api_key }: { api_key: string }) => {
  const client = world.client(api_key)
  const person_id = (await client.members.list()).members.find(({ is_you }) => is_you)?.person_id ?? ''
  const session_id = (await client.auth.sessions()).sessions.find(({ is_current }) => is_current)?.id ?? ''
  return { client, person_id, proven: () => insertPresence(world, { session_id, person_id }) }
}

const tokenIn = async (world: World, mailbox: string) =>
  new URL((await world.mails(mailbox)).at(-1)?.link ?? '').searchParams.get('token') ?? ''

/** A company with two protected owners, one of whom lost everything but the mailbox. */
const createCompany = async (world: World, name: string) => {
  const company = await world.provider(name)
  const head = await signIn(world, await world.session(company))
  const email = `bo@${name}.example`
  await head.client.members.invite({ email, role: 'owner' })
  const token = await tokenIn(world, email)
  const other = await signIn(world, await world.anyone.members.accept({ token, password }))
  await protect(world, head.person_id)
  await protect(world, other.person_id)
  return { company, head, other, email, mailbox: `${name}@${name}.example` }
}

const begin = async (world: World, email: string) => {
  await world.anyone.factors.beginRecovery({ email })
  const token = await tokenIn(world, email)
  return { token, started: await world.anyone.factors.recover({ token }) }
}

/** Makes someone a member of another company, whose owner has no passkey. */
const joinElsewhere = async (
  world: World,
  name: string,
  { other, email }: Awaited<ReturnType<typeof createCompany>>,
) => {
  const chief = await signIn(world, await world.session(await world.provider(name)))
  await chief.client.members.invite({ email, role: 'admin' })
  await other.client.members.accept({ token: await tokenIn(world, email) })
  const approve = async () => {
    const { api_key } = await world.anyone.auth.login({ email: `${name}@${name}.example`, password })
    const { client } = await signIn(world, { api_key })
    const [change] = (await client.changes.list()).changes
    await client.changes.approve(change?.id ?? '')
  }
  return { chief, approve }
}

const factorsOf = async (world: World, person_id: string) =>
  world.database.read.selectFrom('factors').select('id').where('person_id', '=', person_id).execute()

describeOnSqlite('someone who lost passkeys and recovery codes', (engine) => {
  const shared = shareWorld({ engine })

  it('recovers with the mailbox alone after seven days, and emails all owners twice', async () => {
    const world = shared()
    const { company, head, other, email, mailbox } = await createCompany(world, 'acme')
    const { started } = await begin(world, email)
    expect(started).toMatchObject({ state: 'waiting', companies: [{ domain: 'acme.example' }] })
    expect(Date.parse(started.takes_effect_at ?? '') - world.clock.now()).toBe(7 * 24 * 3_600_000)
    expect(await other.client.factors.list()).toMatchObject({ recovery_at: started.takes_effect_at })
    expect((await head.client.changes.list()).changes).toMatchObject([
      { endpoint: 'factors.recover', state: 'delayed', takes_effect_at: started.takes_effect_at },
    ])
    const first = (await world.mails(mailbox)).at(-1)
    expect(first).toMatchObject({ subject: 'Someone asked to remove the passkeys of a member' })
    expect(first?.text).toContain(email.replace('.', '[.]'))

    world.clock.advance('6d')
    await world.jobs.run('recovery-reminders')
    await world.jobs.run('recovery-reminders')
    await world.jobs.run('delayed-changes')
    const reminders = (await world.mails(mailbox)).filter(
      ({ subject }) => subject === 'The passkeys of a member are removed soon',
    )
    expect(reminders).toHaveLength(1)
    expect(await factorsOf(world, other.person_id)).toHaveLength(1)
    world.clock.advance('1d')
    await world.jobs.run('delayed-changes')
    expect(await factorsOf(world, other.person_id)).toEqual([])
    expect(await factorsOf(world, head.person_id)).toHaveLength(1)
    expect((await world.mails(email)).at(-1)?.subject).toBe('Your passkeys were removed')
    const session = await world.anyone.auth.login({ email, password })
    expect((await world.client(session.token).providers.me()).id).toBe(company.id)
  })

  it('recovers at once when another owner approves it with presence', async () => {
    const world = shared()
    const { company, head, other, email } = await createCompany(world, 'northwind')
    await begin(world, email)
    const [change] = (await head.client.changes.list()).changes
    const id = change?.id ?? ''
    await expect(company.client.changes.approve(id)).rejects.toMatchObject({ code: 'presence_required' })
    await expect(head.client.changes.approve(id)).rejects.toMatchObject({ code: 'presence_required' })
    await expect(other.client.changes.approve(id, {}, await other.proven())).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await head.client.changes.approve(id, {}, await head.proven())).toMatchObject({
      change: { state: 'approved', decided_by: 'northwind@northwind.example' },
    })
    expect(await factorsOf(world, other.person_id)).toEqual([])
    await expect(other.client.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
  })
})

describeOnSqlite('someone who lost passkeys and recovery codes', (engine) => {
  const shared = shareWorld({ engine })

  it('recovers at once with a DNS record at the primary domain that every resolver finds', async () => {
    const world = shared()
    const { other, email } = await createCompany(world, 'contoso')
    const { token, started } = await begin(world, email)
    const [company] = started.companies
    expect(company?.record_name).toBe('_countersign-recovery.contoso.example')
    world.dns.first.setTxt(company?.record_name ?? '', [company?.record_value ?? ''])
    expect(await world.anyone.factors.recover({ token })).toMatchObject({ state: 'waiting' })
    world.dns.setTxt(company?.record_name ?? '', [company?.record_value ?? ''])
    expect(await world.anyone.factors.recover({ token })).toMatchObject({ state: 'done', companies: [] })
    expect(await factorsOf(world, other.person_id)).toEqual([])
    await expect(world.anyone.factors.recover({ token })).rejects.toMatchObject({ code: 'code_invalid' })
  })

  it('recovers with a session and a DNS record without the mailbox, and never by waiting', async () => {
    const world = shared()
    const { company, other, email } = await createCompany(world, 'fabrikam')
    const { token } = await other.client.factors.beginRecovery({ email })
    const started = await world.anyone.factors.recover({ token: token ?? '' })
    expect(started).toMatchObject({ state: 'waiting', takes_effect_at: null })
    expect((await company.client.changes.list()).changes).toMatchObject([{ state: 'delayed', takes_effect_at: null }])
    expect(await other.client.factors.list()).toMatchObject({ recovery_waits: true, recovery_at: null })
    world.clock.advance('7d')
    await world.jobs.run('delayed-changes')
    expect(await factorsOf(world, other.person_id)).toHaveLength(1)
    expect((await company.client.changes.list()).changes).toMatchObject([{ state: 'cancelled' }])
  })

  it('recovers at once with the emailed link and a recovery code, of which five may be tried', async () => {
    const world = shared()
    const { company, head, email, mailbox } = await createCompany(world, 'consolidated')
    const { api_key } = await world.anyone.auth.login({ email, password })
    const other = await signIn(world, { api_key })
    const { recovery_codes } = await other.client.factors.renewCodes({}, await other.proven())
    const [code = '', second = ''] = recovery_codes
    const { token } = await begin(world, email)
    const { token: own } = await other.client.factors.beginRecovery({ email })
    const recover = (by: string | null, recovery_code: string) =>
      world.anyone.factors.recover({ token: by ?? '', recovery_code })
    // A session and a code are not enough: the mailbox is the other factor.
    await expect(recover(own, code)).rejects.toMatchObject({ code: 'code_invalid' })
    for (let attempt = 0; attempt < 5; attempt += 1)
      await expect(recover(token, 'AAAAA-AAAAA')).rejects.toMatchObject({ code: 'code_invalid' })
    await expect(recover(token, code)).rejects.toMatchObject({ code: 'code_invalid' })
    const next = await begin(world, email)
    const done = await Promise.allSettled([recover(next.token, code), recover(next.token, second)])
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await factorsOf(world, other.person_id)).toEqual([])
    expect((await company.client.changes.list()).changes).toMatchObject([{ state: 'done' }])
    expect((await world.mails(mailbox)).at(-1)).toMatchObject({ subject: 'The passkeys of a member were removed' })
    await protect(world, other.person_id)
    world.clock.advance('7d')
    await world.jobs.run('delayed-changes')
    expect(await factorsOf(world, other.person_id)).toHaveLength(1)
    expect(await factorsOf(world, head.person_id)).toHaveLength(1)
  })

  it('changes the address and adds a passkey with recovery codes, signed in with the password', async () => {
    const world = shared()
    const { other, email } = await createCompany(world, 'liberty')
    const [first = '', second = ''] = (await other.client.factors.renewCodes({}, await other.proven())).recovery_codes
    const { api_key } = await world.anyone.auth.login({ email, password })
    const { client } = await signIn(world, { api_key })
    const confirm = async (code: string, path: string, body: object) => {
      const body_digest = `sha256:${hash('sha256', JSON.stringify(body), 'hex')}`
      const { response } = await client.factors
        .prove({ recovery: { code, act: { method: 'POST', path, body_digest } } })
        .withResponse()
      return { headers: { cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' } }
    }
    const address = 'bo-new@liberty.example'
    await client.account.changeEmail({ email: address }, await confirm(first, '/api/v1/me/email', { email: address }))
    await client.account.confirmEmail({ code: (await world.mails(address)).at(-1)?.code ?? '' })
    const options = await client.factors.begin({}, await confirm(second, '/api/v1/me/factors/challenge', {}))
    const passkey = createAuthenticator({ origin: world.publicUrl }).create(options)
    expect(await client.factors.add({ name: 'Phone', passkey })).toMatchObject({ kind: 'passkey' })
  })

  it('continues with the emailed link after a session began it', async () => {
    const world = shared()
    const { other, email } = await createCompany(world, 'alpine')
    const { token } = await other.client.factors.beginRecovery({ email })
    await world.anyone.factors.recover({ token: token ?? '' })
    const mailed = await begin(world, email)
    expect(mailed.started.takes_effect_at).not.toBeNull()
    expect(await world.anyone.factors.recover({ token: mailed.token })).toMatchObject({ state: 'waiting' })
  })

  it('keeps the passkeys if the person, an owner or the reader of the email cancels it', async () => {
    const world = shared()
    const { company, head, other, email, mailbox } = await createCompany(world, 'wingtip')
    const cancels = [
      () => other.client.factors.cancelRecovery(),
      async () => head.client.changes.cancel((await head.client.changes.list()).changes[0]?.id ?? ''),
      async () => world.anyone.changes.undo({ token: await tokenIn(world, mailbox) }),
    ]
    for (const cancel of cancels) {
      const { token } = await begin(world, email)
      await cancel()
      expect((await company.client.changes.list()).changes[0]).toMatchObject({ state: 'cancelled' })
      await expect(world.anyone.factors.recover({ token })).rejects.toMatchObject({ code: 'code_invalid' })
    }
    world.clock.advance('7d')
    await world.jobs.run('delayed-changes')
    expect(await factorsOf(world, other.person_id)).toHaveLength(1)
  })

  it('is not cancelled by a key: a thief may keep one, and the person has only the mailbox', async () => {
    const world = shared()
    const { company, email, other } = await createCompany(world, 'nod')
    await begin(world, email)
    const [change] = (await company.client.changes.list()).changes
    await expect(company.client.changes.cancel(change?.id ?? '')).rejects.toMatchObject({ code: 'forbidden' })
    world.clock.advance('7d')
    await world.jobs.run('delayed-changes')
    expect(await factorsOf(world, other.person_id)).toEqual([])
  })

  it('needs a confirmation by every company of the person', async () => {
    const world = shared()
    const { head, other, email } = await createCompany(world, 'litware')
    const second = await world.provider('lucerne')
    const chief = await signIn(world, await world.session(second))
    await chief.client.members.invite({ email, role: 'admin' })
    const token = await tokenIn(world, email)
    await other.client.members.accept({ token })
    await protect(world, chief.person_id)
    await begin(world, email)
    const [change] = (await head.client.changes.list()).changes
    await head.client.changes.approve(change?.id ?? '', {}, await head.proven())
    expect(await factorsOf(world, other.person_id)).toHaveLength(1)
    const [elsewhere] = (await chief.client.changes.list()).changes
    await chief.client.changes.approve(elsewhere?.id ?? '', {}, await chief.proven())
    expect(await factorsOf(world, other.person_id)).toEqual([])
  })

  it('gets the same answer as everyone else, and no link for an address without passkeys', async () => {
    const world = shared()
    const { email } = await createCompany(world, 'tailspin')
    const known = await world.anyone.factors.beginRecovery({ email })
    expect(await world.anyone.factors.beginRecovery({ email: 'nobody@tailspin.example' })).toEqual(known)
    expect(await world.mails('nobody@tailspin.example')).toEqual([])
    await world.session(await world.provider('adatum'))
    await world.anyone.factors.beginRecovery({ email: 'adatum@adatum.example' })
    expect((await world.mails('adatum@adatum.example')).at(-1)?.subject).toBe('Your account has no passkey')
  })

  it('keeps the passkeys once an owner cancelled it, although a company that the person has left did not', async () => {
    const world = shared()
    const company = await createCompany(world, 'proseware')
    const { head, other, email } = company
    const { chief } = await joinElsewhere(world, 'lamna', company)
    await begin(world, email)
    await chief.client.members.remove(other.person_id)
    const [change] = (await head.client.changes.list()).changes
    await head.client.changes.cancel(change?.id ?? '')
    expect((await chief.client.changes.list()).changes).toMatchObject([{ state: 'cancelled' }])
    world.clock.advance('7d')
    await world.jobs.run('delayed-changes')
    expect(await factorsOf(world, other.person_id)).toHaveLength(1)
  })

  it('gives a company that the person has left no say', async () => {
    const world = shared()
    const { head, other, email } = await createCompany(world, 'munson')
    await begin(world, email)
    await head.client.members.remove(other.person_id, {}, await head.proven())
    world.clock.advance('1d')
    await world.jobs.run('delayed-changes')
    world.clock.advance('6d')
    await world.jobs.run('delayed-changes')
    expect(await factorsOf(world, other.person_id)).toHaveLength(1)
  })

  it('keeps the passkeys if another address is confirmed meanwhile: the old mailbox may be stolen', async () => {
    const world = shared()
    const { other, email } = await createCompany(world, 'relecloud')
    const { token } = await begin(world, email)
    const address = 'bo-new@relecloud.example'
    await other.client.account.changeEmail({ email: address }, await other.proven())
    await other.client.account.confirmEmail({ code: (await world.mails(address)).at(-1)?.code ?? '' })
    await expect(world.anyone.factors.recover({ token })).rejects.toMatchObject({ code: 'code_invalid' })
    world.clock.advance('7d')
    await world.jobs.run('delayed-changes')
    expect(await factorsOf(world, other.person_id)).toHaveLength(1)
  })

  it('needs a confirmation by companies that the person joined after it began', async () => {
    const world = shared()
    const company = await createCompany(world, 'blueyonder')
    const { head, other, email } = company
    const { token } = await begin(world, email)
    const { approve } = await joinElsewhere(world, 'margie', company)
    const confirm = async () => {
      const [change] = (await head.client.changes.list()).changes
      await head.client.changes.approve(change?.id ?? '', {}, await head.proven())
    }
    await confirm()
    expect(await factorsOf(world, other.person_id)).toHaveLength(1)
    expect((await world.anyone.factors.recover({ token })).companies).toHaveLength(2)
    await confirm()
    expect(await factorsOf(world, other.person_id)).toHaveLength(1)
    await approve()
    expect(await factorsOf(world, other.person_id)).toEqual([])
  })

  it('needs a confirmation by a company whose seven days have just passed', async () => {
    const world = shared()
    const company = await createCompany(world, 'trey')
    const { other, email } = company
    const { token } = await other.client.factors.beginRecovery({ email })
    await world.anyone.factors.recover({ token: token ?? '' })
    const { approve } = await joinElsewhere(world, 'bellows', company)
    world.clock.advance('6d')
    const again = await world.anyone.auth.login({ email, password })
    const late = await world.client(again.api_key).factors.beginRecovery({ email })
    world.clock.advance('1d')
    await world.anyone.factors.recover({ token: late.token ?? '' })
    await approve()
    expect(await factorsOf(world, other.person_id)).toHaveLength(1)
  })

  it('begins with a session only while that session lasts, and not with the session of a device', async () => {
    const world = shared()
    const { other, email } = await createCompany(world, 'woodgrove')
    const begun = await world.anyone.devices.begin({ name: 'build-7' })
    await other.client.devices.approve({ user_code: begun.user_code }, await other.proven())
    const { access_token } = await world.anyone.devices.token({
      grant_type: deviceGrantType,
      device_code: begun.device_code,
    })
    expect(await world.client(access_token).factors.beginRecovery({ email })).toMatchObject({ token: null })

    const { token } = await other.client.factors.beginRecovery({ email })
    await other.client.auth.signOut({})
    await expect(world.anyone.factors.recover({ token: token ?? '' })).rejects.toMatchObject({ code: 'code_invalid' })
  })
})
