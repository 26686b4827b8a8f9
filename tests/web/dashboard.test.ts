import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { findViolations, looks, openVisitor, overflowOf, stateOf } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const openAs = async (world: World, provider: { id: string; apiKey: string }, context = {}) => {
  const page = await openVisitor(browser, context)
  await page.addInitScript(
    ([id, key]) => {
      localStorage.setItem('providerId', id ?? '')
      localStorage.setItem('apiKey', key ?? '')
    },
    [provider.id, provider.apiKey],
  )
  return { page, visit: (path: string) => page.goto(world.publicUrl + path) }
}

describe('the provider area', () => {
  it('shows a provider without a verified domain the record to publish, and then that it is verified', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme', { isVerified: false })
    const { page, visit } = await openAs(world, acme)
    await visit('/dashboard')
    expect(await stateOf(page)).toBe('ready')
    await page.getByText(acme.proof.record_value).waitFor()
    acme.publishProof()
    await acme.client.providers.verifyDomain({})
    await page.reload()
    await page.getByText('Your domain acme.example is verified.').waitFor()
    expect(await page.getByText(acme.proof.record_value).count()).toBe(0)
  })

  it.each(looks)(
    'is whole, $name',
    async ({ context }) => {
      const world = await createWorld()
      const { page, visit } = await openAs(world, await world.provider('acme', { isVerified: false }), context)
      for (const path of ['/dashboard', '/dashboard/models/register']) {
        await visit(path)
        expect(await stateOf(page)).toBe('ready')
        expect({ path, violations: await findViolations(page), overflow: await overflowOf(page) }).toEqual({
          path,
          violations: [],
          overflow: 0,
        })
      }
    },
    120_000,
  )
})
