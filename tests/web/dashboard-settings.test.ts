import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { isFull, itInFull } from '../support/full.ts'
import { openOwner } from '../support/owner.ts'
import { findFlaws, findViolations } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const settings = (section: string, more = '') => `/dashboard?tab=settings&section=${section}${more}`
const dialogOf = (page: Page) => page.getByRole('dialog')

/** Everything stored in the browser, and the page itself. */
const everythingIn = (page: Page) =>
  page.evaluate(() =>
    [
      JSON.stringify(localStorage),
      JSON.stringify(sessionStorage),
      location.href,
      document.documentElement.outerHTML,
    ].join('\n'),
  )

/** An owner signed in with a session. */
const openSignedIn = async (world: World, name = 'acme') => {
  const acme = await world.provider(name)
  const session = await world.session(acme)
  const { page, visit } = await openOwner(browser, world, { id: acme.id, apiKey: session.api_key })
  return { acme, session, page, visit }
}

describe('the settings', () => {
  it('show each section, and every second one without a flaw', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const issuer = 'https://token.actions.githubusercontent.com'
    await acme.client.signers.declare({
      signer: { kind: 'repository', issuer, repository: 'https://github.com/acme/models' },
    })
    const { page, visit } = await openOwner(browser, world, acme)
    await visit('/dashboard?tab=settings&section=nothing')
    const nav = page.getByRole('navigation', { name: 'Settings' })
    const sections = [
      ['API keys', 'Never expires'],
      ['Who may sign', 'any workflow of'],
      ['Notifications', 'Weekly Reports'],
      ['Sign-in and sessions', 'API keys keep working'],
      ['Organization', 'Delete account'],
    ] as const
    for (const [index, [section, sign]] of sections.entries()) {
      await nav.getByRole('link', { name: section }).click()
      await page.getByText(sign).first().waitFor()
      expect(await nav.locator('[aria-current=page]').innerText()).toBe(section)
      if (isFull || index % 2 === 0) expect(await findFlaws(page)).toEqual([])
    }
  }, 60_000)
})

const publicKey =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n'

/** Whether the browser would leave the page without asking. */
const mayLeave = (page: Page) => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))

