import { expect, it } from 'vitest'
import { describeOnSqlite } from '../support/databases.ts'
import { askForReset, createDesk } from '../support/desk.ts'
import { createHttpBrowser } from '../support/http-browser.ts'
import { createSignInWorld, type SignInWorld, someone } from '../support/sign-in.ts'

const company = { email: 'ada@acme.example', company_name: 'Acme Labs', website: 'https://acme.example' }

const tokenOf = (link: string | undefined) => link?.slice(link.lastIndexOf('/') + 1)

/** A person who registered without a password and has verified the mailbox: the next page asks how to sign in from now on. */
const beginSetup = async (world: SignInWorld) => {
  const browser = createHttpBrowser()
  const post = (path: string, body: object) => browser.post(`${world.address}/api/v1/${path}`, body)
  await post('providers/send-verification', company)
  const [mail] = await world.mails(company.email)
  const { body } = await post('auth/email/verify', { token: tokenOf(mail?.link) })
  const setup_token = String(body.setup_token)
  return {
    browser,
    post,
    setup_token,
    provider_id: String(body.provider_id),
    link: (provider: 'github' | 'google') => `${world.address}/api/v1/auth/${provider}/link?token=${setup_token}`,
  }
}

const identitiesOf = (world: SignInWorld) =>
  world.database.read
    .selectFrom('identities as i')
    .innerJoin('members as m', 'm.person_id', 'i.person_id')
    .select(['m.provider_id', 'i.login'])
    .execute()

describeOnSqlite('setting up an account', (engine) => {
  it('with an identity provider instead of a password begins a session, once', async () => {
    const world = await createSignInWorld(engine)
    const { browser, post, link, provider_id, setup_token } = await beginSetup(world)
    const ada = someone('ada-at-home', { email: 'ada@home.example' })
    world.sitDown(ada)
    const { token, linked } = await world.walk(browser, link('github'))
    expect(linked).toBe('true')
    expect((await world.exchange(browser, token)).body).toMatchObject({ provider_id, linked: true })
    expect((await world.signIn('github', ada)).provider_id).toBe(provider_id)
    expect((await world.mails(company.email)).at(-1)).toMatchObject({ subject: 'GitHub was connected to your account' })
    expect(await post('auth/password/set', { token: setup_token, password: 'a quiet heron at dawn' })).toMatchObject({
      status: 400,
    })
    expect(await world.walk(browser, link('google'))).toEqual({ error: 'link_expired' })
  })

  it('is not used up by declining, or by a user who is already linked', async () => {
    const world = await createSignInWorld(engine)
    const bob = someone('bob')
    await world.signIn('google', bob)
    const { browser, link } = await beginSetup(world)
    world.sitDown(undefined)
    expect(await world.walk(browser, link('github'))).toEqual({ error: 'access_denied' })
    world.sitDown(bob)
    expect(await world.walk(browser, link('google'))).toEqual({ error: 'identity_taken' })
    world.sitDown(someone('ada'))
    expect(await world.walk(browser, link('github'))).toMatchObject({ linked: 'true' })
  })

  it('by an attacker’s setup token does nothing in a victim’s browser (linking CSRF)', async () => {
    const world = await createSignInWorld(engine)
    const attacker = await beginSetup(world)
    world.sitDown(someone('vera'))
    expect(await world.walk(createHttpBrowser(), attacker.link('github'))).toEqual({ error: 'link_expired' })
    const victim = await world.signIn('github', someone('vera'))
    await world.startLink('google', victim)
    expect(await world.walk(victim.browser, attacker.link('google'))).toEqual({ error: 'link_expired' })
    expect(await identitiesOf(world)).toMatchObject([{ provider_id: victim.provider_id }])
  })

  it('twice at once links one user', async () => {
    const world = await createSignInWorld(engine)
    const { browser, link } = await beginSetup(world)
    world.sitDown(someone('ada'))
    const github = await world.walkToCallback(browser, link('github'))
    const afterGithub = new Map(browser.cookies(world.address))
    world.sitDown(someone('eve'))
    const google = await world.walkToCallback(browser, link('google'))
    const other = createHttpBrowser()
    for (const [name, cookie] of afterGithub) other.cookies(world.address).set(name, cookie)
    const ends = await Promise.all([world.walk(other, github), world.walk(browser, google)])
    expect(ends.map(({ error }) => error).sort()).toEqual(['link_expired', undefined])
    expect(await identitiesOf(world)).toHaveLength(1)
  })

  it('ends after a password was set', async () => {
    const world = await createSignInWorld(engine)
    const { browser, post, link, setup_token } = await beginSetup(world)
    world.sitDown(someone('eve'))
    const callback = await world.walkToCallback(browser, link('github'))
    expect((await post('auth/password/set', { token: setup_token, password: 'a quiet heron at dawn' })).status).toBe(
      200,
    )
    expect(await world.walk(browser, callback)).toEqual({ error: 'link_expired' })
    expect(await identitiesOf(world)).toEqual([])
  })
})

