import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { inspect } from '../support/account-look.ts'
import {
  beSignedUp,
  createAccountWorld,
  registerByMail,
  signInAt,
  storedIn,
  toastOf,
} from '../support/account-visits.ts'
import { blankPath } from '../support/blank-page.ts'
import { shareBrowser } from '../support/browser.ts'
import { ada } from '../support/desk.ts'
import { describeInFull, itInFull, sampled } from '../support/full.ts'
import { someone } from '../support/sign-in.ts'
import { openVisitor } from '../support/visitor.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 120_000
const credentials = ['auth_token', 'apiKey', 'providerId', 'provider_id']

/** A newly registered person who is signed in, but has not opened a page yet. */
const beAda = async () => {
  const world = await createAccountWorld()
  const page = await openVisitor(browser)
  const { auth_token, api_key, provider_id } = await registerByMail(world)
  await page.goto(world.at(blankPath))
  const stored = { auth_token, apiKey: api_key, providerId: provider_id, provider_id }
  await page.evaluate((stored) => Object.assign(localStorage, stored), stored)
  return { world, page }
}

describe('pages for providers', () => {
  it.each(sampled(['/dashboard?tab=models', '/dashboard/providers/profile', '/dashboard?a=%2F&b=1#part'], 3, 2))(
    'ask a visitor to sign in, and return to %s',
    async (path) => {
      const world = await createAccountWorld()
      await registerByMail(world)
      const page = await openVisitor(browser)
      await page.goto(world.at(path))
      await page.locator('main[data-state=sign-in]').waitFor()
      expect(new URL(page.url()).pathname).toBe('/login')
      expect(new URL(page.url()).searchParams.get('redirect')).toBe(path)
      expect((await storedIn(page)).redirectAfterLogin).toBe(path)
      await page.getByText('Authentication Required').waitFor()
      await signInAt(page)
      await page.waitForURL(world.at(path))
      expect((await storedIn(page)).redirectAfterLogin).toBeUndefined()
    },
  )

  it('show Loading... until the session is known, retry if the registry does not answer, and keep the session', async () => {
    const { world, page } = await beAda()
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/providers/me', async (route) => {
      await asked
      await route.continue()
    })
    // The old address of the dashboard.
    await page.goto(world.at('/dashboard/providers/dashboard'))
    await page.getByRole('status').filter({ hasText: 'Loading...' }).waitFor()
    answer()
    await page.waitForURL(world.at('/dashboard'))
    await page.locator('main[data-state=ready]').waitFor()
    await page.unroute('**/providers/me')
    await page.route('**/providers/me', (route) => route.abort())
    await page.reload()
    await page.getByRole('alert').filter({ hasText: 'Connection failed - unable to reach the API server.' }).waitFor()
    expect(Object.keys(await storedIn(page))).toEqual(expect.arrayContaining(credentials))
    await page.unroute('**/providers/me')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('main[data-state=ready]').waitFor()
  })

  it('restore provider and key from the session alone', async () => {
    const { world, page } = await beAda()
    const before = await storedIn(page)
    await page.evaluate(() => {
      for (const name of ['apiKey', 'providerId', 'provider_id']) localStorage.removeItem(name)
    })
    const asked: (string | undefined)[] = []
    page.on(
      'request',
      (request) => request.url().endsWith('/providers/me') && asked.push(request.headers().authorization),
    )
    await page.goto(world.at('/'))
    await expect.poll(async () => (await storedIn(page)).apiKey).toBe(before.apiKey)
    expect(await storedIn(page)).toMatchObject({ providerId: before.providerId, provider_id: before.providerId })
    expect(asked).toEqual([`Bearer ${before.auth_token}`])
  })

  itInFull('send an account without a company to the registration', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    world.sitDown(someone('grace'))
    await page.goto(world.at('/login'))
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await page.waitForURL(world.at('/register'))
    await page.goto(world.at('/dashboard/providers/profile'))
    await page.waitForURL(world.at('/register'))
    await page.goto(world.at('/dashboard/models/register'))
    await page.waitForURL(world.at('/register'))
    await page.getByText('Please complete provider registration first').first().waitFor()
  })

  it('end the session when the registry rejects it during work', async () => {
    const { world, page } = await beAda()
    await page.goto(world.at('/dashboard/providers/profile'))
    await page.getByLabel('City').fill('Oslo')
    const { auth_token } = await storedIn(page)
    await world.client(auth_token).auth.signOut({})
    await page.getByRole('button', { name: 'Save profile' }).click()
    await toastOf(page, 'Authentication expired').waitFor()
    await page.waitForURL(world.at(`/login?redirect=${encodeURIComponent('/dashboard/providers/profile')}`))
    for (const name of credentials) expect(await storedIn(page)).not.toHaveProperty(name)
    await signInAt(page)
    await page.waitForURL(world.at('/dashboard/providers/profile'))
  })

  it('keep a newer session from another tab when the old one is rejected', async () => {
    const { world, page } = await beAda()
    await page.goto(world.at('/dashboard/providers/profile'))
    await page.getByLabel('City').fill('Oslo')
    const { auth_token } = await storedIn(page)
    await world.client(auth_token).auth.signOut({})
    const { token, api_key } = await world.anyone.auth.login({ email: ada.email, password: ada.password })
    // A page gets no storage event for its own changes.
    await page.evaluate((stored) => Object.assign(localStorage, stored), { auth_token: token, apiKey: api_key })
    await page.getByRole('button', { name: 'Save profile' }).click()
    await toastOf(page, 'Failed to update profile').waitFor()
    expect((await storedIn(page)).auth_token).toBe(token)
    await page.locator('main[data-state=ready]').waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/providers/profile')
  })

  itInFull('check the session when the browser restores a cached page', async () => {
    const { world, page } = await beAda()
    await page.goto(world.at('/dashboard'))
    await page.locator('main[data-state=ready]').waitFor()
    // A page in the back-forward cache receives no events.
    await page.evaluate(() => localStorage.clear())
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await page.waitForURL(/\/login\?redirect=/)
  })

  it('clear the tab’s data on signing out', async () => {
    const { world, page } = await beAda()
    await page.goto(world.at('/dashboard'))
    await page.getByRole('link', { name: 'Your public profile' }).click()
    await page.waitForURL(/\/providers\/prv_/)
    await page.locator('main[data-state=ready]').waitFor()
    await page.route('**/api/v1/providers/**', (route) => route.abort())
    await page.getByRole('button', { name: ada.company_name }).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await page.waitForURL(world.at('/'))
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
    await page.goBack()
    await page.waitForURL(/\/providers\/prv_/)
    await page.locator('main[data-state=failed]').waitFor()
  })

  it('have no developer bypass outside development builds', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await page.goto(world.at('/'))
    await page.evaluate(() => localStorage.setItem('devBypass', 'true'))
    await page.goto(world.at('/dashboard'))
    await page.locator('main[data-state=sign-in]').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
  })
})

