import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type ModelToSign, modelStatement, signModel } from '@countersign/sdk/integrity'
import type { Browser, Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { shareBrowser } from '../support/browser.ts'
import { startEndpointServer } from '../support/endpoint-server.ts'
import { describeInFull, itInFull, sampled } from '../support/full.ts'
import { commit } from '../support/hub-server.ts'
import { openOwner } from '../support/owner.ts'
import { actOn, namesIn, rowOf } from '../support/rows.ts'
import { declareOwnKey } from '../support/signers.ts'
import { ecKeys } from '../support/sigstore/keys.ts'
import { findFlaws, findViolations, inLook, looks, overflowOf, stateOf } from '../support/visitor.ts'
import { createWorld, type World, type WorldOptions } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 120_000

const keys = ecKeys()
const hexOf = (text: string) => createHash('sha256').update(text).digest('hex')
const toSign: ModelToSign = { name: 'atlas', files: [{ name: 'weights.safetensors', digest: hexOf('weights') }] }
const statement = modelStatement(toSign) as { subject: [{ digest: { sha256: string } }] }
const digest = `sha256:${statement.subject[0].digest.sha256}`

const tab = '/dashboard?tab=models'

/** Opens the models tab as an owner. */
const openTab = async (
  prepare: (acme: ProviderActor, world: World) => Promise<unknown> = async () => {},
  options: WorldOptions = {},
) => {
  const world = await createWorld(options)
  const acme = await world.provider('acme')
  await prepare(acme, world)
  const { page, visit } = await openOwner(browser, world, acme, { permissions: ['clipboard-read', 'clipboard-write'] })
  await visit(tab)
  await stateOf(page)
  return { world, acme, page, visit }
}

const refuse = (route: Route) =>
  route.fulfill({
    status: 503,
    contentType: 'application/problem+json',
    body: JSON.stringify({
      type: 'about:blank',
      title: 'Busy',
      status: 503,
      code: 'unavailable',
      detail: 'The registry is busy.',
      request_id: 'req_1',
    }),
  })

const toldBy = (page: Page, text: string | RegExp) =>
  page.locator('[data-sonner-toast]').getByText(text).first().waitFor()

describeInFull('the models of an owner', () => {
  it('are grouped by identifier, newest version first, others on request', {
    timeout: patience,
  }, async () => {
    let third = ''
    const { acme, page } = await openTab(async (acme, { clock }) => {
      await acme.registerModel({ api_model_identifier: 'atlas', version: '1.0' })
      await acme.registerModel({ api_model_identifier: 'atlas', version: '2.0', force_new_version: true })
      third = await acme.registerModel({
        api_model_identifier: 'atlas',
        version: '3.0, files signed',
        force_new_version: true,
        release_date: '2026-03',
      })
      clock.advance('1m')
      await acme.registerModel({ api_model_identifier: 'brook', display_name: 'Brook', is_public: false })
    })
    await page.getByText('2 active models.').waitFor()
    expect(await namesIn(page)).toEqual(['“Brook”', '“Atlas Chat”'])
    const row = rowOf(page, '“Atlas Chat”')
    await row.getByText('3 versions').waitFor()
    await row.getByText('“3.0, files signed”', { exact: true }).waitFor()
    await row.getByRole('link').click()
    const details = page.getByRole('dialog', { name: '“Atlas Chat” “3.0, files signed”' })
    expect((await details.innerText()).replace(/\s+/g, ' ')).toMatch(
      new RegExp(
        `Version “3\\.0, files signed” \\(number 3\\) Latest Active Bundle Unknown API model identifier atlas Model ID ${third} .*` +
          'Public Not monitored API endpoint https://api\\.acme\\.example/v1 Released Mar 2026',
      ),
    )
    await details.getByRole('button', { name: 'Copy Model ID' }).click()
    await toldBy(page, 'Copied to clipboard!')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(third)
    expect(await details.getByRole('link', { name: 'Previous version' }).count()).toBe(1)
    expect(await findFlaws(page, '[role=dialog]')).toEqual([])
    await page.goBack()
    await details.waitFor({ state: 'detached' })

    await actOn(row, 'View All Versions (3)')
    const older = page.getByRole('row').filter({ hasText: '↳ Atlas Chat' })
    await expect.poll(() => older.count()).toBe(2)
    expect((await older.allInnerTexts()).map((text) => text.match(/\d\.0|superseded/g))).toEqual([
      ['2.0', 'superseded'],
      ['1.0', 'superseded'],
    ])
    expect(await findViolations(page)).toEqual([])
    await actOn(row, 'Hide Versions')
    await expect.poll(() => older.count()).toBe(0)
    await page.getByRole('link', { name: /^Superseded 2$/ }).click()
    await expect.poll(() => page.getByRole('row').count()).toBe(1 + 2)
    await page.goBack()
    await actOn(row, 'View')
    await page.waitForURL(`**/models/${third}`)
    expect((await acme.client.models.get(third)).is_latest).toBe(true)
  })

  it('are filtered and sorted by the address', { timeout: patience }, async () => {
    const { page, visit } = await openTab(async (acme, { clock }) => {
      await acme.registerModel({ display_name: 'Cedar', version: '7.1', api_model_identifier: 'cedar' })
      clock.advance('1m')
      await acme.registerModel({ display_name: 'Atlas', api_model_identifier: 'atlas', is_public: false })
      await acme.client.models.archive(
        await acme.registerModel({ display_name: 'Brook', api_model_identifier: 'brook' }),
        {
          reason: 'Too old',
        },
      )
    })
    expect(await namesIn(page)).toEqual(['“Atlas”', '“Cedar”'])
    await page.getByRole('switch', { name: 'Show archived models' }).click()
    await page.getByText('3 registered models in 3 versions.').waitFor()
    await rowOf(page, '“Brook”').getByText('Archived', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Model', exact: true }).click()
    await expect.poll(() => namesIn(page)).toEqual(['“Atlas”', '“Brook”', '“Cedar”'])

    const search = page.getByPlaceholder('Search models...')
    await search.fill('CED')
    await expect.poll(() => namesIn(page)).toEqual(['“Cedar”'])
    await page.getByText('1 of 3 models').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ])
    // A bundle counts only with a proven domain, as the row says.
    expect((await readFile(await download.path())).toString()).toMatch(
      /^id,[^\n]+,bundle_status,provider_domain_verified,[^\n]+\r\nmdl_\w+,cedar,Cedar,[^\n]+,unknown,yes,[^\n]+\r\n$/,
    )
    await search.fill('7.1')
    await expect.poll(() => namesIn(page)).toEqual(['“Cedar”'])
    await page.waitForURL((url) => url.search === '?tab=models&archived=yes&sort=name&search=7.1')
    await page.reload()
    await stateOf(page)
    expect(await namesIn(page)).toEqual(['“Cedar”'])
    await search.fill('nothing like it')
    await page.getByText('No models match your search criteria.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Clear All Filters' }).click()
    await expect.poll(async () => (await namesIn(page)).length).toBe(3)
    await visit(`${tab}&visibility=private`)
    await expect.poll(() => namesIn(page)).toEqual(['“Atlas”'])
  })

  it('start with the first step, and say when they could not be loaded', { timeout: patience }, async () => {
    const { acme, page, visit } = await openTab()
    expect(await stateOf(page)).toBe('empty')
    await page.getByText('No models found').waitFor()
    await page.getByText("You haven't registered any models yet.").waitFor()
    await page.getByText('countersign models register ./model').waitFor()
    expect(await overflowOf(page)).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'Register Your First Model' }).click()
    await page.waitForURL('**/dashboard/models/register')

    await acme.registerModel()
    await page.route('**/providers/*/models*', refuse)
    await visit(tab)
    await page.getByText('Failed to load models: The registry is busy.').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.unroute('**/providers/*/models*')
    await page.getByRole('button', { name: 'Try Again' }).click()
    await rowOf(page, '“Atlas Chat”').waitFor()

    await page.route('**/providers/me', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), api_key: null } })
    })
    await page.evaluate((key) => {
      localStorage.removeItem('apiKey')
      localStorage.setItem('auth_token', key)
    }, acme.apiKey)
    await visit(tab)
    await page.getByText('Failed to Load Models', { exact: true }).waitFor()
    await page.getByText('No API key available').waitFor()
  })

  it('load and are searched without delay among a thousand', { timeout: patience }, async () => {
    const { world, acme, page } = await openTab()
    const id = await acme.registerModel({ display_name: 'Model 0', api_model_identifier: 'model-0' })
    const row = await world.database.read
      .selectFrom('models')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const copies = Array.from({ length: 999 }, (_, at) => ({
      ...row,
      id: `${id.slice(0, -4)}${String(at + 1).padStart(4, '0')}`,
      display_name: `Model ${at + 1}`,
      api_model_identifier: `model-${at + 1}`,
      created_at: row.created_at - at - 1,
    }))
    await world.database.transaction(async (tx) => {
      for (let at = 0; at < copies.length; at += 100)
        await tx
          .insertInto('models')
          .values(copies.slice(at, at + 100))
          .execute()
    })
    await page.reload()
    await page.getByText('1,000 active models.').waitFor()
    expect(await namesIn(page)).toHaveLength(50)
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1_500)
    const took = await page.evaluate(async () => {
      const began = performance.now()
      document.querySelector<HTMLElement>('thead button')?.click()
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      return performance.now() - began
    })
    // 100 ms on an idle machine.
    expect(took).toBeLessThan(1_000)
    await expect.poll(async () => (await namesIn(page)).at(-1)).toBe('“Model 49”')
    await page.getByPlaceholder('Search models...').fill('model 77')
    await page.getByText('11 of 1,000 models').waitFor()
    await page.getByPlaceholder('Search models...').fill('')
    await page.getByText('1,000 models', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('51–100 of 1,000').waitFor()
    expect((await namesIn(page)).at(0)).toBe('“Model 50”')
    await page.goBack()
    await expect.poll(async () => (await namesIn(page)).at(0)).toBe('“Model 0”')

    // With the keyboard alone: one stop in the tab order, arrows, Space and Enter.
    await page.locator('[data-opens]').first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(await help.innerText()).toMatch(/Space\s+Select the row[\s\S]*Enter\s+Open the row/)
    expect(await findFlaws(page, '[role=dialog]')).toEqual([])
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    // The focus is back on its row.
    await page.locator('[data-opens]:focus').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.keyboard.press('End')
    await page.keyboard.press('Space')
    await page.getByText('2 selected').waitFor()
    expect(await page.getByRole('checkbox', { name: 'Select “Model 2” 1.0.0' }).isChecked()).toBe(true)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Details' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[aria-haspopup=menu]:focus').waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+Tab')
    await page.locator('[data-opens]:focus').waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: '“Model 0” 1.0.0' }).waitFor()
  })
})