describe('API keys', () => {
  it('are created, shown once and nowhere else, distinguished, and revoked by name', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const { page, visit } = await openOwner(browser, world, acme)
    await visit('/dashboard?tab=billing')
    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Settings' }).click()
    const list = page.getByRole('list', { name: 'Active API keys' })
    await list.getByText('••••••••').waitFor()

    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = dialogOf(page)
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('Enter a name for the key').waitFor()
    expect(await dialog.getByLabel('Name').evaluate((field) => field === document.activeElement)).toBe(true)
    await dialog.getByLabel('Name').fill('release pipeline')
    expect(await dialog.getByLabel('Only what you select here').isChecked()).toBe(true)
    await dialog.getByLabel('create, bind and list links').uncheck()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('Select at least one permission').waitFor()
    await dialog.getByLabel('create, bind and list links').check()
    await dialog.getByLabel('Expires').selectOption('date')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('Choose a day between tomorrow').waitFor()
    expect(await findViolations(page)).toEqual([])

    // The typed text is restored after the dialog was closed.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Create API key' }).click()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('release pipeline')
    // Leaving asks first; Cancel discards the draft.
    await expect.poll(() => mayLeave(page)).toBe(false)
    await page.evaluate(() => history.go(-3))
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.waitFor()
    expect(await findViolations(page)).toEqual([])
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Name').inputValue()).toBe('release pipeline')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => mayLeave(page)).toBe(true)
    await page.getByRole('button', { name: 'Create API key' }).click()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('')
    await dialog.getByLabel('Name').fill('release pipeline')
    expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(1)
    expect(await dialog.getByLabel('create, bind and list links').isChecked()).toBe(true)
    await dialog.getByLabel('Expires').selectOption('30')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('API key created successfully').waitFor()
    await dialog.getByText('It won’t be shown again').waitFor()
    const key = (await dialog.locator('pre').first().innerText()).trim()
    expect(key).toMatch(/^csk_/)
    expect(await dialog.locator('pre').last().innerText()).toContain(`export COUNTERSIGN_API_KEY=${key}`)
    expect(await findViolations(page)).toEqual([])
    expect((await world.client(key).providers.me()).id).toBe(acme.id)
    // A stray key press does not lose it.
    await page.keyboard.press('Escape')
    await dialog.getByText('You haven’t copied the key.').waitFor()
    expect(await mayLeave(page)).toBe(false)
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await everythingIn(page)).not.toContain(key.slice(12))

    const row = list.getByRole('listitem').filter({ hasText: 'release pipeline' })
    expect(await row.innerText()).toContain(`${key.slice(0, 12)}••••••••`)
    for (const said of ['Active', 'May create, bind and list links', 'Created', 'used', 'Expires'])
      expect(await row.innerText()).toContain(said)
    await row.getByRole('button', { name: /Revoke .release pipeline./ }).click()
    await dialog.getByRole('heading', { name: /Revoke the key .release pipeline.\?/ }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('API key revoked successfully').waitFor()
    await page.getByRole('button', { name: 'Show 1 inactive key' }).click()
    await page.getByRole('list', { name: 'Inactive API keys' }).getByText('Revoked', { exact: true }).waitFor()
    await expect(world.client(key).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  it('that leaked are reported, and their changes are confirmed or withdrawn one by one', async () => {
    const world = await createWorld()
    const { acme, page, visit } = await openSignedIn(world)
    const leaked = await acme.client.keys.create({ name: 'server', scopes: ['full'] })
    const thief = world.client(leaked.api_key)
    const first = await thief.deployments.register({ spki_fingerprint: 'ab'.repeat(32) })
    await thief.deployments.register({ spki_fingerprint: 'cd'.repeat(32) })
    await thief.providers.update(acme.id, { company_name: 'Evil Corp' })
    await visit(settings('keys'))
    await page.getByRole('button', { name: /Revoke .server./ }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('Others may have had this key').check()
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    const list = page.getByRole('list', { name: 'Changes by compromised keys' })
    await list.getByText('Deployment').first().waitFor()
    expect(await findViolations(page)).toEqual([])
    await list.getByRole('button', { name: /Confirm .abab/ }).click()
    await list.getByText('abab').waitFor({ state: 'detached' })
    await list.getByText('“Acme Labs” → “Evil Corp”').waitFor()
    await list.getByRole('button', { name: 'Withdraw “Acme Labs” → “Evil Corp”' }).click()
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await list.getByText('Evil Corp').waitFor({ state: 'detached' })
    await list.getByRole('button', { name: /Withdraw .cdcd/ }).click()
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await list.waitFor({ state: 'detached' })
    expect(await acme.client.deployments.list().toArray()).toMatchObject([
      { deployment_id: first.deployment_id, status: 'enabled' },
    ])
  })

  itInFull('show the registry’s message if creating or revoking fails', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const { api_key: restricted } = await acme.client.keys.create({ name: 'reader', scopes: ['read'] })
    await acme.client.keys.create({ name: 'service' })
    const { page, visit } = await openOwner(browser, world, { id: acme.id, apiKey: restricted })
    await visit(settings('keys', '&create=key'))
    const dialog = dialogOf(page)
    await dialog.getByLabel('Name').fill('more')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText(/Failed to create API key: .*scope/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /Revoke .service./ }).click()
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    await dialog.getByText(/Failed to revoke API key: .*scope/).waitFor()
  })

  itInFull('keep a half-filled form when the session ends, and restore it after signing in again', async () => {
    const world = await createWorld()
    const { acme, session, page, visit } = await openSignedIn(world)
    const { email } = await acme.client.providers.me()
    await visit(settings('keys'))
    await page.getByRole('button', { name: 'Create API key' }).click()
    const dialog = dialogOf(page)
    await dialog.getByLabel('Name').fill('half written')
    await session.client.auth.revokeSession(session.id)
    await dialog.getByRole('button', { name: 'Create key' }).click()
    const signInAgain = async () => {
      await page.waitForURL('**/login?redirect=*')
      await page.getByLabel('Email address').fill(email ?? '')
      await page.getByLabel('Password', { exact: true }).fill('a quiet heron at dawn')
      await page
        .getByRole('button', { name: /^Sign in/i })
        .first()
        .click()
      await dialog.waitFor()
    }
    await signInAgain()
    await dialog.getByLabel('Name').waitFor()
    expect(new URL(page.url()).searchParams.get('create')).toBe('key')
    expect(await dialog.getByLabel('Name').inputValue()).toBe('half written')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('It won’t be shown again').waitFor()

    // The signer form does the same, except for a pasted key.
    await visit(settings('signers', '&declare=new'))
    await dialog.getByLabel('Who signs').selectOption('key')
    await dialog.getByLabel('For the model identifier').fill('atlas')
    await dialog.getByLabel('Public key (PEM)').fill(publicKey)
    for (const { id } of (await acme.client.auth.sessions()).sessions) await acme.client.auth.revokeSession(id)
    await dialog.getByRole('button', { name: 'Declare signer' }).click()
    await signInAgain()
    expect(await dialog.getByLabel('For the model identifier').inputValue()).toBe('atlas')
    expect(await dialog.getByLabel('Public key (PEM)').inputValue()).toBe('')
  })
})

itInFull('a signer is declared by workflow, by key file or from a model’s bundle, and withdrawn', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel({ api_model_identifier: 'atlas' })
  const others = await (await world.provider('northwind')).registerModel({ api_model_identifier: 'borea' })
  const { page, visit } = await openOwner(browser, world, acme)
  await visit(settings('signers'))
  await page.getByText('countersign signers add').waitFor()
  await page.getByRole('button', { name: 'Declare a signer' }).click()
  const dialog = dialogOf(page)
  await dialog.getByLabel('Repository').fill('acme/models')
  await dialog.getByRole('button', { name: 'Declare signer' }).click()
  await dialog.getByText('Must be the address of a repository').waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByLabel('Repository').fill('https://github.com/acme/models')
  await dialog.getByLabel('Workflow').fill('.github/workflows/release.yml')
  await dialog.getByRole('button', { name: 'Declare signer' }).click()
  await page.getByText('Signer declared').first().waitFor()
  const list = page.getByRole('list', { name: 'Who may sign' })
  await list
    .getByText('“.github/workflows/release.yml” of “https://github.com/acme/models”', { exact: false })
    .waitFor()

  // This model's bundle has no signer to fill in, only the identifier.
  await visit(settings('signers', `&declare=${model_id}`))
  await dialog.getByText('nothing was filled in').waitFor()
  expect(await dialog.getByLabel('For the model identifier').inputValue()).toBe('atlas')
  await page.route(`**/models/${model_id}/bundle*`, (route) => route.abort())
  await page.reload()
  await dialog.getByText('The bundle’s signer could not be looked up').waitFor()
  await page.unroute(`**/models/${model_id}/bundle*`)
  await visit(settings('signers', `&declare=${others}`))
  await dialog.getByText('The model in the link is not yours').waitFor()
  expect(await dialog.getByLabel('For the model identifier').inputValue()).toBe('')
  await visit(settings('signers', `&declare=${model_id}`))
  await dialog.getByText('nothing was filled in').waitFor()
  await dialog.getByLabel('Who signs').selectOption('key')
  const choose = (text: string) =>
    dialog
      .getByLabel('Signer’s file')
      .setInputFiles({ name: 'key.pub', mimeType: 'text/plain', buffer: Buffer.from(text) })
  await choose('-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n')
  await dialog.getByText('This is a private key and was not used.').waitFor()
  expect(await everythingIn(page)).not.toContain('MC4CAQAwBQYDK2VwBCIEIA')
  await choose(publicKey)
  // Neither a pasted key nor a cancelled draft is stored.
  expect(await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))).not.toContain(
    'MCowBQYDK2VwAyEA',
  )
  await dialog.getByRole('button', { name: 'Declare signer' }).click()
  await dialog.waitFor({ state: 'detached' })
  await list.getByText('A public key').waitFor()
  await page.getByRole('button', { name: 'Declare a signer' }).click()
  await dialog.getByLabel('Repository').fill('https://github.com/acme/others')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Declare a signer' }).click()
  expect(await dialog.getByLabel('Repository').inputValue()).toBe('')
  await page.keyboard.press('Escape')

  await list.getByRole('button', { name: /^Withdraw key/ }).click()
  await dialog.getByRole('button', { name: 'Withdraw signer' }).click()
  await page.getByText('Signer withdrawn').first().waitFor()
  await list.getByText('A public key').waitFor({ state: 'detached' })
  expect((await acme.client.signers.list({})).signers).toHaveLength(1)
})

