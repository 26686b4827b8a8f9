import { readFile } from 'node:fs/promises'
import type { Browser, Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { isFull, itInFull, sampled } from '../support/full.ts'
import { openOwner } from '../support/owner.ts'
import { actOn } from '../support/rows.ts'
import { openVisitor } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 180_000
const stepMs = 10_000

/** A proxy in front of the registry answers instead of it, without its message. */
type Answer = 'no answer' | number | { json: unknown }

/** Which call gets which answer. */
type Fault = [method: string, address: string, answer: Answer]

const answerWith = (route: Route, answer: Answer) => {
  if (answer === 'no answer') return route.abort()
  if (typeof answer === 'object') return route.fulfill({ json: answer.json })
  return route.fulfill({
    status: answer,
    headers: { 'X-Should-Retry': 'false' },
    contentType: 'text/html',
    body: '<h1>Busy</h1>',
  })
}

const withFault = async ([method, address, answer]: Fault, page: Page, act: () => Promise<unknown>) => {
  await page.route(address, (route) =>
    route.request().method() === method ? answerWith(route, answer) : route.fallback(),
  )
  await act()
  await page.unroute(address)
}

/** What screen readers announce. */
const toldAloud = (page: Page, words: string) =>
  page
    .locator('[role=alert], [role=status], [aria-live=polite]')
    .getByText(words)
    .filter({ visible: true })
    .first()
    .waitFor()

interface Step {
  shown: string[]
  fault?: Fault
  /** The user's action; by default the page is reopened. */
  act?: (page: Page) => Promise<unknown>
}

/** One page, and its possible failures. */
type Walk = [address: string, steps: Step[]]

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const inDialog = (name: string) => (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
/** Does something from the menu of the first row. */
const inMenu = (name: string | RegExp) => (page: Page) => actOn(page.getByRole('row').nth(1), name)
const close = (page: Page) => page.keyboard.press('Escape')
const inTurn =
  (...acts: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const act of acts) await act(page)
  }

const fill = (fields: Record<string, string>) => async (page: Page) => {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
}
const newModel = fill({
  'Display name': 'Borea',
  'API model identifier': 'borea',
  'API endpoint': 'https://api.acme.example/v1',
  Description: 'A model that answers questions about winds.',
})

const ownModels = '**/api/v1/providers/*/models?*'
const registering = '**/api/v1/models/register'
const nothing = { json: null }

const models: Walk = [
  '/dashboard?tab=models',
  [
    {
      fault: ['GET', ownModels, 'no answer'],
      shown: ['Failed to load models: Connection failed - unable to reach the API server.'],
    },
    {
      fault: ['GET', ownModels, 502],
      shown: ['Failed to load models: Failed to fetch provider models (502)'],
    },
    {
      act: inTurn(press('Try Again'), inMenu(/^Make /)),
      fault: ['PUT', '**/visibility', 502],
      shown: ['Failed to update visibility', 'Failed to update model visibility (502)'],
    },
    {
      act: inMenu(/^Make /),
      fault: ['PUT', '**/visibility', 400],
      shown: ['Invalid visibility settings'],
    },
    {
      act: inMenu('History'),
      fault: ['GET', '**/history*', 502],
      shown: ['Failed to load model history', 'Failed to fetch model history (502)'],
    },
    {
      act: inTurn(close, inMenu('Archive'), inDialog('Archive')),
      fault: ['POST', '**/archive', 502],
      shown: ['Failed to archive model'],
    },
    {
      act: inTurn(close, inMenu('New Version'), inDialog('Create New Version')),
      fault: ['POST', registering, 502],
      shown: ['Failed to create new version: Server error (502): Bad Gateway'],
    },
    {
      act: inTurn(close, press('Register New Model'), newModel, inDialog('Register Model')),
      fault: ['POST', registering, 504],
      shown: ['Failed: Server error (504): Gateway Timeout'],
    },
    { act: inDialog('Register Model'), fault: ['POST', registering, 520], shown: ['Failed: Failed to register model'] },
    {
      act: inDialog('Register Model'),
      fault: ['POST', registering, nothing],
      shown: ['Failed to save model. Please try again.'],
    },
    {
      act: inTurn(close, (page) => page.evaluate(refuseToCopy), inMenu('Details'), press('Copy Model ID')),
      shown: ['Failed to copy to clipboard'],
    },
  ],
]

const refuseToCopy = () => {
  navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))
}

const registration: Walk = [
  '/dashboard/models/register',
  [
    {
      fault: ['GET', '**/providers/me', 502],
      shown: ['Failed to load provider information', 'Failed to fetch current provider (502)'],
    },
    {
      act: inTurn(press('Try again'), newModel, press('Register Model')),
      fault: ['POST', registering, 'no answer'],
      shown: ['Registration failed: Connection failed - unable to reach the API server.'],
    },
    {
      act: press('Register Model'),
      fault: ['POST', registering, 502],
      shown: ['Registration failed: Server error (502): Bad Gateway'],
    },
    {
      act: press('Register Model'),
      fault: ['POST', registering, nothing],
      shown: ['Failed to register model. Please try again.'],
    },
  ],
]

