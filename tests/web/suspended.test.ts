import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { suspendEverything } from '../../server/src/backup/suspend.ts'
import { shareBrowser } from '../support/browser.ts'
import { ada, askForReset, signedUp } from '../support/desk.ts'
import { openOwner } from '../support/owner.ts'
import { findViolations } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

it('asks the owner above every tab to confirm the account after a restore, and confirms it', async () => {
  const world = await createWorld()
  const { id } = await signedUp(world)
  const silent = {
    events: { record: async () => {} },
    listings: { providerChanged: async () => {} },
    mail: { alert: async () => {}, queue: async () => {} },
    now: world.clock.now,
  }
  await world.database.transaction((tx) => suspendEverything(silent, tx, `${world.publicUrl}/login`))
  const token = await askForReset(world, ada.email)
  const { api_key } = await world.anyone.auth.setPassword({ token, password: 'another heron at dusk' })

  const { page, visit } = await openOwner(browser, world, { id, apiKey: api_key })
  const notice = page.getByRole('heading', { name: 'Confirm your account' })
  for (const tab of ['overview', 'deployments', 'settings']) {
    await visit(`/dashboard?tab=${tab}`)
    await notice.waitFor()
  }
  expect(await findViolations(page)).toEqual([])
  const client = world.client(api_key)
  expect(await client.providers.me()).toMatchObject({ is_suspended: true, is_active: false })

  await page.getByRole('button', { name: 'Confirm account' }).click()
  await page.getByText('Account confirmed').waitFor()
  await expect.poll(() => notice.count()).toBe(0)
  expect(await client.providers.me()).toMatchObject({ is_suspended: false, is_active: true })
})
