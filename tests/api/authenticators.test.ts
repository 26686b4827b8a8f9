import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { appCode } from '../support/authenticator-app.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { shareWorld, type World } from '../support/world.ts'

const wrong = { code: 'code_invalid' }

/** A signed-in owner with the code for a first factor. */
const createOwner = async (world: World, name: string) => {
  const company = await world.provider(name)
  const { client } = await world.session(company)
  const email = `${name}@${name}.example`
  await client.factors.sendCode({})
  const { totp } = await client.factors.begin({ code: (await world.mails(email)).at(-1)?.code ?? '', kind: 'totp' })
  const { token = '', secret = '' } = totp ?? {}
  const show = () => appCode(secret, world.clock.now())
  const add = () => client.factors.add({ name: 'Phone', totp: { token, code: show() } })
  const act = { method: 'POST', path: '/api/v1/providers/me/api-keys' } as const
  const body_digest = `sha256:${hash('sha256', JSON.stringify({ name: 'CI' }), 'hex')}`
  const prove = async (code: string) => {
    const { response } = await client.factors.prove({ totp: { code, act: { ...act, body_digest } } }).withResponse()
    return { headers: { cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' } }
  }
  return { company, client, email, token, secret, show, add, prove }
}

describeOnSqlite('an authenticator app', (engine) => {
  const shared = shareWorld({ engine })

  it('confirms the call that was approved, with each code once', async () => {
    const world = shared()
    const { client, email, token, secret, show, add, prove } = await createOwner(world, 'acme')
    await expect(client.factors.add({ name: 'Phone', totp: { token, code: '000000' } })).rejects.toMatchObject(wrong)
    const added = await add()
    expect(added).toMatchObject({ kind: 'totp', name: 'Phone', recovery_codes: expect.any(Array) })
    expect((await world.mails(email)).at(-1)?.subject).toBe('An authenticator app was added to your account')
    const [row] = await world.database.read.selectFrom('factors').selectAll().where('id', '=', added.id).execute()
    expect(JSON.stringify(row)).not.toContain(secret)
    // The code that added it was used.
    await expect(prove(show())).rejects.toMatchObject(wrong)
    world.clock.advance('30s')
    const code = show()
    const proven = await Promise.allSettled([prove(code), prove(code), prove(code)])
    const [presence] = proven.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    expect(proven.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(client.keys.create({ name: 'CI' })).rejects.toMatchObject({ code: 'presence_required' })
    await expect(client.keys.create({ name: 'Other' }, presence)).rejects.toMatchObject({ code: 'presence_required' })
    await client.keys.create({ name: 'CI' }, presence)
    // One app for each person: each more would make guessing easier.
    const { totp } = await client.factors.begin({ kind: 'totp' }, presence)
    await expect(
      client.factors.add({
        name: 'Tablet',
        totp: { token: totp?.token ?? '', code: appCode(totp?.secret ?? '', world.clock.now()) },
      }),
    ).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await client.factors.remove(added.id, presence)).toMatchObject({ removes_at: expect.any(String) })
  })

  it('accepts ten guesses a day from all sessions together, and resets the count after a right one', async () => {
    const world = shared()
    const { show, add, prove, client, token } = await createOwner(world, 'northwind')
    await add()
    const guess = () => expect(prove('000000')).rejects.toMatchObject(wrong)
    for (let count = 0; count < 9; count += 1) await guess()
    world.clock.advance('30s')
    await prove(show())
    for (let count = 0; count < 10; count += 1) await guess()
    world.clock.advance('30s')
    await expect(prove(show())).rejects.toMatchObject({ ...wrong, detail: expect.stringContaining('Too many') })
    await expect(client.factors.add({ name: 'Phone', totp: { token, code: show() } })).rejects.toMatchObject(wrong)
  })

  it('is not added after five wrong codes, or as a first one without the email', async () => {
    const world = shared()
    const { client, add, token } = await createOwner(world, 'contoso')
    for (let count = 0; count < 5; count += 1)
      await expect(client.factors.add({ name: 'Phone', totp: { token, code: '000000' } })).rejects.toMatchObject(wrong)
    await expect(add()).rejects.toMatchObject(wrong)
    await expect(client.factors.begin({ kind: 'totp' })).rejects.toMatchObject(wrong)
    await expect(client.factors.add({ name: 'Phone' })).rejects.toMatchObject({ code: 'validation_failed' })
    expect(await client.factors.list()).toMatchObject({ factors: [], is_protected: false })
  })
})
