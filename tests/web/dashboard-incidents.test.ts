import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { isFull, itInFull } from '../support/full.ts'
import { openOwner } from '../support/owner.ts'
import { actOn, rowOf } from '../support/rows.ts'
import { findFlaws, findViolations, stateOf } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const tab = '/dashboard?tab=incidents'
const patience = Number(process.env.PATIENCE ?? 20_000)
/** Long journeys need more time on a busy machine. */
const journeyMs = 120_000

const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const respondTo = (page: Page, title: string) => actOn(rowOf(page, `“${title}”`), 'Respond')
const open = (page: Page, title: string) => rowOf(page, `“${title}”`).getByRole('link').click()
const total = async (page: Page) =>
  (await page.getByText(/^Total Reports: /).innerText()).replace('Total Reports: ', '')
const rows = (page: Page) =>
  page
    .getByRole('table')
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: /^Actions for/ }) })

type Report = Parameters<World['anyone']['incidents']['report']>[0]

const createReported = async (titles: readonly (Partial<Report> & { title: string })[]) => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const modelId = await acme.registerModel()
  const ids: string[] = []
  for (const report of titles) {
    const { incident_id } = await world.anyone.incidents.report({
      model_id: modelId,
      category: 'harmful_content',
      description: 'I asked for a recipe\nand it said glue.',
      ...report,
    })
    ids.push(incident_id)
  }
  return { world, acme, modelId, ids }
}

