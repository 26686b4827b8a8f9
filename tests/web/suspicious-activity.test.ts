import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { openOwner } from '../support/owner.ts'
import { insertPresence, protect } from '../support/presence.ts'
import { findFlaws } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

it('undoes what a stolen key did, with one confirmation, and says why the rest stays', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model_id = await acme.registerModel()
  const other = await acme.registerModel({ display_name: 'Road Chat' })
  const session = await world.session(acme)
  const stolen = await acme.client.keys.create({ name: 'Chat server', scopes: ['full'] })
  const person_id = (await world.client(session.api_key).members.list()).members[0]?.person_id ?? ''
  await protect(world, person_id)
  const thief = world.client(stolen.api_key)
  await thief.models.quickEdit(other, { display_name: 'Thief Chat' })
  await thief.verifications.create({ model_id: other })
  await thief.models.archive(model_id, { reason: 'gone' })

  const { page, visit } = await openOwner(browser, world, { id: acme.id, apiKey: session.api_key })
  await visit('/dashboard?tab=settings&section=activity')
  const key = page.getByRole('region', { name: 'API key “Chat server”', exact: true })
  await key.getByText('Minted one link.').waitFor()
  expect(await findFlaws(page)).toEqual([])
  await key.getByRole('checkbox', { name: /^Choose everything/ }).check()
  await key.getByRole('button', { name: 'Undo 2 acts' }).click()
  const dialog = page.getByRole('dialog', { name: /^Undo 2 acts of API key/ })
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
  expect(await acme.client.models.get(model_id)).toMatchObject({ is_archived: true })

  const { headers } = await insertPresence(world, { session_id: session.id, person_id })
  const [name = '', value = ''] = headers.cookie.split('=')
  await page.context().addCookies([{ name, value, domain: '127.0.0.1', path: '/', secure: true, httpOnly: true }])
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('1 of 2 undone').waitFor()
  await key.getByText('links name this version').waitFor()
  await key.getByText('Undone', { exact: false }).first().waitFor()
  expect(await findFlaws(page)).toEqual([])
  expect(await acme.client.models.get(model_id)).toMatchObject({ is_archived: false })
}, 90_000)
