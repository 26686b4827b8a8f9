import type { Browser, BrowserContextOptions } from 'playwright-core'
import { openVisitor } from './visitor.ts'
import type { World } from './world.ts'

/** The owner of a provider, signed in with their own browser. */
export const openOwner = async (
  browser: Browser,
  world: Pick<World, 'publicUrl'>,
  provider: { id: string; apiKey: string },
  options: BrowserContextOptions = {},
) => {
  const page = await openVisitor(browser, options)
  await page.addInitScript(
    ([id, key]) => {
      // Only once: after signing out, the owner stays signed out.
      if (localStorage.getItem('test-owner') !== null) return
      localStorage.setItem('test-owner', '')
      localStorage.setItem('providerId', id ?? '')
      localStorage.setItem('apiKey', key ?? '')
    },
    [provider.id, provider.apiKey],
  )
  return { page, visit: (path: string) => page.goto(world.publicUrl + path) }
}
