import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { inspect } from '../support/account-look.ts'
import {
  type AccountWorld,
  beSignedUp,
  createAccountWorld,
  historyOf,
  registerByMail,
  signInAt,
  storedIn,
  toastOf,
} from '../support/account-visits.ts'
import { shareBrowser } from '../support/browser.ts'
import { ada } from '../support/desk.ts'
import { isFull, itInFull, sampled } from '../support/full.ts'
import { someone } from '../support/sign-in.ts'
import { openVisitor } from '../support/visitor.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 120_000
const another = 'another heron at dusk'
const grace = {
  email: 'grace@northwind.example',
  password: 'a loud heron at noon',
  company_name: 'Northwind',
  website: 'https://northwind.example',
}

/** Opens the setup page by the emailed link, in the browser that registered. */
const reachSetup = async (page: Page, world: AccountWorld) => {
  await page.goto(world.at('/register'))
  await page.getByLabel('Company name').fill(ada.company_name)
  await page.getByLabel('Company email address').fill(ada.email)
  await page.getByLabel('Company website').fill(ada.website)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('button', { name: 'Authenticate Now' }).click()
  await page.locator('main[data-state=check-mail]').waitFor()
  await page.goto((await world.mailTo(ada.email)).link)
  await page.waitForURL(world.at('/auth-setup'))
}

/** The token of a password reset email. */
const askForReset = async (world: AccountWorld, email: string) => {
  await world.anyone.auth.forgotPassword({ email })
  return new URL((await world.mailTo(email)).link).searchParams.get('token') ?? ''
}

const passwordField = (page: Page) => page.getByLabel('Create a password')
const setUp = (page: Page) => page.getByRole('button', { name: 'Continue with Password' })

/** Every address that was shown or requested, and every referrer sent. */
const watchAddresses = (page: Page) => {
  const seen: string[] = []
  page.on('request', (request) => seen.push(request.headers().referer ?? ''))
  page.on('framenavigated', (frame) => seen.push(frame.url()))
  return seen
}

