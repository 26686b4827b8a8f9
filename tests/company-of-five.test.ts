import type { Role } from '@countersign/sdk/contract'
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { createCommandLine, errorOf } from './cli/process.ts'
import { password } from './support/account-rows.ts'
import { shareBrowser } from './support/browser.ts'
import { openOwner } from './support/owner.ts'
import { findFlaws, openVisitor } from './support/visitor.ts'
import { createWorld, type World } from './support/world.ts'

let browser: Awaited<ReturnType<typeof shareBrowser>>
beforeAll(async () => {
  browser = await shareBrowser()
})

type Joined = Exclude<Role, 'owner'>
const joined = ['admin', 'publisher', 'responder', 'viewer'] as const satisfies readonly Joined[]
const emailOf = (role: Joined) => `${role}@acme.example`

/** Accepts the invitation in a browser of their own, which is then at the dashboard. */
const accept = async (world: World, role: Joined): Promise<Page> => {
  const page = await openVisitor(browser)
  await page.goto((await world.mails(emailOf(role))).at(-1)?.link ?? '')
  await page.getByLabel('Create a password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

it('a company of five works in one account, in the console and on the command line, each as their role allows', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const owner = await openOwner(browser, world, { id: acme.id, apiKey: (await world.session(acme)).api_key })
  await owner.visit('/dashboard?tab=settings&section=members')
  for (const role of joined) {
    await owner.page.getByRole('textbox', { name: 'Email' }).fill(emailOf(role))
    await owner.page.getByLabel('Role', { exact: true }).selectOption(role)
    await owner.page.getByRole('button', { name: 'Send invitation' }).click()
    await owner.page.getByText(`An invitation is on its way to ${emailOf(role)}`).waitFor()
  }

  // Everyone joins. The menu says what a limited role may do.
  const pages = new Map<Joined, Page>()
  for (const role of joined) pages.set(role, await accept(world, role))
  const pageOf = (role: Joined) => pages.get(role) as Page
  await pageOf('publisher').getByText('You are a publisher here').waitFor()
  await pageOf('responder').getByText('You are a responder here').waitFor()
  await pageOf('viewer').getByText('You are a viewer here').waitFor()
  expect(await findFlaws(pageOf('viewer'))).toEqual([])
  expect(await pageOf('admin').getByText('here: you can').count()).toBe(0)

  // Each signs in with a key of their own role.
  const cli = await createCommandLine(world.address)
  const keyOf = async (role: Joined) => {
    const { api_key } = await world.anyone.auth.login({ email: emailOf(role), password })
    const client = world.client(api_key)
    const scopes = { admin: ['full'], publisher: ['models'], responder: ['incidents'], viewer: ['read'] } as const
    return { client, key: (await client.keys.create({ name: role, scopes: [...scopes[role]] })).api_key }
  }
  const as = async (role: Joined) => {
    const { client, key } = await keyOf(role)
    const call = (...args: string[]) => cli.call([...args, '--json'], { env: { COUNTERSIGN_API_KEY: key } })
    return { client, call }
  }
  const [admin, publisher, responder, viewer] = await Promise.all(joined.map(as))
  if (!admin || !publisher || !responder || !viewer) throw new Error('Everyone joined')

  const model = ['--identifier', 'atlas', '--display-name', 'Atlas', '--version', '1', '--description', 'Knows maps.']
  const register = ['models', 'register', ...model, '--endpoint', 'https://api.acme.example']
  const refused = await viewer.call(...register)
  expect({ exit: refused.exit, ...errorOf(refused) }).toMatchObject({ exit: 4, code: 'forbidden' })
  const registered = await publisher.call(...register)
  expect(registered.exit, registered.stderr).toBe(0)
  const { model_id } = JSON.parse(registered.stdout)
  expect((await viewer.call('models', 'show', model_id)).exit).toBe(0)

  const report = { category: 'other', title: 'Slow', description: 'It takes a minute.' } as const
  const { incident_id } = await world.anyone.incidents.report({ model_id, ...report })
  const respond = ['incidents', 'respond', incident_id, '--status', 'investigating']
  expect((await publisher.call(...respond)).exit).toBe(4)
  expect((await responder.call(...respond)).exit).toBe(0)
  // Their sessions can do no more than their keys.
  const forbidden = { code: 'forbidden' }
  await expect(publisher.client.incidents.respond(incident_id, { status: 'resolved' })).rejects.toMatchObject(forbidden)
  await expect(responder.client.models.setVisibility(model_id, { is_public: false })).rejects.toMatchObject(forbidden)

  expect((await admin.call('keys', 'create', 'CI')).exit).toBe(0)
  const { members } = await admin.client.members.list()
  await expect(admin.client.members.remove(members[0]?.person_id ?? '', {})).rejects.toMatchObject(forbidden)

  // The pages offer what the role allows, and say who may do the rest.
  const page = pageOf('viewer')
  const dashboard = `${world.publicUrl}/dashboard?tab=`
  const offers = async (visitor: Page, tab: string, name: string) => {
    await visitor.goto(`${dashboard}${tab}`)
    await visitor.locator('main[data-state=ready], main[data-state=empty]').waitFor()
    await visitor.getByRole('navigation', { name: 'Dashboard' }).waitFor()
    await visitor.getByText(/^You are a (publisher|responder|viewer) here/).waitFor()
    return (await visitor.getByRole('main').getByRole('button', { name }).count()) > 0
  }
  const actions = [
    { tab: 'overview', name: 'Create a link', may: ['publisher'] },
    { tab: 'models', name: 'Register New Model', may: ['publisher'] },
    { tab: 'verifications', name: 'Create a link', may: ['publisher'] },
  ] as const satisfies { tab: string; name: string; may: readonly Joined[] }[]
  for (const { tab, name, may } of actions)
    for (const role of ['publisher', 'viewer'] as const)
      expect(await offers(pageOf(role), tab, name), `${role}: ${name}`).toBe(may.some((each) => each === role))
  await page.goto(`${dashboard}overview`)
  const listing = page.getByRole('switch')
  await page.getByText('Only owners and admins can do this.').first().waitFor()
  expect(await listing.isDisabled()).toBe(true)
  await page.goto(`${dashboard}models`)
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Details' }).waitFor()
  expect(await page.getByRole('menuitem', { name: /Archive|New version|Make/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
  expect(await page.getByRole('checkbox', { name: /^Select/ }).count()).toBe(0)
  // The keys that the list names.
  await page.getByText('move · enter open').waitFor()
  await page.goto(`${dashboard}models&register=new`)
  await page.getByRole('button', { name: /^Actions for/ }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.goto(`${dashboard}settings&section=keys&create=key`)
  const scopes = page.getByRole('dialog').getByRole('checkbox')
  await expect.poll(() => scopes.count()).toBe(1)
  expect(await page.getByRole('dialog').getByRole('radio').count()).toBe(1)
  await page.goto(`${dashboard}settings&section=activity`)
  await page.getByText('Only owners and admins can do this.').waitFor()
  expect(await page.getByRole('main').getByRole('alert').count()).toBe(0)
  await page.goto(`${dashboard}settings&section=organization`)
  await page.getByText('Only owners can change this.').first().waitFor()
  expect(await page.getByRole('button', { name: /Delete|Edit|Deactivate/ }).count()).toBe(0)
  expect(await findFlaws(page)).toEqual([])

  // A new role and a removal count at the next call.
  await owner.page.reload()
  await owner.page.getByLabel(`Role of ${emailOf('viewer')}`).selectOption('publisher')
  await owner.page.getByText(`${emailOf('viewer')} now has the role Publisher`).waitFor()
  await viewer.client.models.setVisibility(model_id, { is_public: false })
  await owner.page.getByRole('button', { name: `Remove ${emailOf('publisher')}` }).click()
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click()
  await owner.page.getByText(`${emailOf('publisher')} was removed`).waitFor()
  expect((await publisher.call('models', 'show', model_id)).exit).not.toBe(0)
  await expect(publisher.client.members.list()).rejects.toMatchObject({ code: 'unauthorized' })
}, 120_000)
