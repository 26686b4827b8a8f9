import { signInErrors } from '@countersign/sdk/contract'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { inspect } from '../support/account-look.ts'
import {
  createAccountWorld,
  historyOf,
  registerByMail,
  signInAt,
  signUpAt,
  storedIn,
  toastOf,
} from '../support/account-visits.ts'
import { shareBrowser } from '../support/browser.ts'
import { ada } from '../support/desk.ts'
import { isFull, itInFull, sampled } from '../support/full.ts'
import { someone } from '../support/sign-in.ts'
import { openVisitor } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 120_000

/** A registry with Ada's account, and a new browser. */
const beStranger = async () => {
  const world = await createAccountWorld()
  await registerByMail(world)
  return { world, page: await openVisitor(browser) }
}

const breakAnswer = (page: Page, path: string, status: number) =>
  page.route(`**${path}`, (route) => route.fulfill({ status, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }))

describe('the login page', () => {
  it(
    'passes axe when signing in, registering and asking for a new password',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      const look = (state: string) => inspect(page, state)
      await page.goto(world.at('/login?error=oauth_failed'))
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByText('Email is required').waitFor()
      await look('sign-in')
      await page.getByRole('link', { name: 'Create provider account' }).click()
      await page.getByRole('button', { name: 'Create account' }).click()
      await page.getByText('Company name is required').waitFor()
      await look('register')
      await page.goto(world.at('/login?view=forgot'))
      await look('forgot')
      await page.getByLabel('Email address').fill(ada.email)
      await page.getByRole('button', { name: 'Send the link' }).click()
      await page.locator('main[data-state=forgot-sent]').waitFor()
      if (!isFull) return
      // Made of the parts of the other views and of the registration page.
      await look('forgot-sent')
      await signUpAt(page, world)
      await look('check-mail')
    },
    patience,
  )

  it('offers only configured services', async () => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/login`)
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^Continue with/ }).count()).toBe(0)
    expect(await page.getByText('or', { exact: true }).count()).toBe(0)
  })

  it('signs in with address and password, and keeps no key after the session', async () => {
    const { world, page } = await beStranger()
    await page.goto(world.at('/login'))
    await signInAt(page)
    await toastOf(page, 'Login successful!').waitFor()
    await page.waitForURL(world.at('/dashboard'))
    const stored = await storedIn(page)
    expect(stored).toMatchObject({
      auth_token: expect.stringMatching(/^css_/),
      apiKey: expect.stringMatching(/^csc_/),
      providerId: expect.stringMatching(/^prv_/),
      provider_id: stored.providerId,
    })
    expect(JSON.stringify(stored)).not.toContain('csk_')
    await page.getByRole('button', { name: ada.company_name }).waitFor()
  })

  it('keeps typed text when the registry rejects it, and says why', async () => {
    const { world, page } = await beStranger()
    await page.goto(world.at('/login'))
    await signInAt(page, { email: ada.email, password: 'not the password' })
    await toastOf(page, 'Login failed: Wrong email or password').waitFor()
    // The message at the form stays after the toast has closed.
    await page.locator('form').filter({ hasText: 'Wrong email or password' }).waitFor({ timeout: 10_000 })
    expect(await page.getByLabel('Email address').inputValue()).toBe(ada.email)
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('not the password')
    expect(await storedIn(page)).toEqual({})
  })

  const failures = [
    {
      shown: 'Login failed: Authentication failed (502)',
      fail: (page: Page) => breakAnswer(page, '/email/login', 502),
    },
    {
      shown: 'Login failed: Connection failed - unable to reach the API server.',
      fail: (page: Page) => page.route('**/email/login', (route) => route.abort()),
    },
  ]
  it.each(sampled(failures, 2))('says “$shown”', async ({ shown, fail }) => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await page.goto(world.at('/login'))
    await fail(page)
    await signInAt(page)
    await toastOf(page, shown).waitFor()
    expect(await page.getByLabel('Email address').inputValue()).toBe(ada.email)
  })

  itInFull('shows the registry’s errors about a registration at the fields', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await page.goto(world.at('/login?view=register'))
    await page.getByLabel('Company name').fill('Acme Labs')
    await page.getByLabel('Company website').fill('not a website')
    await page.getByLabel('Company email address').fill('ada@acme')
    await page.getByLabel('Password', { exact: true }).fill('password123')
    const send = page.getByRole('button', { name: 'Create account' })
    await send.click()
    await page.getByText('Please enter a valid URL').waitFor()
    await page.getByText('Invalid email address').waitFor()
    const website = page.getByLabel('Company website')
    expect(
      await website.evaluate(
        (input) => input === document.activeElement && input.getAttribute('aria-invalid') === 'true',
      ),
    ).toBe(true)
    await website.fill('acme.example')
    await page.getByLabel('Company email address').fill(ada.email)
    await send.click()
    await toastOf(page, 'Registration failed: ').waitFor()
    const password = page.getByLabel('Password', { exact: true })
    expect(
      await password.evaluate(
        (input) => input === document.activeElement && input.getAttribute('aria-invalid') === 'true',
      ),
    ).toBe(true)
    expect(await page.getByLabel('Company name').inputValue()).toBe('Acme Labs')
  })

  itInFull('registers by email, and opens the dashboard when the link is opened in the same browser', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await signUpAt(page, world)
    await toastOf(
      page,
      'Registration successful! Check your email to verify your account and finish dashboard setup.',
    ).waitFor()
    expect(await page.locator('h1').innerText()).toBe('Verify Your Email')
    const other = await page.context().newPage()
    await other.goto((await world.mailTo(ada.email)).link)
    await other.waitForURL(world.at('/dashboard'))
    await toastOf(other, 'Email verified successfully').waitFor()
    await page.waitForURL(world.at('/dashboard'))
  })

  itInFull(
    'accepts the emailed code in the same browser, and sends another email if the first did not arrive',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      await signUpAt(page, world)
      const first = await page.locator('code').innerText()
      await page.getByRole('button', { name: 'Send another email' }).click()
      await toastOf(page, 'We have sent another email.').waitFor()
      expect(await page.locator('code').innerText()).not.toBe(first)
      const field = page.getByLabel('Code from the email')
      await page.getByRole('button', { name: 'Verify' }).click()
      await page.getByText('Enter the code from the email').waitFor()
      await field.fill('AAAAA-AAAAA')
      await field.press('Enter')
      await toastOf(page, 'This code or link is no longer valid').waitFor()
      await field.fill((await world.mailTo(ada.email)).code.toLowerCase())
      await field.press('Enter')
      await page.waitForURL(world.at('/dashboard'))
    },
  )

  itInFull('returns from waiting for the email, which survives a reload', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await signUpAt(page, world)
    const code = await page.locator('code').innerText()
    await page.reload()
    await page.locator('main[data-state=check-mail]').waitFor()
    expect(await page.locator('code').innerText()).toBe(code)
    expect(JSON.stringify(await storedIn(page))).not.toContain(ada.password)
    await page.getByRole('button', { name: 'Back to Edit Details' }).click()
    await page.locator('main[data-state=register]').waitFor()
    await signUpAt(page, world)
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await page.locator('main[data-state=sign-in]').waitFor()
    await page.getByRole('link', { name: 'Back to home' }).click()
    await page.waitForURL(world.at('/'))
  })

  it(
    'explains why signing in with another service failed, never with text from the address',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      const strange = { 'Call 0800 123': signInErrors.oauth_failed, constructor: signInErrors.oauth_failed }
      for (const [code, shown] of sampled(Object.entries({ ...strange, ...signInErrors }), 7)) {
        await page.goto(world.at(`/login?error=${encodeURIComponent(code)}`))
        await page.getByRole('alert').filter({ hasText: shown }).waitFor()
        expect(await page.locator('main').innerText()).not.toContain('0800')
      }
    },
    patience,
  )

  it('redirects only to pages of this site, for any target in the address', async () => {
    const { world, page } = await beStranger()
    const targets = [
      { target: 'https://evil.example/', leads: '/dashboard' },
      { target: '//evil.example/dashboard', leads: '/dashboard' },
      { target: '/\\evil.example', leads: '/dashboard' },
      { target: '/.//evil.example', leads: '/dashboard' },
      { target: '/\t/evil.example', leads: '/dashboard' },
      { target: 'javascript:alert(document.domain)', leads: '/dashboard' },
      { target: '/login', leads: '/dashboard' },
      { target: '/v?code=1#there', leads: '/v?code=1#there' },
    ]
    for (const { target, leads } of sampled(targets, 3, 1)) {
      await page.goto(world.at(`/login?redirect=${encodeURIComponent(target)}`))
      await signInAt(page)
      await page.waitForURL(world.at(leads))
      await page.evaluate(() => localStorage.clear())
    }
  })

  itInFull('checks a stored target as strictly as one in the address', async () => {
    const { world, page } = await beStranger()
    await page.goto(world.at('/login'))
    await page.evaluate(() => localStorage.setItem('redirectAfterLogin', '//evil.example/x'))
    await signInAt(page)
    await page.waitForURL(world.at('/dashboard'))
    expect((await storedIn(page)).redirectAfterLogin).toBeUndefined()
  })

  it('redirects signed-in visitors, even after signing in in another tab', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    const waiting = await page.context().newPage()
    await waiting.goto(world.at('/login?redirect=%2Fv'))
    await waiting.locator('main[data-state=sign-in]').waitFor()
    await registerByMail(world)
    await page.goto(world.at('/login'))
    await signInAt(page)
    await page.waitForURL(world.at('/dashboard'))
    await waiting.waitForURL(world.at('/v'))
    await page.goto(world.at('/login'))
    await page.waitForURL(world.at('/dashboard'))
  })

  const services = [
    { service: 'GitHub', provider: 'github' },
    { service: 'Google', provider: 'google' },
  ] as const
  it.each(sampled(services, 2, 1))(
    'signs in with $service and returns to the requested page',
    async ({ service, provider }) => {
      const world = await createAccountWorld()
      // A first sign-in leads to the registration.
      const grace = someone('grace')
      const { client } = await world.signIn(provider, grace)
      await client.providers.register({
        company_name: 'Grace AI',
        email: grace.email,
        website: 'https://grace.example',
      })
      const page = await openVisitor(browser)
      const referrers: (string | undefined)[] = []
      page.on('request', (request) => referrers.push(request.headers().referer))
      world.sitDown(grace)
      await page.goto(world.at('/login?redirect=%2Fv%3Fa%3D1'))
      await page.getByRole('button', { name: `Continue with ${service}` }).click()
      await page.waitForURL(world.at('/v?a=1'))
      await toastOf(page, 'Authentication successful!').waitFor()
      expect(await storedIn(page)).toMatchObject({
        apiKey: expect.stringMatching(/^csc_/),
        providerId: expect.stringMatching(/^prv_/),
      })
      expect(referrers.filter((referrer) => referrer?.includes('token'))).toEqual([])
      expect((await historyOf(page)).filter((address) => address.includes('token'))).toEqual([])
    },
  )

  it('works by keyboard, and a password manager finds its fields', async () => {
    const { world, page } = await beStranger()
    await page.goto(world.at('/login'))
    await page.locator('main[data-state=sign-in]').waitFor()
    const reach = async (name: string) => {
      for (let step = 0; step < 40; step++) {
        await page.keyboard.press('Tab')
        const reached = await page.evaluate(() => {
          const at = document.activeElement
          return at?.getAttribute('aria-label') ?? at?.getAttribute('name') ?? at?.textContent
        })
        if (reached === name) return
      }
      throw new Error(`Tab never comes to ${name}`)
    }
    await reach('Create provider account')
    await page.keyboard.press('Enter')
    await page.locator('main[data-state=register]').waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    await page.goBack()
    await page.locator('main[data-state=sign-in]').waitFor()
    await reach('email')
    await page.keyboard.type(ada.email)
    await reach('password')
    await page.keyboard.type(ada.password)
    await reach('Show password')
    await page.keyboard.press('Space')
    const autocompletes = await page
      .locator('main input')
      .evaluateAll((inputs) => inputs.map((input) => [input.getAttribute('autocomplete'), input.getAttribute('type')]))
    expect(autocompletes).toEqual([
      ['username', 'email'],
      ['current-password', 'text'],
    ])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.waitForURL(world.at('/dashboard'))
  })
})
