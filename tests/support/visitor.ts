import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, onTestFinished } from 'vitest'
import { isFull } from './full.ts'
import { giveBack, type Seat, takeSeat } from './seats.ts'

export interface Look {
  name: string
  context: { colorScheme: 'light' | 'dark'; viewport: { width: number; height: number } }
}

const looking = (colorScheme: 'light' | 'dark', width: number, height: number): Look => ({
  name: `${colorScheme}, ${width} px`,
  context: { colorScheme, viewport: { width, height } },
})

/** The two layouts that differ most: wide and light, narrow and dark. */
export const looks: readonly Look[] = [looking('light', 1280, 900), looking('dark', 320, 740)]

/** The width between them. */
export const tablet: Look = looking('light', 768, 1024)

/** A person with their own browser. Errors in its console fail the test. */
export const openVisitor = async (browser: Browser, options: BrowserContextOptions = {}) => {
  const seat = await takeSeat(browser, options)
  onTestFinished(async ({ task }) => {
    // A test that ran out of time may still be working on its page.
    if (task.result?.state === 'fail') return seat.page.context().close()
    const complaints = [...seat.complaints]
    await giveBack(seat)
    expect(complaints).toEqual([])
  })
  return seat.page
}

/** One visitor for all tests of a suite, who only reads. */
export const shareVisitor = (browser: () => Browser, options: BrowserContextOptions = {}) => {
  let visitor: Seat
  beforeAll(async () => {
    visitor = await takeSeat(browser(), options)
  })
  afterEach(() => expect(visitor.complaints.splice(0)).toEqual([]))
  afterAll(() => giveBack(visitor))
  return () => visitor.page
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

/** A page reads the small one faster. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What a look changes about the same elements: colours, sizes, and which of them are shown. The other rules take as long again. */
const lookRules = ['color-contrast', 'target-size', 'button-name', 'link-name', 'label', 'scrollable-region-focusable']

/** The violations that axe finds on the page: by all rules, or by those about its look. With a dialog open, it reads what is new: the dialog. */
export const findViolations = async (page: Page, rules?: readonly string[], within?: string): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
  const runOnly: axe.RunOptions['runOnly'] =
    rules === undefined ? { type: 'tag', values: axeTags } : { type: 'rule', values: [...rules] }
  // Reporting passes as well would take five times as long.
  return page.evaluate(
    async ({ within, isFull, ...options }) => {
      // Axe would check elements in a transition half faded in. Endless animations continue.
      for (const animation of document.getAnimations())
        if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
      const dialog = isFull ? null : document.querySelector<HTMLElement>('[role=dialog]')
      const part = within ?? dialog ?? document
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(part, options)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
    },
    { within, isFull, runOnly, resultTypes: ['violations'], preload: false } satisfies axe.RunOptions & {
      within?: string | undefined
      isFull: boolean
    },
  )
}

/** Shows a loaded page in a look. CSS alone lays it out, so this is as good as opening it in that look. */
export const inLook = async <T>(page: Page, look: Look, work: () => Promise<T>): Promise<T> => {
  const before = page.viewportSize()
  await show(page, look.context)
  const result = await work()
  await show(page, { colorScheme: null, viewport: before })
  return result
}

const show = async (
  page: Page,
  { colorScheme, viewport }: { colorScheme: 'light' | 'dark' | null; viewport: ReturnType<Page['viewportSize']> },
) => {
  await page.emulateMedia({ colorScheme })
  if (viewport) await page.setViewportSize(viewport)
}

/**
 * The faults of a loaded page, or of the dialog on it, in both looks: wider than the window, or found by axe. The second look has the same
 * elements, so axe reads only how they look. It reads a dialog, which has one layout, in the narrow look alone.
 */
export const findFlaws = async (page: Page, within?: '[role=dialog]'): Promise<string[]> => {
  const before = page.viewportSize()
  const flaws: string[] = []
  // The page's code loads after its document does, and axe would check an empty page.
  await page.locator('main h1').first().waitFor({ state: 'attached' })
  for (const { name, context } of looks) {
    await show(page, context)
    const overflow = await overflowOf(page)
    if (overflow > 0) flaws.push(`${name}: ${overflow} px wider than the window`)
    const isSecond = name === looks.at(-1)?.name
    if (within !== undefined && !isSecond && !isFull) continue
    const rules = isSecond && within === undefined && !isFull ? lookRules : undefined
    flaws.push(...(await findViolations(page, rules, within)).map((violation) => `${name}: ${violation}`))
  }
  await show(page, { colorScheme: null, viewport: before })
  return flaws
}

/** How many pixels the page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
