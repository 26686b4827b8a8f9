import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { inspect } from '../support/account-look.ts'
import {
  beSignedUp,
  createAccountWorld,
  historyOf,
  registerByMail,
  signUpAt,
  storedIn,
  toastOf,
} from '../support/account-visits.ts'
import { shareBrowser } from '../support/browser.ts'
import { signIn } from '../support/console.ts'
import { ada } from '../support/desk.ts'
import { isFull, itInFull, sampled } from '../support/full.ts'
import { openVisitor } from '../support/visitor.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 120_000
const failed = 'Email verification failed.'

describe('the link from an email', () => {
  it(
    'in another browser asks for a secret of the registration, and says why it failed',
    async () => {
      const world = await createAccountWorld()
      await world.anyone.auth.register(ada)
      const page = await openVisitor(browser)
      const { link } = await world.mailTo(ada.email)
      await page.goto(link)
      await inspect(page, 'confirm')
      await page.goto(world.at('/verify-email/nonsense'))
      await page.locator('main[data-state=failed]').waitFor()
      if (isFull) await inspect(page, 'failed')
      expect(await page.locator('h1').innerText()).toBe(failed)
      await page.getByRole('link', { name: 'Back to login' }).click()
      await page.locator('main[data-state=sign-in]').waitFor()
    },
    patience,
  )

  const secrets = [
    { half: 'the password', secretOf: () => ada.password },
    { half: 'the confirmation code', secretOf: (code: string) => code.toLowerCase().replace('-', ' ') },
  ]
  it.each(sampled(secrets, 2, 1))('completes the registration in another browser with $half', async ({ secretOf }) => {
    const world = await createAccountWorld()
    const desk = await openVisitor(browser)
    await signUpAt(desk, world)
    const confirmationCode = await desk.locator('code').innerText()
    const phone = await openVisitor(browser)
    await phone.goto((await world.mailTo(ada.email)).link)
    const secret = phone.getByLabel('Password or confirmation code')
    await phone.getByRole('button', { name: 'Verify my address' }).click()
    await phone.getByText('Enter your password or the confirmation code').waitFor()
    await secret.fill('a guess')
    await secret.press('Enter')
    await phone.getByText('That is neither the password nor the confirmation code').waitFor()
    expect(await secret.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await storedIn(phone)).toEqual({})
    await secret.fill(secretOf(confirmationCode))
    await secret.press('Enter')
    await phone.waitForURL(world.at('/dashboard'))
    await toastOf(phone, 'Email verified successfully').waitFor()
  })

  itInFull('is blocked after five wrong guesses, even if the sixth is right', async () => {
    const world = await createAccountWorld()
    await world.anyone.auth.register(ada)
    const page = await openVisitor(browser)
    await page.goto((await world.mailTo(ada.email)).link)
    const secret = page.getByLabel('Password or confirmation code')
    for (const guess of ['one', 'two', 'three', 'four', 'five']) {
      await secret.fill(guess)
      const answered = page.waitForResponse('**/auth/email/verify')
      await secret.press('Enter')
      expect((await answered).status()).toBe(403)
      await page.getByText('That is neither').waitFor()
    }
    await secret.fill(ada.password)
    await secret.press('Enter')
    await page.getByRole('heading', { name: failed }).waitFor()
    await toastOf(page, 'This code or link is no longer valid').waitFor()
    expect(await storedIn(page)).toEqual({})
  })

  it('changes nothing for a scanner that opens it and runs its scripts', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await signUpAt(page, world)
    const { link } = await world.mailTo(ada.email)
    const scanner = await openVisitor(browser)
    for (let visit = 0; visit < 6; visit++) {
      await scanner.goto(link)
      await scanner.locator('main[data-state=confirm]').waitFor()
      expect(await storedIn(scanner)).toEqual({})
    }
    await page.goto(link)
    await page.waitForURL(world.at('/dashboard'))
    // The link does not stay in the browser’s history.
    expect((await historyOf(page)).filter((address) => address.includes('verify-email'))).toEqual([])
  })

  itInFull('shows Verifying email... while waiting, and says when the registry does not answer', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await signUpAt(page, world)
    const { link } = await world.mailTo(ada.email)
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/auth/email/verify', async (route) => {
      await asked
      await route.abort()
    })
    await page.goto(link)
    await page.getByRole('status').filter({ hasText: 'Verifying email...' }).waitFor()
    answer()
    await page.getByRole('heading', { name: failed }).waitFor()
    await page.locator('main').getByText('Connection failed - unable to reach the API server.').waitFor()
    await page.unroute('**/auth/email/verify')
    await page.route('**/auth/email/verify', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('main').getByText('Email verification failed (502)').waitFor()
    await page.unroute('**/auth/email/verify')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForURL(world.at('/dashboard'))
  })

  itInFull('says that the address already has an account, and offers no second try', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await signUpAt(page, world)
    const { link } = await world.mailTo(ada.email)
    await registerByMail(world)
    await page.goto(link)
    await page.getByRole('heading', { name: failed }).waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })

  itInFull('works after an old session of this browser has ended', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    const bob = {
      ...ada,
      email: 'bob@northwind.example',
      company_name: 'Northwind AI',
      website: 'https://northwind.example',
    }
    await beSignedUp(page, world, bob)
    const { auth_token } = await storedIn(page)
    await world.client(auth_token).auth.signOut({})
    const desk = await page.context().newPage()
    await page.evaluate(() => {
      for (const name of ['auth_token', 'apiKey', 'providerId'])
        sessionStorage.setItem(`kept ${name}`, localStorage.getItem(name) ?? '')
      localStorage.clear()
    })
    await signUpAt(desk, world)
    await page.evaluate(() => {
      for (const name of ['auth_token', 'apiKey', 'providerId'])
        localStorage.setItem(name, sessionStorage.getItem(`kept ${name}`) ?? '')
    })
    await page.route('**/providers/me', (route) => route.abort())
    await page.goto((await world.mailTo(ada.email)).link)
    await page.waitForURL(world.at('/dashboard'))
    expect((await storedIn(page)).auth_token).not.toBe(auth_token)
  })

  it('asks an account without a password to choose one', async () => {
    const world = await createAccountWorld()
    const { email, company_name, website } = ada
    const { confirmation_code } = await world.anyone.auth.sendVerification({ email, company_name, website })
    const page = await openVisitor(browser)
    await page.goto((await world.mailTo(email)).link)
    await page.getByLabel('Password or confirmation code').fill(confirmation_code)
    await page.getByRole('button', { name: 'Verify my address' }).click()
    await page.waitForURL(world.at('/auth-setup'))
    await toastOf(page, 'Email verified successfully!').waitFor()
  })
})

