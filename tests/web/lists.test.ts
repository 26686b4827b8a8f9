import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { itInFull } from '../support/full.ts'
import { fillShelf, longDomain, longName } from '../support/shelf.ts'
import { findFlaws, findViolations, openVisitor, overflowOf, stateOf } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

// Axe takes longer on a busy machine.
const patience = 120_000

/** The rows of the list without the header. */
const rowsOf = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
const statusOf = (page: Page, text: string | RegExp) =>
  page.getByRole('main').getByRole('status').filter({ hasText: text })
const searchOf = (page: Page) => new URL(page.url()).search

const breakLists = (page: Page) =>
  page.route('**/api/v1/*/public*', (route) => route.fulfill({ status: 500, body: 'a fault' }))

const pages = [
  { path: '/providers', failed: 'Failed to fetch public providers', empty: 'No providers found' },
  { path: '/models', failed: 'Failed to fetch public models', empty: 'No models found' },
]

itInFull.each(pages)(
  '$path passes axe in each state',
  async ({ path, failed, empty }) => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    const flaws = () => findFlaws(page)

    await page.goto(world.publicUrl + path)
    expect(await stateOf(page)).toBe('empty')
    await page.getByText(empty, { exact: true }).waitFor()
    expect(await flaws()).toEqual([])

    await fillShelf(world, 60)
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/v1/*/public*', async (route) => {
      await held
      await route.continue()
    })
    await page.reload()
    await page
      .locator('main[data-state=loading][aria-busy=true]')
      .getByRole('status')
      .filter({ hasText: 'Loading' })
      .waitFor()
    expect(await flaws()).toEqual([])
    release()
    expect(await stateOf(page)).toBe('ready')
    await page.unrouteAll({ behavior: 'wait' })
    const text = await page.getByRole('table').innerText()
    expect(text).toContain(longName)
    expect(text).toContain(longDomain)
    expect(await flaws()).toEqual([])

    await breakLists(page)
    await page.reload()
    expect(await stateOf(page)).toBe('failed')
    await page.getByRole('alert').filter({ hasText: failed }).waitFor()
    expect(await flaws()).toEqual([])
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('main[data-state=ready]').waitFor()
  },
  patience,
)

describe('the list of providers', () => {
  it('shows domain, level, status and website, with the proven domain before the name', async () => {
    const world = await createWorld()
    const { providers } = await fillShelf(world, 4)
    await world.database.transaction((tx) =>
      tx
        .updateTable('providers')
        .set({ website: 'https://acme.example/openai.example/verified' })
        .where('id', '=', providers[0]?.id ?? '')
        .execute(),
    )
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/providers`)
    await statusOf(page, /^5 providers found$/).waitFor()
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Provider',
      'Trust Level',
      'Status',
      'Website',
    ])
    const rows = (await rowsOf(page).allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
    expect(rows[0]).toMatch(/acme\.example “Acme Labs” .*Verified acme\.example(?: |$)/)
    expect(rows[1]).toMatch(/Domain not verified “Acme Labs” No trust level yet Unverified Not stated/)
    expect(rows.find((row) => row.includes('Mailbox Only'))).toContain('Email Verified')
    expect(await page.getByRole('link', { name: 'Register as Provider' }).getAttribute('href')).toBe('/register')
  })

  itInFull('keeps filters and order in the address, and restores them', async () => {
    const world = await createWorld()
    const { providers } = await fillShelf(world, 4)
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/providers`)
    await page.getByLabel('Verification status').selectOption('Verified')
    await statusOf(page, /^3 providers found$/).waitFor()
    await page.getByLabel('Search by company name or description').fill(' ships ')
    await statusOf(page, /^1 provider found$/).waitFor()
    expect(searchOf(page)).toBe('?verification=verified&search=ships')
    await page.getByRole('button', { name: 'Clear All Filters' }).click()
    await statusOf(page, /^5 providers found$/).waitFor()
    expect(await page.getByLabel('Search by company name or description').inputValue()).toBe('')
    expect(searchOf(page)).toBe('')
    await page.getByLabel('Location').fill('oslo')
    await statusOf(page, /^1 provider found$/).waitFor()
    await page.goBack()
    await statusOf(page, /^1 provider found$/).waitFor()
    expect(searchOf(page)).toBe('?verification=verified&search=ships')
    expect(await page.getByLabel('Verification status').inputValue()).toBe('verified')
    expect(await page.getByLabel('Search by company name or description').inputValue()).toBe('ships')

    await page.goto(`${world.publicUrl}/providers?sort=verification&verification=nonsense`)
    await statusOf(page, /^5 providers found$/).waitFor()
    expect(await rowsOf(page).first().innerText()).toContain('acme.example')
    expect(await rowsOf(page).last().innerText()).toContain('Domain not verified')
    await page.getByLabel('Search by company name or description').fill('no one has this name')
    await page.getByText('No provider matches these filters.').waitFor()
    await page.getByLabel('Search by company name or description').fill('northwind')
    await statusOf(page, /^1 provider found$/).waitFor()
    await page.getByRole('link', { name: 'northwind.example “Northwind AI”' }).press('Enter')
    await page.waitForURL(`${world.publicUrl}/providers/${providers[1]?.id}`)
  })
})

describe('the list of models', () => {
  it('shows each model’s known fields, and shortens long descriptions', async () => {
    const world = await createWorld()
    const { models } = await fillShelf(world, 4)
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/models?sort=name`)
    await statusOf(page, /^4 models found$/).waitFor()
    const names = ['Display Name', 'Provider', 'Identifier', 'Description', 'Version', 'Released']
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(names)
    const first = rowsOf(page).first().getByRole('cell')
    expect(await first.allInnerTexts()).toEqual([
      '“Atlas 000”',
      expect.stringMatching(/^acme\.example\s+“Acme Labs”$/),
      '“atlas-0”',
      '“Answers questions about maps, and about everything…”',
      '“2026.11.21-preview.4”',
      expect.stringMatching(/^Not stated\s+Registered by this account on \d+ \w+ \d{4}$/),
    ])
    expect(await rowsOf(page).nth(1).innerText()).toMatch(/50,000 tokens of context[\s\S]*2024/)
    await rowsOf(page)
      .first()
      .click({ position: { x: 5, y: 5 } })
    await page.waitForURL(`${world.publicUrl}/models/${models[0]?.id}`)
  })

  it('is filtered by words, provider, window and year, all in the address', async () => {
    const world = await createWorld()
    const { providers } = await fillShelf(world, 40)
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/models?search=maps`)
    expect(await page.getByLabel('Search by name, description or provider').inputValue()).toBe('maps')
    await statusOf(page, /^14 models found$/).waitFor()
    await page.getByRole('button', { name: 'Clear All Filters' }).click()
    await statusOf(page, /^40 models found$/).waitFor()

    const field = page.getByRole('combobox', { name: 'Provider', exact: true })
    await field.fill('northw')
    await page.getByRole('option', { name: /northwind\.example/ }).waitFor()
    await field.press('ArrowDown')
    await field.press('Enter')
    await statusOf(page, /^10 models found$/).waitFor()
    expect(searchOf(page)).toBe(`?provider=${providers[1]?.id}`)
    await page.getByRole('button', { name: 'Remove the provider filter' }).click()

    await page.getByLabel('Release year').selectOption('2024')
    await statusOf(page, /^10 models found$/).waitFor()
    expect(searchOf(page)).toBe('?year=2024')
    await page.getByLabel('Release year').selectOption('Any year')

    const slider = page.getByRole('slider', { name: 'At least, slider' })
    const [min, max, step] = await Promise.all(['min', 'max', 'step'].map((name) => slider.getAttribute(name)))
    expect([min, max, step]).toEqual(['0', '10000000', '50000'])
    await slider.focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.getByRole('spinbutton', { name: 'At least' }).inputValue()).toBe('50000')
    await page.getByRole('spinbutton', { name: 'At least' }).fill('1900000')
    await page.getByRole('spinbutton', { name: 'At most' }).fill('1950000')
    await expect.poll(() => searchOf(page)).toBe('?min_context=1900000&max_context=1950000')
    await statusOf(page, /^2 models found$/).waitFor()
    expect(await slider.getAttribute('aria-valuetext')).toBe('1,900,000 tokens')
    await page.getByRole('spinbutton', { name: 'At most' }).fill('5')
    await page.getByText('This is less than “At least”, so no model matches.').waitFor()
    await page.getByText('No models found', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear All Filters' }).click()

    await page.getByLabel('Sort by').selectOption('Context (largest first)')
    await page.waitForURL(/sort=context/)
    await expect.poll(() => rowsOf(page).first().innerText()).toContain('1,950,000 tokens')
  })

  it('counts neither an unverified provider nor one that no one uses among the popular ones, and shows no unverified logo', async () => {
    const world = await createWorld()
    const globe = await world.provider('globe', { isVerified: false })
    await globe.registerModel({ display_name: 'Globe One' })
    await (await world.provider('unused')).registerModel()
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const { logo_url } = await globe.client.providers.uploadLogo(globe.id, new Blob([picture]))
    expect((await world.anyone.providers.get(globe.id)).logo_url).toBe(logo_url)
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/models`)
    await page.getByText('Globe One').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('region', { name: 'Most Popular Providers' }).count()).toBe(0)
    for (const path of ['/providers', `/providers/${globe.id}`]) {
      await page.goto(`${world.publicUrl}${path}`)
      await page.getByText('“Globe Labs”').first().waitFor()
      expect(await page.locator('main img[src*="/logos/"]').count()).toBe(0)
    }
  })

  it('shows the most popular providers with their newest models if no filter is set', async () => {
    const world = await createWorld()
    const { providers, models } = await fillShelf(world, 12)
    const page = await openVisitor(browser)
    await page.clock.install()
    await page.goto(`${world.publicUrl}/models`)
    const popular = page.getByRole('region', { name: 'Most Popular Providers' })
    await popular.getByRole('listitem').first().waitFor()
    const items = await popular.getByRole('listitem').allInnerTexts()
    expect(items).toHaveLength(3)
    expect(items[0]).toMatch(/acme\.example[\s\S]*Newest: “Atlas 008/)
    expect(items[1]).toContain('northwind.example')
    const links = await popular.getByRole('listitem').first().getByRole('link').all()
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      `/providers/${providers[0]?.id}`,
      `/models/${models[8]?.id}`,
      `/models?provider=${providers[0]?.id}`,
    ])
    await world.database.transaction((tx) =>
      tx
        .updateTable('providers')
        .set({ domain_verified_at: null })
        .where('id', '=', providers[1]?.id ?? '')
        .execute(),
    )
    await page.clock.runFor('01:01')
    await expect.poll(() => page.getByRole('main').getByText('northwind.example').count()).toBe(0)
    await popular.getByRole('link', { name: 'All 3 models' }).first().click()
    await statusOf(page, /^3 models found$/).waitFor()
    expect(await popular.count()).toBe(0)

    // If the registry does not answer, the list and the name of the filter stay for one more minute.
    const named = page.getByRole('main').getByText('acme.example')
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 429, body: '' }))
    await page.clock.runFor('01:05')
    expect(await named.count()).toBeGreaterThan(3)
    await page.clock.runFor('01:05')
    await page.locator('main[data-state=failed]').waitFor()
    const laterCount = async () => {
      await page.clock.runFor('00:30')
      return named.count()
    }
    await expect.poll(laterCount).toBe(0)
    await page.unroute('**/api/v1/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await statusOf(page, /^3 models found$/).waitFor()
    await page.clock.runFor('01:01')
    await named.first().waitFor()
    const id = providers[0]?.id ?? ''
    await world.database.transaction((tx) =>
      tx.updateTable('providers').set({ deactivated_at: 1 }).where('id', '=', id).execute(),
    )
    await expect.poll(laterCount).toBe(0)
    await page.getByText('A provider that is not public').waitFor()
  })

  it(
    'loads more while scrolling, and keeps its position on the way back',
    async () => {
      const world = await createWorld()
      await fillShelf(world, 130)
      const page = await openVisitor(browser)
      const requests: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/models/public') && !request.url().includes('provider_id'))
          requests.push(request.url())
      })
      await page.goto(`${world.publicUrl}/models`)
      await statusOf(page, /^More than 50 models found$/).waitFor()
      const rowCount = () => rowsOf(page).count()
      while ((await rowCount()) < 130) {
        await page.mouse.wheel(0, 4_000)
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
      }
      await statusOf(page, /^130 models found$/).waitFor()
      expect(requests).toHaveLength(3)
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight * 0.6))
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      /** The first row that starts within the window, and its position. */
      const seen = () =>
        page.evaluate(() => {
          const rows = [...document.querySelectorAll('[role=row]')]
          const row = rows.find(
            (each) => each.getBoundingClientRect().top >= 0 && each.getBoundingClientRect().height > 0,
          )
          return { text: row?.textContent, top: Math.round(row?.getBoundingClientRect().top ?? -1) }
        })
      const before = await seen()
      expect(before.text).toBeTruthy()
      const askedBefore = requests.length
      await rowsOf(page)
        .filter({ hasText: before.text ?? '' })
        .first()
        .getByRole('link')
        .first()
        .click()
      await page.waitForURL(/\/models\/mdl_/)
      await page.goBack()
      await page.getByRole('table').waitFor()
      await expect.poll(seen).toEqual(before)
      expect(await rowCount()).toBe(130)
      expect(requests.length).toBe(askedBefore)
    },
    patience,
  )

  it('shows a failure below the loaded rows, and continues from there', async () => {
    const world = await createWorld()
    await fillShelf(world, 60)
    const page = await openVisitor(browser)
    await page.route('**/api/v1/models/public*cursor=*', (route) => route.fulfill({ status: 500, body: 'a fault' }))
    await page.goto(`${world.publicUrl}/models`)
    await statusOf(page, /^More than 50 models found$/).waitFor()
    await page.keyboard.press('End')
    await page.getByRole('alert').filter({ hasText: 'Failed to fetch public models' }).waitFor()
    expect(await rowsOf(page).count()).toBe(50)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await statusOf(page, /^60 models found$/).waitFor()
  })

  itInFull('hides its filters behind a button on a phone, and labels each value', async () => {
    const world = await createWorld()
    await fillShelf(world, 8)
    const page = await openVisitor(browser, { viewport: { width: 320, height: 740 } })
    await page.goto(`${world.publicUrl}/models`)
    await statusOf(page, /^8 models found$/).waitFor()
    expect(await page.getByLabel('Release year').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByLabel('Release year').selectOption('2024')
    await statusOf(page, /^2 models found$/).waitFor()
    expect({ overflow: await overflowOf(page), violations: await findViolations(page) }).toEqual({
      overflow: 0,
      violations: [],
    })
    expect(await rowsOf(page).first().innerText()).toMatch(/Version\s+“2026[\s\S]*Released\s+2024/)
  })
})