describe('the incidents of a provider', () => {
  it(
    'are read, answered and followed, even if another tab was faster',
    async () => {
      const { world, acme, modelId, ids } = await createReported([
        { title: 'Glue on pizza', severity: 'high', reporter_email: 'reader@mail.example' },
      ])
      const [bare = ''] = ids
      const { verification_url } = await acme.client.verifications.create({ model_id: modelId })
      await world.anyone.incidents.report({
        verification_token: verification_url,
        category: 'impersonation',
        severity: 'critical',
        title: 'Says it is a bank',
        description: 'It asked for my password.',
        reporter_email: 'bank@mail.example',
        reference_url: 'https://news.example/story',
      })
      const { page, visit } = await openOwner(browser, world, acme)
      page.setDefaultTimeout(patience)
      await visit(tab)
      expect(await stateOf(page)).toBe('ready')
      expect(await total(page)).toBe('2')
      const bank = rows(page).filter({ hasText: 'Says it is a bank' })
      for (const shown of [
        'Critical',
        'Reported',
        'With a link',
        'bank@mail.example',
        'not confirmed',
        'Impersonation',
      ])
        await bank.getByText(shown, { exact: false }).filter({ visible: true }).first().waitFor()
      // The address beside it was not confirmed.
      expect(await bank.innerText()).not.toMatch(/verified/i)
      const glue = rows(page).filter({ hasText: 'Glue on pizza' })
      for (const shown of ['High', 'Without a link', 'reader@mail.example'])
        await glue.getByText(shown).filter({ visible: true }).waitFor()
      const severity = page.getByRole('columnheader', { name: /^Severity/ })
      for (const [order, first] of [
        ['descending', 'Says it is a bank'],
        ['ascending', 'Glue on pizza'],
      ] as const) {
        await severity.getByRole('button').click()
        await expect.poll(() => severity.getAttribute('aria-sort')).toBe(order)
        await expect.poll(() => rows(page).nth(0).innerText()).toContain(first)
      }
      await page.waitForURL(/sort=severity/)
      await visit(tab)

      await open(page, 'Glue on pizza')
      const details = dialog(page, 'Incident Details')
      await details.getByText('and it said glue.').waitFor()
      for (const shown of [
        bare,
        'reader@mail.example',
        'The address was not confirmed.',
        'It came without a link for the model.',
        'Not counted',
        'No reply yet',
      ])
        await details.getByText(shown, { exact: false }).first().waitFor()
      expect(new URL(page.url()).searchParams.get('incident')).toBe(bare)
      expect(await findViolations(page)).toEqual([])
      await details.getByRole('button', { name: 'Respond' }).click()
      const respond = dialog(page, 'Respond to Incident')
      const status = respond.getByLabel('Status')
      const message = respond.getByLabel(/^Response message/)
      expect(await status.inputValue()).toBe('investigating')
      await status.selectOption('resolved')
      await respond.getByRole('button', { name: 'Submit Response' }).click()
      await respond.getByText('Resolving requires a response message').waitFor()
      expect(await findViolations(page)).toEqual([])
      await message.fill('We look into it')
      await status.selectOption('investigating')

      // Escape closes only the upper dialog, and the typed text stays, even after a reload.
      await page.keyboard.press('Escape')
      await respond.waitFor({ state: 'detached' })
      await details.getByRole('button', { name: 'Respond' }).click()
      expect(await message.inputValue()).toBe('We look into it')
      await page.reload()
      expect(await message.inputValue()).toBe('We look into it')
      await page.route('**/respond', (route) => route.fulfill({ status: 500, body: '' }))
      await respond.getByRole('button', { name: 'Submit Response' }).click()
      await respond.getByText('Failed to submit response').waitFor()
      await page.unroute('**/respond')
      await respond.getByRole('button', { name: 'Submit Response' }).click()
      await page.getByText('Incident response submitted successfully').waitFor()
      await respond.waitFor({ state: 'detached' })
      const history = details.getByRole('region', { name: 'History' }).getByRole('listitem')
      await expect
        .poll(() => history.allInnerTexts())
        .toEqual([
          expect.stringContaining('Reported'),
          expect.stringMatching(/Set to Investigating[\s\S]*We look into it/),
        ])
      await details.getByText('Counted in this model').waitFor()
      await page.keyboard.press('Escape')
      await glue.getByText('Investigating').filter({ visible: true }).waitFor()
      expect(await acme.client.incidents.get(bare)).toMatchObject({
        status: 'investigating',
        provider_response: 'We look into it',
      })

      // Closed in another tab meanwhile: the draft is kept.
      await respondTo(page, 'Glue on pizza')
      await message.fill('No longer glue')
      await status.selectOption('resolved')
      await acme.client.incidents.respond(bare, { status: 'dismissed' })
      await respond.getByRole('button', { name: 'Submit Response' }).click()
      await respond.getByText('This incident is dismissed. That is final').waitFor()
      await respond.getByText('No longer glue').waitFor()
      await page.getByText('This incident was dismissed; that is final.').waitFor()
      await respond.getByRole('button', { name: 'Close' }).last().click()
      await glue.getByText('Dismissed').filter({ visible: true }).waitFor()
      await glue.getByRole('button', { name: /^Actions for/ }).click()
      await page.getByRole('menuitem', { name: 'View model' }).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Respond' }).count()).toBe(0)
      await page.keyboard.press('Escape')

      // With a filter set, an incident that no longer matches leaves the list.
      await page.getByRole('combobox', { name: 'Status' }).selectOption('reported')
      await expect.poll(() => total(page)).toBe('1')
      expect(new URL(page.url()).searchParams.get('status')).toBe('reported')
      await respondTo(page, 'Says it is a bank')
      await status.selectOption('resolved')
      await message.fill('It is no longer a bank')
      await respond.getByRole('button', { name: 'Submit Response' }).click()
      await page.getByText('No incidents match these filters').waitFor()
      await page.getByRole('button', { name: 'Clear All Filters' }).click()
      await expect.poll(() => total(page)).toBe('2')
      await page.getByRole('combobox', { name: 'Severity' }).selectOption('critical')
      await expect.poll(() => total(page)).toBe('1')
      await page.goBack()
      await expect.poll(() => total(page)).toBe('2')
    },
    journeyMs,
  )

  it('show what the reporter wrote as a quotation, and addresses with their real host', async () => {
    const { world, acme } = await createReported([
      {
        title: 'Report of the registry',
        description: 'Withdrawn by the operator.\nStatus: ✅ resolved',
        reference_url: 'https://www.\u043epen\u0430i.com/security',
        screenshot_url: 'https://www.\u043epen\u0430i.com/screen.png',
      },
    ])
    const { page, visit } = await openOwner(browser, world, acme)
    page.setDefaultTimeout(patience)
    await visit(tab)
    await rows(page).getByRole('button', { name: 'Actions for “Report of the registry”', exact: true }).waitFor()
    await open(page, 'Report of the registry')
    const details = dialog(page, 'Incident Details')
    await details.getByText('“Report of the registry”', { exact: true }).waitFor()
    await details.getByRole('link', { name: '“Atlas Chat”', exact: true }).waitFor()
    await details.getByText('Written by the reporter').waitFor()
    const quotation = details.getByRole('blockquote')
    expect(await quotation.innerText()).toBe('“Withdrawn by the operator.\nStatus: resolved”')
    for (const path of ['/security', '/screen.png']) {
      const link = details.getByRole('link', { name: path })
      expect(await link.innerText()).toContain(`www.xn--peni-73d4f.com${path}`)
    }
    expect(await findViolations(page)).toEqual([])
    await details.getByRole('button', { name: 'Respond' }).click()
    await dialog(page, 'Respond to Incident').getByText('“Report of the registry”', { exact: true }).waitFor()
  })

  it('are dismissed together with one answer, and exported without spreadsheet formulas', async () => {
    const titles = ['=HYPERLINK("https://evil.example","x")', '@all read this', 'Third, with a comma', 'Fourth']
    const { world, acme, ids } = await createReported(titles.map((title) => ({ title })))
    const { page, visit } = await openOwner(browser, world, acme)
    page.setDefaultTimeout(patience)
    await visit(tab)
    await page.getByRole('checkbox', { name: 'Select “Fourth”' }).check()
    await page.getByRole('checkbox', { name: 'Select “Third, with a comma”' }).check()
    await page.getByText('2 reports selected').waitFor()
    await acme.client.incidents.respond(ids[3] ?? '', { status: 'resolved', response: 'Fixed' })
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    const asks = dialog(page, 'Dismiss 2 reports?')
    await asks.getByText('Third, with a comma').waitFor()
    expect(await asks.innerText()).toContain('Those in the public numbers stay there, as dismissed by you.')
    await asks.getByLabel(/^Reply/).fill('Not about us')
    expect(await asks.getByRole('button', { name: 'Dismiss' }).getAttribute('aria-disabled')).toBe('true')
    await asks.getByLabel('Type 2 to confirm').fill('2')
    expect(await findViolations(page)).toEqual([])
    await asks.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('1 report dismissed').waitFor()
    await page.getByText('“Fourth”: This incident was resolved; that is final.').waitFor()
    expect(await acme.client.incidents.get(ids[2] ?? '')).toMatchObject({
      status: 'dismissed',
      provider_response: 'Not about us',
    })

    await page.getByRole('combobox', { name: 'Status' }).selectOption('reported')
    await expect.poll(() => total(page)).toBe('2')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ])
    await page.getByText('2 rows exported').waitFor()
    expect(download.suggestedFilename()).toMatch(/^incidents-reported-\d{4}-\d\d-\d\d\.csv$/)
    const text = (await readFile(await download.path())).toString()
    const [head, ...lines] = text.split('\r\n')
    expect(head).toMatch(/^id,created_at,status,severity,category,title,/)
    expect(lines).toHaveLength(5 - 2)
    expect(text).toContain(`,"'=HYPERLINK(""https://evil.example"",""x"")",`)
    expect(text).toContain(`,'@all read this,`)

    await page.getByRole('checkbox', { name: 'Select “@all read this”' }).check()
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
    const asksAgain = dialog(page, 'Dismiss 1 report?')
    expect(await asksAgain.getByLabel(/^Reply/).inputValue()).toBe('Not about us')
    await asksAgain.getByRole('button', { name: 'Dismiss' }).click()
    await expect.poll(() => total(page)).toBe('1')
    await acme.client.incidents.respond(ids[0] ?? '', { status: 'resolved', response: 'Fixed' })
    await page.getByRole('combobox', { name: 'Status' }).selectOption('all')
    await expect.poll(() => rows(page).filter({ hasText: '=HYPERLINK' }).innerText()).toContain('Resolved')
  })

  itInFull(
    'are shown without delay among ten thousand, page by page, and exported completely',
    {
      timeout: journeyMs,
    },
    async () => {
      const { world, acme, ids } = await createReported([{ title: 'The first' }])
      const [first] = await world.database.read
        .selectFrom('incidents')
        .selectAll()
        .where('id', '=', ids[0] ?? '')
        .execute()
      if (!first) throw new Error('No incident')
      for (let at = 0; at < 10_000; at += 500) {
        const many = Array.from({ length: 500 }, (_, index) => ({
          ...first,
          id: `inc_${String(at + index).padStart(26, '0')}`,
          title: `Report ${at + index}`,
        }))
        await world.database.transaction((tx) => tx.insertInto('incidents').values(many).execute())
      }
      const { page, visit } = await openOwner(browser, world, acme)
      page.setDefaultTimeout(patience)
      await visit(tab)
      await stateOf(page)
      expect(await total(page)).toBe('more than 10,000')
      expect(await rows(page).count()).toBe(50)
      await page.getByRole('link', { name: 'Next' }).click()
      await page.getByText('51–100 of more than 10,000').waitFor()
      await expect.poll(() => rows(page).count()).toBe(50)
      expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1_500)
      // A reload shows the same page.
      await page.reload()
      await page.getByText('51–100 of more than 10,000').waitFor()
      await expect.poll(() => rows(page).count()).toBe(50)
      const [download] = await Promise.all([
        page.waitForEvent('download', { timeout: 60_000 }),
        page.getByRole('button', { name: 'Export as CSV' }).click(),
      ])
      const lines = (await readFile(await download.path()))
        .toString()
        .split('\r\n')
        .filter((line) => line.startsWith('inc_'))
      expect(lines).toHaveLength(10_001)

      await page.getByRole('combobox', { name: 'Status' }).selectOption('reported')
      await page.getByRole('checkbox', { name: 'Select all open reports shown' }).check()
      await page.getByRole('button', { name: 'Dismiss', exact: true }).click()
      await page.getByLabel('Type 50 to confirm').fill('50')
      await dialog(page, 'Dismiss 50 reports?').getByRole('button', { name: 'Dismiss' }).click()
      await page.getByText('50 reports dismissed').waitFor()
      await expect.poll(() => stateOf(page)).toBe('ready')
      await expect.poll(() => rows(page).count()).toBe(50)
    },
  )

  itInFull('show an empty state, show a failure, and retry', async () => {
    const { world, acme, modelId } = await createReported([])
    const { page, visit } = await openOwner(browser, world, acme)
    page.setDefaultTimeout(patience)
    await visit(tab)
    expect(await stateOf(page)).toBe('empty')
    await page.getByText('No incidents reported yet').waitFor()
    await page.getByText('countersign incidents list').waitFor()
    expect(await findViolations(page)).toEqual([])
    await world.anyone.incidents.report({
      model_id: modelId,
      category: 'other',
      title: 'One',
      description: 'It is one.',
    })
    await page.route('**/me/incidents?*', (route) => route.fulfill({ status: 503, body: '' }))
    await page.reload()
    expect(await stateOf(page)).toBe('failed')
    await page.getByText('Incidents could not be loaded').waitFor()
    await page.unroute('**/me/incidents?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await rowOf(page, '“One”').waitFor()
  })

  itInFull('keep a draft when the session ends, and send it after signing in again', async () => {
    const { world, acme, ids } = await createReported([{ title: 'Glue on pizza' }])
    const { page, visit } = await openOwner(browser, world, acme)
    page.setDefaultTimeout(patience)
    await visit(tab)
    await respondTo(page, 'Glue on pizza')
    const respond = dialog(page, 'Respond to Incident')
    await respond.getByLabel(/^Response message/).fill('We look into it')
    await page.route('**/api/v1/**', (route) =>
      route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        body: '{"code":"unauthorized","detail":"Sign in again","status":401}',
      }),
    )
    await respond.getByRole('button', { name: 'Submit Response' }).press('Enter')
    await page.waitForURL('**/login?**')
    await page.unroute('**/api/v1/**')
    const back = new URL(page.url()).searchParams.get('redirect') ?? ''
    expect(back).toContain(`respond=${ids[0]}`)
    await page.evaluate(
      ([id, key]) => {
        localStorage.setItem('providerId', id ?? '')
        localStorage.setItem('apiKey', key ?? '')
      },
      [acme.id, acme.apiKey],
    )
    await visit(back)
    expect(await respond.getByLabel(/^Response message/).inputValue()).toBe('We look into it')
    await respond.getByRole('button', { name: 'Submit Response' }).press('Enter')
    await page.getByText('Incident response submitted successfully').waitFor()
    expect(await acme.client.incidents.get(ids[0] ?? '')).toMatchObject({ provider_response: 'We look into it' })
  })

  it('look right', async () => {
    const { world, acme, ids } = await createReported([
      { title: 'Small thing', severity: 'low' },
      {
        title: 'A very long title that goes on and on, with a word-that-does-not-end'.padEnd(180, 'n'),
        severity: 'medium',
      },
      { title: 'High one', severity: 'high', reporter_email: 'somebody.with.a.long.name@mail.example' },
      { title: 'Critical one', severity: 'critical' },
    ])
    await acme.client.incidents.respond(ids[0] ?? '', { status: 'resolved', response: 'Fixed in 1.1' })
    await acme.client.incidents.respond(ids[2] ?? '', { status: 'investigating', response: 'We look into it' })
    const { page, visit } = await openOwner(browser, world, acme)
    page.setDefaultTimeout(patience)
    await visit(tab)
    expect(await stateOf(page)).toBe('ready')
    await page.getByRole('checkbox', { name: 'Select “Critical one”' }).check()
    expect(await findFlaws(page)).toEqual([])
    // The dialogs are judged by the first test.
    if (!isFull) return
    await open(page, 'High one')
    await page.getByRole('dialog').getByText('Set to Investigating').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Respond' }).click()
    await dialog(page, 'Respond to Incident').waitFor()
    expect(await findFlaws(page, '[role=dialog]')).toEqual([])
  })
})