describe('an email for an existing account', () => {
  it('is completed with its owner’s code, and starts no session', async () => {
    const world = await createAccountWorld()
    const acme = await world.provider('acme', { isVerified: false })
    const { confirmation_code } = await acme.client.auth.sendVerification({})
    const page = await openVisitor(browser)
    await page.goto((await world.mailTo('acme@acme.example')).link)
    await page.getByLabel('Password or confirmation code').fill(confirmation_code)
    await page.getByRole('button', { name: 'Verify my address' }).click()
    await page.locator('main[data-state=sign-in]').waitFor()
    await toastOf(page, 'Email verified successfully').waitFor()
    expect(await storedIn(page)).toEqual({})
  })
})

describe('the result page', () => {
  const levels = [
    { level: 'domain', heading: 'Full verification complete!' },
    { level: 'email', heading: 'Email verified (domain mismatch)' },
    { level: '', heading: 'Email verified (domain mismatch)' },
  ]
  it.each(sampled(levels, 3, 1))(
    'says “$heading” for level=$level to a visitor, and confirms nothing',
    async ({ level, heading }) => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      await page.goto(world.at(`/email-verified?level=${level}`))
      await page.getByRole('heading', { name: heading }).waitFor()
      await inspect(page, 'signed-out')
      await page.getByText('This page confirms nothing. Sign in to see what has been verified.').waitFor()
      expect(await page.locator('main .text-ok').count()).toBe(0)
    },
    patience,
  )

  it('does not say that the email address of an account is verified because its domain is', async () => {
    const world = await createAccountWorld()
    const acme = await world.provider('acme')
    expect(await acme.client.providers.me()).toMatchObject({ email_verified: false, domain_verified: true })
    const page = await openVisitor(browser)
    await signIn(page, acme)
    await page.goto(world.at('/email-verified?level=domain'))
    await page.getByRole('heading', { name: 'Your email address is not verified yet' }).waitFor()
    expect(await page.locator('main').innerText()).not.toContain('are verified')
  })

  itInFull(
    'shows the real state to a signed-in visitor, for any address',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      await beSignedUp(page, world)
      const client = world.client((await page.evaluate(() => localStorage.getItem('apiKey'))) ?? '')
      const { domain_proof } = await client.providers.me()
      world.dns.setTxt(domain_proof?.record_name ?? '', [domain_proof?.record_value ?? ''])
      await client.providers.verifyDomain({})
      await page.goto(world.at('/email-verified?level=email'))
      await page.getByRole('heading', { name: 'Full verification complete!' }).waitFor()
      await inspect(page, 'domain')
      await page.evaluate(() => localStorage.clear())
      await page.goto(world.at('/'))
      const bob = {
        ...ada,
        email: 'bob@mail.example',
        company_name: 'Northwind AI',
        website: 'https://northwind.example',
      }
      await beSignedUp(page, world, bob)
      await page.goto(world.at('/email-verified?level=domain'))
      await page.getByRole('heading', { name: 'Email verified (domain mismatch)' }).waitFor()
      await inspect(page, 'email')
      // Leads straight to the record that proves the domain.
      await page.getByRole('link', { name: 'Go to Dashboard' }).click()
      await page
        .getByRole('dialog', { name: 'Verify the domain northwind.example' })
        .getByText('_countersign.northwind.example')
        .waitFor()
    },
    patience,
  )
})