itInFull('notifications are switched one by one, at once, and switched back if the registry rejects it', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const { page, visit } = await openOwner(browser, world, acme)
  await visit(settings('notifications'))
  const switches = page.getByRole('switch')
  await switches.first().waitFor()
  const states = () => switches.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).checked))
  expect(await states()).toEqual([true, false, true])
  await page.getByRole('switch', { name: 'Weekly Reports' }).check()
  await page.getByText('Weekly Reports: on').waitFor()
  expect(await acme.client.account.notifications()).toMatchObject({ weekly_reports: true })

  await page.route('**/api/v1/providers/me/notifications', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, body: '' }) : route.continue(),
  )
  await page.getByRole('switch', { name: 'Security Alerts' }).click()
  await page.getByText('Failed to save the notification setting').waitFor()
  expect(await states()).toEqual([true, true, true])
})

describe('sign-in and sessions', () => {
  it('list sessions, end the others, and change the password', async () => {
    const world = await createWorld()
    const { acme, page, visit } = await openSignedIn(world)
    const { email } = await acme.client.providers.me()
    const signInElsewhere = () => world.anyone.auth.login({ email: email ?? '', password: 'a quiet heron at dawn' })
    const elsewhere = await signInElsewhere()
    await signInElsewhere()
    await visit(settings('sessions'))
    const list = page.getByRole('list', { name: 'Sessions' })
    await list.getByText('This browser').waitFor()
    expect(await list.getByRole('listitem').count()).toBe(3)
    expect(await list.getByRole('listitem').first().innerText()).toContain('This browser')

    const dialog = dialogOf(page)
    await list
      .getByRole('button', { name: /^End session of/ })
      .first()
      .click()
    await dialog.getByRole('button', { name: 'End session' }).click()
    await page.getByText('Session ended').waitFor()
    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await dialog.getByRole('button', { name: 'End all other sessions' }).click()
    await page.getByText('The other session was ended').waitFor()
    await expect(world.client(elsewhere.token).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)

    const third = await signInElsewhere()
    await page.getByLabel('Current password').fill('something else')
    await page.getByLabel('New password').fill('short')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('A password has at least 8 characters').waitFor()
    await page.getByLabel('New password').fill('two lanterns by the sea')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('The current password is wrong.', { exact: false }).waitFor()
    await page.getByLabel('Current password').fill('a quiet heron at dawn')
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed').waitFor()
    // The page stayed in place, with the focus nearby.
    expect(
      await page.evaluate(
        () => document.activeElement?.querySelector('form') !== null && document.activeElement !== document.body,
      ),
    ).toBe(true)
    await expect.poll(() => page.getByLabel('Current password').inputValue()).toBe('')
    await expect(world.client(third.token).providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
    await page.reload()
    await list.getByText('This browser').waitFor()
    expect(await everythingIn(page)).not.toContain('two lanterns')
  })

  itInFull('show accounts of services that are set up, and return here after connecting one', async () => {
    const world = await createWorld({
      github: {
        url: 'https://github.invalid',
        apiUrl: 'https://api.github.invalid',
        client: { id: 'countersign', secret: 'secret' },
      },
    })
    const { page, visit } = await openSignedIn(world)
    await visit(settings('sessions'))
    await page.getByRole('button', { name: 'Connect GitHub' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: /^Connect / }).count()).toBe(1)
    await page.route('**/api/v1/auth/github/link?*', (route) =>
      route.fulfill({ status: 200, contentType: 'text/html', body: 'GitHub' }),
    )
    await page.getByRole('button', { name: 'Connect GitHub' }).click()
    await page.waitForURL('**/api/v1/auth/github/link?token=*')
    expect(await page.evaluate(() => localStorage.getItem('redirectAfterLogin'))).toBe(settings('sessions'))
  })
})

