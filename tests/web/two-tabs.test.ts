import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { beSignedUp, createAccountWorld, registerByMail, signInAt, storedIn } from '../support/account-visits.ts'
import { shareBrowser } from '../support/browser.ts'
import { ada } from '../support/desk.ts'
import { openVisitor } from '../support/visitor.ts'

// Two tabs of one profile. They run when nothing else does, because each waits for what the other does.
let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

/** A newly registered person at the dashboard. */
const beAda = async () => {
  const world = await createAccountWorld()
  const page = await openVisitor(browser)
  await beSignedUp(page, world)
  return { world, page }
}

describe('two tabs', () => {
  it('forget everything on signing out, here, in the other tab and at the registry', async () => {
    const { world, page } = await beAda()
    const other = await page.context().newPage()
    await other.goto(world.at('/dashboard'))
    await other.locator('main[data-state=ready]').waitFor()
    await page.bringToFront()
    const { auth_token } = await storedIn(page)
    await page.evaluate(() => {
      localStorage.setItem('redirectAfterLogin', '/v')
      sessionStorage.setItem('draft', 'text')
    })
    await page.getByRole('button', { name: ada.company_name }).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await page.waitForURL(world.at('/'))
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
    await other.waitForURL(/\/login\?redirect=/)
    expect(await storedIn(page)).toEqual({})
    expect(await storedIn(other)).toEqual({})
    await expect
      .poll(() =>
        world
          .client(auth_token)
          .providers.me()
          .then(
            () => 'known',
            (error) => error.code,
          ),
      )
      .toBe('unauthorized')
  })

  it('show another provider nothing of the previous one in a waiting tab', async () => {
    const { world, page } = await beAda()
    const bob = {
      ...ada,
      email: 'bob@northwind.example',
      company_name: 'Northwind AI',
      website: 'https://northwind.example',
    }
    await registerByMail(world, bob)
    const other = await page.context().newPage()
    await other.goto(world.at('/dashboard'))
    await other.getByRole('button', { name: ada.company_name }).waitFor()
    await page.getByRole('button', { name: ada.company_name }).click()
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await page.waitForURL(world.at('/'))
    await page.goto(world.at('/login'))
    await signInAt(page, bob)
    await page.getByRole('button', { name: bob.company_name }).waitFor()
    await other.getByRole('button', { name: bob.company_name }).waitFor()
    expect(await other.locator('body').innerText()).not.toContain(ada.company_name)
  })
})
