import { mkdirSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { openOwner } from '../support/owner.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())
const out = '/tmp/w5-shots'
mkdirSync(out, { recursive: true })

it('pictures', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const names = ['Heron Chat', 'Heron Chat Mini', 'mixtral_8x22b_instruct_v0_3_blue_heron_tuned_medium', 'Heron Vision', 'Heron Embed', 'Heron Code']
  const ids: string[] = []
  for (const [i, display_name] of names.entries())
    ids.push(await acme.registerModel({ display_name, api_model_identifier: `heron-${i}`, version: `2.${i}.0` }))
  for (let day = 0; day < 12; day++) {
    world.clock.advance('1d')
    for (let n = 0; n <= (day * 7) % 5; n++) {
      const { token } = await acme.client.verifications.create({ model_id: ids[n % 3] ?? '' })
      await world.anyone.verifications.opened(token)
    }
  }
  for (let n = 0; n < 3; n++)
    await world.anyone.incidents.report({ model_id: ids[n] ?? '', category: 'technical_error', severity: n === 0 ? 'critical' : 'high', title: `Wrong capital of country ${n}`, description: 'It says Bergen.' })
  for (let n = 0; n < 4; n++) await acme.client.deployments.register({ spki_fingerprint: String(n).repeat(64) })
  const paths: Record<string, string> = JSON.parse(process.env.SHOT_PATHS ?? '{"overview":"/dashboard"}')
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 390]) {
      const { page, visit } = await openOwner(browser, world, acme, { colorScheme, viewport: { width, height: width === 390 ? 844 : 800 } })
      for (const [name, path] of Object.entries(paths)) {
        await visit(path.replace('MODEL', ids[0] ?? ''))
        await page.waitForLoadState('networkidle')
        await page.waitForTimeout(600)
        const height = await page.evaluate(() => document.documentElement.scrollHeight)
        console.log(name, colorScheme, width, height)
        if (name === 'minted') {
          await page.getByLabel('Challenge').fill('blue heron')
          await page.getByRole('button', { name: 'Create link' }).click()
          await page.getByText('Open as a visitor').waitFor()
        }
        await page.screenshot({ path: `${out}/${name}-${width}-${colorScheme}.png`, fullPage: !name.startsWith('mint') })
      }
    }
}, 300_000)