describe('a version', () => {
  it('is made private and public at once, and switches back if that is rejected', { timeout: patience }, async () => {
    let id = ''
    const { acme, page } = await openTab(async (acme) => {
      id = await acme.registerModel()
    })
    await rowOf(page, '“Atlas Chat”').getByRole('link').click()
    const visibility = page.getByRole('switch', { name: 'Public: “Atlas Chat” 1.0.0' })
    await visibility.click()
    await toldBy(page, 'Model made private')
    expect((await acme.client.models.get(id)).is_public).toBe(false)

    // The client sends the request a second time.
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/visibility', async (route) => {
      await answered
      await refuse(route)
    })
    await visibility.click()
    await expect.poll(() => visibility.isChecked()).toBe(true)
    answer()
    await toldBy(page, 'Failed to update visibility')
    expect(await visibility.isChecked()).toBe(false)
    await page.unroute('**/visibility')
    await visibility.click()
    await toldBy(page, 'Model made public')
    expect((await acme.client.models.get(id)).is_public).toBe(true)
  })

  itInFull('is archived with a reason and restored; its history shows both', { timeout: patience }, async () => {
    let id = ''
    const { acme, page, visit } = await openTab(async (acme) => {
      id = await acme.registerModel()
    })
    const row = rowOf(page, '“Atlas Chat”')
    const button = row.getByRole('button', { name: 'Actions for “Atlas Chat” 1.0.0' })
    await actOn(row, 'Archive')
    const dialog = page.getByRole('dialog', { name: 'Archive “Atlas Chat” 1.0.0?' })
    await dialog.getByLabel('Reason').fill('Weights were leaked')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
    await button.press('Enter')
    await page.getByRole('menuitem', { name: 'Archive' }).press('Enter')
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Weights were leaked')
    await page.route('**/archive', refuse)
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await dialog.getByText('Failed to archive model: The registry is busy.').waitFor()
    await page.unroute('**/archive')
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await toldBy(page, 'Model "Atlas Chat" archived')
    await dialog.waitFor({ state: 'detached' })
    expect(await acme.client.models.get(id)).toMatchObject({ is_archived: true, archive_reason: 'Weights were leaked' })
    await page.getByText('All your models are archived.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')

    await page.getByRole('button', { name: 'Show archived models' }).click()
    // The switch and the actions that need a version in use are not offered.
    await row.getByRole('link').click()
    await page.getByRole('dialog').getByRole('heading').first().waitFor()
    expect(await page.getByRole('dialog').getByRole('switch').count()).toBe(0)
    await page.keyboard.press('Escape')
    await button.click()
    expect(await page.getByRole('menuitem', { name: /^Make / }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await actOn(row, 'Unarchive')
    await toldBy(page, 'Model "Atlas Chat" unarchived')
    expect((await acme.client.models.get(id)).is_archived).toBe(false)

    await actOn(row, 'History')
    const history = page.getByRole('dialog', { name: 'Model Version History' })
    await history.getByRole('heading', { name: 'Changes to this version' }).waitFor()
    expect(await history.innerText()).toContain('No link opened yet')
    expect((await history.innerText()).replace(/\s+/g, ' ')).toMatch(
      /Reason for archiving .* Before “Weights were leaked” After nothing Reason for archiving .* Before nothing After “Weights were leaked” Versions \(1\)/,
    )
    expect(await findViolations(page)).toEqual([])
    await page.route('**/history', refuse)
    await visit(`${tab}&history=${id}`)
    await page.getByText('Failed to load model history').waitFor()
    await page.unroute('**/history')
    await page.route('**/history', (route) =>
      route.fulfill({
        json: {
          current_version: {
            id,
            display_name: 'Atlas Chat',
            version: '1',
            version_number: 1,
            created_at: new Date().toISOString(),
            first_verified_at: null,
          },
          edit_history: [],
          versions: [],
          total_versions: 0,
        },
      }),
    )
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No history found for this model.').waitFor()
  })

  itInFull('is archived after signing in again in the middle of it', { timeout: patience }, async () => {
    const { acme, page } = await openTab((acme) => acme.registerModel())
    const { api_key } = await acme.client.keys.create({ name: 'another', scopes: ['full'] })
    await actOn(rowOf(page, '“Atlas Chat”'), 'Archive')
    const dialog = page.getByRole('dialog', { name: /^Archive/ })
    await dialog.getByLabel('Reason').fill('Weights were leaked')
    await acme.client.keys.revoke(acme.keyId)
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await page.waitForURL('**/login?redirect=*')
    const back = new URL(page.url()).searchParams.get('redirect') ?? ''
    await page.evaluate(
      ([id, key]) => {
        localStorage.setItem('providerId', id ?? '')
        localStorage.setItem('apiKey', key ?? '')
      },
      [acme.id, api_key],
    )
    await page.goto(new URL(back, page.url()).href)
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Weights were leaked')
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await toldBy(page, 'Model "Atlas Chat" archived')
  })

  itInFull('is edited while that is allowed, then superseded', { timeout: patience }, async () => {
    const { acme, world, page, visit } = await openTab(async (acme) => {
      await acme.registerModel({ api_model_identifier: 'atlas' })
    })
    // Registering an existing model offers two choices; editing it is one of them.
    await page.getByRole('button', { name: 'Register New Model' }).click()
    const form = page.getByRole('dialog', { name: 'Register New Model' })
    await form.getByLabel('Display name').fill('Atlas Chat Two')
    await form.getByLabel('API model identifier').fill('atlas')
    await form.getByLabel('API endpoint').fill('https://api.acme.example/v2')
    await form.getByLabel('Description').fill('A model that answers questions about maps.')
    await form.getByLabel('Version', { exact: true }).fill('1.0.1')
    await form.getByRole('button', { name: 'Register Model' }).click()
    const conflict = page.getByRole('dialog', { name: 'Model Already Exists' })
    await conflict.getByRole('radio', { name: 'Quick edit' }).check()
    await conflict.getByRole('button', { name: 'Continue' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit Model' })
    await edit.getByRole('button', { name: 'Save changes' }).click()
    await toldBy(page, 'Model updated successfully!')
    await rowOf(page, '“Atlas Chat Two”').waitFor()

    const row = rowOf(page, '“Atlas Chat Two”')
    await actOn(row, 'New Version')
    const next = page.getByRole('dialog', { name: 'Create New Version' })
    await next.getByLabel('Version', { exact: true }).fill('1.0.1')
    await next.getByRole('button', { name: 'Create New Version' }).click()
    await next.getByText('Please specify a different version number for the new version').first().waitFor()
    await next.getByLabel('Version', { exact: true }).fill('2.0')
    await next.getByRole('button', { name: 'Create New Version' }).click()
    await toldBy(page, 'New model version created successfully!')
    await row.getByText('2 versions').waitFor()

    const { models } = await acme.client.providers.models(acme.id, { include_archived: 'true' })
    expect(models.map(({ version, display_name }) => [version, display_name])).toEqual([
      ['2.0', 'Atlas Chat Two'],
      ['1.0.1', 'Atlas Chat Two'],
    ])
    const menu = row.getByRole('button', { name: /^Actions for/ })
    await menu.click()
    await page.getByRole('menuitem', { name: /^Edit \((59|60) minutes left\)/ }).waitFor()
    world.clock.advance('2h')
    await visit(tab)
    await menu.click()
    await page.getByRole('menuitem', { name: 'New Version' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /^Edit/ }).count()).toBe(0)
  })

  itInFull('is monitored as configured, and shows its health in words', { timeout: patience }, async () => {
    const target = await startEndpointServer(200)
    let id = ''
    const { acme, world, page } = await openTab(
      async (acme, { hub }) => {
        hub.publish('acme/atlas', { sha: commit('b'), cardData: { language: 'de' } })
        id = await acme.registerModel({ endpoint: target.url, huggingface_model_id: 'acme/atlas' })
      },
      { egressAllow: [target.hostAndPort] },
    )
    const row = rowOf(page, '“Atlas Chat”')
    await row.getByText('Not monitored').waitFor()
    await actOn(row, 'Monitoring')
    const dialog = page.getByRole('dialog', { name: 'Monitoring of “Atlas Chat” 1.0.0' })
    await dialog.getByRole('switch', { name: 'Monitor the endpoint' }).click()
    await toldBy(page, 'Monitoring updated')
    // Saving keeps the focus.
    expect(await dialog.getByRole('switch').evaluate((element) => element === document.activeElement)).toBe(true)
    await dialog.locator('select:enabled').selectOption({ label: '1 hour' })
    await expect.poll(async () => (await acme.client.models.health(id)).interval_seconds).toBe(3_600)
    expect(await findViolations(page)).toEqual([])
    await page.route('**/health', (route) => (route.request().method() === 'PUT' ? refuse(route) : route.fallback()))
    await dialog.locator('[role=switch][aria-disabled=false]').click()
    await dialog.getByText('Failed to update monitoring: The registry is busy.').waitFor()
    expect(await dialog.getByRole('switch', { name: 'Monitor the endpoint' }).isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    await row.getByText('Not checked yet').waitFor()

    await world.jobs.run('health')
    await page.reload()
    await row.getByText('Healthy').waitFor()
    await row.getByRole('link').click()
    const details = page.getByRole('dialog')
    await details.getByRole('img', { name: /^Uptime in the last seven days: .* not checked, .* 100%$/ }).waitFor()
    await page.keyboard.press('Escape')
    target.answer(500)
    world.clock.advance('2h')
    await world.jobs.run('health')
    await page.reload()
    await row.getByText('Not responding').waitFor()
    await page.getByText('1 active model. 1 needs attention.').waitFor()

    await actOn(row, 'Sync from the hub')
    await toldBy(page, 'Synced from the model hub')
    await expect.poll(async () => (await acme.client.models.get(id)).language).toBe('German')
  })

  itInFull(
    'has its bundle uploaded and checked twice, and says which signer to declare',
    {
      timeout: patience,
    },
    async () => {
      let id = ''
      const { acme, world, page } = await openTab(async (acme) => {
        id = await acme.registerModel({ model_digest: digest })
      })
      const row = rowOf(page, '“Atlas Chat”')
      await actOn(row, 'Bundle')
      const dialog = page.getByRole('dialog', { name: 'Signed bundle of “Atlas Chat” 1.0.0' })
      await dialog.getByText('This version has no bundle to verify yet.').waitFor()
      const upload = (name: string, text: string) =>
        dialog
          .locator('input[type=file]')
          .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
      await upload('notes.txt', 'no bundle')
      await dialog.getByText('notes.txt is not JSON, so it can’t be a signed bundle.').waitFor()
      await upload('model.sig', signModel(toSign, keys.privateKey))
      await toldBy(page, 'The bundle was uploaded but could not be verified yet.')
      await expect
        .poll(() => dialog.getByRole('link', { name: 'Declare this signer' }).getAttribute('href'))
        .toContain(`declare=${id}`)
      await dialog.getByRole('heading', { name: 'Checks of the bundle' }).waitFor()
      expect(await findViolations(page)).toEqual([])

      await declareOwnKey(acme.client, keys)
      await dialog.locator('button[aria-disabled=false]', { hasText: 'Verify Bundle' }).click()
      await toldBy(page, 'Bundle verification triggered successfully')
      await world.jobs.run('bundles')
      await dialog.getByText('Signed by the company’s own signer.').waitFor()
      await page.keyboard.press('Escape')
      await row.getByText('Verified', { exact: true }).waitFor()
      expect((await acme.client.bundles.status(id)).bundle_status).toBe('verified')
    },
  )

  itInFull('shows which deployments may mint its links, and revokes one', { timeout: patience }, async () => {
    let id = ''
    const { acme, page } = await openTab(async (acme) => {
      id = await acme.registerModel()
      await acme.registerDeployment([id])
    })
    await actOn(rowOf(page, '“Atlas Chat”'), 'Deployments')
    const dialog = page.getByRole('dialog', { name: 'Deployments of “Atlas Chat” 1.0.0' })
    const revoke = async () => {
      await dialog.getByRole('button', { name: /^Revoke/ }).click()
      await page
        .getByRole('dialog', { name: 'Revoke this authorization?' })
        .getByRole('button', { name: 'Revoke' })
        .click()
    }
    await page.route('**/deployments/*', refuse)
    await revoke()
    await toldBy(page, 'Failed to revoke model authorization')
    await page.unroute('**/deployments/*')
    expect(await findViolations(page)).toEqual([])
    await revoke()
    await toldBy(page, 'Model authorization revoked')
    await dialog.getByText('No deployment is authorized').waitFor()
    expect((await acme.client.models.deployments(id)).deployments).toEqual([])
  })
})

itInFull(
  'many models at once are made private and archived, and the rejected ones are named',
  { timeout: patience },
  async () => {
    const ids: string[] = []
    const { acme, page } = await openTab(async (acme) => {
      for (const name of ['Atlas', 'Brook', 'Cedar'])
        ids.push(await acme.registerModel({ display_name: name, api_model_identifier: name.toLowerCase() }))
    })
    const states = async () => (await acme.client.providers.models(acme.id, { include_archived: 'true' })).models
    await page.getByRole('checkbox', { name: 'Select all 3' }).check()
    await page.route(`**/models/${ids[1]}/visibility`, refuse)
    await page.getByRole('button', { name: 'Make private' }).click()
    await page.getByText('2 models made private.').waitFor()
    await page.getByText('1 failed:').waitFor()
    await page.getByText('“Brook” 1.0.0: The registry is busy.').waitFor()
    expect((await states()).filter(({ is_public }) => is_public).map(({ display_name }) => display_name)).toEqual([
      'Brook',
    ])
    expect(await findViolations(page)).toEqual([])

    // Failed items stay selected for another try.
    await page.getByText('1 selected').waitFor()
    // A model that is already public is not sent again.
    await page.getByRole('button', { name: 'Make public' }).click()
    await page.getByText(/^(One|1) model made public\.$/).waitFor()
    await rowOf(page, '“Brook”').getByText('Public', { exact: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Select “Atlas” 1.0.0' }).check()
    await page.getByRole('checkbox', { name: 'Select “Cedar” 1.0.0' }).check()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Archive 2 models?' })
    await dialog.getByText('“Atlas” 1.0.0').waitFor()
    expect((await dialog.getByRole('listitem').allInnerTexts()).toSorted()).toEqual(['“Atlas” 1.0.0', '“Cedar” 1.0.0'])
    await dialog.getByLabel('Reason').fill('Closing down')
    expect(await dialog.getByRole('button', { name: 'Archive' }).getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel('Type 2 to confirm').fill('2')
    await dialog.getByRole('button', { name: 'Archive' }).click()
    await page.getByText('2 models archived.').waitFor()
    expect((await states()).filter(({ archive_reason }) => archive_reason === 'Closing down')).toHaveLength(2)

    // The message also appears when the last item leaves the list.
    await page.getByRole('checkbox', { name: 'Select “Brook” 1.0.0' }).check()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByLabel('Type 1 to confirm').fill('1')
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
    await page.getByText(/^(One|1) model archived\.$/).waitFor()
    await page.getByRole('button', { name: 'Show archived' }).waitFor()
  },
)

describe('the models tab', () => {
  it('passes axe and works', { timeout: patience }, async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const first = await acme.registerModel({
      api_model_identifier: 'atlas',
      display_name: 'Atlas '.repeat(19),
      huggingface_model_id: 'acme/atlas',
    })
    await acme.registerModel({
      api_model_identifier: 'atlas',
      version: '2',
      force_new_version: true,
      endpoint: `https://api.acme.example/${'v'.repeat(300)}`,
    })
    const { page, visit } = await openOwner(browser, world, acme)
    await visit(tab)
    await stateOf(page)
    await actOn(page.getByRole('row').nth(1), 'View All Versions (2)')
    await page.getByRole('checkbox', { name: 'Select all 2' }).check()
    expect(await findFlaws(page)).toEqual([])
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'History' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    const dialogs = {
      history: 'Versions (2)',
      health: 'Last checked',
      access: 'No deployment is authorized',
      bundle: 'Last checked',
    }
    for (const [dialog, shows] of sampled(Object.entries(dialogs), 2, 1)) {
      await visit(`${tab}&${dialog}=${first}`)
      await page.getByRole('dialog').getByText(shows).waitFor()
      for (const look of looks) expect(await inLook(page, look, () => overflowOf(page))).toBe(0)
    }
    expect(await findFlaws(page, '[role=dialog]')).toEqual([])
  })
})