describeInFull('the profile page', () => {
  it(
    'saves the provider’s details',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      await beSignedUp(page, world)
      await page.goto(world.at('/dashboard/providers/profile'))
      const save = page.getByRole('button', { name: 'Save profile' })
      await page.getByLabel('Founded year').fill('1850')
      await page.getByLabel('Company description').fill('x'.repeat(201))
      await page.getByLabel('Support email address').fill('nobody')
      await save.click()
      await page.getByText('Must be at least 1900').waitFor()
      await page.getByText('Must have at most 200 characters').waitFor()
      await page.getByText('Invalid email address').waitFor()
      expect(await page.getByLabel('Company description').evaluate((area) => area === document.activeElement)).toBe(
        true,
      )
      await inspect(page, 'ready')
      await page.getByLabel('Founded year').fill('2019')
      await page.getByLabel('Company description').fill('Models that answer questions about maps.')
      await page.getByLabel('Support email address').fill('')
      await page.getByLabel('Company size').selectOption('11-50')
      await page.getByLabel('City').fill('Oslo')
      await page.getByLabel('Country').fill('Norway')
      await save.click()
      await toastOf(page, 'Profile updated successfully!').waitFor()
      await page.waitForURL(world.at('/dashboard'))
      const { auth_token } = await storedIn(page)
      expect(await world.client(auth_token).providers.me()).toMatchObject({
        founded_year: 2019,
        description: 'Models that answer questions about maps.',
        employee_count: '11-50',
        headquarters: 'Oslo, Norway',
        support_email: null,
      })
    },
    patience,
  )

  it('keeps typed text if the registry cannot save it', async () => {
    const { world, page } = await beAda()
    await page.goto(world.at('/dashboard/providers/profile'))
    await page.getByLabel('City').fill('Oslo')
    await page.route('**/profile', (route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'busy' }))
    await page.getByRole('button', { name: 'Save profile' }).click()
    await toastOf(page, 'Failed to update profile').waitFor()
    expect(await page.getByLabel('City').inputValue()).toBe('Oslo')
  })
})
