import { expect, it } from 'vitest'
import { launchBrowser } from './browser.ts'

it('opens a page in a real browser, twice', async () => {
  const browser = await launchBrowser()
  try {
    for (const title of ['one', 'two']) {
      const context = await browser.newContext()
      const page = await context.newPage()
      await page.setContent(`<title>${title}</title>`)
      expect(await page.title()).toBe(title)
      await context.close()
    }
  } finally {
    await browser.close()
  }
})
