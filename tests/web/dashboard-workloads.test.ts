import { readFile } from 'node:fs/promises'
import { type ClientOptions, createClient } from '@countersign/sdk'
import { spkiFingerprint } from '@countersign/sdk/node'
import { requestSigner } from '@countersign/sdk/signer'
import { workloadSigner } from '@countersign/sdk/workload'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { expectQuoted, hostile, labelsIn } from '../support/hostile.ts'
import { openOwner } from '../support/owner.ts'
import { findViolations, overflowOf } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

it('a platform identity is trusted for a new deployment, listed with its use, and removed', async () => {
  const world = await createWorld()
  const acme = await world.provider('acme')
  const modelId = await acme.registerModel()
  const { page, visit } = await openOwner(browser, world, acme)
  await visit('/dashboard?tab=deployments')
  await page.getByText('No platform identity is trusted yet').waitFor()
  await page.getByText('countersign deployments trust add --issuer').waitFor()
  await page.getByRole('button', { name: 'Trust an identity' }).click()
  const dialog = page.getByRole('dialog', { name: 'Trust a platform identity' })
  const submit = dialog.getByRole('button', { name: 'Trust identity' })
  await submit.click()
  await dialog.getByText('Subject is required').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('subject')
  await dialog.getByLabel('email').fill('chat-prod@acme.example')
  expect(await findViolations(page)).toEqual([])

  // Each platform has its own hints, and the typed text stays.
  await dialog.getByLabel('Platform').selectOption({ label: 'Another issuer' })
  await dialog.getByLabel('Subject').fill('1122334455')
  await dialog.getByLabel('Issuer').fill('https://unlisted.example/')
  await submit.click()
  await dialog.getByText('This registry does not accept tokens of that issuer').waitFor()
  await dialog.getByLabel('Issuer').fill(`${world.jobIssuer.issuer}/`)
  await dialog.getByRole('button', { name: 'Add claim' }).click()
  await dialog.getByLabel('Name of claim 1').fill('email')
  await submit.click()
  await dialog.getByText('email: A claim is required').waitFor()
  await dialog.getByLabel('Value of claim 1').fill('chat-prod@acme.example')
  await submit.click()
  await page.getByText('Identity trusted').waitFor()
  const list = page.getByRole('list', { name: 'Trusted platforms' })
  await list.getByText('email = “chat-prod@acme.example”').waitFor()
  await list.getByText('Never used').waitFor()
  const { workloads } = await acme.client.workloads.list()
  expect(workloads).toMatchObject([
    { subject: '1122334455', claims: { email: 'chat-prod@acme.example' }, audience: world.publicUrl },
  ])

  // Its deployment is in the list above.
  const id = workloads[0]?.deployment_id ?? ''
  await page.getByText('1 deployment', { exact: true }).waitFor()
  await list.getByRole('button', { name: `${id.slice(0, 16)}...` }).click()
  await page
    .getByRole('dialog', { name: /^Deployment dep_/ })
    .getByText('None: only workloads stand for it')
    .waitFor()
  await page.keyboard.press('Escape')
  await list.getByRole('button', { name: 'Add Model' }).click()
  await page.getByRole('dialog', { name: 'Add Model' }).getByRole('button', { name: 'Cancel' }).click()
  await acme.client.models.allowDeployment(modelId, { deployment_id: id })
  await page.reload()
  await list.getByText('Stands for deployment').waitFor()
  await expect.poll(() => list.getByText('the deployment has no model').count()).toBe(0)
  await page.getByText('Show the code for the server').click()
  expect(await list.locator('pre').innerText()).toContain(`providerId: '${acme.id}'`)
  expect(await findViolations(page)).toEqual([])
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await overflowOf(page), `${width}`).toBe(0)
  }

  const { now } = world.clock
  const token = () =>
    world.jobIssuer.vouch(world.publicUrl, { sub: '1122334455', email: 'chat-prod@acme.example', email_verified: true })
  const key = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair
  const { hex } = spkiFingerprint(new Uint8Array(await crypto.subtle.exportKey('spki', key.publicKey)))
  await acme.registerDeployment([modelId], hex)
  const mint = (options: ClientOptions) =>
    createClient({ baseURL: world.address, ...options }).verifications.create({ model_id: modelId })
  const links = {
    signed: await mint({ apiKey: acme.apiKey, fetch: requestSigner({ key, now, registry: world.address }) }),
    workload: await mint({ fetch: workloadSigner({ registry: world.address, providerId: acme.id, token, now }) }),
  }
  const platform = new URL(world.jobIssuer.issuer).host
  const said = { signed: 'Proved by a signature with its key', workload: `${platform} says: this is “1122334455”` }
  for (const binding of ['signed', 'workload'] as const) {
    await visit(new URL(links[binding].verification_url).pathname)
    await page.getByText('Deployment Information').click()
    const details = page.locator('details', { hasText: 'Deployment Information' })
    await details.getByText(said[binding]).waitFor()
    expect(await page.locator('main').innerText()).toContain('Verified AI Model')
    expect(await details.getByText('Who vouched for it').count()).toBe(binding === 'workload' ? 1 : 0)
  }
  const issuer = 'https://oidc.vercel.com/openai-officially-verified'
  await world.database.transaction((tx) =>
    tx
      .updateTable('verifications')
      .set({ workload: JSON.stringify({ issuer, subject: '1122334455', spki_fingerprint: hex }) })
      .where('workload', 'is not', null)
      .execute(),
  )
  await visit(new URL(links.workload.verification_url).pathname)
  await page.getByText('Deployment Information').click()
  await page.getByText('https://oidc.vercel.com', { exact: true }).waitFor()
  for (const details of await page.locator('details').all())
    await details.evaluate((each) => each.setAttribute('open', ''))
  expect(await page.locator('main').innerText()).toContain('Vercel (oidc.vercel.com) said that')
  expect(await page.locator('main').innerText()).not.toContain('officially')
  await visit('/dashboard?tab=verifications')
  await page.getByText('Proven by a signature').waitFor()
  await page.getByText('Proven by its platform').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export as CSV' }).click(),
  ])
  expect((await readFile(await download.path())).toString()).toMatch(/,workload,.*,signed,/s)
  await visit('/dashboard?tab=deployments')

  await list.getByRole('button', { name: /^Remove / }).click()
  const confirm = page.getByRole('dialog', { name: 'Stop trusting this identity?' })
  await confirm.getByRole('button', { name: 'Stop trusting' }).click()
  await page.getByText('Identity removed').waitFor()
  await page.getByText('No platform identity is trusted yet').waitFor()
  expect(await acme.client.workloads.list()).toMatchObject({ workloads: [] })

  // What a member or a thief chose is only in quotation marks.
  await acme.client.workloads.trust({ issuer: world.jobIssuer.issuer, subject: hostile, claims: { email: hostile } })
  await page.reload()
  await list.getByText('Never used').waitFor()
  expectQuoted(await list.innerText())
  for (const label of await labelsIn(list)) expectQuoted(label)
  await list.getByRole('button', { name: /^Remove / }).click()
  await confirm.getByRole('button', { name: 'Stop trusting' }).waitFor()
  expectQuoted(await confirm.innerText())
  await confirm.getByRole('button', { name: 'Stop trusting' }).click()
  await page.getByText('No platform identity is trusted yet').waitFor()

  await page.route('**/workloads', (route) => route.abort())
  await page.reload()
  await page.getByText('Your trusted platforms could not be loaded').waitFor()
  await page.unroute('**/workloads')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('No platform identity is trusted yet').waitFor()
}, 60_000)
