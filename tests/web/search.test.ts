import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { itInFull, sampled } from '../support/full.ts'
import { fillShelf } from '../support/shelf.ts'
import { findFlaws, findViolations, openVisitor, overflowOf, stateOf } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

// Axe takes longer on a busy machine.
const patience = 120_000

/** A proven provider with two models, and an unproven one with the same words. */
const fill = async (world: World) => {
  const acme = await world.provider('acme')
  const ids = [
    await acme.registerModel({ display_name: 'Atlas Chat', version: '2.1' }),
    await acme.registerModel({ display_name: 'Atlas Maps', version: '1.0' }),
  ]
  await world.provider('acmetwin', { isVerified: false })
  return { acme, ids }
}

const boxOf = (page: Page) => page.getByRole('combobox', { name: 'Search providers and models' })
const optionsOf = (page: Page) => page.getByRole('option')

/** The search requests, in order. */
const watchSearch = (page: Page) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/v1/search') asked.push(url.searchParams.get('q') ?? '')
  })
  return asked
}

describe('the search box of the header', () => {
  it('searches two or more characters once typing pauses, and shows both groups with their counts', async () => {
    const world = await createWorld()
    const { acme, ids } = await fill(world)
    const long = `${'EVERYDAY_CHAT_ASSISTANT_'.repeat(3)}FOR_QUESTIONS_FROM_openai.com.acme.example`
    await acme.client.models.quickEdit(ids[1] ?? '', { display_name: long })
    const page = await openVisitor(browser)
    const asked = watchSearch(page)
    await page.clock.install()
    await page.goto(world.publicUrl)
    const box = boxOf(page)
    expect(await box.getAttribute('placeholder')).toBe('Search providers and models...')
    await box.pressSequentially(' a ', { delay: 20 })
    await page.clock.fastForward(1_000)
    expect(asked).toEqual([])
    await box.fill('')
    await box.pressSequentially('acme', { delay: 30 })
    await page.getByRole('group', { name: 'Providers (2)' }).waitFor()
    await page.getByRole('group', { name: 'Models (2)' }).waitFor()
    expect(asked).toEqual(['acme'])
    const options = await optionsOf(page).allInnerTexts()
    expect(options[0]).toMatch(/^acme\.example\s+“Acme Labs”$/)
    expect(options[1]).toMatch(/^“Acmetwin Labs”\s+Domain not verified$/)
    expect(options[2]).toMatch(/acme\.example/)
    // A domain that is cut may read as another one.
    expect(options.join()).toContain(`“${long} 1.0”`)
    const cut = await optionsOf(page)
      .locator('bdi')
      .evaluateAll((lines) => lines.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight).length)
    expect(cut).toBe(0)
    expect(await page.getByRole('link', { name: 'View all 4 results' }).getAttribute('href')).toBe('/search?q=acme')
    const { height = 0, overflow } = await page.getByRole('listbox').evaluate((list) => ({
      height: Number.parseFloat(getComputedStyle(list).maxHeight),
      overflow: getComputedStyle(list).overflowY,
    }))
    expect({ height, overflow }).toEqual({ height: 24 * 16, overflow: 'auto' })
    expect(await findViolations(page)).toEqual([])
  })

  it('works by keyboard', async () => {
    const world = await createWorld()
    const { ids } = await fill(world)
    const page = await openVisitor(browser)
    await page.goto(world.publicUrl)
    const box = boxOf(page)
    await box.waitFor()
    await page.keyboard.press('/')
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true)
    await box.pressSequentially('acme')
    await page.getByRole('listbox').waitFor()
    const highlighted = () => page.getByRole('option', { selected: true }).allInnerTexts()
    expect(await highlighted()).toEqual([])
    await page.keyboard.press('ArrowUp')
    expect(await highlighted()).toEqual([(await optionsOf(page).allInnerTexts())[3]])
    await page.keyboard.press('ArrowDown')
    expect(await highlighted()).toEqual([(await optionsOf(page).allInnerTexts())[0]])
    expect(await box.getAttribute('aria-activedescendant')).toBe(await optionsOf(page).first().getAttribute('id'))
    // New results: the highlight is reset.
    await box.pressSequentially('twin')
    await page.getByRole('group', { name: 'Providers (1)' }).waitFor()
    expect(await highlighted()).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('listbox').count()).toBe(0)
    expect(await box.inputValue()).toBe('acmetwin')
    await page.keyboard.press('Escape')
    expect(await box.inputValue()).toBe('acmetwin')

    await box.fill('atlas maps')
    await page.getByRole('option', { name: /Atlas Maps/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${world.publicUrl}/models/${ids[1]}`)
    expect(await box.inputValue()).toBe('')

    await box.fill('   ')
    await box.press('Enter')
    expect(new URL(page.url()).pathname).toBe(`/models/${ids[1]}`)
    await box.fill(' atlas ')
    await box.press('Enter')
    await page.waitForURL(`${world.publicUrl}/search?q=atlas`)
    expect(await page.getByRole('listbox').count()).toBe(0)
  })

  it('opens what a link, a code, an ID or a proven domain names, in the header and on the landing page', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const digest = `sha256:${'5e'.repeat(32)}`
    const model = await acme.registerModel({ model_digest: digest })
    const { verification_url: link } = await acme.client.verifications.create({ model_id: model })
    const code = link.slice(link.lastIndexOf('/') + 1)
    const page = await openVisitor(browser)
    const boxes = [
      boxOf,
      (at: Page) => at.getByRole('searchbox', { name: 'Check a link, or find a model or provider' }),
    ]
    const named = [
      [` ${link} `, `/v/${code}`],
      [code.toLowerCase().replaceAll('-', ' '), `/v/${code}`],
      [model, `/models/${model}`],
      ['ACME.example', `/providers/${acme.id}`],
      ['https://evil.example/v/7', '/v?link=https%3A%2F%2Fevil.example%2Fv%2F7'],
    ] as const
    // Otherwise each in one of the boxes.
    for (const [index, box] of boxes.entries())
      for (const [typed, path] of sampled(named, 2, index)) {
        await page.goto(world.publicUrl)
        await box(page).fill(typed)
        await box(page).press('Enter')
        await page.waitForURL(`${world.publicUrl}${path}`)
      }
    await page.goto(world.publicUrl)
    await boxes[1]?.(page).fill(digest.slice(7))
    await page.getByRole('button', { name: 'Find' }).click()
    const main = page.getByRole('main')
    await main.getByText(/^This account stated this digest on \d/).waitFor()
    // An earlier one may be private or withdrawn, so none is said to be the first.
    world.clock.advance('1s')
    const later = await acme.registerModel({ model_digest: digest })
    await page.reload()
    await main.getByText('A private or withdrawn version may have had it before.').waitFor()
    const results = main.locator('a[href^="/models/"]')
    expect(await results.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
      `/models/${model}`,
      `/models/${later}`,
    ])
  })

  itInFull('opens a clicked result and clears the box; ignores a slash typed elsewhere', async () => {
    const world = await createWorld()
    const { acme } = await fill(world)
    const page = await openVisitor(browser)
    await page.clock.install()
    await page.goto(world.publicUrl)
    const findBox = page.getByRole('searchbox', { name: 'Check a link, or find a model or provider' })
    await findBox.pressSequentially('a/b')
    expect(await findBox.inputValue()).toBe('a/b')
    await boxOf(page).fill('acme')
    await page.getByRole('option', { name: /^acme\.example/ }).click()
    await page.waitForURL(`${world.publicUrl}/providers/${acme.id}`)
    expect(await boxOf(page).inputValue()).toBe('')
    await page.clock.fastForward(400)
    expect(await page.getByRole('listbox').count()).toBe(0)
  })

  it('never shows an older answer after a newer one', async () => {
    const world = await createWorld()
    await fill(world)
    const page = await openVisitor(browser)
    let releaseOld: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      releaseOld = resolve
    })
    await page.route('**/api/v1/search?q=acme&**', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(world.publicUrl)
    const asked = watchSearch(page)
    await boxOf(page).fill('acme')
    await expect.poll(() => asked).toEqual(['acme'])
    await boxOf(page).fill('acmetwin')
    await page.getByRole('option').waitFor()
    const old = page.waitForResponse((response) => response.url().includes('q=acme&'))
    releaseOld()
    await (await old).finished()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    expect(await optionsOf(page).allInnerTexts()).toHaveLength(1)
  })

  itInFull('shows nothing if the search fails, and logs the failure', async () => {
    const world = await createWorld()
    await fill(world)
    const page = await openVisitor(browser)
    const shown: string[] = []
    page.on('console', (message) => shown.push(message.text()))
    await page.route('**/api/v1/search**', (route) => route.fulfill({ status: 500, body: 'a fault' }))
    await page.goto(world.publicUrl)
    await boxOf(page).fill('acme')
    await expect.poll(() => shown.some((text) => text.includes('Search failed')), { timeout: 10_000 }).toBe(true)
    expect(await page.getByRole('listbox').count()).toBe(0)
    expect(await page.locator('body').innerText()).not.toMatch(/Search failed|a fault/)
  })

  itInFull('is also in the menu on a phone', async () => {
    const world = await createWorld()
    const { acme } = await fill(world)
    const page = await openVisitor(browser, { viewport: { width: 320, height: 740 } })
    await page.goto(world.publicUrl)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await boxOf(page).fill('acme')
    await page.getByRole('listbox').waitFor()
    expect({ overflow: await overflowOf(page), violations: await findViolations(page) }).toEqual({
      overflow: 0,
      violations: [],
    })
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog', { name: 'Menu' }).count()).toBe(1)
    await boxOf(page).fill('acme labs')
    await page.getByRole('option', { name: /^acme\.example/ }).click()
    await page.waitForURL(`${world.publicUrl}/providers/${acme.id}`)
    await page.getByRole('dialog', { name: 'Menu' }).waitFor({ state: 'detached' })
  })
})

describe('the page of all results', () => {
  itInFull(
    'passes axe in each state',
    async () => {
      const world = await createWorld()
      await fill(world)
      const page = await openVisitor(browser)
      const main = page.getByRole('main')
      const field = main.getByRole('searchbox', { name: 'Search providers and models' })
      const flaws = () => findFlaws(page)

      await page.goto(`${world.publicUrl}/search`)
      expect(await stateOf(page)).toBe('idle')
      await main.getByText('Enter at least 2 characters to search.', { exact: true }).waitFor()
      expect(await flaws()).toEqual([])

      await field.fill('no one has this name')
      await main.getByText('No results found for "no one has this name"', { exact: true }).waitFor()
      await main.getByText(/^Try fewer words/).waitFor()
      expect(await stateOf(page)).toBe('empty')
      expect(await flaws()).toEqual([])

      let release: () => void = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/api/v1/search**', async (route) => {
        await held
        await route.continue()
      })
      await field.fill('acme')
      await main.getByText('Searching...', { exact: true }).waitFor()
      expect(await flaws()).toEqual([])
      release()
      await main.getByText('Found 4 results for "acme"', { exact: true }).waitFor()
      expect(await main.getByText('“A model that answers questions about maps.”', { exact: true }).count()).toBe(2)
      expect(await flaws()).toEqual([])
      await page.unrouteAll({ behavior: 'wait' })

      await page.route('**/api/v1/search**', (route) => route.fulfill({ status: 503, body: 'a fault' }))
      await field.fill('atlas')
      await page.getByRole('alert').filter({ hasText: 'Search failed' }).waitFor()
      expect(await stateOf(page)).toBe('failed')
      expect(await flaws()).toEqual([])
      await page.unrouteAll({ behavior: 'wait' })
      await page.getByRole('button', { name: 'Try again' }).click()
      await main.getByText('Found 2 results for "atlas"', { exact: true }).waitFor()
    },
    patience,
  )

  it('shows providers and models with their badges, and links to each by its quoted name', async () => {
    const world = await createWorld()
    const { acme, ids } = await fill(world)
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/search?q=acme`)
    const providers = page.getByRole('region', { name: 'Providers (2)' })
    const first = providers.getByRole('listitem').first()
    expect(await first.innerText()).toMatch(/^acme\.example\s+“Acme Labs”\s+No trust level yet[\s\S]*View Provider →/)
    expect(await providers.getByRole('listitem').nth(1).innerText()).toMatch(/^Domain not verified\s+“Acmetwin Labs”/)
    const model = page
      .getByRole('region', { name: 'Models (2)' })
      .getByRole('listitem')
      .filter({ hasText: 'Atlas Chat' })
    expect(await model.innerText()).toMatch(/^“Atlas Chat”\s+Version 2\.1\s+acme\.example[\s\S]*View Model →/)
    expect(await model.getByRole('link').getAttribute('href')).toBe(`/models/${ids[0]}`)
    await model.getByRole('link', { name: 'View Model → (“Atlas Chat”)', exact: true }).waitFor()
    await first.getByRole('link', { name: 'View Provider → (“Acme Labs”)', exact: true }).click()
    await page.waitForURL(`${world.publicUrl}/providers/${acme.id}`)
    await page.goBack()
    await page.getByText('Found 4 results for "acme"').waitFor()
    expect(await page.title()).toBe('Search · Countersign')
  })

  itInFull('says where counting stopped, and links to the lists', async () => {
    const world = await createWorld()
    await fillShelf(world, 1_010)
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/search?q=atlas`)
    await page.getByText('Found more than 1,000 results for "atlas"', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Models (first 20)' }).waitFor()
    expect(await page.getByRole('link', { name: 'All models with these words' }).getAttribute('href')).toBe(
      '/models?search=atlas',
    )
    await boxOf(page).fill('atlas')
    await page.getByRole('link', { name: 'View all 1,000+ results' }).click()
    expect(new URL(page.url()).search).toBe('?q=atlas')
  })
})