const statusLine = '502 Bad Gateway'

const deployments: Walk = [
  '/dashboard?tab=deployments',
  [
    { fault: ['GET', '**/api/v1/deployments?*', 502], shown: ['Failed to load deployments'] },
    {
      act: inTurn(press('Try again'), inMenu('Disable')),
      fault: ['PUT', '**/deployments/*/status', 502],
      shown: ['Failed to update deployment status', statusLine],
    },
    {
      act: inMenu('Add Model'),
      fault: ['GET', ownModels, 502],
      shown: ['Failed to load deployment data'],
    },
    {
      act: inTurn(
        press('Try again'),
        (page) => page.getByLabel('Model', { exact: true }).selectOption({ index: 1 }),
        inDialog('Authorize'),
      ),
      fault: ['POST', '**/allow-deployment', 502],
      shown: [`Failed to authorize deployment: ${statusLine}`],
    },
    {
      act: inTurn(close, inMenu('Details'), press(/^Revoke/), inDialog('Revoke')),
      fault: ['DELETE', '**/models/*/deployments/*', 502],
      shown: [`Failed to revoke model authorization: ${statusLine}`],
    },
    {
      act: inTurn(close, close, inMenu('Delete'), inDialog('Delete Deployment')),
      fault: ['DELETE', '**/deployments/*', 502],
      shown: [`Failed to delete deployment: ${statusLine}`],
    },
    {
      act: inTurn(
        close,
        press('Register Deployment'),
        fill({ 'SPKI fingerprint': 'a'.repeat(64) }),
        inDialog('Register Deployment'),
      ),
      fault: ['POST', '**/deployments/register', 502],
      shown: ['Failed to register deployment', statusLine],
    },
  ],
]

const verifications: Walk = [
  '/dashboard?tab=verifications',
  [{ fault: ['GET', '**/me/verifications?*', 502], shown: ['Failed to fetch verifications'] }],
]

const profile: Walk = [
  '/dashboard?tab=settings&section=profile',
  [
    {
      act: (page) => page.getByRole('switch', { name: /^Publicly Listed/ }).click(),
      fault: ['PUT', '**/visibility', 502],
      shown: ['Failed to update listing status', 'Failed to update provider visibility (502)'],
    },
    {
      act: inTurn(
        (page) => page.getByRole('button', { name: 'Edit', exact: true }).click(),
        fill({ Description: 'Models for those who travel.' }),
        (page) => page.getByRole('button', { name: 'Save', exact: true }).click(),
      ),
      fault: ['PATCH', '**/api/v1/providers/*', nothing],
      shown: ['Failed to update provider information'],
    },
  ],
]

const elsewhere: Walk[] = [
  [
    '/providers/PROVIDER',
    [
      {
        fault: ['GET', '**/api/v1/providers/*/public', 502],
        shown: ['Failed to load provider information.', 'Failed to fetch provider data (502)'],
      },
    ],
  ],
  [
    '/models/MODEL?tab=reports',
    [
      {
        act: inTurn(
          press('Malicious Content'),
          fill({ Title: 'Glue on pizza', Description: 'It said glue.' }),
          inDialog('Submit report'),
        ),
        fault: ['POST', '**/incidents/report', 502],
        shown: ['Failed to submit report. Please try again.', 'Failed to report incident (502)'],
      },
    ],
  ],
]

const walks = [models, registration, deployments, verifications, profile, ...elsewhere]

/**
 * The other messages, by the test file that meets them. Four cannot occur: “Provider ID is required to fetch models”
 * (tabs need a provider), “No authentication method available”, “API key not available” and “No API key found. Please
 * log in again.” (their controls need a session or a key, and the list says “No API key available” first).
 */