itInFull(
  'the organization changes its name, confirms what ends a proof, is deactivated and reactivated, and is deleted by typing its name',
  async () => {
    const world = await createWorld()
    const { acme, page, visit } = await openSignedIn(world)
    await visit(settings('organization'))
    const dialog = dialogOf(page)
    await page.getByText(/acme\.example, proven by/).waitFor()
    await page.getByRole('button', { name: 'Change company or website' }).click()
    await dialog.getByLabel('Company name').fill('Acme Labs GmbH')
    await dialog.getByLabel('Website').fill('https://elsewhere.example')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.getByText('Confirm that the primary domain changes').waitFor()
    expect(await findViolations(page)).toEqual([])
    // A discarded draft is not kept; errors of the registry appear at their field.
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Change company or website' }).click()
    await expect.poll(() => dialog.getByLabel('Website').inputValue()).not.toContain('elsewhere')
    await dialog.getByLabel('Company name').fill('Acme Labs GmbH')
    await dialog.getByLabel('Website').fill('https://www.acme.example')
    const refused = {
      type: 'about:blank',
      title: 'Invalid',
      status: 422,
      code: 'validation_failed',
      detail: 'Invalid',
    }
    const errors = [{ loc: ['body', 'company_name'], msg: 'Another name, please', type: 'refused' }]
    await page.route('**/providers/**', (route) =>
      route.request().method() === 'GET'
        ? route.fallback()
        : route.fulfill({ status: 422, contentType: 'application/problem+json', json: { ...refused, errors } }),
    )
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.getByText('Another name, please').waitFor()
    await expect
      .poll(() => dialog.getByLabel('Company name').evaluate((element) => element === document.activeElement))
      .toBe(true)
    await page.unroute('**/providers/**')
    // Someone else saves first: nothing is overwritten unasked.
    await acme.client.providers.update(acme.id, { website: 'https://docs.acme.example' })
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    const race = dialog.getByRole('region', { name: /^Someone else changed this/ })
    await race.getByText('Now: https://docs.acme.example').waitFor()
    await race.getByText('Yours: https://www.acme.example').waitFor()
    // One button saves.
    expect(await dialog.getByRole('button', { name: /^Save/ }).allTextContents()).toEqual(['Save mine'])
    expect(await findViolations(page)).toEqual([])
    expect((await acme.client.providers.me()).company_name).not.toBe('Acme Labs GmbH')
    await race.getByRole('button', { name: 'Take theirs' }).click()
    expect(await dialog.getByLabel('Website').inputValue()).toBe('https://docs.acme.example')
    expect(await dialog.getByLabel('Company name').inputValue()).toBe('Acme Labs GmbH')
    await acme.client.providers.update(acme.id, { hq_city: 'Oslo' })
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await race.getByText('The fields are the same again').waitFor()
    await race.getByRole('button', { name: 'Save mine' }).click()
    await page.getByText('Provider information updated successfully').waitFor()
    expect((await acme.client.providers.me()).website).toBe('https://docs.acme.example')
    expect(await acme.client.providers.me()).toMatchObject({ company_name: 'Acme Labs GmbH', domain_verified: true })

    await page.getByRole('button', { name: 'Deactivate' }).click()
    await dialog.getByRole('button', { name: 'Deactivate' }).click()
    await page.getByText('Provider deactivated').waitFor()
    await expect(world.anyone.providers.get(acme.id)).rejects.toMatchObject({ code: 'not_found' })
    // Every other tab says so and offers to reactivate, without asking to sign in.
    for (const tab of ['overview', 'models', 'verifications']) {
      await page.goto(`${world.address}/dashboard?tab=${tab}`)
      await page.getByRole('heading', { name: 'Your provider is deactivated' }).waitFor()
    }
    expect(await findViolations(page)).toEqual([])
    await page.goto(`${world.address}/dashboard?tab=settings`)
    await page.getByText('Your provider is deactivated', { exact: false }).waitFor()
    expect(await page.getByRole('button', { name: 'Reactivate' }).count()).toBe(1)
    expect(await findViolations(page)).toEqual([])
    await page.goto(`${world.address}/dashboard?tab=verifications`)
    await page.getByRole('button', { name: 'Reactivate' }).click()
    await page.getByText('Provider reactivated').waitFor()
    await page.getByRole('heading', { name: 'Verifications' }).waitFor()
    await acme.client.providers.deactivate(acme.id, {})
    await page.goto(`${world.address}${settings('organization')}`)
    await page.getByRole('button', { name: 'Reactivate' }).click()
    await page.getByText('Provider reactivated').waitFor()
    expect((await world.anyone.providers.get(acme.id)).company_name).toBe('Acme Labs GmbH')

    await page.getByRole('button', { name: 'Delete Account' }).click()
    const remove = dialog.getByRole('button', { name: 'Delete permanently' })
    expect(await remove.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel('Type Acme Labs GmbH to confirm').fill('Acme')
    expect(await remove.getAttribute('aria-disabled')).toBe('true')
    expect(await findViolations(page)).toEqual([])
    await dialog.getByLabel('Type Acme Labs GmbH to confirm').fill('Acme Labs GmbH')
    await remove.click()
    await page.getByText('You have been signed out').waitFor()
    await page.getByText('The account was deleted.').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/')
    await expect.poll(() => page.evaluate(() => localStorage.getItem('apiKey'))).toBe(null)
    expect(new URL(page.url()).pathname).toBe('/')
    await expect(acme.client.providers.me()).rejects.toMatchObject({ code: 'unauthorized' })
  },
)
