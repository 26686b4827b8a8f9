import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@countersign/sdk'
import { createMtlsFetch } from '@countersign/sdk/node'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { createCommandLine } from '../cli/process.ts'
import { type AccountWorld, createAccountWorld, toastOf } from '../support/account-visits.ts'
import { shareBrowser } from '../support/browser.ts'
import { createSelfSigned } from '../support/certificates.ts'
import { describeOnSqlite } from '../support/databases.ts'
import { ada } from '../support/desk.ts'
import { actOn } from '../support/rows.ts'
import { signChallenge } from '../support/signers.ts'
import { ecKeys } from '../support/sigstore/keys.ts'
import { openVisitor, stateOf } from '../support/visitor.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 240_000

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click()
const inDialog = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const toTab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name, exact: true }).click()
const toSection = async (page: Page, name: string) => {
  await toTab(page, 'Settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name, exact: true }).click()
}

/** From the registration page through the email to the dashboard. */
const register = async (world: AccountWorld, page: Page) => {
  await page.goto(world.at('/register'))
  await page.getByLabel('Company name').fill(ada.company_name)
  await page.getByLabel('Company email address').fill(ada.email)
  await page.getByLabel('Company website').fill(ada.website)
  await press(page, 'Continue')
  await press(page, 'Authenticate Now')
  await page.getByRole('heading', { level: 1, name: 'Check Your Email' }).waitFor()
  await page.goto((await world.mailTo(ada.email)).link)
  await page.waitForURL(world.at('/auth-setup'))
  await page.getByLabel('Create a password').fill(ada.password)
  await press(page, 'Continue with Password')
  await page.waitForURL(world.at('/dashboard'))
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

const createKey = async (page: Page, name: string, ...more: string[]) => {
  await toSection(page, 'API keys')
  await press(page, 'Create API key')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  for (const scope of more) await dialog.getByLabel(scope).check()
  await inDialog(page, 'Create key')
  await dialog.getByText('It won’t be shown again').waitFor()
  const key = (await dialog.locator('pre').first().innerText()).trim()
  await inDialog(page, 'I have saved it')
  return key
}

describeOnSqlite('a provider’s whole life', (engine) => {
  it(
    'goes from registering to deleting the account, in a browser',
    async () => {
      const world = await createAccountWorld(engine)
      const tls = await world.startTls()
      const owner = await openVisitor(browser)
      const visitor = await openVisitor(browser)
      await register(world, owner)

      // The domain: publish the record shown in the settings, and verify it.
      await toSection(owner, 'Domains')
      await owner.getByRole('button', { name: 'Prove acme.example' }).click()
      const record = owner.getByRole('dialog', { name: 'Verify the domain acme.example' })
      const [name = '', , value = ''] = await record.locator('dd code').allInnerTexts()
      world.dns.setTxt(name, [value])
      await record.getByRole('button', { name: 'Check now' }).click()
      await toastOf(owner, 'Domain verification confirmed!').waitFor()
      await owner.getByText('Proven', { exact: true }).waitFor()

      // Two keys: one for the service, one for signing.
      const firstKey = await createKey(owner, 'chat service', 'see your own records')
      const cli = await createCommandLine(world.address)
      const keys = ecKeys()
      await cli.write('key.pem', keys.privateKey.export({ type: 'pkcs8', format: 'pem' }))
      await toSection(owner, 'Who may sign')
      await press(owner, 'Declare a signer')
      const dialog = owner.getByRole('dialog')
      await dialog.getByLabel('Who signs').selectOption({ label: 'A public key' })
      await dialog.getByLabel('Signer’s file').setInputFiles({
        name: 'key.pub',
        mimeType: 'text/plain',
        buffer: Buffer.from(keys.publicKey.export({ type: 'spki', format: 'pem' })),
      })
      await inDialog(owner, 'Declare signer')
      await toastOf(owner, 'Signer declared').waitFor()
      await press(owner, /^Prove key/)
      const challenge = await dialog.locator('pre', { hasText: 'nonce:' }).textContent()
      await dialog.getByLabel('Signature (base64)').fill(signChallenge(challenge ?? '', keys.privateKey))
      await inDialog(owner, 'Prove')
      await toastOf(owner, 'The signer is proven to be yours').waitFor()

      // A real file, signed on the owner's machine and hashed in the browser.
      const model = join(cli.folder, 'atlas.gguf')
      await writeFile(model, Buffer.alloc(3_000_003, 'weights'))
      await cli.json('bundles', 'sign', model, '--key', 'key.pem', '--output', 'atlas.sig')
      await toTab(owner, 'Models')
      await owner.getByText("You haven't registered any models yet.").waitFor()
      await owner.getByRole('link', { name: 'Register Your First Model' }).click()
      for (const [label, text] of Object.entries({
        'Display name': 'Atlas Chat',
        'API model identifier': 'atlas-chat',
        'API endpoint': 'https://api.acme.example/v1',
        Description: 'A model that answers questions about maps.',
      }))
        await owner.getByLabel(label, { exact: true }).fill(text)
      await owner.getByLabel('Files of the model').setInputFiles(model)
      await owner.getByText('hashed in this browser. Nothing was uploaded.', { exact: false }).waitFor()
      await owner.getByLabel('Signed bundle', { exact: true }).setInputFiles(join(cli.folder, 'atlas.sig'))
      await press(owner, 'Register Model')
      await owner.getByText('The version is registered, and its bundle is verified.').waitFor()
      await toTab(owner, 'Models')
      await owner.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
      const client = createClient({ baseURL: world.address, apiKey: firstKey })
      const { id: provider_id } = await client.providers.me()
      const [registered] = (await client.providers.models(provider_id)).models
      const model_id = registered?.id ?? ''
      expect(registered).toMatchObject({ bundle_status: 'verified', provider_domain_verified: true })

      // The deployment.
      const credential = await createSelfSigned('gpu-1.acme.example')
      await toTab(owner, 'Deployments')
      await press(owner, 'Register Deployment')
      await dialog.locator('input[type=file]').setInputFiles(await cli.write('gpu-1.pem', credential.cert))
      await dialog.getByText('CN=gpu-1.acme.example').first().waitFor()
      await inDialog(owner, 'Register Deployment')
      await toastOf(owner, 'Deployment registered successfully').waitFor()
      await actOn(owner.getByRole('row').nth(1), 'Add Model')
      await dialog.getByRole('combobox', { name: 'Model' }).selectOption(model_id)
      await inDialog(owner, 'Authorize')
      await toastOf(owner, 'Deployment authorized for model').waitFor()

      // A link as the service requests it, opened by a visitor.
      const fetch = createMtlsFetch({ ...credential, ca: tls.ca })
      onTestFinished(() => fetch.close())
      const mint = (apiKey: string) =>
        createClient({ baseURL: tls.url, apiKey, fetch }).verifications.create({ model_id })
      const { verification_url } = await mint(firstKey)
      await visitor.goto(verification_url)
      expect(await stateOf(visitor)).toBe('verified')
      await visitor.getByRole('heading', { level: 1, name: 'acme.example “Atlas Chat 1.0.0”' }).waitFor()

      // The visitor reports it, and gets an answer.
      await visitor.getByRole('button', { name: 'Report an issue' }).click()
      const report = visitor.getByRole('dialog')
      await report.getByLabel('Category').selectOption('technical_error')
      await report.getByLabel('Title').fill('Puts Oslo in Sweden')
      await report.getByLabel('Description').fill('Asked for the capital of Norway.')
      await visitor.getByRole('button', { name: 'Submit report' }).click()
      await visitor.getByText('Issue reported successfully').waitFor()
      await world.jobs.run('mails')
      expect(
        world.smtp.mails.findLast(({ recipients }) => recipients.includes(ada.email.toLowerCase()))?.text,
      ).toContain('Puts Oslo in Sweden')
      await toTab(owner, 'Incidents')
      await actOn(owner.getByRole('row').nth(1), 'Respond')
      await dialog.getByLabel('Status').selectOption('resolved')
      await dialog.getByLabel(/^Response message/).fill('Fixed in version 1.0.1.')
      await inDialog(owner, 'Submit Response')
      await toastOf(owner, 'Incident response submitted successfully').waitFor()

      // The activity page lists all of it.
      await toTab(owner, 'Verifications')
      await owner.getByText('Atlas Chat').filter({ visible: true }).first().waitFor()
      await toTab(owner, 'Activity')
      await owner.getByText(/^Incident .Puts Oslo in Sweden. was resolved/).waitFor()

      // A new key replaces the first.
      const secondKey = await createKey(owner, 'chat service, second')
      await owner.getByRole('button', { name: /Revoke .chat service.$/ }).click()
      await inDialog(owner, 'Revoke key')
      await toastOf(owner, 'API key revoked successfully').waitFor()
      await expect(mint(firstKey)).rejects.toMatchObject({ code: 'unauthorized' })
      expect((await mint(secondKey)).verification_url).not.toBe(verification_url)

      // The model is withdrawn, even for people who still have the link.
      await toTab(owner, 'Models')
      await actOn(owner.getByRole('row').nth(1), 'Archive')
      await inDialog(owner, 'Archive')
      await toastOf(owner, 'Model "Atlas Chat" archived').waitFor()
      await visitor.goto(verification_url)
      expect(await stateOf(visitor)).toBe('archived')

      // And all data is gone.
      await toSection(owner, 'Organization')
      await press(owner, 'Delete Account')
      await dialog.getByLabel(`Type ${ada.company_name} to confirm`).fill(ada.company_name)
      await inDialog(owner, 'Delete permanently')
      await toastOf(owner, 'You have been signed out').waitFor()
      await owner.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
      await expect(mint(secondKey)).rejects.toMatchObject({ code: 'unauthorized' })
      await visitor.goto(world.at(`/providers/${provider_id}`))
      expect(await stateOf(visitor)).toBe('not-found')
      await visitor.goto(verification_url)
      expect(await stateOf(visitor)).toBe('gone')
    },
    patience,
  )
})
