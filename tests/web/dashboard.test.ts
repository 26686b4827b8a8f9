import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { randomFingerprint } from '../support/actors.ts'
import { shareBrowser } from '../support/browser.ts'
import { itInFull, sampled } from '../support/full.ts'
import { openOwner } from '../support/owner.ts'
import { rowOf } from '../support/rows.ts'
import { stateOf } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 180_000
const stepMs = 10_000

const tabs = ['Overview', 'Models', 'Deployments', 'Incidents', 'Verifications', 'Activity', 'Billing', 'Settings']

describe('the provider area', () => {
  itInFull('names the tab in the address, and no tab for the overview', async () => {
    const world = await createWorld()
    const { page, visit } = await openOwner(browser, world, await world.provider('acme'))
    await visit('/dashboard?tab=nonsense')
    const menu = page.getByRole('navigation', { name: 'Dashboard' })
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    for (const tab of [...tabs.slice(1), 'Overview']) {
      await menu.getByRole('link', { name: tab, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: tab }).waitFor()
      expect(await stateOf(page)).not.toBe('failed')
      expect(new URL(page.url()).search).toBe(tab === 'Overview' ? '' : `?tab=${tab.toLowerCase()}`)
      expect(await menu.locator('[aria-current=page]').allInnerTexts()).toEqual([tab])
      expect(await page.title()).toContain('Dashboard · Countersign')
    }
  })

  itInFull('shows the current tab on a phone', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const report = { category: 'other', title: 'Glue on pizza', description: 'It said glue.' } as const
    await world.anyone.incidents.report({ ...report, model_id: await acme.registerModel() })
    const { page, visit } = await openOwner(browser, world, acme, { viewport: { width: 320, height: 740 } })
    for (const tab of ['settings', 'overview', 'incidents']) {
      await visit(`/dashboard?tab=${tab}`)
      await page.getByText('1 open').first().waitFor({ state: 'attached' })
      const box = await page.getByRole('navigation', { name: 'Dashboard' }).locator('[aria-current=page]').boundingBox()
      expect({ tab, isSeen: box !== null && box.x >= 0 && box.x + box.width <= 320 }).toEqual({ tab, isSeen: true })
    }
  })

  it('says that the browser is offline until it is online again', async () => {
    const world = await createWorld()
    const { page, visit } = await openOwner(browser, world, await world.provider('acme'))
    await visit('/dashboard')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.context().setOffline(true)
    const notice = page.getByText('You are offline.', { exact: false })
    await notice.waitFor()
    await page.context().setOffline(false)
    await notice.waitFor({ state: 'detached' })
  })
})

interface Form {
  address: string
  /** The fields to fill; Enter in the last one submits. */
  fields: Record<string, string>
  /** In these fields, Enter starts a new line. */
  button?: string
  call: string
  sending: string
  done: string
}

const newModel = (name: string) => ({
  Description: 'A model that knows maps.',
  'API model identifier': name.toLowerCase(),
  'API endpoint': 'https://api.acme.example/v1',
  'Display name': name,
})

/** One of each kind: a dialog named in the address, a confirmation, a page, and a tab. */
const formsOf = ({
  incident,
  model,
  fingerprint,
}: {
  incident: string
  model: string
  fingerprint: string
}): Form[] => [
  {
    address: '/dashboard?tab=models&register=new',
    fields: newModel('Borea'),
    call: '**/models/register',
    sending: 'Registering…',
    done: 'Model registered successfully!',
  },
  {
    address: '/dashboard/models/register',
    fields: newModel('Cedar'),
    call: '**/models/register',
    sending: 'Registering…',
    done: 'Model registered successfully!',
  },
  {
    address: `/dashboard?tab=models&archive=${model}`,
    fields: { Reason: 'Too old' },
    button: 'Archive',
    call: '**/archive',
    sending: 'Archiving…',
    done: 'Model "Atlas Chat" archived',
  },
  {
    address: '/dashboard?tab=deployments&register=deployment',
    fields: { 'SPKI fingerprint': fingerprint },
    call: '**/deployments/register',
    sending: 'Registering…',
    done: 'Deployment registered successfully',
  },
  {
    address: `/dashboard?tab=incidents&respond=${incident}`,
    fields: { 'Response message': 'We look into it' },
    button: 'Submit Response',
    call: '**/respond',
    sending: 'Submitting…',
    done: 'Incident response submitted successfully',
  },
  {
    address: '/dashboard?tab=settings&section=keys&create=key',
    fields: { Name: 'release pipeline' },
    call: '**/api-keys',
    sending: 'Creating…',
    done: 'API key created successfully',
  },
  {
    address: '/dashboard?tab=settings&section=profile&edit=profile',
    fields: { Description: 'Models for those who travel.' },
    button: 'Save',
    call: '**/api/v1/providers/prv_*',
    sending: 'Saving…',
    done: 'Provider information updated successfully',
  },
]

const fieldOf = (page: Page, label: string) => page.getByLabel(new RegExp(`^${label}`)).first()

const send = async (page: Page, { fields, button }: Form) => {
  if (button === undefined) await fieldOf(page, Object.keys(fields).at(-1) ?? '').press('Enter')
  else await page.getByRole('button', { name: button, exact: true }).last().press('Enter')
}