describe('account setup', () => {
  it(
    'sets a first password and opens the dashboard',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      await reachSetup(page, world)
      await toastOf(page, 'Email verified successfully!').waitFor()
      expect(await page.getByLabel('Email address').inputValue()).toBe(ada.email)
      expect(await setUp(page).getAttribute('aria-disabled')).toBe('true')
      if (isFull) await inspect(page, 'ready')
      await passwordField(page).press('Enter')
      await page.getByText('Please enter a password').waitFor()
      await passwordField(page).fill('password123')
      await setUp(page).click()
      await toastOf(page, 'Failed to set password.').waitFor()
      await expect.poll(() => passwordField(page).getAttribute('aria-invalid')).toBe('true')
      await inspect(page, 'ready')
      await passwordField(page).fill(another)
      expect(await setUp(page).getAttribute('aria-disabled')).toBe('false')
      await setUp(page).click()
      await toastOf(page, 'Password set successfully!').waitFor()
      await page.waitForURL(world.at('/dashboard'))
      const stored = await storedIn(page)
      expect(stored).toMatchObject({
        user_email: ada.email,
        session_token: stored.auth_token,
        provider_id: stored.providerId,
      })
      expect(stored.auth_token).toMatch(/^css_/)
      expect(stored.apiKey).toMatch(/^csc_/)
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    },
    patience,
  )

  itInFull('shows Setting up... while waiting, and sends the request once', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await reachSetup(page, world)
    let sent = 0
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/password/set', async (route) => {
      sent++
      await asked
      await route.continue()
    })
    await passwordField(page).fill(another)
    await passwordField(page).press('Enter')
    const button = page.getByRole('button', { name: 'Setting up...' })
    await button.waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await passwordField(page).press('Enter')
    answer()
    await page.waitForURL(world.at('/dashboard'))
    expect(sent).toBe(1)
  })

  itInFull('can be reloaded before it is done', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await reachSetup(page, world)
    await page.reload()
    await passwordField(page).fill(another)
    await setUp(page).click()
    await page.waitForURL(world.at('/dashboard'))
  })

  it.each(sampled(['GitHub', 'Google'], 2))('connects %s instead of a password', async (service) => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await reachSetup(page, world)
    world.sitDown(someone('grace'))
    const linking = page.waitForRequest((request) => /\/api\/v1\/auth\/\w+\/link\?token=/.test(request.url()))
    await page.getByRole('button', { name: `Continue with ${service}` }).click()
    const token = new URL((await linking).url()).searchParams.get('token')
    expect(token).toBeTruthy()
    await toastOf(page, 'Account linked successfully!').waitFor()
    await page.waitForURL(world.at('/dashboard'))
    const stored = await storedIn(page)
    expect(stored).not.toHaveProperty('linking_token')
    expect(stored).not.toHaveProperty('linking_provider_id')
    const { identities } = await world.client(stored.auth_token).auth.identities()
    expect(identities.map(({ provider }) => provider)).toEqual([service.toLowerCase()])
  })

  itInFull('survives a trip to the other service', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await reachSetup(page, world)
    await page.route('**/github/link?*', (route) =>
      route.fulfill({ status: 200, contentType: 'text/html', body: '<title>away</title>' }),
    )
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await page.waitForURL(/github\/link/)
    expect(await storedIn(page)).toMatchObject({
      linking_token: new URL(page.url()).searchParams.get('token'),
      linking_provider_id: expect.stringMatching(/^prv_/),
    })
  })

  const incomplete = [
    '/auth-setup',
    '/setup-password',
    '/auth-setup?token=abc',
    '/auth-setup?provider_id=prv_1',
    '/setup-password?token=&provider_id=',
  ]
  it.each(sampled(incomplete, 5, 4))('redirects from %s, which is not a link from an email', async (path) => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await page.goto(world.at(path))
    await page.waitForURL(world.at('/'))
    await toastOf(page, 'Invalid verification link').waitFor()
  })

  it('rejects an expired code before anything is typed, and removes it from the address at once', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await page.goto(
      world.at('/auth-setup?token=not-a-real-one&provider_id=prv_1&email=ada%40acme.example&verified=true'),
    )
    await page.waitForURL(world.at('/auth-setup'))
    const seen = watchAddresses(page)
    await page.getByText('This link is no longer valid. Request a new email.').waitFor()
    await inspect(page, 'refused')
    expect(await passwordField(page).count()).toBe(0)
    await page.getByRole('link', { name: 'Get a new link' }).click()
    await page.locator('main[data-state=forgot]').waitFor()
    expect([...seen, ...(await historyOf(page))].filter((text) => text.includes('not-a-real-one'))).toEqual([])
  })

  it('asks the registry whose code it is, and ignores claims in the address', async () => {
    const world = await createAccountWorld()
    await registerByMail(world)
    const token = await askForReset(world, ada.email)
    const page = await openVisitor(browser)
    await page.goto(
      world.at(`/auth-setup?token=${token}&provider_id=prv_1&email=owner%40northwind.example&verified=true`),
    )
    await page.locator('main[data-state=ready]').waitFor()
    expect(await page.getByLabel('Email address').inputValue()).toBe(ada.email)
    expect(await toastOf(page, 'Email verified successfully!').count()).toBe(0)
    await page.reload()
    await page.locator('main[data-state=ready]').waitFor()
    expect(await page.getByLabel('Email address').inputValue()).toBe(ada.email)
  })

  itInFull('retries if the registry could not say whose code it is', async () => {
    const world = await createAccountWorld()
    await registerByMail(world)
    const token = await askForReset(world, ada.email)
    const page = await openVisitor(browser)
    await page.route('**/password/account', (route) => route.abort())
    await page.goto(world.at(`/setup-password?token=${token}&provider_id=prv_1`))
    await page.getByText('Connection failed - unable to reach the API server.').waitFor()
    await inspect(page, 'failed')
    await page.unroute('**/password/account')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('main[data-state=ready]').waitFor()
  })

  const failures = [
    {
      shown: 'Failed to set password (502)',
      fail: (page: Page) => page.route('**/password/set', (route) => route.fulfill({ status: 502, body: 'no' })),
    },
    {
      shown: 'Connection failed - unable to reach the API server.',
      fail: (page: Page) => page.route('**/password/set', (route) => route.abort()),
    },
  ]
  itInFull.each(sampled(failures, 2))('keeps the typed password and says “$shown”', async ({ shown, fail }) => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await reachSetup(page, world)
    await fail(page)
    await passwordField(page).fill(another)
    await setUp(page).click()
    await page.getByText(shown).waitFor()
    expect(await passwordField(page).inputValue()).toBe(another)
    await page.unroute('**/password/set')
    await setUp(page).click()
    await page.waitForURL(world.at('/dashboard'))
  })

  it.each(sampled(['/setup-password', '/auth-setup?token=abc&provider_id=prv_1', '/auth-setup?token=abc'], 3, 1))(
    'accepts no input at %s, which is not a link from an email',
    async (path) => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      await beSignedUp(page, world)
      await page.evaluate(() => {
        localStorage.setItem('theme', 'dark')
        sessionStorage.setItem('draft', 'text')
      })
      const before = await storedIn(page)
      await page.goto(world.at(path))
      await page.locator('main:is([data-state=refused], [data-state=ready])').waitFor()
      expect(await storedIn(page)).toEqual(before)
    },
  )

  itInFull(
    'asks a signed-in visitor before switching accounts, and signs the old account out once a password is set',
    async () => {
      const world = await createAccountWorld()
      await registerByMail(world, grace)
      const token = await askForReset(world, grace.email)
      const page = await openVisitor(browser)
      await beSignedUp(page, world)
      const other = await page.context().newPage()
      await other.goto(world.at('/dashboard'))
      await other.locator('main[data-state=ready]').waitFor()
      await page.evaluate(() => sessionStorage.setItem('draft', 'text'))
      const before = await storedIn(page)
      const link = `/auth-setup?token=${token}&provider_id=${before.providerId}&email=${encodeURIComponent(ada.email)}&verified=true`
      await page.goto(world.at(link))
      await page.getByRole('heading', { level: 1, name: 'You are signed in to another account' }).waitFor()
      await page.getByText(`This link sets the password of the account “${grace.email}”`).waitFor()
      await page.getByText(`You are signed in as “${ada.email}”.`).waitFor()
      await inspect(page, 'other-account')
      expect(await storedIn(page)).toEqual(before)
      await page.getByRole('link', { name: 'Stay signed in' }).click()
      await page.waitForURL(world.at('/dashboard'))
      expect(await storedIn(page)).toEqual(before)
      await page.goto(world.at(link))
      await page.getByRole('button', { name: 'Continue to the other account' }).click()
      expect(await page.getByLabel('Email address').inputValue()).toBe(grace.email)
      await passwordField(page).fill(another)
      await setUp(page).click()
      await page.waitForURL(world.at('/dashboard'))
      const after = await storedIn(page)
      expect(after.providerId).not.toBe(before.providerId)
      expect(after).toMatchObject({ user_email: grace.email })
      expect(after).not.toHaveProperty('draft')
      await expect.poll(() => other.evaluate(() => localStorage.getItem('providerId'))).toBe(after.providerId)
    },
  )
})

