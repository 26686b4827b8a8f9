import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { describeInFull, isFull, itInFull } from '../support/full.ts'
import { openOwner } from '../support/owner.ts'
import { actOn } from '../support/rows.ts'
import { findFlaws, findViolations, stateOf } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

describeInFull('billing', () => {
  it('shows what is free and whom to contact', async () => {
    const world = await createWorld({ contactEmail: 'sales@registry.example' })
    const { page, visit } = await openOwner(browser, world, await world.provider('acme'))
    await visit('/dashboard?tab=billing')
    await page.getByRole('heading', { name: 'Individual Developers' }).waitFor()
    await page.getByRole('heading', { name: 'Teams & Enterprises' }).waitFor()
    expect(await page.getByRole('link', { name: 'Contact us by email' }).getAttribute('href')).toMatch(
      /^mailto:sales@registry\.example\?subject=/,
    )
    expect(await findFlaws(page)).toEqual([])
  })
})

describe('the public log', () => {
  it('lists what the log says about the owner, with a proof that opens, and names near the owner’s', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    await acme.registerModel({ display_name: 'Acme Chat' })
    await world.provider('acrne')
    await world.registry.transparency.sequence()
    await world.jobs.run('near-names')
    await acme.registerModel({ is_public: false })
    const { page, visit } = await openOwner(browser, world, acme)
    await page.route('**/api/v1/log/entries?*', (route) => route.fulfill({ status: 500, body: '' }))
    await visit('/dashboard?tab=log')
    await page.getByText('Your entries could not be loaded').waitFor()
    await page.unroute('**/api/v1/log/entries?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    const rows = page.getByRole('table', { name: 'Entries of the public log' }).getByRole('row')
    await rows.filter({ hasText: 'Being logged' }).waitFor()
    const near = page.getByRole('region', { name: 'Names near yours' })
    expect(await near.innerText()).toMatch(/acrne\.example\s+A domain that looks like acme\.example/)
    expect(await findViolations(page)).toEqual([])
    await rows.filter({ hasText: 'acme.example with a DNS record' }).getByRole('link').click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.innerText()).toMatch(/domain\.proven[\s\S]*countersign log verify proof/)
    const address = (await dialog.getByRole('link', { name: 'Open the proof' }).getAttribute('href')) ?? ''
    expect(await (await page.request.get(world.publicUrl + address)).text()).toContain('c2sp.org/tlog-proof@v1')
    expect(await findFlaws(page, '[role=dialog]')).toEqual([])
    await dialog.getByRole('button', { name: 'This was not me' }).click()
    await dialog.getByRole('button', { name: 'Report', exact: true }).click()
    await dialog.getByText('Reported as “not me”').waitFor()
    const { entries } = await acme.client.log.entries()
    expect(entries.filter(({ report_id }) => report_id !== null).map(({ type }) => type)).toEqual(['domain.proven'])
  })

  it('says what is compared, which names are not listed, and which command lists them', async () => {
    const world = await createWorld()
    await world.provider('acrne')
    const acme = await world.provider('acme')
    await world.registry.transparency.sequence()
    await world.jobs.run('near-names')
    const { page, visit } = await openOwner(browser, world, acme)
    await visit('/dashboard?tab=log')
    const near = page.getByRole('region', { name: 'Names near yours' })
    expect(await near.innerText()).toMatch(
      /No name that was compared is near yours\.[\s\S]*Private models and accounts without a proven domain are not compared\.[\s\S]* given up, or logged before yours, are only listed by this command:[\s\S]*countersign log monitor/,
    )
    expect(await findFlaws(page)).toEqual([])
  })
})

/** Near names of a company that the other company has given up, before those that it has. */
const addLostNames = async (world: World) => {
  const find = await world.database.read.selectFrom('log_near').selectAll().limit(1).executeTakeFirstOrThrow()
  const lost = Array.from({ length: 550 }, (_, each) => ({
    ...find,
    field: 'domain' as const,
    what: `${each}.example`,
    position: 1_000 + each,
  }))
  await world.database.transaction((tx) => tx.insertInto('log_near').values(lost).execute())
}

