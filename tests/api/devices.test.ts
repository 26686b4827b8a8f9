import { deviceGrantType } from '@countersign/sdk/contract'
import { expect, it } from 'vitest'
import { password } from '../support/account-rows.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { insertPresence, protect } from '../support/presence.ts'
import { createWorld, shareWorld, type World } from '../support/world.ts'

const poll = (world: World, device_code: string) =>
  world.anyone.devices.token({ grant_type: deviceGrantType, device_code })

/** The member `error` of RFC 8628, or the session. */
const outcome = (world: World, device_code: string) =>
  poll(world, device_code).then(
    () => 'session',
    (error: { problem: { error: string } }) => error.problem.error,
  )

const signIn = async (world: World, approver: World['anyone'], name = 'build-7') => {
  const { device_code, user_code } = await world.anyone.devices.begin({ name })
  await approver.devices.approve({ user_code })
  return world.client((await poll(world, device_code)).access_token)
}

describeOnSqlite('devices', (engine) => {
  const shared = shareWorld({ engine })

  it('gives one session to a machine whose code a person approved', async () => {
    const world = shared()
    const acme = await world.provider('acme')
    const { client } = await world.session(acme)
    const begun = await world.anyone.devices.begin({ name: 'build-7' })
    expect(begun).toMatchObject({
      verification_uri: `${world.publicUrl}/device`,
      verification_uri_complete: `${world.publicUrl}/device#${begun.user_code}`,
      expires_in: 600,
      interval: 5,
    })
    const { device_code, user_code } = begun
    expect(await outcome(world, device_code)).toBe('authorization_pending')
    const typed = user_code.toLowerCase().replace('-', ' ')
    expect(await client.devices.find({ user_code: typed })).toMatchObject({
      user_code,
      name: 'build-7',
      address: '127.0.0.1',
      is_same_network: true,
    })
    await client.devices.approve({ user_code: typed })
    world.clock.advance('5s')
    const [one, other] = await Promise.all([outcome(world, device_code), outcome(world, device_code)])
    expect([one, other].sort()).toEqual(['expired_token', 'session'])
    await expect(client.devices.approve({ user_code })).rejects.toMatchObject({ code: 'code_invalid' })
    expect((await world.mails((await acme.client.providers.me()).email ?? '')).at(-1)).toMatchObject({
      subject: 'A device was signed in to your account',
      text: expect.stringContaining('build-7'),
    })
  })

  it('makes each poll that comes too early wait longer', async () => {
    const world = shared()
    const { device_code } = await world.anyone.devices.begin({ name: 'build-7' })
    expect(await outcome(world, device_code)).toBe('authorization_pending')
    world.clock.advance('2s')
    expect(await outcome(world, device_code)).toBe('slow_down')
    world.clock.advance('6s')
    expect(await outcome(world, device_code)).toBe('slow_down')
    world.clock.advance('15s')
    expect(await outcome(world, device_code)).toBe('authorization_pending')
  })
})

