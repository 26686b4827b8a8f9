import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { openOwner } from '../support/owner.ts'
import { stateOf } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const tabs = ['Overview', 'Models', 'Deployments', 'Incidents', 'Verifications', 'Activity', 'Billing', 'Settings']

describe('the provider area', () => {
  it('shows the tab that the address names, and names none for the overview', async () => {
    const world = await createWorld()
    const { page, visit } = await openOwner(browser, world, await world.provider('acme'))
    await visit('/dashboard?tab=nonsense')
    const menu = page.getByRole('navigation', { name: 'Dashboard' })
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    for (const tab of [...tabs.slice(1), 'Overview']) {
      await menu.getByRole('link', { name: tab, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: tab }).waitFor()
      expect(await stateOf(page)).not.toBe('failed')
      expect(new URL(page.url()).search).toBe(tab === 'Overview' ? '' : `?tab=${tab.toLowerCase()}`)
      expect(await menu.locator('[aria-current=page]').allInnerTexts()).toEqual([tab])
      expect(await page.title()).toContain('Dashboard · Countersign')
    }
  })

  it('shows on a phone which tab it is', async () => {
    const world = await createWorld()
    const { page, visit } = await openOwner(browser, world, await world.provider('acme'), { viewport: { width: 320, height: 740 } })
    for (const tab of ['settings', 'overview', 'incidents']) {
      await visit(`/dashboard?tab=${tab}`)
      const box = await page.getByRole('navigation', { name: 'Dashboard' }).locator('[aria-current=page]').boundingBox()
      expect({ tab, isSeen: box !== null && box.x >= 0 && box.x + box.width <= 320 }).toEqual({ tab, isSeen: true })
    }
  })

  it('says that the browser is offline, and no more once it is not', async () => {
    const world = await createWorld()
    const { page, visit } = await openOwner(browser, world, await world.provider('acme'))
    await visit('/dashboard')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.context().setOffline(true)
    const notice = page.getByText('You are offline.', { exact: false })
    await notice.waitFor()
    await page.context().setOffline(false)
    await notice.waitFor({ state: 'detached' })
  })
})
