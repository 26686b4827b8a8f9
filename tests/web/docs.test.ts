import { readFile } from 'node:fs/promises'
import { contract, type Endpoint, errors, exitCodes, limits, scopes, trustThresholds } from '@countersign/sdk/contract'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { isFull, itInFull, sampled } from '../support/full.ts'
import { sampleFiles } from '../support/samples.ts'
import { findFlaws, inLook, looks, openVisitor, overflowOf, shareVisitor, stateOf, tablet } from '../support/visitor.ts'
import { startWebServer } from '../support/web-server.ts'
import { shareWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const groups = {
  'Getting Started': ['Overview', 'Quick Start', 'Authentication'],
  'API Endpoints': [
    'Register Provider',
    'Register Model',
    'Model Versioning',
    'Deployment Management',
    'Sigstore Bundle Verification',
    'HuggingFace Integration',
    'Health Monitoring',
    'Create Verification Token',
    'Verify Token',
    'Update Provider Profile',
    'Incident Reporting',
    'All Endpoints',
  ],
  Advanced: ['Trust Levels & Scoring', 'Integration Patterns', 'Error Handling', 'SDK Examples', 'Best Practices'],
}

/** The section in an address, and the heading that then gets the focus. */
const anchors: Record<string, string> = {
  overview: 'Overview',
  'quick-start': 'Quick Start',
  authentication: 'Authentication',
  'register-provider': 'Register Provider',
  'register-model': 'Register Model',
  'model-versioning': 'Model Versioning',
  'deployment-management': 'Deployment Management',
  'sigstore-bundle': 'Sigstore Bundle Verification',
  'huggingface-integration': 'HuggingFace Integration',
  'health-monitoring': 'Health Monitoring',
  'create-verification': 'Create Verification Token',
  'verify-token': 'Verify Token',
  'update-profile': 'Update Provider Profile',
  'incident-reporting': 'Incident Reporting',
  reference: 'All Endpoints',
  'trust-levels': 'Trust Levels & Scoring',
  'integration-patterns': 'Integration Patterns',
  'model-integration': 'Integration Patterns',
  'error-handling': 'Error Handling',
  'sdk-examples': 'SDK Examples',
  'best-practices': 'Best Practices',
}

const rows = Object.entries<Record<string, Endpoint>>(contract).flatMap(([feature, ofFeature]) =>
  Object.entries(ofFeature).map(([name, row]) => ({ name: `${feature}.${name}`, ...row })),
)

const sharedWorld = shareWorld()
const reader = shareVisitor(() => browser, { permissions: ['clipboard-read', 'clipboard-write'] })

/** The documentation in a new browser: for a visitor with other settings, or whose settings change. */
const openAnew = async (options: BrowserContextOptions = {}) => readDocs(await openVisitor(browser, options))

/** The documentation as loaded, or as the tests before left it: they open parts of it and change no settings. */
const openDocs = async (hash = '') => {
  const page = reader()
  return hash === '' && page.url() === `${sharedWorld().publicUrl}/docs`
    ? { world: sharedWorld(), page }
    : readDocs(page, hash)
}

const readDocs = async (page: Page, hash = '') => {
  const world = sharedWorld()
  await page.goto(`${world.publicUrl}/docs${hash}`)
  await stateOf(page)
  // The first screen is rendered before the rest.
  await page.locator('#best-practices').waitFor({ state: 'attached' })
  return { world, page }
}

const sidebarOf = (page: Page) => page.getByRole('navigation', { name: 'Documentation' })
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent?.trim())
const topOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => element.getBoundingClientRect().top)
const openEndpoint = (page: Page, name: string) => page.locator(`details[id="${name}"] > summary`).click()
const endpointText = (page: Page, name: string) => page.locator(`details[id="${name}"]`).innerText()

/** Hides all closed endpoints and samples but the first ones. */
const showOnly = (page: Page, count: number) =>
  page.evaluate((count) => {
    for (const parts of ['main details:not([open])', 'main [role=tabpanel]'])
      for (const part of [...document.querySelectorAll<HTMLElement>(parts)].slice(count)) part.hidden = true
  }, count)