describeOnSqlite('an identity provider’s word for an address', (engine) => {
  it('proves no domain, and neither does the mailbox', async () => {
    const world = await createSignInWorld(engine)
    const { client, provider_id, auth_token, browser } = await world.signIn('github', someone('ada'))
    await client.providers.update(provider_id, { company_name: company.company_name, website: company.website })
    expect(await client.providers.me()).toMatchObject({
      email_verified: true,
      domain_verified: false,
      verification_level: 'partially_verified',
    })
    const bearer = { authorization: `Bearer ${auth_token}` }
    await browser.post(`${world.address}/api/v1/providers/send-verification`, {}, bearer)
    const [mail] = await world.mails(company.email)
    const proof = { verification_code: mail?.code }
    expect((await browser.post(`${world.address}/api/v1/providers/verify-email`, proof, bearer)).body).toMatchObject({
      verified: true,
      domain_verified: false,
    })
    expect(await client.providers.me()).toMatchObject({
      domain_verified: false,
      verification_level: 'partially_verified',
    })
  })
})

describeOnSqlite('disconnecting an identity provider from an account', (engine) => {
  it('ends that way to sign in, records it, emails the owner and keeps the other ways', async () => {
    const world = await createSignInWorld(engine)
    const ada = someone('ada')
    const account = await world.signIn('github', ada)
    expect(await account.client.auth.unlink('github')).toMatchObject({ provider: 'github' })
    expect((await account.client.auth.identities()).identities).toEqual([])
    expect((await account.client.account.events()).events[0]).toMatchObject({
      action: 'identity.unlinked',
      before: { provider: 'github', login: 'ada' },
    })
    expect((await world.mails(company.email)).at(-1)).toMatchObject({
      subject: 'GitHub was disconnected from your account',
    })
    world.sitDown(ada)
    expect(await world.walk(createHttpBrowser(), world.pathOf('github', 'login'))).toEqual({
      error: 'account_exists_sign_in_to_link',
    })
  })

  it('is not found if there is none, and does not affect other accounts', async () => {
    const world = await createSignInWorld(engine)
    const [ada, bob] = [await world.signIn('github', someone('ada')), await world.signIn('google', someone('bob'))]
    await expect(ada.client.auth.unlink('google')).rejects.toMatchObject({ code: 'not_found' })
    expect((await bob.client.auth.identities()).identities).toHaveLength(1)
  })
})

describeOnSqlite('an address that only an identity provider vouches for', (engine) => {
  it('is verified by an email and the account; a new password only proves the mailbox', async () => {
    const world = await createSignInWorld(engine)
    const mallory = await world.signIn('github', someone('mallory', { email: company.email }))
    await mallory.client.providers.update(mallory.provider_id, {
      company_name: company.company_name,
      website: company.website,
    })
    const vouchedBy = async () =>
      (await world.database.read.selectFrom('providers').select('email_vouched_by').executeTakeFirstOrThrow())
        .email_vouched_by

    // The owner of the mailbox now sets a password; the person who created the account with GitHub still signs in to it.
    const token = await askForReset(world, company.email)
    const { body } = await createDesk(world).post('auth/password/set', { token, password: 'a quiet heron at dawn' })
    const owner = world.client(String(body.token))
    expect(await vouchedBy()).toBe('github')
    expect(await owner.providers.me()).toMatchObject({ id: mallory.provider_id, domain_verified: false })

    await owner.auth.sendVerification({})
    const code = (await world.mails(company.email)).at(-1)?.code ?? ''
    expect(await owner.auth.verifyEmail({ verification_code: code })).toMatchObject({
      verified: true,
      domain_verified: false,
    })
    expect(await vouchedBy()).toBeNull()
  })
})
