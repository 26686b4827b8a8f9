import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCommandLine } from '../cli/process.ts'
import { launchBrowser } from '../support/browser.ts'
import { openOwner } from '../support/owner.ts'
import { findViolations, looks, overflowOf } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

const address = '/dashboard/models/register'
const card = {
  'Display name': 'Atlas Chat',
  'API model identifier': 'atlas-chat',
  'API endpoint': 'https://api.acme.example/v1',
  Description: 'A model that answers questions about maps.',
}

const fill = async (page: Page, fields: Record<string, string>) => {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
}

const begin = async (options: Parameters<typeof openOwner>[3] = {}) => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const { page, visit } = await openOwner(browser, world, acme, options)
  await visit(address)
  await page.getByRole('heading', { level: 1, name: 'Register a model' }).waitFor()
  const submit = () => page.getByRole('button', { name: 'Register Model', exact: true }).click()
  return { world, acme, page, visit, submit }
}

const arrive = (page: Page, publicUrl: string) => page.waitForURL(`${publicUrl}/dashboard?tab=models`)
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()

/** Bytes that are the same on every run and in no two places. */
const madeBytes = (count: number) => {
  const bytes = Buffer.alloc(count)
  let state = 1
  for (let index = 0; index < count; index++) {
    state = (state * 48_271) % 2_147_483_647
    bytes[index] = state & 255
  }
  return bytes
}

describe('the registration page', () => {
  it.each(looks)('shows its states without a flaw, $name', async ({ name, context }) => {
    const { page, submit } = await begin(context)
    await page.screenshot({ path: `/tmp/shots/register/empty-${name}.png`, fullPage: true })
    await page.getByRole('button', { name: 'Show Advanced Details' }).click()
    await page.screenshot({ path: `/tmp/shots/register/advanced-${name}.png`, fullPage: true })
    await fill(page, { Version: '', 'Context window': '128k', MMLU: '101', 'Model card': 'card' })
    await submit()
    await page.getByText('fields need another look', { exact: false }).waitFor()
    await page.screenshot({ path: `/tmp/shots/register/refused-${name}.png`, fullPage: true })
    expect(await findViolations(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
  })

  it('registers a file with the digest that the command line makes, and keeps what was typed through a reload', async () => {
    const { world, acme, page, submit } = await begin()
    const cli = await createCommandLine(world.address)
    const model = join(cli.folder, 'atlas.gguf')
    await writeFile(model, madeBytes(11_000_003))
    await fill(page, card)
    await page.getByLabel('Files of the model').setInputFiles(model)
    await page.getByText('One file, 11 MB, hashed in this browser. Nothing was uploaded.').waitFor()
    await page.screenshot({ path: '/tmp/shots/register/hashed.png', fullPage: true })

    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByText('What you typed earlier is still here.').waitFor()
    expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe(card.Description)
    await submit()
    await arrive(page, world.publicUrl)
    await toast(page, 'Model registered successfully!')

    const { stdout } = await cli.call(['models', 'digest', model, '--json'])
    const { digest, files } = JSON.parse(stdout)
    const { models } = await acme.client.providers.models(acme.id)
    expect(models).toMatchObject([{ model_digest: digest, digest_source: 'local-bytes', api_model_identifier: 'atlas-chat' }])
    const registered = await acme.client.models.files(models[0]?.id ?? '')
    expect(registered.files).toEqual([{ name: 'atlas.gguf', size: 11_000_003, sha256: files[0].digest.slice(-64) }])
  })
})
