import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { itInFull } from '../support/full.ts'
import { findFlaws, findViolations, openVisitor, stateOf } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 120_000
const paths = ['/verify-model', '/about', '/privacy', '/contact', '/no/such/page']

const headingsOf = (page: Page) => page.getByRole('main').getByRole('heading').allInnerTexts()
const linkOf = (page: Page, name: string) =>
  page.getByRole('main').getByRole('link', { name, exact: true }).getAttribute('href')

describe('static pages', () => {
  itInFull(
    'pass axe',
    async () => {
      const world = await createWorld()
      const page = await openVisitor(browser)
      for (const path of paths) {
        await page.goto(world.publicUrl + path)
        await stateOf(page)
        expect({ path, flaws: await findFlaws(page) }).toEqual({ path, flaws: [] })
      }
    },
    patience,
  )

  it('/verify-model addresses known and new providers, and explains the steps', async () => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/verify-model`)
    await stateOf(page)
    expect(await headingsOf(page)).toEqual([
      'Verify your model',
      'Existing Provider',
      'New Provider',
      'How it works',
      'Prove who you are',
      'Register the model',
      'Answer with a link',
    ])
    expect(await linkOf(page, 'Register a model')).toBe('/dashboard/models/register')
    expect(await linkOf(page, 'Register as provider')).toBe('/register')
  })

  itInFull(
    '/about explains the idea, the pillars and where to report, and scrolls to the section in the address',
    async () => {
      const world = await createWorld({
        contactEmail: 'desk@registry.example',
        repositoryUrl: 'https://code.example/registry/sdk',
      })
      const page = await openVisitor(browser)
      await page.goto(`${world.publicUrl}/about#security`)
      await stateOf(page)
      const text = await page.getByRole('main').innerText()
      for (const shown of [
        'SSL for AI',
        'Provider identity',
        'Deployment authorization',
        'Model integrity',
        'We plan to add that check.',
      ])
        expect(text).toContain(shown)
      expect(text).toContain('How to report a vulnerability')
      expect(text).toContain('desk@registry.example')
      await expect
        .poll(() => page.locator('#security').evaluate((element) => element.getBoundingClientRect().top))
        .toBeLessThan(200)
      expect(await linkOf(page, 'Back to Home')).toBe('/')
      expect(await linkOf(page, 'Browse Models')).toBe('/models')
      expect(await linkOf(page, 'Read Documentation')).toBe('/docs')
      const sdk = page.getByRole('contentinfo').getByRole('link', { name: 'SDK', exact: true })
      expect(await sdk.getAttribute('href')).toBe('https://code.example/registry/sdk')
      await page.goto(`${world.publicUrl}/docs`)
      await stateOf(page)
      expect(await linkOf(page, 'Source code and examples')).toBe('https://code.example/registry/sdk')
      expect(await linkOf(page, 'Known issues')).toBe('https://code.example/registry/sdk/issues')
    },
  )

  it('/privacy has its sections and a contact', async () => {
    const world = await createWorld({ contactEmail: 'desk@registry.example' })
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/privacy`)
    await stateOf(page)
    expect(await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'Information We Collect',
      'How We Use Your Information',
      'Information Sharing',
      'Data Security',
      'Contact Us',
    ])
    expect(await linkOf(page, 'desk@registry.example')).toBe('mailto:desk@registry.example')
    expect(await linkOf(page, 'Back to Home')).toBe('/')
  })

  it('shows a 404 page with a link home for an unknown address', async () => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/no/such/page`)
    expect(await stateOf(page)).toBe('not-found')
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('404')
    await page.getByText('Oops! Page not found', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Return to Homepage' }).press('Enter')
    await page.getByRole('heading', { name: 'See which company vouches for an AI.' }).waitFor()
  })
})

describe('/contact', () => {
  /** Network requests, and separately the mailto: addresses, which tests cannot open. */
  const watch = (page: Page) => {
    const seen = { mails: [] as string[], requests: [] as string[] }
    page.on('request', (request) => {
      const url = request.url()
      if (url.startsWith('mailto:')) seen.mails.push(url)
      else seen.requests.push(url)
    })
    return seen
  }

  it('opens the email program with the typed text, encoded, and sends nothing itself', async () => {
    const world = await createWorld({ contactEmail: 'desk@registry.example' })
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/contact`)
    await stateOf(page)
    const seen = watch(page)
    await page.getByLabel('Name').fill('Ada & Co')
    await page.getByLabel('Email').fill('ada@example.test')
    await page.getByLabel('Subject').fill('A question?bcc=everyone@example.test')
    await page.getByLabel('Message').fill('Hello,\n100 % sure & done')
    await page.getByLabel('Message').press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => seen.mails).toHaveLength(1)
    const mail = new URL(seen.mails[0] ?? '')
    expect(mail.protocol + mail.pathname).toBe('mailto:desk@registry.example')
    expect([...mail.searchParams.keys()]).toEqual(['subject', 'body'])
    expect(mail.searchParams.get('subject')).toBe('A question?bcc=everyone@example.test')
    expect(mail.searchParams.get('body')).toBe(
      'Hello,\r\n100 % sure & done\r\n\r\nName: Ada & Co\r\nEmail: ada@example.test',
    )
    await page.getByText('If it isn’t, write to desk@registry.example.').waitFor()
    expect(seen.requests).toEqual([])
  })

  it('requires all four fields and a valid address, and focuses the first missing one', async () => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/contact`)
    await stateOf(page)
    const seen = watch(page)
    await page.getByLabel('Name').fill('Ada')
    await page.getByLabel('Email').fill('not an address')
    await page.getByRole('button', { name: 'Open in email program' }).click()
    for (const problem of ['This is not an email address.', 'Enter a subject.', 'Enter a message.'])
      await page.getByRole('alert').filter({ hasText: problem }).waitFor()
    expect(await page.getByLabel('Email').evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await page.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
    expect(seen.mails).toEqual([])
    expect(await findViolations(page)).toEqual([])
  })

  it('names an address at the host of the registry by default', async () => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/contact`)
    expect(await linkOf(page, `Or write to contact@${new URL(world.publicUrl).hostname}.`)).toBe(
      'mailto:contact@127.0.0.1',
    )
  })
})