const metIn: Readonly<Record<string, readonly string[]>> = {
  'dashboard-models.test.ts': [
    'Failed to Load Models',
    'No API key available',
    'No history found for this model.',
    'Model made public',
    'Model made private',
    'archived',
    'New model version created successfully!',
    'Model updated successfully!',
    'Bundle verification triggered successfully',
    'Copied to clipboard!',
  ],
  'dashboard-register.test.ts': [
    'Please specify a different version number for the new version',
    'Failed to quick edit model',
    'already exists. Current version:',
    'Failed to fetch model info from HuggingFace',
    'Error fetching from HuggingFace',
    'Model info loaded from HuggingFace',
    'Model registered successfully!',
  ],
  'dashboard-deployments.test.ts': [
    'SPKI fingerprint already registered',
    'Deployment already authorized for this model',
    'Deployment registered successfully',
    'Deployment enabled',
    'Deployment disabled',
    'Deployment deleted',
    'Deployment authorized for model',
    'Model authorization revoked',
  ],
  'model-page.test.ts': [
    'Failed to revoke deployment authorization',
    'Authentication required to verify bundle',
    'Failed to trigger bundle verification',
  ],
  'dashboard-incidents.test.ts': ['Failed to submit response', 'Incident response submitted successfully'],
  'report-dialog.test.ts': ['Thank you for your report! We will investigate this issue and take appropriate action.'],
  'dashboard-settings.test.ts': [
    'Failed to create API key: ',
    'Failed to revoke API key: ',
    'API key created successfully',
    'API key revoked successfully',
    'You have been signed out',
  ],
  'dashboard-overview.test.ts': [
    'Complete provider registration to enable public listing',
    'Provider listed successfully',
    'Provider unlisted successfully',
    'Authentication failed. Please refresh and try again.',
    'Invalid data provided. Please check all fields.',
    'Update failed: ',
    'Provider information updated successfully',
    'Domain verification confirmed!',
    'Failed to upload logo',
    'Image uploaded successfully',
    'Failed to upload image',
  ],
  'guard.test.ts': [
    'Profile updated successfully!',
    'Failed to update profile',
    'Please complete provider registration first',
  ],
  'register.test.ts': [
    'Please complete authentication first',
    'Failed to send verification email. Please try again.',
    'Connection failed. API service may be temporarily unavailable. Please try again later.',
    'Registration successful! Please save your API key.',
    'Authentication email sent! Please check your inbox and follow the instructions to complete your registration.',
  ],
}

describe('the messages of the provider area', () => {
  it('are announced if the registry does not answer, page by page', { timeout: patience }, async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const modelId = await acme.registerModel({ api_model_identifier: 'atlas' })
    await acme.registerModel({ api_model_identifier: 'cedar', display_name: 'Cedar', is_public: false })
    await acme.registerDeployment([modelId])
    const { page, visit } = await openOwner(browser, world, acme)
    page.setDefaultTimeout(stepMs)
    page.on('dialog', (dialog) => void dialog.accept())
    for (const [address, steps] of sampled(walks, 6)) {
      let isThere = false
      // The list, its rows, what they open and its dialogs; the later steps fail in the same ways.
      for (const { shown, fault, act } of steps.slice(0, isFull ? steps.length : 6)) {
        const doIt = async () => {
          if (!isThere || act === undefined) await visit(address.replace('PROVIDER', acme.id).replace('MODEL', modelId))
          isThere = true
          await act?.(page)
          for (const words of shown) await toldAloud(page, words)
          // What failed is said once.
          for (const alert of await page.getByRole('alert').allInnerTexts())
            expect(alert).not.toMatch(/(failed to \w+ \w+)[\s\S]*\1/i)
        }
        await (fault ? withFault(fault, page, doIt) : doIt())
      }
    }
  })

  itInFull(
    'are shown to visitors who are signed out, whose session ended, or whose setup is incomplete',
    {
      timeout: patience,
    },
    async () => {
      const world = await createWorld()
      const acme = await world.provider('acme')
      const visitor = await openVisitor(browser)
      await visitor.goto(`${world.publicUrl}/dashboard/models/register`)
      await toldAloud(visitor, 'Authentication required. Please log in and complete provider registration.')
      await visitor.goto(`${world.publicUrl}/dashboard?tab=models&register=new`)
      await toldAloud(visitor, 'Please log in to register a model')

      const { page, visit } = await openOwner(browser, world, acme)
      page.setDefaultTimeout(stepMs)
      const me = '**/api/v1/providers/me'
      await withFault(['GET', me, 401], page, async () => {
        await visit('/dashboard')
        await toldAloud(page, 'Authentication expired')
        await toldAloud(page, 'Unauthorized - invalid API key')
      })

      /** The registry’s answer with some fields replaced. */
      const alter = async (changed: object) => {
        await page.unroute(me)
        await page.route(me, async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, json: { ...(await response.json()), ...changed } })
        })
      }
      await page.evaluate((key) => localStorage.setItem('auth_token', key), acme.apiKey)
      await alter({ api_key: null })
      await visit('/dashboard?tab=models&register=new')
      const setUp = page.getByRole('dialog', { name: 'Provider Setup Required' })
      await setUp.getByText('API key is required. Please complete provider registration.').waitFor()
      await setUp.getByRole('button', { name: 'Close' }).last().click()

      await alter({ company_name: null, website: null, website_url: null, verification_level: 'unregistered' })
      await visit('/register')
      await fill({ 'Company name': 'Acme Labs', 'Company website': 'acme.example' })(page)
      await press('Continue')(page)
      await page.getByRole('button', { name: 'Generate API Key' }).waitFor()
      await page.context().setOffline(true)
      await press('Generate API Key')(page)
      await toldAloud(page, 'Registration failed. Please check your connection and try again.')
    },
  )

  it.each(Object.entries(metIn))('are shown in %s', async (file, messages) => {
    const text = (await readFile(new URL(file, import.meta.url), 'utf8')).replaceAll("\\'", "'")
    expect(messages.filter((words) => !text.includes(words))).toEqual([])
  })
})
