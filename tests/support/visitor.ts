import AxeBuilder from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

export interface Look {
  name: string
  context: BrowserContextOptions
}

/** The ways in which a page is looked at. */
export const looks: readonly Look[] = [
  { name: 'light, desktop', context: { colorScheme: 'light', viewport: { width: 1280, height: 900 } } },
  { name: 'dark, desktop', context: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } } },
  { name: 'light, 320 px', context: { colorScheme: 'light', viewport: { width: 320, height: 740 } } },
  { name: 'dark, 320 px', context: { colorScheme: 'dark', viewport: { width: 320, height: 740 } } },
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

/** Waits until the page has made up its mind, and says how. */
export const stateOf = async (page: Page): Promise<string | null> => {
  const main = page.locator('main[data-state]:not([data-state=loading])')
  await main.waitFor()
  return main.getAttribute('data-state')
}

const axeTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What axe finds wrong with the page as it is: by all rules, or where only colours changed by theirs. */
export const findViolations = async (page: Page, rule?: 'color-contrast'): Promise<string[]> => {
  const axe = new AxeBuilder({ page })
  const { violations } = await (rule === undefined ? axe.withTags(axeTags) : axe.withRules([rule])).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** How many pixels the page is wider than the window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