describe('a forgotten password', () => {
  it('is reset by email, which ends other sessions and the old password', async () => {
    const world = await createAccountWorld()
    await registerByMail(world)
    const elsewhere = await openVisitor(browser)
    await elsewhere.goto(world.at('/login?redirect=%2Fdashboard%2Fproviders%2Fprofile'))
    await signInAt(elsewhere)
    await elsewhere.locator('main[data-state=ready]').waitFor()
    const page = await openVisitor(browser)
    await page.goto(world.at('/login'))
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText('Email is required').waitFor()
    await page.getByLabel('Email address').fill(ada.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByText(`If ${ada.email} belongs to an account, we have sent an email to it.`).waitFor()
    const { link } = await world.mailTo(ada.email)
    const token = new URL(link).searchParams.get('token') ?? ''
    expect(token).not.toBe('')
    await page.goto(link)
    await page.waitForURL(world.at('/setup-password'))
    const seen = watchAddresses(page)
    await passwordField(page).fill(another)
    await setUp(page).click()
    await page.waitForURL(world.at('/dashboard'))
    await page.reload()
    await page.locator('main[data-state=ready]').waitFor()
    expect([...seen, ...(await historyOf(page))].filter((text) => text.includes(token))).toEqual([])
    await elsewhere.getByRole('button', { name: 'Save profile' }).click()
    await toastOf(elsewhere, 'Authentication expired').waitFor()
    await elsewhere.locator('main[data-state=sign-in]').waitFor()
    await signInAt(elsewhere)
    await toastOf(elsewhere, 'Login failed: Wrong email or password').waitFor()
    await signInAt(elsewhere, { email: ada.email, password: another })
    await elsewhere.waitForURL(world.at('/dashboard/providers/profile'))
  })

  itInFull('can be skipped by signing in with a connected service', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    world.sitDown(someone('grace'))
    await page.goto(world.at('/setup-password?token=abc&provider_id=prv_1'))
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await toastOf(page, 'Authentication successful!').waitFor()
  })

  itInFull('says why no email was sent', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await page.goto(world.at('/login?view=forgot'))
    await page.route('**/password/forgot', (route) => route.abort())
    await page.getByLabel('Email address').fill(ada.email)
    await page.getByRole('button', { name: 'Send the link' }).click()
    await toastOf(page, 'No email was sent: Connection failed - unable to reach the API server.').waitFor()
    expect(await page.getByLabel('Email address').inputValue()).toBe(ada.email)
  })
})