describe('the documentation page', () => {
  itInFull('passes axe, light and dark, wide and narrow', { timeout: 120_000 }, async () => {
    const { page } = await openDocs()
    for (const look of [...looks, tablet]) expect(await inLook(page, look, () => overflowOf(page))).toBe(0)
    await openEndpoint(page, 'models.register')
    await page.locator('details[open]').getByText('client.models.register').waitFor()
    expect(await inLook(page, tablet, () => overflowOf(page))).toBe(0)
    // Axe takes ten seconds for all endpoints and samples, which are made of the same parts.
    await showOnly(page, isFull ? Number.POSITIVE_INFINITY : 3)
    expect(await findFlaws(page)).toEqual([])
    await page.reload()
  })

  itInFull(
    'lists its sections by group, links to each, and marks the current one',
    {
      timeout: 60_000,
    },
    async () => {
      const { page } = await openAnew()
      const sidebar = sidebarOf(page)
      for (const [group, names] of Object.entries(groups)) {
        await sidebar.getByText(group, { exact: true }).waitFor()
        for (const name of sampled(names, 3)) {
          await sidebar.getByRole('link', { name, exact: true }).click()
          await expect.poll(() => focusedText(page)).toBe(name)
          const heading = page.getByRole('heading', { level: 2, name })
          const isInView = async () => {
            const { y = -1 } = (await heading.boundingBox()) ?? {}
            return y >= 0 && y < 900
          }
          await expect.poll(isInView, { message: name }).toBe(true)
          // The last sections are too short to reach the top.
          if (name !== 'SDK Examples') await sidebar.locator('[aria-current=location]', { hasText: name }).waitFor()
        }
      }
      expect(await sidebar.getByRole('link').allInnerTexts()).toEqual(Object.values(groups).flat())
    },
  )

  it('opens the section in the address with the focus on it', { timeout: 120_000 }, async () => {
    const { world, page } = await openAnew()
    const isThere = async (anchor: string, heading: string) => {
      await expect.poll(() => focusedText(page)).toBe(heading)
      const top = await page
        .getByRole('heading', { level: 2, name: heading })
        .evaluate((element) => element.getBoundingClientRect().top)
      expect({ anchor, isInView: top >= -2 && top < 900 }).toEqual({ anchor, isInView: true })
    }
    // In a new page, and by changing the address.
    const all = Object.entries(anchors)
    for (const [anchor, heading] of sampled([0, all.length >> 1, -1], 3, 1).flatMap((index) =>
      all.slice(index).slice(0, 1),
    )) {
      await page.goto('about:blank')
      await page.goto(`${world.publicUrl}/docs#${anchor}`)
      await stateOf(page)
      await isThere(anchor, heading)
      // Also once fonts and later sections have moved it.
      await page.evaluate(() => document.fonts.ready)
      await expect.poll(() => topOf(page, `#${anchor}`), { message: anchor }).toBeCloseTo(16, -1)
    }
    const type = (anchor: string) =>
      page.evaluate((hash) => {
        location.hash = hash
      }, anchor)
    for (const [anchor, heading] of sampled(all, 10)) {
      await type(anchor)
      await isThere(anchor, heading)
    }
    // Again after scrolling on.
    for (const anchor of ['authentication', 'overview', 'authentication']) {
      await type(anchor)
      await expect.poll(() => focusedText(page)).toBe(anchors[anchor])
      await expect.poll(() => topOf(page, `#${anchor}`)).toBeCloseTo(16, -1)
      await page.evaluate(() => scrollBy(0, 4_000))
    }
  })

  itInFull('marks the section being scrolled, and lists its headings on the right', async () => {
    const { page } = await openAnew()
    const contents = page.getByRole('navigation', { name: 'On this page' })
    await sidebarOf(page).locator('[aria-current=location]', { hasText: 'Overview' }).waitFor()
    await page.locator('#prove-domain').evaluate((element) => element.scrollIntoView())
    await sidebarOf(page).locator('[aria-current=location]', { hasText: 'Register Provider' }).waitFor()
    await contents.locator('[aria-current=location]', { hasText: 'Prove the domain' }).waitFor()
    expect(await sidebarOf(page).locator('[aria-current]').count()).toBe(1)
    await page.setViewportSize({ width: 1279, height: 900 })
    await contents.waitFor({ state: 'hidden' })
  })

  itInFull('scrolls smoothly, or at once with reduced motion', async () => {
    for (const [reducedMotion, behavior] of [
      ['no-preference', 'smooth'],
      ['reduce', 'auto'],
    ] as const) {
      const { page } = await openAnew({ reducedMotion })
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)).toBe(behavior)
      await page.getByRole('link', { name: 'Back to Home' }).click()
      await page.waitForURL(/\/$/)
      await expect
        .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior))
        .toBe('auto')
    }
  })

  it('has one h1 and skips no heading level', async () => {
    const { page } = await openDocs()
    await openEndpoint(page, 'verifications.create')
    await page.locator('details[open] h4').first().waitFor()
    const levels = await page
      .locator('main :is(h1, h2, h3, h4, h5)')
      .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])))
    expect(levels.filter((level) => level === 1)).toHaveLength(1)
    for (const [index, level] of levels.entries())
      expect(level).toBeLessThanOrEqual((levels[index - 1] ?? 0) + (index === 0 ? 1 : 2))
    const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id))
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    const broken = await page
      .locator('main a[href^="#"], main a[href*="/docs#"]')
      .evaluateAll((all) =>
        all
          .map((link) => decodeURIComponent(new URL((link as HTMLAnchorElement).href).hash.slice(1)))
          .filter((id) => !document.getElementById(id)),
      )
    expect(broken).toEqual([])
  })

  itInFull('hides its contents by button and by Ctrl+B, and remembers that for a week', async () => {
    const { page } = await openAnew()
    const width = () => sidebarOf(page).evaluate((element) => element.getBoundingClientRect().width)
    expect(await width()).toBe(256)
    await page.getByRole('button', { name: 'Hide the contents (Ctrl+B)' }).click()
    expect(await width()).toBe(48)
    expect(await sidebarOf(page).getByRole('link').count()).toBe(0)
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'sidebar_state')
    expect(cookie?.value).toBe('false')
    expect(((cookie?.expires ?? 0) - Date.now() / 1_000) / 86_400).toBeCloseTo(7, 1)
    await page.reload()
    await stateOf(page)
    expect(await width()).toBe(48)
    await page.keyboard.press('Control+b')
    expect(await width()).toBe(256)
    await page.getByRole('searchbox').or(page.getByRole('combobox')).first().focus()
    await page.keyboard.press('Control+b')
    expect(await width()).toBe(256)
  })

  itInFull('has its contents in a drawer on a narrow screen, which moves the focus to the section', async () => {
    const { page } = await openAnew({ viewport: { width: 360, height: 740 } })
    await page.getByRole('button', { name: 'Contents Overview' }).press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Documentation' })
    expect((await drawer.boundingBox())?.width).toBe(288)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Contents Overview' }).click()
    await drawer.getByRole('link', { name: 'Trust Levels & Scoring' }).click()
    await drawer.waitFor({ state: 'hidden' })
    await expect.poll(() => focusedText(page)).toBe('Trust Levels & Scoring')
    await page.getByRole('button', { name: 'Contents Trust Levels & Scoring' }).waitFor()
    // Not hidden under the sticky bar.
    expect((await page.getByRole('heading', { name: 'Trust Levels & Scoring' }).boundingBox())?.y).toBeGreaterThan(52)
  })

  it('requests nothing but itself', async () => {
    const world = sharedWorld()
    const page = await openVisitor(browser)
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.goto(`${world.publicUrl}/docs#reference`)
    await stateOf(page)
    await openEndpoint(page, 'search.find')
    await page.locator('details[open]').getByText('client.search.find').waitFor()
    expect(requests.filter((path) => path.startsWith('/api/'))).toEqual([])
  })

  it('links to the home page and to support', async () => {
    const { page } = await openDocs()
    await expect(page.getByRole('link', { name: 'Contact Support' }).getAttribute('href')).resolves.toBe('/contact')
    const address = await page.getByRole('link', { name: /^Write to / }).getAttribute('href')
    expect(address).toMatch(/^mailto:[^@]+@[^@]+$/)
    await expect(page.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).resolves.toBe('/')
    for (const [name, href] of [
      ['Register as a provider', '#register-provider'],
      ['Register your model', '#register-model'],
      ['Create a verification link', '#create-verification'],
      ['Build that into your chat', '#model-integration'],
    ] as const)
      expect(await page.getByRole('link', { name }).first().getAttribute('href')).toBe(`/docs${href}`)
    expect(await page.title()).toBe('API documentation · Countersign')
  })
})

