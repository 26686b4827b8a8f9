import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { openOwner } from '../support/owner.ts'
import { findFlaws } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

it('shows how much of the quotas is used, links to it once 80% is used, and loads again after a failure', async () => {
  const world = await createWorld({
    linksPerDay: { proven: 2_000, unproven: 10 },
    modelsTotal: { proven: 20, unproven: 1 },
  })
  const acme = await world.provider('acme', { isVerified: false })
  const model_id = await acme.registerModel()
  for (let links = 0; links < 8; links++) await acme.client.verifications.create({ model_id })
  const { page, visit } = await openOwner(browser, world, acme)
  const usage = '**/api/v1/providers/me/usage'
  await page.route(usage, (route) => route.fulfill({ status: 500, contentType: 'text/plain', body: 'busy' }))
  await visit('/dashboard')
  const panel = page.locator('#usage')
  await panel.locator('summary').click()
  const again = panel.getByRole('button', { name: 'Try again' })
  await panel.getByText('Could not load your usage').waitFor()
  await page.unroute(usage)
  await again.click()
  await panel.getByText('8 of 10', { exact: true }).waitFor()
  await panel.getByText('With a verified domain you get 2,000 links a day.').waitFor()
  await panel.getByText('1 of 100').waitFor()
  await panel.getByText('1 of 1', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'You have registered 1 of 1 model versions', exact: true }).waitFor()
  await page.getByRole('link', { name: 'You have used 8 of 10 links today' }).click()
  await expect.poll(() => panel.getByText('8 of 10', { exact: true }).isVisible()).toBe(true)
  expect(new URL(page.url()).hash).toBe('#usage')
  expect(await findFlaws(page)).toEqual([])
})
