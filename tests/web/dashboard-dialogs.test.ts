import type { Browser, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { closeByKey, findUnreached, findUnspoken, findUntold, openByKey } from '../support/dialog.ts'
import { itInFull, sampled } from '../support/full.ts'
import { openOwner } from '../support/owner.ts'
import { ecKeys } from '../support/sigstore/keys.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 240_000
const stepMs = 15_000

interface DialogRow {
  opener: string | RegExp
  /** What to choose in the opener's menu. */
  item?: string | RegExp
  name: string | RegExp
  /** An element that shows the dialog is complete. */
  ready?: string | RegExp
  /** Fills in part of the dialog, and says whether that survives Escape. */
  typed?: { label: string | RegExp; text: string; isKept?: boolean }
  /** The field in which Enter submits, its text, and the expected result. */
  wrong?: {
    label: string | RegExp
    text?: string
    said: string | RegExp
    first?: (dialog: Locator) => Promise<unknown>
  }
  /** Runs before the opener can be pressed. */
  first?: (page: Page) => Promise<unknown>
}

const choose = (name: string | RegExp) => (page: Page) => page.getByRole('checkbox', { name }).first().press('Space')

/** The menu of a row. */
const menu = /^Actions for/

/** Every dialog of the provider area and how to open it. */
const dialogs: Record<string, DialogRow[]> = {
  '/dashboard': [
    { opener: 'Verify your email now', name: 'Verify your email address' },
    { opener: 'Complete domain verification', name: /^Verify the domain/ },
  ],
  '/dashboard?tab=settings&section=profile': [
    {
      first: (page) => page.getByRole('button', { name: 'Show Additional Details' }).press('Enter'),
      opener: 'Add logo',
      name: 'Company Logo',
      wrong: { label: 'URL of the image', said: 'Enter the URL of an image' },
    },
  ],
  '/dashboard?tab=models': [
    {
      opener: 'Register New Model',
      name: 'Register New Model',
      ready: 'Model Visibility',
      typed: { label: 'Display name', text: 'Half a name', isKept: true },
      wrong: { label: 'API endpoint', said: /./ },
    },
    { opener: menu, item: 'Details', name: /1\.0\.0$/, ready: 'API model identifier' },
    { opener: menu, item: 'History', name: 'Model Version History', ready: 'Versions (1)' },
    {
      opener: menu,
      item: 'New Version',
      name: 'Create New Version',
      ready: 'Model Visibility',
      typed: { label: 'Version', text: '7', isKept: true },
      wrong: { label: 'Version', text: '1.0.0', said: 'Please specify a different version number for the new version' },
    },
    {
      opener: menu,
      item: /^Edit \(/,
      name: 'Edit Model',
      ready: 'Model Visibility',
      typed: { label: 'Display name', text: 'Half a name', isKept: true },
      wrong: { label: 'Display name', text: '', said: /Display name:|at least/ },
    },
    { opener: menu, item: 'Archive', name: /^Archive “/, typed: { label: /^Reason/, text: 'Too old', isKept: true } },
    { opener: menu, item: 'Bundle', name: /^Signed bundle of/, ready: 'Upload a bundle' },
    { opener: menu, item: 'Monitoring', name: /^Monitoring of/, ready: 'Monitor the endpoint' },
    { opener: menu, item: 'Deployments', name: /^Deployments of/, ready: 'Authorize a deployment' },
    { first: choose(/^Select “/), opener: 'Archive', name: /^Archive 1 model/ },
  ],
  '/dashboard?tab=deployments': [
    {
      opener: 'Register Deployment',
      name: 'Register Deployment',
      typed: { label: 'SPKI fingerprint', text: 'abc', isKept: true },
      wrong: {
        label: 'SPKI fingerprint',
        text: 'abcd',
        said: 'SPKI fingerprint must be exactly 64 hex characters',
        first: async (dialog) => {
          await dialog.getByRole('button', { name: 'Add label' }).press('Enter')
          await dialog.getByLabel('Value of label 1').fill('eu')
        },
      },
    },
    {
      opener: 'Trust an identity',
      name: 'Trust a platform identity',
      ready: 'Subject',
      typed: { label: 'Subject', text: '104892101023384723846', isKept: true },
      wrong: { label: 'Subject', text: '', said: 'Subject is required' },
    },
    { opener: menu, item: 'Add Model', name: 'Add Model', ready: 'Authorize' },
    { opener: menu, item: 'Details', name: /^Deployment [0-9a-f]/, ready: 'SPKI fingerprint' },
    { opener: menu, item: 'Delete', name: /^Delete deployment/ },
    { first: choose(/^Select [0-9a-f]{16}/), opener: 'Disable', name: /^Disable 1 deployment/ },
    { opener: 'Delete', name: /^Delete 1 deployment/ },
  ],
  '/dashboard?tab=incidents': [
    { opener: menu, item: 'Details', name: 'Incident Details', ready: 'History' },
    {
      opener: menu,
      item: 'Respond',
      name: 'Respond to Incident',
      typed: { label: /^Response message/, text: 'We look into it', isKept: true },
    },
    { first: choose(/^Select /), opener: /^Dismiss/, name: /^Dismiss / },
  ],
  '/dashboard?tab=activity': [{ opener: menu, item: 'What changed', name: 'Log entry' }],
  '/dashboard?tab=settings&section=keys': [
    {
      opener: 'Create API key',
      name: /API key/,
      typed: { label: 'Name', text: 'release', isKept: true },
      wrong: { label: 'Name', text: '', said: 'Enter a name for the key' },
    },
    { opener: /^Revoke /, name: /^Revoke the key/ },
  ],
  '/dashboard?tab=settings&section=publishers': [
    {
      opener: 'Add a publisher',
      name: 'Add a trusted publisher',
      ready: 'Repository',
      typed: { label: 'Repository', text: 'acme/models', isKept: true },
      wrong: { label: 'Repository', text: 'acme', said: /./ },
    },
  ],
  '/dashboard?tab=settings&section=signers': [
    {
      opener: 'Declare a signer',
      name: /signer/i,
      ready: 'For the model identifier',
      typed: { label: 'Repository', text: 'https://github.com/acme', isKept: true },
      wrong: { label: 'Repository', text: 'acme/models', said: 'Must be the address of a repository' },
    },
    { opener: /^Withdraw /, name: /^Withdraw|no longer/ },
    {
      opener: /^Prove key/,
      name: 'Prove that this key is yours',
      ready: 'countersign signer proof',
      typed: { label: /^Signature/, text: 'MEQC' },
      wrong: { label: /^Signature/, text: 'not base64!', said: 'Enter the signature of the text above, in base64' },
    },
  ],
  '/dashboard?tab=settings&section=organization': [
    {
      opener: 'Change company or website',
      name: /company/i,
      typed: { label: 'Company name', text: 'Acme Research', isKept: true },
      wrong: { label: 'Company name', text: '', said: /./ },
    },
    { opener: 'Deactivate', name: /^Deactivate/ },
    { opener: 'Delete Account', name: /^Delete/, typed: { label: /^Type /, text: 'Acme' } },
  ],
}

const field = (dialog: Locator, label: string | RegExp) =>
  dialog.getByLabel(label, { exact: typeof label === 'string' }).first()

/** The dialogs of an account with a password and several sessions. */
const ofSessions: DialogRow[] = [
  { opener: /^End session of/, name: /^End the session/ },
  { opener: 'End all other sessions', name: /other session/ },
]

/** What a dialog must hide from keyboard and screen reader users. */
const inspect = async (page: Page, dialog: Locator) => ({
  unreached: await findUnreached(page, dialog),
  unspoken: await findUnspoken(dialog),
  untold: await findUntold(dialog),
})

const walk = async (page: Page, { opener: label, item, name, ready, typed, wrong, first }: DialogRow) => {
  await first?.(page)
  const opener = page.getByRole('button', { name: label, exact: true }).first()
  const dialog = await openByKey(page, opener, name, item)
  const isWhole = async () => {
    if (ready !== undefined) await dialog.getByText(ready).first().waitFor()
  }
  await isWhole()
  const findings = await inspect(page, dialog)
  if (typed) {
    await field(dialog, typed.label).fill(typed.text)
    await closeByKey(page, dialog, opener)
    await openByKey(page, opener, name, item)
    await isWhole()
    expect(await field(dialog, typed.label).inputValue()).toBe(typed.isKept ? typed.text : '')
  }
  if (wrong) {
    await wrong.first?.(dialog)
    await field(dialog, wrong.label).fill(wrong.text ?? '')
    await field(dialog, wrong.label).press('Enter')
    await dialog.getByRole('alert').filter({ hasText: wrong.said }).first().waitFor()
    expect(await field(dialog, wrong.label).getAttribute('aria-invalid')).toBe('true')
    findings.untold.push(...(await findUntold(dialog)))
  }
  await closeByKey(page, dialog, opener)
  return findings
}

const nothing = { unreached: [], unspoken: [], untold: [] }

const createOwned = async () => {
  const world = await createWorld()
  const acme = await world.provider('acme', { isVerified: false })
  const modelId = await acme.registerModel({ api_model_identifier: 'atlas' })
  await acme.registerModel({ api_model_identifier: 'cedar', display_name: 'Cedar' })
  await acme.registerDeployment([modelId])
  await acme.registerDeployment()
  await world.anyone.incidents.report({
    model_id: modelId,
    category: 'other',
    title: 'Glue on pizza',
    description: 'It said glue.',
  })
  const issuer = 'https://token.actions.githubusercontent.com'
  await acme.client.signers.declare({
    signer: { kind: 'repository', issuer, repository: 'https://github.com/acme/models' },
  })
  const public_key = ecKeys().publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await acme.client.signers.declare({ signer: { kind: 'key', public_key } })
  return { world, acme }
}

describe('every dialog of the provider area', () => {
  itInFull(
    'is opened, used, sent and closed by keyboard, and announces its content',
    {
      timeout: patience,
    },
    async () => {
      const { world, acme } = await createOwned()
      const { page, visit } = await openOwner(browser, world, acme)
      page.setDefaultTimeout(stepMs)
      for (const [address, rows] of Object.entries(dialogs)) {
        await visit(address)
        // All are made of one component.
        for (const row of rows.length > 2 ? sampled(rows, 3, 1) : rows)
          expect({ name: row.name, ...(await walk(page, row)) }).toEqual({ name: row.name, ...nothing })
      }
    },
  )

  it('of the sessions is also used by keyboard', { timeout: patience }, async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const session = await world.session(acme)
    const { email } = await acme.client.providers.me()
    await world.anyone.auth.login({ email: email ?? '', password: 'a quiet heron at dawn' })
    const { page, visit } = await openOwner(browser, world, { id: acme.id, apiKey: session.api_key })
    page.setDefaultTimeout(stepMs)
    await visit('/dashboard?tab=settings&section=sessions')
    for (const row of ofSessions) expect(await walk(page, row)).toEqual(nothing)
    await visit('/dashboard?tab=settings&section=keys')
    const opener = page.getByRole('button', { name: 'Create API key' })
    const dialog = await openByKey(page, opener, /API key/)
    await dialog.getByLabel('Name', { exact: true }).fill('release')
    await page.keyboard.press('Enter')
    const made = page.getByRole('dialog').filter({ hasText: 'It won’t be shown again' })
    await made.waitFor()
    expect(await inspect(page, made)).toEqual(nothing)
    // It asks first: the key was not copied.
    await page.keyboard.press('Escape')
    await made.getByRole('alert').filter({ hasText: /./ }).waitFor()
    await closeByKey(page, made, opener)
  })

  it('that opens a second dialog returns the focus to where it was', { timeout: patience }, async () => {
    const { world, acme } = await createOwned()
    const { page, visit } = await openOwner(browser, world, acme)
    page.setDefaultTimeout(stepMs)
    await visit('/dashboard/models/register')
    const fields = { 'Display name': 'Atlas', 'API model identifier': 'atlas', Description: 'A model that knows maps.' }
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
    const last = page.getByLabel('API endpoint', { exact: true })
    await last.fill('https://api.acme.example/v1')
    const conflict = await openByKey(page, last, 'Model Already Exists')
    expect(await inspect(page, conflict)).toEqual(nothing)
    await closeByKey(page, conflict, last)

    const away = page.getByRole('link', { name: 'Models', exact: true }).first()
    const question = await openByKey(page, away, 'Leave without saving?')
    expect(await inspect(page, question)).toEqual(nothing)
    await closeByKey(page, question, away)
    expect(await last.inputValue()).toBe('https://api.acme.example/v1')
  })
})
