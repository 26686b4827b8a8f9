import { createHash } from 'node:crypto'
import { modelStatement, signModel } from '@countersign/sdk/integrity'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { greenWords } from '../support/console.ts'
import { proveSigner } from '../support/signers.ts'
import { ecKeys } from '../support/sigstore/keys.ts'
import { openVisitor } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const toSign = {
  name: 'atlas',
  files: [{ name: 'weights', digest: createHash('sha256').update('weights').digest('hex') }],
}
const { subject } = modelStatement(toSign) as { subject: [{ digest: { sha256: string } }] }
const model_digest = `sha256:${subject[0].digest.sha256}`

/** The signature facts on the page, once they show the expected text. */
const signatureOn = async (page: Page, link: string, expected: string) => {
  await page.goto(link)
  const section = page.locator('details', { has: page.getByText('Model Security') })
  await section.locator('summary').click()
  await expect.poll(() => section.innerText(), { timeout: 20_000 }).toContain(expected)
  return (await section.innerText()).replace(/\s+/g, ' ')
}

const stepOn = (page: Page) =>
  page.locator('[data-step=model_file]').evaluate((step) => step.getAttribute('data-step-state'))

it('a link shows who signed the model, and whether that signer is the provider’s own', {
  timeout: 90_000,
}, async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const [theirs, others] = [ecKeys(), ecKeys()]
  const public_key = theirs.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const { id: signer, key_fingerprint } = await acme.client.signers.declare({ signer: { kind: 'key', public_key } })
  const id = await acme.registerModel({ model_digest })
  const give = (keys: typeof theirs) => acme.client.bundles.upload(id, JSON.parse(signModel(toSign, keys.privateKey)))
  const mint = async () => (await acme.client.verifications.create({ model_id: id })).verification_url
  const page = await openVisitor(browser)

  await signatureOn(page, await mint(), 'Not checked')
  await give(theirs)
  const link = await mint()
  const byOther = await signatureOn(page, link, 'Signed by a third party')
  expect(byOther).toContain('Its signer was not shown to be the company.')
  expect(await stepOn(page)).toBe('stated')

  await proveSigner(acme.client, signer, theirs)
  await world.jobs.run('bundles')
  const verified = await signatureOn(page, link, 'Verified')
  expect(await stepOn(page)).toBe('proven')
  for (const text of [`key ${key_fingerprint}`, 'Signed by the company’s own signer.', 'Last checked'])
    expect(verified).toContain(text)
  expect(await greenWords(page)).toContain('Verified')
  await acme.client.models.archive(id, {})
  await signatureOn(page, link, 'Verified')
  expect(await greenWords(page)).not.toContain('Verified')
  await acme.client.models.unarchive(id, {})

  await give(others)
  expect(await signatureOn(page, link, 'Invalid')).not.toContain('Signed by the company’s own signer.')
})

it('no signer is called the company’s own while nothing shows who the company is', { timeout: 90_000 }, async () => {
  const world = await createWorld()
  const acme = await world.provider('acme', { isVerified: false })
  const keys = ecKeys()
  const public_key = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const { id: signer } = await acme.client.signers.declare({ signer: { kind: 'key', public_key } })
  await proveSigner(acme.client, signer, keys)
  const api_model_identifier = 'atlas'
  await acme.registerModel({ api_model_identifier, version: '1' })
  const id = await acme.registerModel({ api_model_identifier, version: '2', force_new_version: true, model_digest })
  await acme.client.bundles.upload(id, JSON.parse(signModel(toSign, keys.privateKey)))
  expect((await acme.client.models.get(id)).bundle_status).toBe('verified')
  const page = await openVisitor(browser)
  for (const tab of ['', '?tab=security', '?tab=versions']) {
    await page.goto(`${world.publicUrl}/models/${id}${tab}`)
    await page.getByText('Signed by someone unknown').first().waitFor()
    const text = await page.locator('main').innerText()
    expect(text).not.toMatch(/own signer|’s own|theirs|^Verified$/im)
    expect(text).not.toContain('1 of 3 checks passed')
  }
  await page.goto(`${world.publicUrl}/providers/${acme.id}`)
  await page.getByRole('heading', { name: 'Checked by us' }).waitFor()
  expect(await page.locator('main').innerText()).not.toContain('Verified models')
  const { verification_url } = await acme.client.verifications.create({ model_id: id })
  expect(await signatureOn(page, verification_url, 'Signed by someone unknown')).not.toMatch(/own signer|Verified/)
  const timeline = page.locator('details', { has: page.getByText('Timeline') })
  await timeline.locator('summary').click()
  const events = await timeline.innerText()
  expect(events).toContain('The signed bundle was checked. Someone unknown signed it')
  expect(events).not.toContain('valid')
})
