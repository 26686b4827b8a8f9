import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { insertChange, insertRecoveryToken, insertUndo } from '../support/changes.ts'
import { isFull } from '../support/full.ts'
import { openOwner } from '../support/owner.ts'
import { insertMember } from '../support/people.ts'
import { insertPresence, protect } from '../support/presence.ts'
import { findFlaws } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

it('a person sees, rejects and approves what a key asked for, and copies the new key', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const session = await world.session(acme)
  const person_id = (await world.client(session.api_key).members.list()).members[0]?.person_id ?? ''
  const { page, visit } = await openOwner(browser, world, { id: acme.id, apiKey: session.api_key })
  await visit('/dashboard?tab=settings&section=changes')
  await page.getByText('No changes are waiting.').waitFor()

  await protect(world, person_id)
  const name = 'release (asked by the owner)'
  await acme.client.keys.create({ name, scopes: ['models'] }).catch(() => undefined)
  await acme.client.domains.add({ domain: 'thief.example' }).catch(() => undefined)
  await visit('/dashboard')
  await page.getByRole('link', { name: '2 changes wait for approval' }).click()
  const waiting = page.getByRole('list', { name: 'Changes that wait' }).getByRole('listitem')
  await expect.poll(() => waiting.count()).toBe(2)
  expect(await findFlaws(page)).toEqual([])
  await waiting
    .filter({ hasText: 'thief.example' })
    .getByRole('button', { name: /^Reject/ })
    .click()
  await page.getByText('The change was rejected').waitFor()

  await waiting.getByRole('button', { name: /^Approve/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(`“${name}”`, { exact: true }).waitFor()
  await dialog.getByText('models', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('dialog', { name: 'Confirm that it is you' }).getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
  expect(await findFlaws(page)).toEqual([])

  const { headers } = await insertPresence(world, { session_id: session.id, person_id })
  const [cookie = '', value = ''] = headers.cookie.split('=')
  await page
    .context()
    .addCookies([{ name: cookie, value, domain: '127.0.0.1', path: '/', secure: true, httpOnly: true }])
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('heading', { name: 'The new API key' }).waitFor()
  await dialog.getByText(/csk_/).first().waitFor()
  expect((await acme.client.keys.list()).map((key) => key.name)).toContain(name)

  const bo = 'per_06dh0e3x7c9bw4vjz2n8qk5ytm'
  const member = { provider_id: acme.id, person_id: bo, email: 'bo@acme.example', role: 'viewer' } as const
  await world.database.transaction((tx) => insertMember(tx, { ...member, at: world.clock.now() }))
  const recovery = { endpoint: 'factors.recover', params: JSON.stringify({ person_id: bo }) }
  await insertChange(world, acme, { id: 'chg_06dh0e3x7c9bw4vjz2n8qk5ytm', name: '', state: 'delayed', ...recovery })
  await visit('/dashboard?tab=settings&section=changes&change=chg_06dh0e3x7c9bw4vjz2n8qk5ytm')
  await page.locator('[aria-current=true]').getByText('All passkeys of a member are removed').waitFor()
  await waiting.getByRole('button', { name: 'Approve: All passkeys of a member are removed' }).click()
  await dialog.getByText('Ask this person first').waitFor()
  await dialog.getByText('“bo@acme.example”').waitFor()
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('The change was approved').waitFor()
  expect((await acme.client.changes.get('chg_06dh0e3x7c9bw4vjz2n8qk5ytm')).state).toBe('approved')
}, 90_000)

it('undoes a change and starts a recovery on the pages behind the emails', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const session = await world.session(acme)
  const person_id = (await world.client(session.api_key).members.list()).members[0]?.person_id ?? ''
  await protect(world, person_id)
  await insertChange(world, acme, { id: 'chg_06dh0e3x7c9bw4vjz2n8qk5ytn', name: '', state: 'delayed' })
  await insertUndo(world, {
    token: 'undo',
    provider_id: acme.id,
    person_id,
    change_id: 'chg_06dh0e3x7c9bw4vjz2n8qk5ytn',
  })
  await insertRecoveryToken(world, { token: 'recover', person_id })
  const { page, visit } = await openOwner(browser, world, { id: acme.id, apiKey: session.api_key })

  await visit('/undo-change?token=undo')
  expect(await findFlaws(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo it' }).click()
  await page.getByText('The change was cancelled').waitFor()
  expect((await acme.client.changes.get('chg_06dh0e3x7c9bw4vjz2n8qk5ytn')).state).toBe('cancelled')
  await page.reload()
  await page.getByRole('button', { name: 'Undo it' }).click()
  await page.getByText('This link is no longer valid').waitFor()

  await visit('/recover?token=recover')
  await page.getByRole('button', { name: 'Start the recovery' }).click()
  await page.getByRole('heading', { name: 'How to confirm it' }).waitFor()
  if (isFull) expect(await findFlaws(page)).toEqual([])
}, 60_000)
