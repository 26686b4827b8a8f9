import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { createImpostor } from '../support/impostor.ts'
import { findFlaws, openVisitor } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

it('shows a proven domain as the company one acts for, and no name that looks like one', async () => {
  const world = await createWorld()
  const [impostor, acme] = [await createImpostor(world, 'acme.example'), await world.provider('acme')]
  const email = 'ada@home.example'
  const page = await openVisitor(browser)
  for (const company of [impostor, acme]) {
    await world.client((await world.session(company)).api_key).members.invite({ email, role: 'publisher' })
    await page.goto((await world.mails(email)).at(-1)?.link ?? '')
    if (company === impostor) await page.getByLabel('Create a password', { exact: true }).fill('a quiet heron at dawn')
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await page.waitForURL('**/dashboard')
  }
  const actingFor = page.getByLabel('Acting for', { exact: true })
  await actingFor.waitFor()
  expect(await actingFor.locator('option').allInnerTexts()).toEqual([
    `${impostor.id} (domain not verified), publisher`,
    'acme.example (“Acme Labs”), publisher',
  ])
  const menu = page.getByRole('banner').locator('button[aria-haspopup="menu"]')
  const shownBeside = (term: string) =>
    page.getByRole('main').getByText(term, { exact: true }).locator('xpath=following-sibling::*[1]').innerText()
  const askingMachine = async () => {
    await page.goto((await world.anyone.devices.begin({ name: 'build-7' })).verification_uri_complete)
    await page.getByText('build-7').waitFor()
    return shownBeside('Acts for')
  }
  await expect.poll(() => menu.innerText()).toBe('acme.example')
  await expect.poll(() => shownBeside('Company')).toMatch(/^acme\.example “Acme Labs”/)
  expect(await askingMachine()).toBe('acme.example (“Acme Labs”)')

  await page.goto(`${world.publicUrl}/dashboard`)
  await actingFor.selectOption(impostor.id)
  await expect.poll(() => menu.innerText()).toBe('Domain not verified\n“acme.example”')
  await expect.poll(() => shownBeside('Company')).toMatch(/^Domain not verified “acme\.example”/)
  expect(await findFlaws(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await findFlaws(page)).toEqual([])
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog').getByText('Signed in as “acme.example” (domain not verified)').waitFor()
  expect(await askingMachine()).toBe('“acme.example” (domain not verified)')
}, 90_000)
