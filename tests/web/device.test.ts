import { deviceGrantType } from '@countersign/sdk/contract'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { openOwner } from '../support/owner.ts'
import { findFlaws } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

it('shows which machine asks, and signs it in or denies it', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const session = await world.session(acme)
  const { page, visit } = await openOwner(browser, world, { id: acme.id, apiKey: session.api_key })
  const begin = () => world.anyone.devices.begin({ name: 'build-7.acme.example' })
  const poll = (device_code: string) => world.anyone.devices.token({ grant_type: deviceGrantType, device_code })

  const opened = await begin()
  await page.goto(opened.verification_uri_complete)
  await page.getByText(opened.user_code, { exact: true }).waitFor()
  expect(new URL(page.url()).hash).toBe('')
  await page.getByText('“build-7.acme.example”').waitFor()
  expect(await page.getByRole('main').innerText()).toMatch(/It says its program is\s+“/)
  await page.getByRole('main').getByText('Acme Labs').waitFor()
  expect(await findFlaws(page)).toEqual([])
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'The device is signed in' }).waitFor()
  expect(await poll(opened.device_code)).toMatchObject({ provider_id: acme.id })
  await page.getByRole('link', { name: 'See your sessions' }).click()
  await page.getByRole('list', { name: 'Sessions' }).getByText('Device “build-7.acme.example”').waitFor()

  const typed = await begin()
  await visit('/device')
  await page.getByLabel('Code from your terminal').fill('AAAAA-AAAAA')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('No device shows this code').waitFor()
  expect(await findFlaws(page)).toEqual([])
  await page.getByLabel('Code from your terminal').fill(typed.user_code.toLowerCase().replace('-', ''))
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.getByRole('heading', { name: 'The device was denied' }).waitFor()
  await expect(poll(typed.device_code)).rejects.toMatchObject({ problem: { error: 'access_denied' } })
}, 60_000)