describe('names near yours', () => {
  it('are not said to be none before the last page', async () => {
    const world = await createWorld()
    const acme = await world.provider('northwind')
    await world.registry.transparency.sequence()
    await world.jobs.run('near-names')
    await world.provider('northvvind')
    await world.registry.transparency.sequence()
    await world.jobs.run('near-names')
    await addLostNames(world)
    const { page, visit } = await openOwner(browser, world, acme)
    await visit('/dashboard?tab=log')
    const near = page.getByRole('region', { name: 'Names near yours' })
    await near.getByText('The newest names near yours were given up. “Show more” lists older ones.').waitFor()
    await near.getByRole('button', { name: 'Show more' }).click()
    await near.getByText('northvvind.example').waitFor()
    expect(await near.innerText()).not.toContain('Show more')
  })
})

describe('activity', () => {
  it('shows each change in a sentence, and filters by the address', { timeout: 120_000 }, async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const { id: key_id } = await acme.client.keys.create({ name: 'ci' })
    const model_id = await acme.registerModel()
    await acme.client.models.setVisibility(model_id, { is_public: false })
    world.clock.advance('3d')
    await acme.client.keys.revoke(key_id)
    const { page, visit } = await openOwner(browser, world, acme)
    await visit('/dashboard?tab=activity')
    const table = page.getByRole('table', { name: 'Activity' })
    const rows = table.getByRole('row').filter({ has: page.getByRole('button', { name: /^Actions for/ }) })
    await rows.first().waitFor()
    expect(await rows.first().innerText()).toMatch(/API key .ci. was revoked by API key ./)
    expect(await findViolations(page)).toEqual([])
    await table.getByRole('button', { name: /^When/ }).click()
    await page.waitForURL(/sort=created/)
    await expect.poll(() => rows.last().innerText()).toMatch(/API key .ci. was revoked by API key ./)
    await table.getByRole('button', { name: /^When/ }).click()
    await page.waitForURL((address) => !address.search.includes('sort'))
    await expect.poll(() => rows.first().innerText()).toMatch(/API key .ci. was revoked by API key ./)

    const visibility = rows.filter({ hasText: 'visibility' })
    await visibility.getByRole('link').click()
    expect(await page.getByRole('dialog').innerText()).toMatch(/is_public\s+Before: true\s+After: false/)
    if (isFull) expect(await findFlaws(page, '[role=dialog]')).toEqual([])
    await page.keyboard.press('Escape')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ])
    expect((await readFile(await download.path())).toString()).toContain(`model.visibility_changed,model,${model_id}`)

    await page.getByLabel('About').selectOption('model')
    await expect.poll(() => rows.count()).toBe(2)
    expect(await page.getByLabel('Action', { exact: true }).locator('option').allInnerTexts()).not.toContain(
      'API key revoked',
    )
    await page.getByLabel('Action', { exact: true }).selectOption('model.registered')
    await expect.poll(() => rows.count()).toBe(1)
    expect(new URL(page.url()).search).toBe('?tab=activity&kind=model&action=model.registered')
    await page.reload()
    await rows.first().waitFor()
    expect(await rows.count()).toBe(1)
    await page.getByRole('button', { name: 'Clear All Filters' }).click()
    await expect.poll(() => rows.count()).toBeGreaterThan(4)

    const day = new Date(world.clock.now()).toISOString().slice(0, 10)
    await page.getByLabel('From').fill(day)
    await expect.poll(() => rows.count()).toBe(1)
    await actOn(rows.first(), 'Only this')
    await expect.poll(() => rows.count()).toBe(2)
    expect(await page.getByLabel('ID of an item').inputValue()).toBe(key_id)
    await page.getByLabel('ID of an item').fill('mdl_nothing')
    await page.getByText('No activity matches these filters.').waitFor()
    expect(await stateOf(page)).toBe('empty')
  })

  itInFull('says what could not be loaded, and retries', async () => {
    const world = await createWorld()
    const { page, visit } = await openOwner(browser, world, await world.provider('acme'))
    await page.route('**/api/v1/providers/me/events?*', (route) => route.fulfill({ status: 500, body: '' }))
    await visit('/dashboard?tab=activity')
    await page.getByText('Your activity could not be loaded').waitFor()
    await page.unroute('**/api/v1/providers/me/events?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The provider was registered', { exact: false }).waitFor()
    expect(await stateOf(page)).toBe('ready')
  })
})

