import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { itInFull } from '../support/full.ts'
import { openOwner } from '../support/owner.ts'
import { findFlaws, openVisitor } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

describe('the members of a company', () => {
  it('are invited, join with a password of their own, get another role and are removed', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const session = await world.session(acme)
    const { page, visit } = await openOwner(browser, world, { id: acme.id, apiKey: session.api_key })
    await visit('/dashboard?tab=settings&section=members')
    const invite = async (email: string) => {
      await page.getByRole('textbox', { name: 'Email' }).fill(email)
      await page.getByRole('button', { name: 'Send invitation' }).click()
      await page.getByText(`An invitation is on its way to ${email}`).waitFor()
    }
    await invite('bo@acme.example')
    await page.getByRole('button', { name: 'Withdraw the invitation of bo@acme.example' }).click()
    await page.getByText('The invitation of bo@acme.example was withdrawn').waitFor()
    await invite('ada@acme.example')
    expect(await findFlaws(page)).toEqual([])

    const [bo, ada] = [
      (await world.mails('bo@acme.example')).at(-1)?.link ?? '',
      (await world.mails('ada@acme.example')).at(-1)?.link ?? '',
    ]
    const guest = await openVisitor(browser)
    await guest.goto(bo)
    await guest.getByText('This invitation is no longer valid').waitFor()
    await guest.goto(ada)
    await guest.getByRole('heading', { name: /Join/ }).waitFor()
    expect(await findFlaws(guest)).toEqual([])
    await guest.getByLabel('Create a password', { exact: true }).fill('a quiet heron at dawn')
    await guest.getByRole('button', { name: 'Accept the invitation' }).click()
    await guest.waitForURL('**/dashboard')
    await expect(guest.getByLabel('Acting for', { exact: true }).count()).resolves.toBe(0)

    await visit('/dashboard?tab=settings&section=members')
    await page.getByLabel('Role of ada@acme.example').selectOption('viewer')
    await page.getByText('ada@acme.example now has the role Viewer').waitFor()
    // Nothing is offered before the role is known.
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await guest.route('**/api/v1/auth/providers', (route) => released.then(() => route.continue()))
    await guest.goto(`${world.publicUrl}/dashboard?tab=models`)
    const register = guest.getByRole('button', { name: 'Register New Model' })
    await expect(register.first().waitFor({ timeout: 1_500 })).rejects.toThrow('Timeout')
    release()
    await guest.getByText('You are a viewer here').waitFor()
    expect(await register.count()).toBe(0)
    // Members revoke the keys that they made, and no others; only owners and admins report a leak.
    await guest.goto(`${world.publicUrl}/dashboard?tab=settings&section=keys&create=key`)
    const [dialog, revoke] = [guest.getByRole('dialog'), guest.getByRole('button', { name: /^Revoke / })]
    await dialog.getByLabel('Name').fill('reports')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('It won’t be shown again').waitFor()
    await guest.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await expect.poll(() => guest.getByRole('list', { name: 'API keys' }).getByRole('listitem').count()).toBe(2)
    await expect.poll(() => revoke.count()).toBe(1)
    await revoke.click()
    await dialog.getByRole('heading', { name: 'Revoke the key “reports”?' }).waitFor()
    expect(await dialog.getByRole('checkbox').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Revoke key' }).click()
    await guest.getByText('API key revoked successfully').waitFor()
    await guest.getByRole('button', { name: 'Show 1 inactive key' }).click()
    await guest.getByRole('list', { name: 'Inactive API keys' }).waitFor()
    expect(await guest.getByRole('button', { name: /reports/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Remove ada@acme.example' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click()
    await page.getByText('ada@acme.example was removed').waitFor()
    await expect(guest.reload().then(() => guest.waitForURL('**/login*'))).resolves.toBeUndefined()
  }, 90_000)

  it('are invited by a company whose name or domain is not shown', async () => {
    const world = await createWorld()
    await world.provider('acme')
    const globe = await world.provider('globe')
    await globe.client.providers.update(globe.id, { company_name: 'Acme Labs' })
    const owner = world.client((await world.session(globe)).api_key)
    await owner.members.invite({ email: 'ada@home.example', role: 'viewer' })
    const guest = await openVisitor(browser)
    await guest.clock.install()
    await guest.goto((await world.mails('ada@home.example')).at(-1)?.link ?? '')
    await guest.getByText('has proven the domain globe.example').waitFor()
    await guest.getByLabel('Create a password').fill('half typed')
    world.dns.setTxt(globe.proof.record_name, [])
    await globe.client.providers.verifyDomain({})
    await guest.clock.runFor('01:01')
    await guest.getByRole('heading', { name: 'Join a company without a name', exact: true }).waitFor()
    await guest.getByText('The company has not proven a domain yet.').waitFor()
    await guest.getByText('Invited by “globe@globe.example”.').waitFor()
    expect(await guest.locator('main').innerText()).not.toContain('Acme Labs')
    expect(await guest.getByLabel('Create a password').inputValue()).toBe('half typed')
    await guest.route('**/api/v1/**', (route) => route.fulfill({ status: 429, body: '' }))
    const main = guest.locator('main')
    const nextText = async () => {
      await guest.clock.runFor('01:01')
      return main.innerText()
    }
    await expect.poll(nextText).toContain('This could not be loaded')
    expect(await main.innerText()).not.toMatch(/Invited by|has not proven/)
    expect(await guest.getByLabel('Create a password').inputValue()).toBe('half typed')
    await guest.unroute('**/api/v1/**')
    const [invitation] = (await owner.members.list()).invitations
    await owner.members.withdraw(invitation?.id ?? '')
    const nextState = async () => {
      await guest.clock.runFor('01:01')
      return main.getAttribute('data-state')
    }
    await expect.poll(nextState).toBe('refused')
  })

  it('choose for each tab the company for which it acts', async () => {
    const world = await createWorld()
    const [acme, contoso] = [await world.provider('acme'), await world.provider('contoso')]
    const guest = await openVisitor(browser)
    for (const [company, inviter] of [
      ['acme', acme],
      ['contoso', contoso],
    ] as const) {
      const owner = world.client((await world.session(inviter)).api_key)
      await owner.members.invite({ email: 'ada@home.example', role: 'viewer' })
      await guest.goto((await world.mails('ada@home.example')).at(-1)?.link ?? '')
      if (company === 'acme') await guest.getByLabel('Create a password', { exact: true }).fill('a quiet heron at dawn')
      await guest.getByRole('button', { name: 'Accept the invitation' }).click()
      await guest.waitForURL('**/dashboard')
    }
    const shown = guest.getByLabel('Acting for', { exact: true })
    const [of, to] = [await shown.inputValue(), acme.id]
    expect(of).toBe(contoso.id)
    const other = await guest.context().newPage()
    await other.goto(`${world.address}/dashboard`)
    await shown.selectOption(to)
    await guest.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => shown.inputValue()).toBe(acme.id)
    expect(await findFlaws(guest)).toEqual([])
    await other.reload()
    expect(await other.getByLabel('Acting for', { exact: true }).inputValue()).toBe(contoso.id)
    const opened = await guest.context().newPage()
    await opened.goto(`${world.address}/dashboard`)
    expect(await opened.getByLabel('Acting for', { exact: true }).inputValue()).toBe(acme.id)
  }, 90_000)

  itInFull(
    'change the address with which they sign in, take that back, and erase their data',
    async () => {
      const world = await createWorld()
      const acme = await world.provider('acme')
      const owner = world.client((await world.session(acme)).api_key)
      await owner.members.invite({ email: 'ada@home.example', role: 'viewer' })
      const opened = await openVisitor(browser)
      await opened.goto((await world.mails('ada@home.example')).at(-1)?.link ?? '')
      await opened.getByLabel('Create a password', { exact: true }).fill('a quiet heron at dawn')
      await opened.getByRole('button', { name: 'Accept the invitation' }).click()
      await opened.waitForURL('**/dashboard')
      await opened.goto(`${world.address}/dashboard?tab=settings&section=sessions`)
      await opened.getByLabel('New email address').fill('ada@new.example')
      await opened.getByLabel('Your password', { exact: true }).fill('a quiet heron at dawn')
      await opened.getByRole('button', { name: 'Email me a code' }).click()
      await opened.getByLabel('Code from the email').waitFor()
      expect(await findFlaws(opened)).toEqual([])
      await opened.getByLabel('Code from the email').fill((await world.mails('ada@new.example')).at(-1)?.code ?? '')
      await opened.getByRole('button', { name: 'Change my address' }).click()
      await opened.getByText('You sign in as ada@new.example').waitFor()
      await opened.goto((await world.mails('ada@home.example')).at(-1)?.link ?? '')
      await opened.getByRole('button', { name: 'Take it back' }).click()
      await opened.getByLabel('Create a password', { exact: true }).fill('another heron at dusk')
      await opened.getByRole('button', { name: 'Continue with Password' }).click()
      await opened.waitForURL('**/dashboard')
      await opened.goto(`${world.address}/dashboard?tab=settings&section=sessions`)
      await opened.getByText('You sign in as ada@home.example').waitFor()
      await opened.getByRole('button', { name: 'Erase my data' }).click()
      await opened.getByRole('dialog').getByLabel('Your password', { exact: true }).fill('another heron at dusk')
      await opened.getByRole('dialog').getByLabel('Type erase to confirm').fill('erase')
      await opened.getByRole('dialog').getByRole('button', { name: 'Erase my data' }).click()
      await opened.getByText('Your data was erased').waitFor()
      await opened.goto(`${world.address}/dashboard`)
      await opened.waitForURL('**/login*')
    },
    90_000,
  )
})
