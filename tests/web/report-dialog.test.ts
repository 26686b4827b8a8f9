import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { isFull, itInFull, sampled } from '../support/full.ts'
import { findFlaws, openVisitor, stateOf } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 120_000
const thanks = 'Thank you for your report! We will investigate this issue and take appropriate action.'

const openReports = async (world: World, page: Page) => {
  const acme = await world.provider('acme')
  const id = await acme.registerModel()
  await page.goto(`${world.publicUrl}/models/${id}?tab=reports`)
  await stateOf(page)
  return { acme, id }
}

const field = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByLabel(name)
const submit = (page: Page) => page.getByRole('button', { name: 'Submit report' })

describe('the report dialog', () => {
  const buttons = [
    { button: 'Malicious Content', category: 'harmful_content' },
    { button: 'Privacy Violation', category: 'privacy_violation' },
    { button: 'Impersonation', category: 'impersonation' },
    { button: 'Other', category: 'other' },
  ] as const
  it.each(sampled(buttons, 4))('sends a report of $category by keyboard', async ({ button, category }) => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    const { acme, id } = await openReports(world, page)
    const opener = page.getByRole('button', { name: button, exact: true })
    await opener.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Report an Issue' }).waitFor()
    expect(await field(page, 'Category').inputValue()).toBe(category)
    expect(await field(page, 'Severity').inputValue()).toBe('medium')
    await field(page, 'Title').focus()
    await page.keyboard.type('It is not what it says')
    await page.keyboard.press('Tab')
    await page.keyboard.type('It claims to be another model.')
    await field(page, /Reference URL/).fill('https://news.example/story')
    await field(page, /email/).fill('reader@mail.example')
    await submit(page).focus()
    await page.keyboard.press('Enter')
    await page.getByText(thanks).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)
    const { incidents } = await acme.client.incidents.list()
    expect(incidents).toMatchObject([
      {
        model_id: id,
        category,
        severity: 'medium',
        title: 'It is not what it says',
        description: 'It claims to be another model.',
        reference_url: 'https://news.example/story',
        reporter_email: 'reader@mail.example',
        is_verified_report: false,
      },
    ])
  })

  itInFull('requires category, title and description before it sends, and says so', async () => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    const { acme } = await openReports(world, page)
    await page.getByRole('button', { name: 'Other', exact: true }).click()
    const isOff = () => submit(page).getAttribute('aria-disabled')
    expect(await isOff()).toBe('true')
    const reason = await submit(page).getAttribute('aria-describedby')
    expect(await page.locator(`[id="${reason}"]`).innerText()).toBe(
      'To submit, choose a category and enter a title and a description.',
    )
    await field(page, 'Title').fill('Wrong')
    expect(await isOff()).toBe('true')
    await field(page, 'Description').fill('   ')
    expect(await isOff()).toBe('true')
    await field(page, 'Description').fill('It is.')
    expect(await isOff()).toBe('false')
    await field(page, 'Category').selectOption('')
    expect(await isOff()).toBe('true')
    await submit(page).press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Choose a category' }).waitFor()
    expect(await field(page, 'Category').getAttribute('aria-invalid')).toBe('true')
    await field(page, 'Category').selectOption('other')
    await field(page, /Reference URL/).fill('javascript:alert(1)')
    await submit(page).click()
    await page.getByRole('alert').filter({ hasText: 'Please enter a valid URL' }).waitFor()
    expect((await acme.client.incidents.list()).incidents).toEqual([])
  })

  it('keeps typed text if it could not be sent, says why, and sends it once', async () => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    const { acme } = await openReports(world, page)
    await page.getByRole('button', { name: 'Other', exact: true }).click()
    await field(page, 'Title').fill('Wrong')
    await field(page, 'Description').fill('It is.')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Other', exact: true }).click()
    expect(await field(page, 'Description').inputValue()).toBe('It is.')
    // The report arrives, but its response is lost.
    await page.route('**/incidents/report', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await submit(page).click()
    const alert = page.getByRole('alert').filter({ hasText: 'Failed to submit report. Please try again.' })
    await alert.getByText('Connection failed - unable to reach the API server.').waitFor()
    expect([await field(page, 'Title').inputValue(), await field(page, 'Description').inputValue()]).toEqual([
      'Wrong',
      'It is.',
    ])
    await page.unroute('**/incidents/report')
    await submit(page).click()
    await page.getByText(thanks).waitFor()
    expect((await acme.client.incidents.list()).incidents).toHaveLength(1)
  })

  itInFull('shows the registry’s message if it rejects a report', async () => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    const { acme, id } = await openReports(world, page)
    await page.getByRole('button', { name: 'Other', exact: true }).click()
    await field(page, 'Title').fill('Wrong')
    await field(page, 'Description').fill('It is.')
    await acme.client.models.setVisibility(id, { is_public: false })
    await submit(page).click()
    await page.getByRole('alert').getByText('Not found, or not visible to you.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('sends the link with a report from its page, and neither says that you used the model nor asks for an email address', async () => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    const acme = await world.provider('acme')
    const model_id = await acme.registerModel()
    const { verification_url } = await acme.client.verifications.create({ model_id })
    await page.goto(verification_url)
    expect(await stateOf(page)).toBe('provider_only')
    await page.getByRole('button', { name: 'Report', exact: true }).click()
    await page
      .getByText(
        'The provider can read the report and reply. It is sent with the link on this page. Such reports count for more.',
        { exact: true },
      )
      .waitFor()
    expect(await field(page, /email/).count()).toBe(0)
    await field(page, 'Category').selectOption('impersonation')
    await field(page, 'Title').fill('Wrong')
    await field(page, 'Description').fill('It is.')
    await submit(page).click()
    await page.getByText('Issue reported successfully').waitFor()
    expect((await acme.client.incidents.list()).incidents).toMatchObject([
      { model_id, is_verified_report: true, reporter_email: null },
    ])
  })

  itInFull('loads its code shortly before the button is pressed, not earlier', async () => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    await openReports(world, page)
    const hasForm = () => loaded.some((url) => /report-dialog/.test(url))
    expect(hasForm()).toBe(false)
    await page.getByRole('button', { name: 'Other', exact: true }).hover()
    await expect.poll(hasForm).toBe(true)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it(
    'passes axe with errors at its fields',
    async () => {
      const world = await createWorld()
      const page = await openVisitor(browser)
      await openReports(world, page)
      await page.getByRole('button', { name: 'Other', exact: true }).click()
      await page.getByRole('dialog').waitFor()
      if (isFull) expect(await findFlaws(page, '[role=dialog]')).toEqual([])
      await field(page, 'Category').selectOption('')
      await field(page, /email/).fill('nobody')
      await submit(page).press('Enter')
      await page.getByText('Invalid email address').waitFor()
      expect(await findFlaws(page, '[role=dialog]')).toEqual([])
    },
    patience,
  )
})