describeInFull('verifications', () => {
  it('start with the command that mints a link, and show each link with its owner’s fields', {
    timeout: 120_000,
  }, async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const { page, visit } = await openOwner(browser, world, acme)
    await visit('/dashboard?tab=verifications')
    await page.getByText('countersign tokens mint --model MODEL --url').waitFor()
    expect(await stateOf(page)).toBe('empty')
    expect(await findViolations(page)).toEqual([])

    const model_id = await acme.registerModel()
    const other = await acme.registerModel({ display_name: 'Atlas Vision', version: '1.0, files signed' })
    const { spki_fingerprint, deployment_id } = await acme.registerDeployment([model_id])
    await acme.client.verifications.create({ model_id: other })
    world.clock.advance('1h')
    const { token } = await acme.client.verifications.create(
      {
        model_id,
        challenge: 'blue otter',
        origin: 'https://chat.acme.example',
        metadata: { chat: 7 },
        response: 'Oslo',
      },
      { headers: { 'X-Client-Cert-Fingerprint': spki_fingerprint } },
    )
    for (let times = 0; times < 3; times++) await world.anyone.verifications.opened(token)
    // Sets the browser's clock to the registry's.
    await page.clock.install({ time: world.clock.now() })
    await page.reload()
    const rows = page.getByRole('table', { name: 'Links' }).getByRole('row')
    await rows.nth(2).waitFor()
    const newest = rows.nth(1)
    const facts = ['“Atlas Chat 1.0.0”', deployment_id, 'Named, not proven', 'Server not confirmed', 'Expires ']
    for (const said of [...facts, 'Opened 3 times', 'First on ']) expect(await newest.innerText()).toContain(said)
    await newest.getByRole('link').click()
    const details = page.getByRole('dialog', { name: 'Link' })
    for (const said of [...facts, 'An answer is attached', 'blue otter', 'https://chat.acme.example', '{"chat":7}'])
      expect(await details.innerText()).toContain(said)
    expect(await findFlaws(page, '[role=dialog]')).toEqual([])
    await page.keyboard.press('Escape')
    const before = await rows.nth(2).innerText()
    for (const said of ['“Atlas Vision 1.0, files signed”', 'No deployment named', 'Expired', 'Not opened'])
      expect(before).toContain(said)
    expect(await findFlaws(page)).toEqual([])
    // On the narrowest phone, the name has most of the row.
    await page.setViewportSize({ width: 320, height: 740 })
    expect((await newest.getByText('“Atlas Chat 1.0.0”').boundingBox())?.width).toBeGreaterThan(180)
    expect(await newest.innerText()).toContain('Server not confirmed · ')
    await page.setViewportSize({ width: 1280, height: 900 })

    await acme.client.deployments.setStatus(deployment_id, { status: 'disabled' })
    await page.reload()
    await newest.getByText('Deployment disabled').filter({ visible: true }).waitFor()
    expect(await newest.innerText()).toContain('Would have expired')

    await page.getByLabel('Model', { exact: true }).selectOption({ label: '“Atlas Vision 1.0, files signed”' })
    await expect.poll(() => rows.count()).toBe(2)
    expect(new URL(page.url()).searchParams.get('model')).toBe(other)
  })
})
