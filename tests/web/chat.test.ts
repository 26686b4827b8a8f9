import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { greenWords, impostorTexts } from '../support/console.ts'
import { isFull, itInFull } from '../support/full.ts'
import { findFlaws, openVisitor, stateOf } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 120_000

const open = async (page: Page, world: World) => {
  await page.goto(`${world.publicUrl}/chat`)
  return stateOf(page)
}

const modelNames = (page: Page) =>
  page.getByRole('combobox', { name: 'Model', exact: true }).locator('option').allInnerTexts()

describe('the demo chat', () => {
  it(
    'is marked as a simulation, and passes axe once asked',
    async () => {
      const world = await createWorld()
      const page = await openVisitor(browser)
      expect(await open(page, world)).toBe('empty')
      await page.getByText('No models to talk to yet').waitFor()
      if (isFull) expect(await findFlaws(page)).toEqual([])
      const acme = await world.provider('acme')
      await acme.registerModel({ display_name: impostorTexts.long })
      expect(await open(page, world)).toBe('ready')
      await page.getByRole('button', { name: 'Who are you?' }).click()
      await page.getByRole('button', { name: 'What is the capital of Norway?' }).click()
      await page.getByText('This is a demonstration').waitFor()
      expect(await page.locator('main').innerText()).toContain('Simulation')
      expect(await greenWords(page)).toEqual([])
      expect(await findFlaws(page)).toEqual([])
    },
    patience,
  )

  it('lets a visitor ask who it is by keyboard, and links to a simulated verification', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const id = await acme.registerModel({ display_name: 'Atlas Chat' })
    const page = await openVisitor(browser)
    expect(await open(page, world)).toBe('ready')
    await page.clock.install()
    // Otherwise its time passes while the test waits.
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('textbox', { name: 'Your message' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Type a message first.').waitFor()
    await page.keyboard.type('Who are you?')
    await page.keyboard.press('Enter')
    const log = page.getByRole('log', { name: 'Conversation' })
    await log.getByText('Writing a simulated reply…').waitFor()
    expect(await page.getByRole('textbox').last().inputValue()).toBe('')
    await page.clock.fastForward(900)
    expect(await log.getByText(/^I am/).count()).toBe(0)
    await page.clock.fastForward(200)
    await log.getByText('I am “Atlas Chat”, registered by acme.example. Check it here:').waitFor()
    await log.getByText('Simulated reply of “Atlas Chat”').waitFor()
    await log.getByRole('link', { name: 'Open my verification link' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${world.publicUrl}/models/${id}?verification=demo&model=Atlas+Chat`)
    await page.clock.resume()
    await page.getByRole('dialog').getByText('Nothing was checked.').waitFor()
    const simulation = await page.getByRole('dialog').innerText()
    expect(simulation).toContain('Simulation')
    // Everyone with the address reads it.
    expect(simulation).toContain('The demo chat on this site opens this page.')

    // A dialog in which nothing was typed keeps no page that could not be loaded again.
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 429, body: '' }))
    const nextState = async () => {
      await page.clock.runFor('01:05')
      return page.locator('main').getAttribute('data-state')
    }
    await expect.poll(nextState).toBe('failed')
  })

  it('gives one fixed answer to other questions after a second, and sends nothing that is typed', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    await acme.registerModel()
    const page = await openVisitor(browser)
    await page.clock.install()
    await open(page, world)
    const sent: string[] = []
    page.on('request', (request) => sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`))
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('textbox', { name: 'Your message' }).fill('<b>How</b> are you?')
    await page.getByRole('button', { name: 'Send' }).click()
    const log = page.getByRole('log')
    await log.getByText('<b>How</b> are you?').waitFor()
    await page.clock.fastForward(500)
    expect(await log.getByText('This is a demonstration').count()).toBe(0)
    await page.clock.fastForward(600)
    await log
      .getByText('This is a demonstration, so I can only show how a model gives its link. Ask me who I am.')
      .waitFor()
    expect(await log.getByRole('link').count()).toBe(0)
    expect(sent).toEqual([])

    await page.getByRole('button', { name: 'Who are you?' }).click()
    await page.clock.fastForward(1_100)
    await log.getByText('registered by acme.example.').waitFor()

    // A domain that is lost is named no longer, also in earlier replies, and a newer model does not replace the conversation.
    await acme.registerModel({ display_name: 'Newer', api_model_identifier: 'newer' })
    world.dns.setTxt(acme.proof.record_name, [])
    await acme.client.providers.verifyDomain({})
    await page.clock.runFor('01:01')
    await expect.poll(async () => (await modelNames(page)).join()).toMatch(/not verified\): “Newer/)
    expect((await modelNames(page)).join()).not.toContain('acme.example')
    await log.getByText('No one has checked who registered me.').waitFor()
    expect(await log.innerText()).not.toContain('acme.example')
    expect(await log.getByText('<b>How</b> are you?').count()).toBe(1)
  })

  it('offers the models of the configured providers, by their proven domain', async () => {
    const world = await createWorld()
    const northwind = await world.provider('northwind')
    await northwind.registerModel({ display_name: 'North One' })
    await northwind.registerModel({ display_name: 'North Secret', is_public: false })
    const old = await northwind.registerModel({ display_name: 'North Old' })
    await northwind.client.models.archive(old, {})
    const stranger = await world.provider('stranger')
    await stranger.client.providers.update(stranger.id, { company_name: 'Northwind Labs' })
    await stranger.registerModel({ display_name: 'Stranger One' })
    const page = await openVisitor(browser)
    await open(page, world)
    expect(await modelNames(page)).toEqual(['northwind.example: “North One 1.0.0”'])
  })

  itInFull('offers any active public model if those have none, and marks unverified providers', async () => {
    const world = await createWorld()
    const claims = await world.provider('northwind', { isVerified: false })
    const id = await claims.registerModel({ display_name: 'North One' })
    const globe = await world.provider('globe')
    await globe.registerModel({ display_name: 'Globe One' })
    const page = await openVisitor(browser)
    await open(page, world)
    expect((await modelNames(page)).toSorted()).toEqual([
      'globe.example: “Globe One 1.0.0”',
      '“Northwind Labs” (not verified): “North One 1.0.0”',
    ])
    await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption(id)
    await page.getByRole('button', { name: 'Who are you?' }).click()
    await page
      .getByText('I am registered here as “North One”. No one has checked who registered me. See for yourself:')
      .waitFor()
    await page
      .getByRole('combobox', { name: 'Model', exact: true })
      .selectOption({ label: 'globe.example: “Globe One 1.0.0”' })
    await page.getByText('Ask “Who are you?” to see how a model gives its link.').waitFor()
  })

  itInFull('says that the models could not be loaded, and retries on request', async () => {
    const world = await createWorld()
    await (await world.provider('acme')).registerModel()
    const page = await openVisitor(browser)
    await page.route('**/api/v1/**', (route) => route.abort())
    expect(await open(page, world)).toBe('failed')
    await page.getByText('Connection failed - unable to reach the API server.').waitFor()
    await page.unroute('**/api/v1/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('main[data-state=ready]').waitFor()
  })
})