describe('samples', () => {
  const tabOf = (page: Page, caption: string, name: string) =>
    page.getByRole('tablist', { name: `Language of the sample: ${caption}`, exact: true }).getByRole('tab', { name })

  it('are all shown, each in all its languages', async () => {
    const { page } = await openAnew()
    const captions = { curl: 'curl', cli: 'CLI', ts: 'TypeScript', html: 'HTML' }
    const shown = new Map<string, Set<string>>()
    /** All samples in the chosen language; some have only another. */
    const read = () =>
      page.getByRole('tab', { selected: true }).evaluateAll((tabs) =>
        tabs.map((tab) => ({
          name: tab.textContent ?? '',
          code: document.getElementById(tab.getAttribute('aria-controls') ?? '')?.textContent?.trim() ?? '',
        })),
      )
    for (const name of Object.values(captions)) {
      await page.getByRole('tab', { name, exact: true }).first().click()
      for (const { name, code } of await read()) shown.set(code, new Set([...(shown.get(code) ?? []), name]))
    }
    for (const { file, language } of sampleFiles) {
      const text = await readFile(new URL(`../../docs/samples/${file}`, import.meta.url), 'utf8')
      const own = text.replaceAll('https://registry.example', new URL(page.url()).origin).trim()
      expect({ file, tabs: [...(shown.get(own) ?? [])] }).toEqual({ file, tabs: [captions[language]] })
    }
  }, 120_000)

  it('change language together by keyboard, keep their position, and remember it', async () => {
    const { page } = await openAnew()
    // As in browsers without scroll anchoring.
    await page.evaluate(() => {
      document.documentElement.style.overflowAnchor = 'none'
    })
    const curl = tabOf(page, 'Verify', 'curl')
    await curl.scrollIntoViewIfNeeded()
    const before = (await curl.boundingBox())?.y ?? 0
    await curl.focus()
    await page.keyboard.press('ArrowRight')
    expect(await focusedText(page)).toBe('CLI')
    await page.keyboard.press('End')
    expect(await focusedText(page)).toBe('TypeScript')
    await page.keyboard.press('ArrowRight')
    expect(await focusedText(page)).toBe('curl')
    await page.keyboard.press('ArrowLeft')
    expect(await focusedText(page)).toBe('TypeScript')
    expect(Math.abs(((await curl.boundingBox())?.y ?? 0) - before)).toBeLessThan(3)
    const selected = () => page.locator('[role=tab][aria-selected=true]').allInnerTexts()
    const all = await selected()
    // Two samples have only one language.
    expect(all.filter((language) => language !== 'TypeScript')).toEqual(['CLI', 'HTML'])
    await page.keyboard.press('Tab')
    expect(await focusedText(page)).not.toBe('curl')
    await page.reload()
    await stateOf(page)
    expect(await selected()).toEqual(all)
    expect(await page.locator('[role=tab][tabindex="0"]').count()).toBe(await page.getByRole('tablist').count())
  })

  it('are copied as shown, with the address of this registry', async () => {
    const { world, page } = await openDocs()
    await tabOf(page, 'Verify', 'CLI').click()
    await page.getByRole('button', { name: /the sample “Verify”/ }).click()
    await page
      .getByText(/copied/i)
      .first()
      .waitFor()
    const text = await readFile(new URL('../../docs/samples/verify-token.cli.sh', import.meta.url), 'utf8')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      text.replaceAll('https://registry.example', world.publicUrl),
    )
  })
})