describeOnSqlite('devices', (engine) => {
  const shared = shareWorld({ engine })

  it('gives nothing for a denied, expired or invented code, nor after the approving session has ended', async () => {
    const world = shared()
    const acme = await world.provider('contoso')
    const { client } = await world.session(acme)
    const begin = () => world.anyone.devices.begin({ name: 'build-7' })

    const denied = await begin()
    await client.devices.deny({ user_code: denied.user_code })
    expect(await outcome(world, denied.device_code)).toBe('access_denied')
    await expect(client.devices.approve({ user_code: denied.user_code })).rejects.toMatchObject({
      code: 'code_invalid',
    })

    const ended = await begin()
    const { api_key } = await world.anyone.auth.login({ email: 'contoso@contoso.example', password })
    const other = world.client(api_key)
    await other.devices.approve({ user_code: ended.user_code })
    await other.auth.signOut({})
    expect(await outcome(world, ended.device_code)).toBe('access_denied')

    const late = await begin()
    await client.devices.approve({ user_code: late.user_code })
    expect(await outcome(world, `${late.device_code.split('.')[0]}.${'A'.repeat(43)}`)).toBe('expired_token')
    world.clock.advance('10m')
    expect(await outcome(world, late.device_code)).toBe('expired_token')
    await expect(client.devices.find({ user_code: late.user_code })).rejects.toMatchObject({ code: 'code_invalid' })
  })

  it('stores no code in the clear', async () => {
    const world = shared()
    const { device_code, user_code } = await world.anyone.devices.begin({ name: 'canary-machine' })
    const rows = await world.database.read.selectFrom('one_time_tokens').selectAll().execute()
    const stored = JSON.stringify(rows.filter(({ data }) => data?.includes('canary-machine')))
    expect(stored).toContain('canary-machine')
    for (const secret of [device_code, device_code.split('.')[1] ?? '', user_code, user_code.replace('-', '')])
      expect(stored).not.toContain(secret)
  })

  it('lists the session with its machine, and ends with it or with the membership', async () => {
    const world = shared()
    const acme = await world.provider('fabrikam')
    const { client } = await world.session(acme)
    const device = await signIn(world, client, 'build-9')
    expect(await device.providers.me()).toMatchObject({ id: acme.id })
    const { sessions } = await client.auth.sessions()
    const own = sessions.find(({ device: name }) => name === 'build-9')
    expect(own).toMatchObject({ is_current: false })
    await client.auth.revokeSession(own?.id ?? '')
    await expect(device.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })

    const again = await signIn(world, client)
    await world.database.transaction((tx) => tx.deleteFrom('members').where('provider_id', '=', acme.id).execute())
    await expect(again.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('accepts no invitation: that would give the machine the session of a browser', async () => {
    const world = shared()
    const acme = await world.provider('wingtip')
    const { client } = await world.session(acme)
    const device = await signIn(world, client)
    const other = world.client((await world.session(await world.provider('litware'))).api_key)
    const email = 'wingtip@wingtip.example'
    await other.members.invite({ email, role: 'viewer' })
    const token = new URL((await world.mails(email)).at(-1)?.link ?? '').searchParams.get('token') ?? ''
    await expect(device.members.accept({ token })).rejects.toMatchObject({ code: 'sign_in_required' })
    await client.members.accept({ token })
  })

  it('never has presence: dangerous calls are staged under the name of the machine, personal ones rejected', async () => {
    const world = await createWorld({ engine })
    const acme = await world.provider('acme')
    const { client } = await world.session(acme)
    const device = await signIn(world, client)
    await expect(device.devices.deny({ user_code: 'AAAAA-AAAAA' })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(device.factors.sendCode({})).rejects.toMatchObject({ code: 'forbidden' })
    await expect(device.account.deleteMe({})).rejects.toMatchObject({ code: 'presence_required' })
    const { sessions } = await device.auth.sessions()
    const session_id = sessions.find(({ is_current }) => is_current)?.id ?? ''
    const { members } = await client.members.list()
    const person_id = members.find(({ is_you }) => is_you)?.person_id ?? ''
    await protect(world, person_id)
    const { headers } = await insertPresence(world, { session_id, person_id })
    const staged = device.keys.create({ name: 'ci' }, { headers })
    await expect(staged).rejects.toMatchObject({
      code: 'change_staged',
      change: { endpoint: 'keys.create', actor: session_id, actor_name: 'build-7', state: 'open' },
    })
    await expect(client.changes.list()).resolves.toMatchObject({ changes: [{ actor_name: 'build-7' }] })
    const { changes } = await device.changes.list()
    const [change] = changes
    await expect(device.changes.approve(change?.id ?? '', {}, { headers })).rejects.toMatchObject({
      code: 'presence_required',
    })
    // What it asked for ends with it.
    await client.auth.revokeSession(session_id)
    expect(await client.changes.get(change?.id ?? '')).toMatchObject({ state: 'rejected', body: null })
  })
})
