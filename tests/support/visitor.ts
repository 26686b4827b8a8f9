import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

export interface Look {
  name: string
  context: BrowserContextOptions
}

const looking = (colorScheme: 'light' | 'dark', width: number, height: number): Look => ({
  name: `${colorScheme}, ${width} px`,
  // What moves would be judged half faded in.
  context: { colorScheme, viewport: { width, height }, reducedMotion: 'reduce' },
})

/** The two ways in which a page can go wrong by itself: wide and light, narrow and dark. */
export const looks: readonly Look[] = [looking('light', 1280, 900), looking('dark', 320, 740)]

/** All ways in which a page is looked at. */
export const everyLook: readonly Look[] = [
  ...looks,
  looking('dark', 1280, 900),
  looking('light', 320, 740),
  looking('light', 768, 1024),
  looking('dark', 768, 1024),
]

/** A person with a browser of their own. What their console complains about fails the test. */
export const openVisitor = async (browser: Browser, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // A refused link answers 4xx, and the browser notes that by itself.
    if (['error', 'warning'].includes(message.type()) && !/Failed to load resource/.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  return page
}

/** The server writes what it knows into some pages; without that, they have to ask. */
export const withoutWritten = (page: Page) =>
  page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const body = (await response.text()).replace(/<script type="application\/json"[\s\S]*?<\/script>/g, '')
    await route.fulfill({ response, body })
  })

/** Waits until the page has made up its mind, and says how. */
export const stateOf = async (page: Page): Promise<string | null> => {
  const main = page.locator('main[data-state]:not([data-state=loading])')
  await main.waitFor()
  return main.getAttribute('data-state')
}

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds wrong with the page as it is: by all rules, or where only colours changed by theirs. */
export const findViolations = async (page: Page, rule?: 'color-contrast'): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const runOnly: axe.RunOptions['runOnly'] = rule === undefined ? { type: 'tag', values: axeTags } : { type: 'rule', values: [rule] }
  // Told of all that is in order, too, it takes five times as long.
  return page.evaluate(
    async (options) => {
      // What is half faded in would be judged as it is now. What never ends goes on.
      for (const animation of document.getAnimations()) if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
    },
    { runOnly, resultTypes: ['violations'], preload: false } satisfies axe.RunOptions,
  )
}

/** How many pixels the page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
