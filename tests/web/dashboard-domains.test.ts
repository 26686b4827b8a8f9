import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { openOwner } from '../support/owner.ts'
import { findViolations, overflowOf } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const address = '/dashboard?tab=settings&section=domains'

it('adds a domain, proves it by the record shown, makes it primary, and removes the other', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const { page, visit } = await openOwner(browser, world, acme)
  await visit(address)
  const list = page.getByRole('list', { name: 'Domains' })
  await list.getByText('By DNS record, since').waitFor()
  await list.getByText('It is checked every day.').waitFor()

  await page.getByRole('button', { name: 'Add a domain' }).click()
  const adding = page.getByRole('dialog', { name: 'Add a domain' })
  await adding.getByLabel('Domain').fill('gmail.com')
  await adding.getByRole('button', { name: 'Add domain' }).click()
  await adding.getByText('is a public email service').waitFor()
  expect(await findViolations(page)).toEqual([])
  await adding.getByLabel('Domain').fill('www.northwind.example')
  await adding.getByRole('button', { name: 'Add domain' }).click()

  const proving = page.getByRole('dialog', { name: 'Verify the domain northwind.example' })
  await proving.locator('dd code').nth(2).waitFor()
  const [name = '', , value = ''] = await proving.locator('dd code').allInnerTexts()
  await proving.getByRole('button', { name: 'Check now' }).click()
  await proving.getByText('Not verified.').waitFor()
  world.dns.second.setTxt(name, [value])
  await proving.getByRole('button', { name: 'Check now' }).click()
  await proving.getByText('Could not check.').waitFor()
  world.dns.setTxt(name, [value])
  await proving.getByRole('button', { name: 'Check now' }).click()
  await proving.waitFor({ state: 'detached' })
  await expect.poll(() => list.getByText('Proven', { exact: true }).count()).toBe(2)
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await overflowOf(page), `${width}`).toBe(0)
  }

  await page.getByRole('button', { name: 'Make northwind.example primary' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make primary' }).click()
  await page.getByText('Primary domain changed').waitFor()
  expect((await world.anyone.providers.get(acme.id)).domain).toBe('northwind.example')
  await page.getByRole('button', { name: 'Remove acme.example' }).click()
  const removing = page.getByRole('dialog', { name: 'Remove acme.example?' })
  await removing.getByText('no longer be shown as verified').waitFor()
  await removing.getByRole('button', { name: 'Remove domain' }).click()
  await page.getByText('Domain removed').waitFor()
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
}, 120_000)

it('says within a minute that the primary domain was lost or nothing could be loaded, keeps what is typed, and keeps no session by itself', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  await acme.client.verifications.create({ model_id: await acme.registerModel() })
  const { page, visit } = await openOwner(browser, world, acme)
  await page.clock.install()
  await visit('/dashboard?tab=settings&section=profile&edit=profile')
  await page.getByText('Your domain has been verified').waitFor()
  await page.getByLabel('Description').fill('We make')
  world.dns.setTxt(acme.proof.record_name, [])
  await acme.client.providers.verifyDomain({})
  await page.clock.runFor('01:01')
  await page.getByText('Neither your email nor your domain has been verified yet').waitFor({ timeout: 10_000 })
  expect(await page.getByLabel('Description').inputValue()).toBe('We make')

  // Five minutes after the last input, what the page asks for does not keep the session.
  const asked = () => page.waitForRequest(`${world.publicUrl}/api/v1/providers/me`)
  const [first] = await Promise.all([asked(), page.clock.runFor('01:00')])
  expect(await first.headerValue('x-unattended')).toBe(null)
  await page.clock.runFor('04:00')
  const [later] = await Promise.all([asked(), page.clock.runFor('01:00')])
  expect(await later.headerValue('x-unattended')).toBe('true')

  world.dns.setTxt(acme.proof.record_name, [acme.proof.record_value])
  await acme.client.providers.verifyDomain({})
  await visit('/dashboard?tab=verifications')
  const links = page.getByRole('table', { name: 'Links' })
  await links.getByText('Server not confirmed', { exact: true }).waitFor()
  world.dns.setTxt(acme.proof.record_name, [])
  await acme.client.providers.verifyDomain({})
  await page.route('**/api/v1/**', (route) => route.fulfill({ status: 429, body: '' }))
  await page.clock.runFor('01:05')
  await page
    .getByText(/^This page could not be loaded again since \d\d:\d\d\. What you see may have changed\.$/)
    .waitFor()
  await page.unroute('**/api/v1/**')
  await page.clock.runFor('01:05')
  await links.getByText('Provider not verified', { exact: true }).waitFor()
  const noticesLater = async () => {
    await page.clock.runFor('00:30')
    return page.getByText('Could not be loaded again').count()
  }
  await expect.poll(noticesLater).toBe(0)
}, 120_000)

it('shows stale, lost and disputed proofs, an empty state and a failure', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const { page, visit } = await openOwner(browser, world, acme)
  world.dns.fail(acme.proof.record_name, 'servfail')
  world.clock.advance('25h')
  await world.jobs.run('domains')
  await visit(address)
  await page.getByText('Could not be checked', { exact: true }).waitFor()
  await page.getByText('If it cannot be checked for 72 hours, the proof is lost.').waitFor()
  await page.getByText('Last confirmed').waitFor()
  expect(await findViolations(page)).toEqual([])
  // Visitors see when it was last confirmed.
  await page.goto(`${world.publicUrl}/providers/${acme.id}`)
  await page.getByText('acme.example, could not be checked').waitFor()
  await page.getByText('Last confirmed').waitFor()

  world.dns.clear()
  await acme.client.providers.verifyDomain({})
  await visit(address)
  await page.getByText('The proof was lost').waitFor()

  await page.route('**/me/domains', (route) => route.fulfill({ json: { domains: [] } }))
  await visit(address)
  await page.getByText('You have no domain yet').waitFor()
  await page.route('**/me/domains', (route) => route.fulfill({ status: 500, body: 'no' }))
  await visit(address)
  await page.getByText('Your domains could not be loaded').waitFor()
}, 120_000)
