import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { sampled } from '../support/full.ts'
import { findFlaws, openVisitor, withoutWritten } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

describe('a page with a slow record', () => {
  it.each(
    sampled(
      [
        { path: '/providers', says: 'Loading the provider', heading: 'acme.example' },
        { path: '/models', says: 'Loading the model', heading: 'Atlas Chat' },
        { path: '/chat', says: 'Loading models', heading: 'Demo chat' },
      ],
      3,
      1,
    ),
  )(
    'says “$says” while it loads, and passes axe',
    async ({ path, says, heading }) => {
      const world = await createWorld()
      const acme = await world.provider('acme')
      const id = { '/providers': acme.id, '/models': await acme.registerModel(), '/chat': '' }[path] ?? ''
      const page = await openVisitor(browser)
      const answering = Promise.withResolvers<void>()
      await page.route('**/api/v1/**', async (route) => {
        await answering.promise
        await route.continue()
      })
      await withoutWritten(page)
      await page.goto(`${world.publicUrl}${path}/${id}`)
      await page.getByRole('status').getByText(says).waitFor()
      const main = page.locator('main')
      expect([await main.getAttribute('data-state'), await main.getAttribute('aria-busy')]).toEqual(['loading', 'true'])
      expect(await findFlaws(page)).toEqual([])
      answering.resolve()
      await page.locator('main[data-state=ready] h1').getByText(heading).waitFor()
      expect(await page.getByText(says).count()).toBe(0)
    },
    120_000,
  )
})
