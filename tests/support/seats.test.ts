import { describe, expect, it } from 'vitest'
import { shareBrowser } from './browser.ts'
import { giveBack, takeSeat } from './seats.ts'
import { startWebServer } from './web-server.ts'

describe('a seat', () => {
  it('keeps no trace of its previous use', async () => {
    const { url, serve } = await startWebServer()
    serve('/robots.txt', 200, 'none', { 'Content-Type': 'text/plain' })
    serve('/', 200, '<p>Hello</p>', { 'Content-Type': 'text/html', 'Set-Cookie': 'one=1' })
    const browser = await shareBrowser()
    const first = await takeSeat(browser, { viewport: { width: 320, height: 740 }, colorScheme: 'dark' })
    await first.page.addInitScript(() => localStorage.setItem('scripted', 'yes'))
    await first.page.route('**/blocked', (route) => route.fulfill({ status: 200, body: 'blocked' }))
    const heard: string[] = []
    first.page.on('request', (request) => heard.push(request.url()))
    await first.page.goto(url)
    await first.page.evaluate(() => sessionStorage.setItem('kept', 'yes'))
    await first.page.context().newPage()
    await first.page.context().setOffline(true)
    await giveBack(first)
    heard.length = 0

    const second = await takeSeat(browser, {})
    const { page } = second
    expect(page).toBe(first.page)
    await page.goto(`${url}/blocked`)
    expect(await page.evaluate(() => ({ ...localStorage, ...sessionStorage, cookie: document.cookie }))).toEqual({
      cookie: '',
    })
    expect(await page.evaluate(() => [innerWidth, matchMedia('(prefers-color-scheme: dark)').matches])).toEqual([
      1280,
      false,
    ])
    expect(await page.innerText('body')).toBe('not here')
    expect(page.context().pages()).toEqual([page])
    expect(heard).toEqual([])
    await giveBack(second)
  })

  it('is not reused if its clock was replaced', async () => {
    const { url } = await startWebServer()
    const browser = await shareBrowser()
    const first = await takeSeat(browser, {})
    await first.page.clock.install()
    await first.page.goto(url)
    await giveBack(first)
    expect(first.page.isClosed()).toBe(true)
  })
})