const shown = (page: Page, text: string) =>
  page
    .locator('[role=alert], [role=status], [aria-live=polite]')
    .getByText(text)
    .filter({ visible: true })
    .first()
    .waitFor()

const isAsTyped = async (page: Page, { fields }: Form) => {
  for (const [label, text] of Object.entries(fields)) expect(await fieldOf(page, label).inputValue()).toBe(text)
}

/** An owner signed in with a session, with something to do in each form. */
const openForms = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const model = await acme.registerModel({ api_model_identifier: 'atlas' })
  const report = { model_id: model, category: 'other', title: 'Glue on pizza', description: 'It said glue.' } as const
  const { incident_id: incident } = await world.anyone.incidents.report(report)
  const session = await world.session(acme)
  const { email } = await acme.client.providers.me()
  const { page, visit } = await openOwner(browser, world, { id: acme.id, apiKey: session.api_key })
  page.setDefaultTimeout(stepMs)
  page.on('dialog', (dialog) => void dialog.accept())
  const begin = async (form: Form) => {
    await visit(form.address)
    for (const [label, text] of Object.entries(form.fields)) await fieldOf(page, label).fill(text)
  }
  const forms = formsOf({ incident, model, fingerprint: randomFingerprint() })
  return { world, acme, session, email: email ?? '', page, visit, begin, forms }
}

describe('interrupted work', () => {
  it('by the network is reported and kept, and sent once even after two clicks', {
    timeout: patience,
  }, async () => {
    const { page, begin, forms } = await openForms()
    // A confirmation and a tab; the other kinds are interrupted by the end of the session.
    for (const form of sampled(forms, 4, 2)) {
      await begin(form)
      await page.context().setOffline(true)
      await send(page, form)
      await shown(page, 'You are offline. Please try again when you are back online.')
      await isAsTyped(page, form)
      await page.context().setOffline(false)

      const held: (() => void)[] = []
      await page.route(form.call, async (route) => {
        if (route.request().method() === 'GET') return route.fallback()
        await new Promise<void>((go) => held.push(go))
        await route.continue()
      })
      await send(page, form)
      await shown(page, form.sending)
      await isAsTyped(page, form)
      const submit = page.getByRole('button', { name: form.sending, exact: true }).last()
      await submit.press('Enter')
      await submit.click({ force: true })
      expect(held).toHaveLength(1)
      held[0]?.()
      await shown(page, form.done)
      expect(held).toHaveLength(1)
      await page.unroute(form.call)
    }
  })

  itInFull(
    'by the network resumes by itself when a part of the page was still loading',
    {
      timeout: patience,
    },
    async () => {
      const world = await createWorld()
      const { id, apiKey } = await world.provider('acme')
      // The console logs the failed requests, as expected.
      const context = await browser.newContext()
      onTestFinished(() => context.close())
      const page = await context.newPage()
      await page.goto(world.publicUrl)
      await page.evaluate((stored) => Object.assign(localStorage, stored), { providerId: id, apiKey })
      await page.goto(`${world.publicUrl}/dashboard?tab=deployments`)
      const opener = page.getByRole('button', { name: 'Register Deployment' })
      await opener.waitFor()
      await page.context().setOffline(true)
      await opener.press('Enter')
      await page.getByRole('alert').filter({ hasText: 'This part of the page has not loaded yet.' }).waitFor()
      await page.context().setOffline(false)
      await page.getByRole('dialog', { name: 'Register Deployment' }).waitFor()
    },
  )

  it('by the end of the session resumes in place after signing in again', { timeout: patience }, async () => {
    const { world, page, begin, forms, session, email } = await openForms()
    let token = session.token
    for (const form of sampled(forms, 4, 1)) {
      await begin(form)
      await world.client(token).auth.signOut({})
      await send(page, form)
      await page.waitForURL('**/login?redirect=*')
      await shown(page, 'Authentication expired')
      await page.getByLabel('Email address').fill(email)
      await page.getByLabel('Password', { exact: true }).fill('a quiet heron at dawn')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL(world.publicUrl + form.address)
      await fieldOf(page, Object.keys(form.fields)[0] ?? '').waitFor()
      await isAsTyped(page, form)
      token = await page.evaluate(() => localStorage.getItem('auth_token') ?? '')
    }
  })

  itInFull('by another tab is refreshed when the person comes back', { timeout: patience }, async () => {
    const { acme, page, visit, forms } = await openForms()
    await page.clock.install()
    const comeBack = async () => {
      await page.clock.fastForward('01:00')
      await page.evaluate(() => dispatchEvent(new Event('focus')))
    }
    await visit('/dashboard?tab=models')
    const shown = rowOf(page, '“Atlas Chat”')
    await shown.getByText('Public', { exact: true }).waitFor()
    const [model] = (await acme.client.providers.models(acme.id)).models
    await acme.client.models.setVisibility(model?.id ?? '', { is_public: false })
    await comeBack()
    await shown.getByText('Private', { exact: true }).waitFor()

    await visit('/dashboard?tab=incidents')
    const row = page.getByRole('row').filter({ hasText: 'Glue on pizza' })
    await row.getByText('Reported', { exact: true }).waitFor()
    const incident = new URLSearchParams(forms.find(({ call }) => call === '**/respond')?.address).get('respond') ?? ''
    await acme.client.incidents.respond(incident, { status: 'investigating' })
    await comeBack()
    await row.getByText('Investigating', { exact: true }).waitFor()
  })
})
