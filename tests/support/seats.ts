import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { blankPath } from './blank-page.ts'

/** A tab in a browser profile of its own, and what its console complained about. */
export interface Seat {
  page: Page
  complaints: string[]
}

interface OwnSeat extends Seat {
  options: string
  devtools: CDPSession
  origins: Set<string>
  scripts: AsyncDisposable[]
}

const size = { width: 1280, height: 900 }
/** Seats by browser and options. */
const free = new WeakMap<Browser, Map<string, OwnSeat[]>>()

const freeAt = (browser: Browser, options: string) => {
  const all = free.get(browser) ?? new Map<string, OwnSeat[]>()
  free.set(browser, all)
  const seats = all.get(options) ?? []
  all.set(options, seats)
  return seats
}

/**
 * A cleared seat. A new profile has to load and compile the console again, which costs more than most tests; so a
 * returned seat is cleared and used again.
 */
export const takeSeat = async (
  browser: Browser,
  { viewport = size, colorScheme, ...options }: BrowserContextOptions,
): Promise<Seat> => {
  const key = JSON.stringify(options)
  const seat = freeAt(browser, key).pop() ?? (await openSeat(browser, key, options))
  const shown = seat.page.viewportSize()
  if (viewport && (viewport.width !== shown?.width || viewport.height !== shown.height))
    await seat.page.setViewportSize(viewport)
  if (colorScheme) await seat.page.emulateMedia({ colorScheme })
  listen(seat)
  return seat
}

export const giveBack = async (given: Seat) => {
  const seat = given as OwnSeat
  const browser = seat.page.context().browser()
  const isClear = await clear(seat).catch(() => false)
  if (isClear && browser) freeAt(browser, seat.options).push(seat)
  else await seat.page.context().close()
}

const openSeat = async (browser: Browser, key: string, options: BrowserContextOptions): Promise<OwnSeat> => {
  // The processor draws each frame of an animation.
  const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  const seat = { page, devtools, complaints: [], options: key, origins: new Set<string>(), scripts: [] }
  recordScripts(seat)
  return seat
}

/** A script for every page of the seat, such as one that signs in, ends with the visit. */
const recordScripts = ({ page, scripts }: OwnSeat) => {
  const add = page.addInitScript.bind(page) as (...args: unknown[]) => Promise<AsyncDisposable>
  page.addInitScript = (async (...args: unknown[]) => {
    const script = await add(...args)
    scripts.push(script)
    return script
  }) as typeof page.addInitScript
}

const listen = ({ page, complaints, origins }: OwnSeat) => {
  complaints.length = 0
  origins.clear()
  page.on('console', (message) => {
    // The browser logs the 4xx of a rejected link by itself.
    if (['error', 'warning'].includes(message.type()) && !/Failed to load resource/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('framenavigated', (frame) => origins.add(new URL(frame.url()).origin))
}

const events = [
  'console',
  'pageerror',
  'framenavigated',
  'request',
  'requestfinished',
  'requestfailed',
  'response',
  'dialog',
]

/** Removes what the visit left: other tabs, routes, listeners, cookies, storage and history. */
const clear = async (seat: OwnSeat): Promise<boolean> => {
  const { page, devtools, origins, scripts } = seat
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  for (const event of events) await page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const script of scripts.splice(0)) await script[Symbol.asyncDispose]()
  await resetSwitches(page, context)
  const visited = [...origins].filter((one) => one !== 'null')
  const blanks = await Promise.all(visited.map(hasBlankPage))
  const registries = visited.filter((_, index) => blanks[index])
  if (registries.length > 1) return false
  const last = registries[0] ?? visited[0]
  for (const one of visited)
    if (one !== last) await devtools.send('Storage.clearDataForOrigin', { origin: one, storageTypes: 'all' })
  if (last !== undefined && !(await clearStorage(page, last + (registries.length > 0 ? blankPath : '/robots.txt'))))
    return false
  await devtools.send('Page.resetNavigationHistory')
  return true
}

const resetSwitches = async (page: Page, context: BrowserContext) => {
  await context.setOffline(false)
  await context.clearCookies()
  await page.emulateMedia({
    media: null,
    colorScheme: null,
    contrast: null,
    forcedColors: null,
    reducedMotion: 'reduce',
  })
}

const hasBlankPage = (origin: string): Promise<boolean> =>
  fetch(origin + blankPath).then(
    ({ ok }) => ok,
    () => false,
  )

/** On a page without scripts, which could store something again. False if the page's clock is not the real one. */
const clearStorage = async (page: Page, blank: string): Promise<boolean> => {
  page.once('dialog', (leaving) => void leaving.accept())
  await page.goto(blank)
  await page.removeAllListeners('dialog')
  return page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
    return setTimeout.toString().includes('[native code]')
  })
}
