import { expect, it } from 'vitest'
import { describeOnSqlite } from '../support/databases.ts'
import { shareWorld, type World } from '../support/world.ts'

const password = 'a quiet heron at dawn'

const mailTo = async (world: World, email: string) => (await world.mails(email)).at(-1)
const tokenOf = (link: string | undefined) => new URL(link ?? '').searchParams.get('token') ?? ''

describeOnSqlite('the address of a person', (engine) => {
  const shared = shareWorld({ engine })

  /** A person who is signed in and has asked for another address. */
  const ask = async (name: string, email = `ada@${name}.example`) => {
    const world = shared()
    const company = await world.provider(name)
    const { client } = await world.session(company)
    const old = (await client.members.list()).members[0]?.email ?? ''
    await client.account.changeEmail({ email, current_password: password })
    return { world, company, client, old, email }
  }

  it('changes when the new mailbox shows its code, and then signs in', async () => {
    const { world, client, old, email } = await ask('acme')
    const { code = '' } = (await mailTo(world, email)) ?? {}
    await expect(client.account.confirmEmail({ code: 'AAAAA-AAAAA' })).rejects.toMatchObject({ code: 'code_invalid' })
    expect(await client.account.confirmEmail({ code })).toEqual({ email })
    expect((await mailTo(world, old))?.text).toContain('\n    ada@acme[.]example\n')
    await expect(client.account.confirmEmail({ code })).rejects.toMatchObject({ code: 'code_invalid' })
    await world.anyone.auth.login({ email, password })
    await expect(world.anyone.auth.login({ email: old, password })).rejects.toMatchObject({ code: 'unauthorized' })
    const [event] = (await client.account.events({ action: 'member.email_changed' })).events
    expect(event).toMatchObject({ before: { email: old }, after: { email }, actor_name: email })
  })

  it('can be taken back from the old mailbox, which ends every session and the password', async () => {
    const { world, client, old, email } = await ask('contoso')
    await client.account.confirmEmail({ code: (await mailTo(world, email))?.code ?? '' })
    const token = tokenOf((await mailTo(world, old))?.link)
    const restored = await world.anyone.account.restoreEmail({ token })
    expect((await world.anyone.auth.passwordAccount({ token: restored.setup_token })).email).toBe(old)
    await expect(client.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(world.anyone.auth.login({ email: old, password })).rejects.toMatchObject({ code: 'unauthorized' })
    await world.anyone.auth.setPassword({ token: restored.setup_token, password: 'another heron at dusk' })
    await world.anyone.auth.login({ email: old, password: 'another heron at dusk' })
    await expect(world.anyone.account.restoreEmail({ token })).rejects.toMatchObject({ code: 'code_invalid' })
  })

  it('cannot be taken back after 72 hours', async () => {
    const { world, client, old, email } = await ask('fabrikam')
    await client.account.confirmEmail({ code: (await mailTo(world, email))?.code ?? '' })
    const token = tokenOf((await mailTo(world, old))?.link)
    world.clock.advance('72h')
    await expect(world.anyone.account.restoreEmail({ token })).rejects.toMatchObject({ code: 'code_invalid' })
  })

  it('never changes to an address that someone else has verified', async () => {
    const { old } = await ask('litware')
    const { world, client } = await ask('wingtip', old)
    expect(await mailTo(world, old)).not.toHaveProperty('code', expect.stringMatching(/./))
    for (let count = 0; count < 5; count++)
      await expect(client.account.confirmEmail({ code: 'AAAAA-AAAAA' })).rejects.toMatchObject({ code: 'code_invalid' })
  })

  it('stays if the password is wrong or the caller is a key', async () => {
    const { client, company } = await ask('northwind')
    const wrong = { email: 'eve@northwind.example', current_password: 'a loud heron' }
    await expect(client.account.changeEmail(wrong)).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(company.client.account.changeEmail(wrong)).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('stays if there is no password and the session began more than 15 minutes ago', async () => {
    const { world, client } = await ask('globex')
    await world.database.transaction((tx) => tx.deleteFrom('passwords').execute())
    await client.account.changeEmail({ email: 'eve@globex.example' })
    world.clock.advance('16m')
    await expect(client.account.changeEmail({ email: 'eve@globex.example' })).rejects.toMatchObject({
      code: 'sign_in_again',
    })
  })
})
