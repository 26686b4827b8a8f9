import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { formatLinkCode } from '@countersign/sdk/verify'
import { createLinkCode } from '@countersign/sdk/verify/link-codes'
import type { Browser, Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { addressOf, tabNames } from '../../web/src/features/dashboard/shared/tab-names.ts'
import { shareBrowser } from '../support/browser.ts'
import { isFull, itInFull, sampled } from '../support/full.ts'
import { openOwner } from '../support/owner.ts'
import {
  findFlaws,
  findViolations,
  inLook,
  type Look,
  looks,
  openVisitor,
  overflowOf,
  stateOf,
  tablet,
  withoutWritten,
} from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

const screenshots = fileURLToPath(new URL('../../.data/screenshots/', import.meta.url))

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

// Rendering and checking every page takes minutes on a busy machine.
const patience = 300_000

/** The objects that the pages show. */
const fill = async (world: World) => {
  const acme = await world.provider('acme')
  const model = await acme.registerModel({
    display_name: 'Atlas Chat',
    api_model_identifier: 'atlas-chat',
    version: '2.1',
  })
  const { verification_url } = await acme.client.verifications.create({ model_id: model, challenge: 'blue otter 42' })
  await acme.registerDeployment([model])
  await world.anyone.incidents.report({
    model_id: model,
    category: 'technical_error',
    title: 'Wrong capital',
    description: 'It said Bergen.',
  })
  return { owner: acme, provider: acme.id, model, link: new URL(verification_url).pathname }
}

type Things = Awaited<ReturnType<typeof fill>>
const unknownId = '06f3bxf2m1mn8p3d1ah1hn1qw8'

interface Visit {
  name: string
  path: (things: Things) => string
  state: string
  /** The file that lets axe judge this page. */
  judgedIn?: string
}

const visits: Visit[] = [
  { name: 'landing', path: () => '/', state: 'ready', judgedIn: 'landing.test.ts' },
  { name: 'search', path: () => '/search?q=atlas', state: 'ready', judgedIn: 'search.test.ts' },
  { name: 'search-nothing', path: () => '/search?q=zzqx', state: 'empty', judgedIn: 'search.test.ts' },
  { name: 'providers', path: () => '/providers', state: 'ready', judgedIn: 'lists.test.ts' },
  { name: 'providers-none', path: () => '/providers?search=zzqx', state: 'empty' },
  {
    name: 'provider',
    path: ({ provider }) => `/providers/${provider}`,
    state: 'ready',
    judgedIn: 'provider-page.test.ts',
  },
  {
    name: 'provider-unknown',
    path: () => `/providers/prv_${unknownId}`,
    state: 'not-found',
    judgedIn: 'provider-page.test.ts',
  },
  { name: 'models', path: () => '/models', state: 'ready', judgedIn: 'lists.test.ts' },
  { name: 'models-none', path: () => '/models?search=zzqx', state: 'empty' },
  { name: 'model', path: ({ model }) => `/models/${model}`, state: 'ready', judgedIn: 'model-page.test.ts' },
  {
    name: 'model-security',
    path: ({ model }) => `/models/${model}?tab=security`,
    state: 'ready',
    judgedIn: 'model-page.test.ts',
  },
  {
    name: 'model-versions',
    path: ({ model }) => `/models/${model}?tab=versions`,
    state: 'ready',
    judgedIn: 'model-page.test.ts',
  },
  {
    name: 'model-reports',
    path: ({ model }) => `/models/${model}?tab=reports`,
    state: 'ready',
    judgedIn: 'model-page.test.ts',
  },
  { name: 'model-unknown', path: () => `/models/mdl_${unknownId}`, state: 'not-found', judgedIn: 'model-page.test.ts' },
  { name: 'link', path: ({ link }) => link, state: 'provider_only', judgedIn: 'link-page.test.ts' },
  {
    name: 'link-unknown',
    path: () => `/v/${formatLinkCode(createLinkCode(0, new Uint8Array(8)))}`,
    state: 'not_found',
    judgedIn: 'link-page.test.ts',
  },
  { name: 'samples', path: () => '/sample', state: 'ready' },
  { name: 'code', path: () => '/v', state: 'ready' },
  { name: 'challenge', path: () => '/challenge', state: 'ready', judgedIn: 'challenge.test.ts' },
  { name: 'chat', path: () => '/chat', state: 'ready', judgedIn: 'chat.test.ts' },
  { name: 'verify-model', path: () => '/verify-model', state: 'ready', judgedIn: 'static-pages.test.ts' },
  { name: 'docs', path: () => '/docs', state: 'ready', judgedIn: 'docs.test.ts' },
  { name: 'about', path: () => '/about', state: 'ready', judgedIn: 'static-pages.test.ts' },
  { name: 'privacy', path: () => '/privacy', state: 'ready', judgedIn: 'static-pages.test.ts' },
  { name: 'contact', path: () => '/contact', state: 'ready', judgedIn: 'static-pages.test.ts' },
  { name: 'login', path: () => '/login', state: 'sign-in', judgedIn: 'login.test.ts' },
  { name: 'sign-up', path: () => '/login?view=register', state: 'register', judgedIn: 'login.test.ts' },
  { name: 'register', path: () => '/register', state: 'details', judgedIn: 'register.test.ts' },
  {
    name: 'email-verified',
    path: () => '/email-verified?level=domain',
    state: 'signed-out',
    judgedIn: 'verify-email.test.ts',
  },
  { name: 'nowhere', path: () => '/no/such/page', state: 'not-found', judgedIn: 'static-pages.test.ts' },
]

/** In the other files, axe judges only in a full run. */
const isJudgedInEveryRun = ({ judgedIn = '' }: Visit) =>
  /^(provider-page|model-page|link-page|challenge|chat|login|register|verify-email)\./.test(judgedIn)

/** Lists without rows are made of the parts of the others. */
const isJudgedInFull = (visit: Visit) => isJudgedInEveryRun(visit) || visit.state === 'empty'

/** Axe takes five seconds for the documentation, whose sections are made of the same parts. */
const hideRepeated = (page: Page) =>
  page.evaluate(() => {
    for (const [index, section] of document.querySelectorAll<HTMLElement>('main section[id]').entries())
      section.hidden = index % 4 !== 0
  })

const arrive = async (page: Page, name: string, state: string) => {
  const main = page.locator('main')
  await expect.poll(() => main.getAttribute('data-state'), { message: name, timeout: 20_000 }).toBe(state)
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
}

const [wide = tablet] = looks

/** `PICTURES=1 npm test tests/web/walk.test.ts` writes pictures to `.data/screenshots`. */
const photograph = async (page: Page, name: string, look: Look = wide) => {
  if (!process.env.PICTURES) return
  const folder = `${screenshots}${look.name.replace(/\W+/g, '-')}`
  await mkdir(folder, { recursive: true })
  await inLook(page, look, () => page.screenshot({ path: `${folder}/${name}.png`, fullPage: true }))
}

/** The looks in which the page is wider than the window. */
const overflowing = async (page: Page) => {
  const wider: string[] = []
  for (const look of looks) if ((await inLook(page, look, () => overflowOf(page))) > 0) wider.push(look.name)
  return wider
}

describe('every page', () => {
  it(
    'has one heading, a title, no horizontal scrolling, and passes axe',
    async () => {
      const world = await createWorld()
      const things = await fill(world)
      const page = await openVisitor(browser)
      const chosen = sampled(visits.filter(isJudgedInEveryRun), 3)
      for (const visit of visits) {
        if (isJudgedInEveryRun(visit) && !chosen.includes(visit)) continue
        const { name, path, state } = visit
        await page.goto(world.publicUrl + path(things))
        await arrive(page, name, state)
        const overflow = await inLook(page, tablet, () => overflowOf(page))
        expect({ name, overflow }).toEqual({ name, overflow: 0 })
        if (name === 'docs' && !isFull) {
          expect({ name, wider: await overflowing(page) }).toEqual({ name, wider: [] })
          await hideRepeated(page)
        }
        const seen = {
          name,
          headings: await page.locator('h1').count(),
          hasTitle: /\S+ · Countersign$|^Countersign: /.test(await page.title()),
          flaws: isJudgedInFull(visit) && !isFull ? await overflowing(page) : await findFlaws(page),
        }
        expect(seen).toEqual({ name, headings: 1, hasTitle: true, flaws: [] })
        for (const look of [...looks, tablet]) await photograph(page, name, look)
      }
    },
    patience,
  )

  const asking: Visit[] = visits.filter(({ name }) =>
    ['landing', 'search', 'providers', 'provider', 'models', 'model', 'link', 'chat'].includes(name),
  )

  /** One page of each kind: its parts are the same on the others. */
  const isJudged = (name: string) => isFull || ['landing', 'link'].includes(name)

  itInFull(
    'that asks the registry shows that it is loading, and what to do if there is no answer',
    async () => {
      const world = await createWorld()
      const things = await fill(world)
      const page = await openVisitor(browser)
      await withoutWritten(page)
      for (const { name, path, state } of asking) {
        const held = Promise.withResolvers<void>()
        const hold = async (route: Route) => {
          await held.promise
          await route.abort()
        }
        await page.route('**/api/**', hold)
        await page.goto(world.publicUrl + path(things))
        await page.locator('main[data-state]').waitFor()
        await photograph(page, `${name}-loading`)
        // The page has no heading until its object has loaded.
        if (isJudged(name)) {
          const waiting = (await findViolations(page)).filter(
            (violation) => !violation.startsWith('page-has-heading-one'),
          )
          expect({ name, waiting }).toEqual({ name, waiting: [] })
        }
        held.resolve()
        if (name !== 'landing') {
          const failed = state === 'provider_only' ? 'could_not_check' : 'failed'
          await arrive(page, name, failed)
          await page.getByRole('main').getByRole('button', { name: 'Try again' }).first().waitFor()
        }
        await photograph(page, `${name}-failed`)
        const flaws = isJudged(name) ? await findFlaws(page) : await overflowing(page)
        expect({ name, flaws }).toEqual({ name, flaws: [] })
        await page.unroute('**/api/**', hold)
      }
    },
    patience,
  )

  itInFull(
    'for providers passes, empty and filled',
    async () => {
      const world = await createWorld()
      const things = await fill(world)
      const owners = [
        { kind: 'empty', owner: await world.provider('northwind', { isVerified: false }) },
        { kind: 'ready', owner: things.owner },
      ]
      // With content, each is judged in its own file.
      for (const { kind, owner } of isFull ? owners : owners.slice(0, 1)) {
        const { page, visit } = await openOwner(browser, world, owner)
        for (const address of [...tabNames.map(addressOf), '/dashboard/models/register']) {
          await visit(address)
          await page.locator('main[data-state]:not([data-state=loading])').waitFor()
          await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
          const seen = {
            address,
            state: await stateOf(page),
            headings: await page.locator('h1').count(),
            flaws: await findFlaws(page),
          }
          expect(seen).toEqual({
            address,
            state: expect.stringMatching(/^(ready|empty)$/),
            headings: 1,
            flaws: [],
          })
          await photograph(page, `${kind}-${address.split(/[/=]/).at(-1)}`)
        }
        await page.context().close()
      }
    },
    patience,
  )

  it(
    'of an empty registry says what to do first',
    async () => {
      const world = await createWorld()
      const page = await openVisitor(browser)
      for (const path of ['/', '/providers', '/models', '/chat', '/search?q=atlas']) {
        await page.goto(world.publicUrl + path)
        await page.locator('main[data-state]:not([data-state=loading])').waitFor()
        await photograph(page, `empty-${path.replace(/\W+/g, '') || 'landing'}`)
        const ways = await page
          .getByRole('main')
          .getByRole('link')
          .or(page.getByRole('main').getByRole('textbox'))
          .count()
        expect({ path, hasWayOn: ways > 0 }).toEqual({ path, hasWayOn: true })
      }
    },
    patience,
  )
})
