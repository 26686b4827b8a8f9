import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { formatLinkCode } from '@countersign/sdk/verify'
import { createLinkCode } from '@countersign/sdk/verify/link-codes'
import type { Browser } from 'playwright-core'
import { rolldown } from 'rolldown'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { sampled } from '../support/full.ts'
import { blocksOf } from '../support/pages.ts'
import { findViolations, openVisitor } from '../support/visitor.ts'
import { startWebServer } from '../support/web-server.ts'
import { createWorld, type World } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

/** Another website, whose policy allows only the registry's badge. */
const startSite = async (world: World, body: string) => {
  const site = await startWebServer()
  const policy = `default-src 'none'; script-src ${world.publicUrl}; connect-src ${world.publicUrl}; base-uri 'none'`
  const page = `<!doctype html><html lang="en"><title>A chat</title><main><h1>A chat</h1>${body}</main><script type="module" src="${world.publicUrl}/badge.js"></script></html>`
  site.serve('/', 200, page, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy })
  site.serve('/favicon.ico', 204)
  return site
}

const mint = async (world: World, { isVerified = true, origin }: { isVerified?: boolean; origin?: string } = {}) => {
  const acme = await world.provider('acme', { isVerified })
  const model_id = await acme.registerModel()
  const { verification_url, token } = await acme.client.verifications.create({ model_id, ...(origin && { origin }) })
  return { acme, model_id, link: verification_url, token }
}

const attribute = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
const tagOf = (link: string, more = '') => `<countersign-badge link="${attribute(link)}" ${more}></countersign-badge>`

/** The visible content once the badge has its verdict. */
const look = async (site: { url: string }, context = {}) => {
  const page = await openVisitor(browser, context)
  await page.goto(site.url)
  const badge = page.locator('countersign-badge .badge:not([data-state=checking])').first()
  await badge.waitFor()
  return { page, badge, state: await badge.getAttribute('data-state'), text: await badge.innerText() }
}

const mistype = (link: string) => link.slice(0, -1) + (link.endsWith('0') ? '1' : '0')

interface Case {
  what: string
  link: (world: World) => Promise<string>
  text: RegExp
  state?: string
}

const cases: Case[] = [
  {
    what: 'a link of an unknown provider',
    link: async (world) => (await mint(world, { isVerified: false })).link,
    text: /this company’s identity has not been checked/,
  },
  {
    what: 'an expired link',
    link: async (world) => {
      const { link } = await mint(world)
      world.clock.advance('16m')
      return link
    },
    text: /has expired/,
  },
  {
    what: 'a link of a withdrawn model',
    link: async (world) => {
      const { link, acme, model_id } = await mint(world)
      await acme.client.models.archive(model_id, {})
      return link
    },
    text: /no longer valid|withdrawn/,
  },
  { what: 'a mistyped link', link: async (world) => mistype((await mint(world)).link), text: /mistyped/ },
  {
    what: 'a code that was never issued',
    link: async () => formatLinkCode(createLinkCode(0, new Uint8Array(8))),
    text: /never made/,
  },
  { what: 'no link at all', link: async () => '', text: /not a verification link/ },
  {
    what: 'a link of another registry',
    link: async (world) => (await mint(world)).link.replace('http://127.0.0.1', 'https://elsewhere.example'),
    text: /another registry/,
  },
  {
    what: 'a link for another site',
    link: async (world) => (await mint(world, { origin: 'https://chat.acme.example' })).link,
    text: /made for https:\/\/chat\.acme\.example/,
  },
]

