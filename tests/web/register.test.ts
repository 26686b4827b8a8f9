import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { inspect } from '../support/account-look.ts'
import { type AccountWorld, beSignedUp, createAccountWorld, storedIn, toastOf } from '../support/account-visits.ts'
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

const details = { company_name: 'Acme Labs', email: 'ada@acme.example', website: 'https://acme.example' }

const fillDetails = async (page: Page, { company_name, email, website }: Partial<typeof details>) => {
  if (company_name !== undefined) await page.getByLabel('Company name').fill(company_name)
  if (email !== undefined) await page.getByLabel('Company email address').fill(email)
  if (website !== undefined) await page.getByLabel('Company website').fill(website)
}

const goOn = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true }).click()
const currentStep = (page: Page) => page.locator('[aria-current=step]').innerText()

/** A person with an account but no company, signed in with GitHub. */
const beGrace = async (world: AccountWorld, page: Page) => {
  world.sitDown(someone('grace'))
  await page.goto(world.at('/login'))
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await page.waitForURL(world.at('/register'))
  await page.locator('main[data-state=details]').waitFor()
}

describe('registering without an account', () => {
  it(
    'goes from details to an email and a password and passes axe',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      await page.goto(world.at('/register'))
      await page.locator('main[data-state=details]').waitFor()
      expect(await page.locator('main ol li').allInnerTexts()).toEqual(
        ['1\nDetails', '2\nAuth', '3\nAPI Key'].map((text) => expect.stringContaining(text.slice(2))),
      )
      await goOn(page)
      for (const shown of ['Company name is required', 'Email is required', 'Website is required'])
        await page.getByText(shown).waitFor()
      await fillDetails(page, { ...details, email: 'ada@mail.example' })
      await page.getByText('The domains differ').waitFor()
      await inspect(page, 'details')
      await goOn(page)
      expect(await currentStep(page)).toContain('Auth')
      if (isFull) await inspect(page, 'auth')
      await page.getByRole('button', { name: 'Back to Edit Details' }).click()
      expect(await page.getByLabel('Company name').inputValue()).toBe(details.company_name)
      await fillDetails(page, details)
      await goOn(page)
      await page.getByRole('button', { name: 'Authenticate Now' }).click()
      await toastOf(
        page,
        'Authentication email sent! Please check your inbox and follow the instructions to complete your registration.',
      ).waitFor()
      expect(await page.locator('h1').innerText()).toBe('Check Your Email')
      await inspect(page, 'check-mail')
      await page.goto((await world.mailTo(details.email)).link)
      await page.waitForURL(world.at('/auth-setup'))
      await page.getByLabel('Create a password').fill(ada.password)
      await page.getByRole('button', { name: 'Continue with Password' }).click()
      await page.waitForURL(world.at('/dashboard'))
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    },
    patience,
  )

  const invalid = [
    { email: 'ada@', website: 'https://acme.example', shown: 'Invalid email address' },
    { email: 'ada@acme.example', website: 'acme', shown: 'Please enter a valid URL' },
  ]
  it.each(sampled(invalid, 2))('rejects $email with $website: $shown', async ({ shown, ...typed }) => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await page.goto(world.at('/register'))
    await fillDetails(page, { ...details, ...typed })
    await goOn(page)
    await page.getByText(shown).waitFor()
    expect(await page.locator('[aria-invalid=true]').count()).toBe(1)
  })

  itInFull(
    'compares the domains half a second after the last key, and warns of a mailbox at another domain',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      const requests: number[] = []
      page.on('request', (request) => request.url().endsWith('/check-domain') && requests.push(performance.now()))
      await page.goto(world.at('/register'))
      await fillDetails(page, { company_name: 'Acme Labs', website: 'https://acme.example' })
      const email = page.getByLabel('Company email address')
      await email.pressSequentially('ada@gmail.com', { delay: 60 })
      const lastKey = performance.now()
      await page.getByText('Your email address is at gmail.com, and your website is at acme.example.').waitFor()
      expect(requests.length).toBe(1)
      expect((requests[0] ?? 0) - lastKey).toBeGreaterThan(350)
      await page.getByText('you will only receive email verification').waitFor()
      await email.fill('ada@acme.example')
      await page.getByText('The domains differ').waitFor({ state: 'detached' })
      await goOn(page)
      await page.locator('main[data-state=auth]').waitFor()
    },
  )

  itInFull('shows no warning if the domains could not be compared', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await page.route('**/check-domain', (route) => route.fulfill({ status: 500, body: 'no' }))
    await page.goto(world.at('/register'))
    const logged = page.waitForEvent('console', (message) => message.text().startsWith('Domain check failed'))
    await fillDetails(page, { ...details, email: 'ada@gmail.com' })
    await logged
    expect(await page.getByText('The domains differ').count()).toBe(0)
    await goOn(page)
    await page.locator('main[data-state=auth]').waitFor()
  })

  const unsent = [
    {
      fails: 'with a bad gateway',
      shown: 'Failed to send verification email. Please try again.',
      fail: (page: Page) => page.route('**/send-verification', (route) => route.fulfill({ status: 502, body: 'no' })),
    },
    {
      fails: 'without an answer',
      shown: 'Connection failed. API service may be temporarily unavailable. Please try again later.',
      fail: (page: Page) => page.route('**/send-verification', (route) => route.abort()),
    },
  ]
  it.each(sampled(unsent, 2))('says what to do if sending the email fails $fails', async ({ shown, fail }) => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await page.goto(world.at('/register'))
    await fillDetails(page, details)
    await goOn(page)
    await fail(page)
    const send = page.getByRole('button', { name: 'Authenticate Now' })
    await send.click()
    await toastOf(page, shown).waitFor()
    await page.unroute('**/send-verification')
    await send.click()
    await page.locator('main[data-state=check-mail]').waitFor()
  })

  it('shows the registry’s errors at their fields', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await page.goto(world.at('/register'))
    await fillDetails(page, { ...details, website: 'https://co.uk' })
    await goOn(page)
    await page.getByRole('button', { name: 'Authenticate Now' }).click()
    await page.locator('main[data-state=details]').waitFor()
    const website = page.getByLabel('Company website')
    await expect.poll(() => website.getAttribute('aria-invalid')).toBe('true')
    expect(await website.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await page.getByLabel('Company name').inputValue()).toBe(details.company_name)
  })

  itInFull('continues in both tabs when the email is answered in another one', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await page.goto(world.at('/register'))
    await fillDetails(page, details)
    await goOn(page)
    await page.getByRole('button', { name: 'Authenticate Now' }).click()
    await page.locator('main[data-state=check-mail]').waitFor()
    const other = await page.context().newPage()
    await other.goto((await world.mailTo(details.email)).link)
    await other.getByLabel('Create a password').fill(ada.password)
    await other.getByRole('button', { name: 'Continue with Password' }).click()
    await other.waitForURL(world.at('/dashboard'))
    await page.waitForURL(world.at('/dashboard'))
  })

  itInFull('accepts the emailed code, and then a password', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await page.goto(world.at('/register'))
    await fillDetails(page, details)
    await goOn(page)
    await page.getByRole('button', { name: 'Authenticate Now' }).click()
    await page.getByRole('button', { name: 'Send another email' }).click()
    await toastOf(page, 'We have sent another email.').waitFor()
    const shown = await page.locator('main').innerText()
    await page.reload()
    await page.locator('main[data-state=check-mail]').waitFor()
    expect(await page.locator('main').innerText()).toBe(shown)
    await page.getByLabel('Code from the email').fill((await world.mailTo(details.email)).code)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.waitForURL(world.at('/auth-setup'))
    expect(await page.getByLabel('Email address').inputValue()).toBe(details.email)
  })

  it('works by keyboard', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await page.goto(world.at('/register'))
    await page.getByLabel('Company name').focus()
    for (const text of Object.values(details)) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.locator('main[data-state=auth]').waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
    // The link to the home page comes first.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('main[data-state=check-mail]').waitFor()
  })
})

