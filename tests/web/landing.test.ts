import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertSample } from '../../server/src/samples/store.ts'
import { shareBrowser } from '../support/browser.ts'
import { itInFull } from '../support/full.ts'
import { findFlaws, openVisitor, stateOf } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 120_000

/** As `countersign-server samples add` does. */
const choose = ({ database, clock }: World, model_id: string) =>
  database.transaction((tx) => insertSample(tx, { model_id, at: clock.now() }))

describe('the landing page', () => {
  itInFull(
    'passes axe with and without a sample',
    async () => {
      const world = await createWorld()
      const page = await openVisitor(browser)
      const flaws = () => findFlaws(page)
      await page.goto(world.publicUrl)
      expect(await stateOf(page)).toBe('ready')
      await page.getByRole('heading', { name: 'See which company vouches for an AI.' }).waitFor()
      expect(await flaws()).toEqual([])
      expect(await page.getByText('From the registry').count()).toBe(0)
      const acme = await world.provider('acme')
      const id = await acme.registerModel({
        display_name: 'Atlas Instruct Extended Preview for Long Documents and Tools, Second Edition',
      })
      await choose(world, id)
      await page.reload()
      await page.getByRole('heading', { name: 'From the registry' }).waitFor()
      expect(await flaws()).toEqual([])
    },
    patience,
  )

  it('searches models for the trimmed text, and ignores blank input', async () => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    await page.goto(world.publicUrl)
    const field = page.getByRole('searchbox', { name: 'Check a link, or find a model or provider' })
    await field.fill('   ')
    await field.press('Enter')
    expect(new URL(page.url()).pathname).toBe('/')
    await field.fill('  atlas & co ')
    await field.press('Enter')
    await page.waitForURL(`${world.publicUrl}/models?search=atlas%20%26%20co`)
    await page.getByLabel('Search by name, description or provider').waitFor()
    expect(await page.getByLabel('Search by name, description or provider').inputValue()).toBe('atlas & co')
  })

  it('explains the steps, the pillars, what is missing and what is not checked, and links to everything the site offers', async () => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    await page.goto(world.publicUrl)
    expect(await stateOf(page)).toBe('ready')
    const text = await page.getByRole('main').innerText()
    for (const shown of [
      'Ask the AI for proof',
      'Open the link on this site',
      'Read what was checked',
      'SSL for AI',
      'Provider identity',
      'Deployment authorization',
      'A server proves its key, or its platform vouches for it',
      'Model integrity',
      'signed artifact',
      'may come later.',
      'Whether the answers are true, safe or unbiased',
    ])
      expect(text).toContain(shown)
    const main = page.getByRole('main')
    const hrefOf = (name: string) => main.getByRole('link', { name, exact: true }).getAttribute('href')
    const ways = {
      'Verify your model': '/verify-model',
      'Browse models': '/models',
      'Search providers': '/providers',
      'Register as provider': '/register',
      'View API docs': '/docs',
      'Try the demo chat': '/chat',
    }
    for (const [name, href] of Object.entries(ways)) expect(await hrefOf(name)).toBe(href)
    // The whole example is a link to the chat.
    const question = await main.getByText('Can you prove which model you are?').boundingBox()
    await page.mouse.click((question?.x ?? 0) + 5, (question?.y ?? 0) + 5)
    await page.waitForURL(`${world.publicUrl}/chat`)
  })

  it('shows the model chosen by the operator as an entry, never the newest one, and never as a verification', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const id = await acme.registerModel({ display_name: 'Atlas Chat', version: '2.1, checked by us' })
    await choose(world, id)
    world.clock.advance('1s')
    await acme.registerModel({ display_name: 'Atlas Newest' })
    const stranger = await world.provider('stranger', { isVerified: false })
    await stranger.registerModel({ display_name: 'Stranger Chat' })
    const page = await openVisitor(browser)
    await page.clock.install()
    await page.goto(world.publicUrl)
    const sample = page.getByRole('region', { name: 'From the registry' })
    const text = await sample.innerText()
    expect(text).toMatch(
      /“Atlas Chat 2\.1, checked by us”[\s\S]*Registered by acme\.example[\s\S]*Registered by this account on \d/,
    )
    expect(text).toContain('An entry is not a verification')
    expect(text).not.toMatch(/Verified AI Model|Cryptographically/)
    expect(await page.getByRole('main').innerText()).not.toMatch(/Atlas Newest|Stranger/)
    expect(await sample.getByRole('link', { name: 'View the entry' }).getAttribute('href')).toBe(`/models/${id}`)
    // If it cannot be loaded again, it is not kept for what is typed into the box.
    await page.getByRole('searchbox', { name: 'Check a link, or find a model or provider' }).fill('atlas')
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 429, body: '' }))
    const laterCount = async () => {
      await page.clock.runFor('01:01')
      return sample.count()
    }
    await expect.poll(laterCount).toBe(0)
    await page.unroute('**/api/v1/**')
    await page.reload()
    await sample.getByText('Registered by acme.example').waitFor()
    world.dns.setTxt(acme.proof.record_name, [])
    await acme.client.providers.verifyDomain({})
    await page.clock.runFor('01:01')
    await expect.poll(() => page.getByRole('main').innerText()).not.toContain('Registered by acme.example')
  })

  itInFull('does not shift while it loads', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    await choose(world, await acme.registerModel())
    for (const viewport of [
      { width: 360, height: 740 },
      { width: 1280, height: 900 },
    ]) {
      const page = await openVisitor(browser, { viewport })
      await page.addInitScript(() => {
        Object.assign(window, { shifted: 0 })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value } = entry as PerformanceEntry & { value: number }
            Object.assign(window, { shifted: (window as unknown as { shifted: number }).shifted + value })
          }
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto(world.publicUrl)
      await page.getByRole('heading', { name: 'From the registry' }).waitFor()
      await page.evaluate(() =>
        document.fonts.ready.then(() => new Promise((resolve) => requestAnimationFrame(resolve))),
      )
      expect(await page.evaluate(() => (window as unknown as { shifted: number }).shifted)).toBeLessThanOrEqual(0.02)
    }
  })
})
