import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, onTestFinished } from 'vitest'

export interface Look {
  name: string
  context: { colorScheme: 'light' | 'dark'; viewport: { width: number; height: number }; reducedMotion: 'reduce' }
}

const looking = (colorScheme: 'light' | 'dark', width: number, height: number): Look => ({
  name: `${colorScheme}, ${width} px`,
  // Axe would check animated elements half faded in.
  context: { colorScheme, viewport: { width, height }, reducedMotion: 'reduce' },
})

/** The two layouts that differ most: wide and light, narrow and dark. */
export const looks: readonly Look[] = [looking('light', 1280, 900), looking('dark', 320, 740)]

/** All viewports and colour schemes. */
export const everyLook: readonly Look[] = [
  ...looks,
  looking('dark', 1280, 900),
  looking('light', 320, 740),
  looking('light', 768, 1024),
  looking('dark', 768, 1024),
]

/** A person with their own browser. Errors in its console fail the test. */
export const openVisitor = async (browser: Browser, options: BrowserContextOptions = {}) => {
  const { page, complaints } = await openPage(browser, options)
  onTestFinished(async () => {
    await page.context().close()
    expect(complaints).toEqual([])
  })
  return page
}

/** One visitor for all tests of a suite, who only reads. The browser keeps the scripts of the pages. */
export const shareVisitor = (browser: () => Browser, options: BrowserContextOptions = {}) => {
  let visitor: Awaited<ReturnType<typeof openPage>>
  beforeAll(async () => {
    visitor = await openPage(browser(), options)
  })
  afterEach(() => expect(visitor.complaints.splice(0)).toEqual([]))
  afterAll(() => visitor.page.context().close())
  return () => visitor.page
}

const openPage = async (browser: Browser, options: BrowserContextOptions) => {
  // The processor draws each frame of an animation.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // The browser logs the 4xx of a rejected link by itself.
    if (['error', 'warning'].includes(message.type()) && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return { page, complaints }
}

/** The server embeds data in some pages; without it, they have to fetch it. */
export const withoutWritten = (page: Page) =>
  page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const body = (await response.text()).replace(/<script type="application\/json"[\s\S]*?<\/script>/g, '')
    await route.fulfill({ response, body })
  })

/** Waits until the page has loaded, and returns its state. */
export const stateOf = async (page: Page): Promise<string | null> => {
  const main = page.locator('main[data-state]:not([data-state=loading])')
  await main.waitFor()
  return main.getAttribute('data-state')
}

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The violations that axe finds on the page: by all rules, or by colour rules if only colours changed. */
export const findViolations = async (page: Page, rule?: 'color-contrast', within?: string): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const runOnly: axe.RunOptions['runOnly'] =
    rule === undefined ? { type: 'tag', values: axeTags } : { type: 'rule', values: [rule] }
  // Reporting passes as well would take five times as long.
  return page.evaluate(
    async ({ within, ...options }) => {
      // Axe would check elements in a transition half faded in. Endless animations continue.
      for (const animation of document.getAnimations())
        if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(within ?? document, options)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
    },
    { within, runOnly, resultTypes: ['violations'], preload: false } satisfies axe.RunOptions & { within?: string },
  )
}

/** Shows a loaded page in a look. CSS alone lays it out, so this is as good as opening it in that look. */
export const inLook = async <T>(page: Page, { context }: Look, work: () => Promise<T>): Promise<T> => {
  const before = page.viewportSize()
  await page.emulateMedia({ colorScheme: context.colorScheme, reducedMotion: context.reducedMotion })
  await page.setViewportSize(context.viewport)
  const result = await work()
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  if (before) await page.setViewportSize(before)
  return result
}

/** The faults of a loaded page, or of the dialog on it, in both looks: wider than the window, or found by axe. */
export const findFlaws = async (page: Page, within?: '[role=dialog]'): Promise<string[]> => {
  const flaws: string[] = []
  for (const look of looks)
    await inLook(page, look, async () => {
      const overflow = await overflowOf(page)
      if (overflow > 0) flaws.push(`${look.name}: ${overflow} px wider than the window`)
      flaws.push(...(await findViolations(page, undefined, within)).map((violation) => `${look.name}: ${violation}`))
    })
  return flaws
}

/** How many pixels the page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