describe('a badge on a page of another origin, under a strict policy', () => {
  it.each(sampled(['light', 'dark'] as const, 2, 1))(
    'shows the proven domain and the time left, and links to the registry’s page, %s',
    async (colorScheme) => {
      const world = await createWorld()
      const { link } = await mint(world)
      const site = await startSite(world, `<meta name="color-scheme" content="light dark">${tagOf(link)}`)
      const { page, badge, state, text } = await look(site, { colorScheme })
      expect(state).toBe('company-only')
      expect(text).toMatch(
        new RegExp(
          `^acme\\.example company confirmed by ${new URL(world.publicUrl).host}, AI not confirmed 1[45]:\\d\\d left$`,
        ),
      )
      expect(await badge.getAttribute('href')).toBe(link)
      expect(await badge.getAttribute('rel')).toBe('noopener noreferrer')
      expect(await findViolations(page)).toEqual([])
    },
  )

  it.each(sampled(cases, 3))('does not verify $what', async ({ link, text: expected }) => {
    const world = await createWorld()
    const { state, text } = await look(await startSite(world, tagOf(await link(world))))
    expect(state).toBe('not-verified')
    expect(text).toMatch(expected)
    expect(text).not.toMatch(/acme\.example verified/)
  })

  it('says that it could not check if the registry does not answer, or answers nonsense', async () => {
    const world = await createWorld()
    const { link } = await mint(world)
    const site = await startSite(world, tagOf(link))
    for (const answer of [
      undefined,
      { status: 200, body: '<html>' },
      { status: 200, json: { status: 'verified', result: 'verified' } },
      { status: 404, json: {} },
    ]) {
      const page = await openVisitor(browser)
      await page.route('**/api/v1/verify/**', (route) =>
        answer ? route.fulfill({ ...answer, headers: { 'Access-Control-Allow-Origin': '*' } }) : route.abort(),
      )
      await page.goto(site.url)
      await page.locator('countersign-badge [data-state=could-not-check]').waitFor()
    }
  })

  it('takes only the link from the page', async () => {
    const world = await createWorld()
    const { link } = await mint(world, { isVerified: false })
    const site = await startSite(
      world,
      tagOf(link, 'state="verified" domain="openai.example" data-state="verified" title="verified"'),
    )
    const { text } = await look(site)
    expect(text).not.toMatch(/openai|verified by/)
  })

  it('asks the registry that it was loaded from, regardless of its markup', async () => {
    const world = await createWorld()
    const other = await createWorld()
    const { link } = await mint(other)
    for (const attributes of ['', `registry="${other.publicUrl}"`]) {
      const { text } = await look(await startSite(world, tagOf(link, attributes)))
      expect(text).toMatch(/another registry/)
    }
  })

  it('sends no cookie and no page address, and does not count as an opening', async () => {
    const world = await createWorld()
    const { link, acme, model_id } = await mint(world)
    const site = await startSite(world, tagOf(link))
    const page = await openVisitor(browser)
    const headers: Record<string, string>[] = []
    page.on('request', (request) => request.url().includes('/api/') && headers.push(request.headers()))
    await page.goto(site.url)
    await page.locator('countersign-badge [data-state=company-only]').waitFor()
    expect(headers).toHaveLength(1)
    expect(headers[0]).not.toHaveProperty('cookie')
    expect(headers[0]?.referer ?? '').toBe('')
    expect((await acme.client.models.get(model_id)).first_verified_at).toBeNull()
  })

  it('changes when the link expires, and when the model is withdrawn', async () => {
    const world = await createWorld()
    const { link, acme, model_id } = await mint(world)
    const site = await startSite(world, tagOf(link))
    const page = await openVisitor(browser)
    await page.clock.install()
    await page.goto(site.url)
    await page.locator('countersign-badge [data-state=company-only]').waitFor()
    await acme.client.models.archive(model_id, {})
    await page.clock.fastForward('01:05')
    await page.getByText('the company has withdrawn this model').waitFor()

    const idle = await openVisitor(browser)
    await idle.clock.install()
    const fresh = await acme.client.verifications.create({ model_id: await acme.registerModel() })
    await idle.goto((await startSite(world, tagOf(fresh.verification_url))).url)
    await idle.locator('countersign-badge [data-state=company-only]').waitFor()
    await idle.route('**/api/**', (route) => route.abort())
    await idle.clock.fastForward('16:00')
    await idle.getByText('the link has expired').waitFor()
  })

  it('follows its attributes, and accepts a token or a link', async () => {
    const world = await createWorld()
    const { link, token } = await mint(world)
    const site = await startSite(world, tagOf(mistype(link)))
    const { page } = await look(site)
    await page.evaluate((next) => document.querySelector('countersign-badge')?.setAttribute('link', next), token)
    const badge = page.locator('countersign-badge [data-state=company-only]')
    await badge.waitFor()
    // A token in an address would end up in histories and logs.
    expect(await badge.getAttribute('href')).toBe(link)
  })
})

/** Bundles a module that imports the installed SDK. */
const bundle = async (code: string) => {
  const file = join(import.meta.dirname, `../../sdk/sample-${randomUUID()}.ts`)
  const plugin = {
    name: 'sample',
    resolveId: (id: string) => (id === file ? id : null),
    load: (id: string) => (id === file ? code : null),
  }
  const built = await rolldown({
    input: file,
    platform: 'browser',
    plugins: [plugin],
    resolve: { conditionNames: ['@countersign/source', 'browser', 'import', 'default'] },
  })
  const { output } = await built.generate({ format: 'esm' })
  await built.close()
  return output[0].code
}

it('works when pasted from the docs in Markdown, in HTML and in bundled pages', async () => {
  const world = await createWorld()
  const { link, model_id } = await mint(world)
  const [markdown, html, module, ...others] = await Promise.all(
    (['markdown', 'html', 'ts'] as const).map(async (language) => {
      const [block = '', ...more] = await blocksOf('docs/embedding.md', language)
      expect(more).toEqual([])
      return block
        .replace(/https:\/\/registry\.example\/v\/[\w-]+/, link)
        .replaceAll('https://registry.example', world.publicUrl)
        .replaceAll('mdl_06dh0e3x7c9bw4vjz2n8qk5ytm', model_id)
    }),
  )
  expect(others).toEqual([])
  const [, picture = '', target = ''] = /^\[!\[[^\]]+\]\((.+)\)\]\((.+)\)$/m.exec(markdown ?? '') ?? []
  expect(await (await fetch(picture)).text()).toContain('acme.example')
  expect((await fetch(target)).status).toBe(200)

  const site = await startWebServer()
  const headers = { 'Content-Type': 'text/html; charset=utf-8' }
  site.serve('/favicon.ico', 204)
  site.serve('/module.js', 200, await bundle(module ?? ''), { 'Content-Type': 'text/javascript' })
  for (const body of [html ?? '', `<script type="module" src="/module.js"></script>${tagOf(link)}`]) {
    site.serve('/', 200, `<!doctype html><html lang="en"><title>A chat</title><main>${body}</main></html>`, headers)
    expect(await look(site)).toMatchObject({ state: 'company-only', text: expect.stringMatching(/^acme\.example/) })
  }
})
