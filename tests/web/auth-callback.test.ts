import { signInErrors } from '@countersign/sdk/contract'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { inspect } from '../support/account-look.ts'
import {
  beSignedUp,
  createAccountWorld,
  historyOf,
  registerByMail,
  storedIn,
  toastOf,
} from '../support/account-visits.ts'
import { shareBrowser } from '../support/browser.ts'
import { ada } from '../support/desk.ts'
import { itInFull, sampled } from '../support/full.ts'
import { someone } from '../support/sign-in.ts'
import { openVisitor } from '../support/visitor.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 120_000

/** Runs in the page: stops the redirect so that the test can look at it. */
const stayAfterTwoSeconds = () => {
  const wait = window.setTimeout
  Object.assign(window, { setTimeout: (call: () => void, ms?: number) => (ms === 2_000 ? 0 : wait(call, ms)) })
}

describe('the callback page of identity providers', () => {
  const ends = [
    // They come from one table; the sign-in that ends in one is tested below.
    ...sampled(Object.entries(signInErrors), 6).map(([error, shown]) => ({
      query: `error=${error}`,
      shown: `Authentication failed: ${shown}`,
      afterMs: 2_000,
      leads: `/login?error=${error}`,
    })),
    {
      query: 'error=Call%200800%20123',
      shown: `Authentication failed: ${signInErrors.oauth_failed}`,
      afterMs: 2_000,
      leads: '/login?error=oauth_failed',
    },
    {
      query: 'code=abc&state=def',
      shown: 'OAuth flow not properly configured. Please contact support.',
      afterMs: 3_000,
      leads: '/login',
    },
    ...sampled(['', 'code=abc', 'token='], 3).map((query) => ({
      query,
      shown: 'Invalid authentication response',
      afterMs: 2_000,
      leads: '/login',
    })),
    {
      query: 'token=nobodys',
      shown: 'Authentication failed: This sign-in was already completed, or took too long. Please sign in again.',
      afterMs: 2_000,
      leads: '/login',
    },
  ]

  it(
    'says what went wrong, stays long enough to be read, and goes to the login page',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      await page.clock.install({ time: '2026-01-01T00:00:00Z' })
      await page.clock.pauseAt('2026-01-01T00:00:01Z')
      for (const { query, shown, afterMs, leads } of ends) {
        await page.goto(world.at(`/auth/callback?${query}`))
        await page.getByRole('alert').filter({ hasText: shown }).waitFor()
        expect({ query, at: page.url() }).toEqual({ query, at: world.at('/auth/callback') })
        expect(await page.locator('main').innerText()).not.toContain('0800')
        await page.clock.runFor(afterMs - 1)
        expect({ query, at: page.url() }).toEqual({ query, at: world.at('/auth/callback') })
        await page.clock.runFor(1)
        await page.waitForURL(world.at(leads))
      }
    },
    patience,
  )

  it(
    'is legible',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      await page.addInitScript(stayAfterTwoSeconds)
      await page.goto(world.at('/auth/callback?error=account_exists_sign_in_to_link'))
      await inspect(page, 'failed')
    },
    patience,
  )

  it.each(
    sampled(
      [
        { service: 'GitHub', button: 'Continue with GitHub' },
        { service: 'Google', button: 'Continue with Google' },
      ],
      2,
    ),
  )('says that the person declined at $service', async ({ button }) => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    world.sitDown(undefined)
    await page.goto(world.at('/login'))
    await page.getByRole('button', { name: button }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: `Authentication failed: ${signInErrors.access_denied}` })
      .waitFor()
    await page.waitForURL(world.at('/login?error=access_denied'))
    await page.getByRole('alert').filter({ hasText: signInErrors.access_denied }).waitFor()
  })

  it('signs no one in by an address alone, and says what to do', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await registerByMail(world)
    world.sitDown(someone('ada', { email: ada.email }))
    await page.goto(world.at('/login'))
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await page.waitForURL(world.at('/login?error=account_exists_sign_in_to_link'))
    await page.getByText(signInErrors.account_exists_sign_in_to_link).waitFor()
    expect(await storedIn(page)).toEqual({})
  })

  it('exchanges its code once, only in the browser that got it, and removes it from the address', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    const referrers: string[] = []
    let token = ''
    page.on('request', (request) => {
      referrers.push(request.headers().referer ?? '')
      token = new URL(request.url()).searchParams.get('token') ?? token
    })
    world.sitDown(someone('grace'))
    await page.goto(world.at('/login'))
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await toastOf(page, 'Authentication successful!').waitFor()
    await page.waitForURL(world.at('/register'))
    expect(token).not.toBe('')
    expect(referrers.filter((referrer) => referrer.includes(token))).toEqual([])
    const thief = await openVisitor(browser)
    await thief.goto(world.at(`/auth/callback?token=${token}`))
    await thief.getByRole('alert').filter({ hasText: 'Authentication failed: ' }).waitFor()
    expect(await storedIn(thief)).toEqual({})
    const addresses = await historyOf(page)
    expect(addresses).toContain(world.at('/register'))
    expect(addresses.filter((address) => address.includes(token))).toEqual([])
  })

  itInFull('says that the registry did not answer', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    world.sitDown(someone('grace'))
    await page.route('**/auth/exchange', (route) => route.abort())
    await page.goto(world.at('/login'))
    await page.getByRole('button', { name: 'Continue with GitHub' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: 'Authentication failed: Connection failed - unable to reach the API server.' })
      .waitFor()
    await page.waitForURL(world.at('/login'))
  })

  itInFull('also says so to a signed-in visitor, whom the login page would redirect', async () => {
    const world = await createAccountWorld()
    const page = await openVisitor(browser)
    await beSignedUp(page, world)
    await page.goto(world.at('/auth/callback?error=identity_taken'))
    await page.waitForURL(world.at('/dashboard'))
    await toastOf(page, signInErrors.identity_taken).waitFor()
  })
})