describe('the embedding sample', () => {
  it('shows a badge that verifies the link', async () => {
    const world = sharedWorld()
    const acme = await world.provider('acme')
    const { verification_url } = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    const sample = await readFile(new URL('../../docs/samples/badge.html', import.meta.url), 'utf8')
    const server = await startWebServer()
    const body = sample
      .replace('https://registry.example', world.publicUrl)
      .replace('W904-2CKW-GDNC-X7S1', verification_url.split('/').at(-1) ?? '')
    server.serve('/', 200, `<!doctype html><title>Acme</title><link rel="icon" href="data:,">${body}`, {
      'content-type': 'text/html',
    })
    const page = await openVisitor(browser)
    await page.goto(server.url)
    const badge = page.locator('countersign-badge')
    await badge.getByText('acme.example').first().waitFor()
    expect(await badge.evaluate((element) => element.shadowRoot?.textContent)).toMatch(
      /^acme\.example company confirmed by /,
    )
  })
})

describe('the reference computed from the contract', () => {
  it('shows every endpoint once with its fields, and lists them all', { timeout: 180_000 }, async () => {
    const { page } = await openDocs()
    const documented = await page.locator('details[id]').evaluateAll((all) => all.map(({ id }) => id))
    expect([...documented].sort(), 'the endpoints named in web/src/messages/en/docs').toEqual(
      rows.map(({ name }) => name).sort(),
    )
    await page.locator('details[id]').evaluateAll((all) => {
      for (const one of all) (one as HTMLDetailsElement).open = true
    })
    await expect
      .poll(() => page.locator('details[open]', { hasText: 'client.' }).count(), { timeout: 30_000 })
      .toBe(rows.length)
    const texts = await page
      .locator('details[id]')
      .evaluateAll((all) => all.map((one) => [one.id, (one as HTMLElement).innerText] as const))
    const index = await page.locator('#reference').innerText()
    for (const [name, text] of texts) {
      const row = rows.find((one) => one.name === name)
      if (!row) throw new Error(name)
      expect(text).toContain(row.method)
      expect(text).toContain(row.path)
      expect(text).toContain(row.summary)
      expect(index).toContain(row.path)
      for (const code of row.errors ?? []) expect({ name, text }).toEqual({ name, text: expect.stringContaining(code) })
      for (const [, parameter] of row.path.matchAll(/:(\w+)/g)) expect(text).toContain(`${parameter}\n`)
    }
  })

  const described = [
    {
      name: 'models.register',
      output: [
        'api_model_identifier',
        '2 to 128 characters',
        'required',
        '10 to 5,000 characters',
        '`1.0.0`',
        'model_files[].sha256',
        'scope models',
        'Idempotency-Key',
        '4,000,000 bytes',
        'model_exists',
        'Response, status 201',
      ],
    },
    {
      name: 'verifications.create',
      output: [
        'model_id',
        'ID (mdl_…), required',
        'At most 64 characters',
        'client-cert',
        'verification_url',
        'deployment_proof_required',
        '600 requests a minute for each key or session',
      ],
    },
    {
      name: 'verifications.get',
      output: [
        'Anyone; no API key needed.',
        'checks[].passed',
        'provider.domain_verified',
        'link_mistyped',
        'could_not_check',
      ],
    },
    {
      name: 'providers.register',
      output: [
        'website',
        'required unless an alternative field is given',
        'At most 200 characters',
        '5 requests an hour for each key or session, else network',
      ],
    },
    { name: 'providers.uploadLogo', output: ['multipart/form-data', '5 MiB'] },
    { name: 'deployments.register', output: ['spki_fingerprint', 'Exactly 64 characters'] },
    { name: 'signers.declare', output: ['identity, repository, key, certificate'] },
    { name: 'keys.list', output: ['No parameters.', '[].key_prefix'] },
  ]
  it.each(sampled(described, 2))('shows the input and output of $name', async ({ name, output }) => {
    const { page } = await openDocs(`#${name}`)
    await page.locator(`details[id="${name}"][open]`).getByText(`client.${name}`).waitFor()
    const text = await endpointText(page, name)
    for (const words of output) expect(text).toContain(words.replaceAll('`', ''))
    await expect.poll(() => topOf(page, `[id="${name}"]`)).toBeLessThan(300)
  })

  it('shows every error, exit code, scope, level and component', async () => {
    const { page } = await openDocs()
    const textOf = (id: string) => page.locator(`section[id="${id}"]`).innerText()
    const text = await textOf('error-handling')
    for (const [code, { status, title }] of Object.entries(errors))
      expect(text).toMatch(new RegExp(`${code}\\s+${status}\\s+${escapeRegExp(title)}`))
    for (const [code, meaning] of Object.entries(exitCodes))
      expect(text).toMatch(new RegExp(`\\b${code}\\s+${escapeRegExp(meaning)}`))
    expect(text).toContain(`${limits.tokenLifetimeSeconds} seconds`)
    const trust = await textOf('trust-levels')
    for (const [level, from] of Object.entries(trustThresholds))
      expect(trust).toMatch(new RegExp(`${level}\\s+${from}–`))
    const own = await sharedWorld().provider('globe')
    const { trust_breakdown } = await own.client.providers.me()
    expect(trust_breakdown).toHaveLength(11)
    for (const { component, max_points } of trust_breakdown)
      expect(trust).toMatch(new RegExp(`${component}\\s+${max_points}\\b`))
    const authentication = await textOf('authentication')
    for (const scope of scopes) expect(authentication).toContain(`${scope}\t`)
  })
})

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