describe('registering with an account', () => {
  it(
    'creates the first key, shows it once, and stores it nowhere',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
      await beGrace(world, page)
      const email = page.getByLabel('Company email address')
      expect(await email.inputValue()).toBe('grace@acme.example')
      expect(await email.getAttribute('readonly')).not.toBeNull()
      await fillDetails(page, { company_name: 'Acme Labs', website: 'acme.example' })
      await goOn(page)
      expect(await currentStep(page)).toContain('API Key')
      if (isFull) await inspect(page, 'generate')
      await page.getByRole('button', { name: 'Generate API Key' }).click()
      await toastOf(page, 'Registration successful! Please save your API key.').waitFor()
      await inspect(page, 'complete')
      await page.getByRole('button', { name: 'Copy key' }).click()
      const key = await page.evaluate(() => navigator.clipboard.readText())
      expect(key).toMatch(/^csk_/)
      expect((await world.client(key).providers.me()).company_name).toBe('Acme Labs')
      expect(JSON.stringify(await storedIn(page))).not.toContain('csk_')
      await page.getByRole('button', { name: 'Continue to the dashboard' }).click()
      await page.waitForURL(world.at('/dashboard'))
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      expect(await page.content()).not.toContain(key)
      await page.goBack()
      await page.waitForURL(world.at('/dashboard'))
      expect(await page.content()).not.toContain(key)
    },
    patience,
  )

  itInFull(
    'says in the console that credentials are missing if another tab signed out before the key was saved',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      await beGrace(world, page)
      await fillDetails(page, { company_name: 'Acme Labs', website: 'acme.example' })
      await goOn(page)
      await page.getByRole('button', { name: 'Generate API Key' }).click()
      await page.locator('main[data-state=complete]').waitFor()
      const other = await page.context().newPage()
      await other.goto(world.at('/'))
      await other.evaluate(() => localStorage.clear())
      await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
      // The key can still be copied.
      await page.locator('main[data-state=complete]').waitFor()
      const logged = page.waitForEvent('console', (message) => message.text() === 'Missing credentials')
      await page.getByRole('button', { name: 'Continue to the dashboard' }).click()
      await logged
      await page.locator('main[data-state=sign-in]').waitFor()
    },
  )

  itInFull('redirects a registered provider to the dashboard', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await beSignedUp(page, world)
    await page.goto(world.at('/register'))
    await page.waitForURL(world.at('/dashboard'))
  })

  it('creates no second provider after signing out meanwhile', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await beGrace(world, page)
    await fillDetails(page, { company_name: 'Acme Labs', website: 'acme.example' })
    await goOn(page)
    const { auth_token } = await storedIn(page)
    await world.client(auth_token).auth.signOut({})
    await page.getByRole('button', { name: 'Generate API Key' }).click()
    await toastOf(page, 'Please complete authentication first').waitFor()
    await page.locator('main[data-state=auth]').waitFor()
    expect((await world.anyone.providers.list({})).providers).toEqual([])
    await page.getByRole('button', { name: 'Back to Edit Details' }).click()
    expect(await page.getByLabel('Company name').inputValue()).toBe('Acme Labs')
  })

  const failures = [
    {
      fails: 'without an answer',
      shown: 'Connection failed. API service may be temporarily unavailable. Please try again later.',
      fail: (page: Page) => page.route('**/providers/register', (route) => route.abort()),
    },
    {
      fails: 'with a bad gateway',
      shown: 'Registration failed (502)',
      fail: (page: Page) => page.route('**/providers/register', (route) => route.fulfill({ status: 502, body: 'no' })),
    },
  ]
  itInFull.each(failures)('says what to do if it fails $fails', async ({ shown, fail }) => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await beGrace(world, page)
    await fillDetails(page, { company_name: 'Acme Labs', website: 'acme.example' })
    await goOn(page)
    await fail(page)
    await page.getByRole('button', { name: 'Generate API Key' }).click()
    await toastOf(page, shown).waitFor()
  })

  itInFull('proves the address, but no domain, by an email opened while signed in', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await beGrace(world, page)
    await fillDetails(page, { company_name: 'Acme Labs', website: 'acme.example' })
    await goOn(page)
    await page.getByRole('button', { name: 'Generate API Key' }).click()
    await page.getByRole('button', { name: 'Continue to the dashboard' }).click()
    await page.waitForURL(world.at('/dashboard'))
    await page.evaluate(() =>
      fetch('/api/v1/providers/send-verification', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': localStorage.apiKey },
        body: '{}',
      }),
    )
    await page.goto((await world.mailTo('grace@acme.example')).link)
    await page.waitForURL(world.at('/email-verified?level=email'))
    await page.getByRole('heading', { name: 'Email verified (domain mismatch)' }).waitFor()
  })
})
