import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { modelStatement } from '@countersign/sdk/integrity'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { modelOptions } from '../../cli/src/commands/models/model-fields.ts'
import { draftOf, type ModelDraft } from '../../web/src/features/dashboard/model-form/model-draft.ts'
import { registrationArguments } from '../../web/src/features/dashboard/register/command-line.ts'
import { createCommandLine } from '../cli/process.ts'
import { shareBrowser } from '../support/browser.ts'
import { itInFull } from '../support/full.ts'
import { commit } from '../support/hub-server.ts'
import { openOwner } from '../support/owner.ts'
import { ecKeys } from '../support/sigstore/keys.ts'
import { model, signStatement } from '../support/sigstore/model-bundle.ts'
import { findFlaws, findViolations } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

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
  page.setDefaultTimeout(10_000)
  await visit(address)
  await page.getByRole('heading', { level: 1, name: 'Register a model' }).waitFor()
  const submit = () => page.getByRole('button', { name: 'Register Model', exact: true }).click()
  return { world, acme, page, visit, submit }
}

const arrive = (page: Page, publicUrl: string) => page.waitForURL(`${publicUrl}/dashboard?tab=models`)
const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor()

/** Bytes that are the same on every run and never repeat. */
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
  itInFull('passes axe in each state', async () => {
    const { page, submit } = await begin()
    await page.getByRole('button', { name: 'Show Advanced Details' }).click()
    await fill(page, { Version: '', 'Context window': '128k', MMLU: '101', 'Model card': 'card' })
    await submit()
    await page.getByText('fields need attention', { exact: false }).waitFor()
    expect(await findFlaws(page)).toEqual([])
  })

  itInFull(
    'registers a file with the same digest as the command line, and keeps typed text through a reload',
    async () => {
      const { world, acme, page, submit } = await begin()
      const cli = await createCommandLine(world.address)
      const path = join(cli.folder, 'atlas.gguf')
      await writeFile(path, madeBytes(5_000_003))
      await fill(page, card)
      await page.getByLabel('Files of the model').setInputFiles(path)
      await page.getByText('One file, 5 MB, hashed in this browser. Nothing was uploaded.').waitFor()

      page.on('dialog', (dialog) => void dialog.accept())
      await page.reload()
      await page.getByText('Your draft has been restored.').waitFor()
      expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe(card.Description)
      await submit()
      await arrive(page, world.publicUrl)
      await toast(page, 'Model registered successfully!')

      const { stdout } = await cli.call(['models', 'digest', path, '--json'])
      const { digest, files } = JSON.parse(stdout)
      const { models } = await acme.client.providers.models(acme.id)
      expect(models).toMatchObject([
        { model_digest: digest, digest_source: 'local-bytes', api_model_identifier: 'atlas-chat' },
      ])
      const registered = await acme.client.models.files(models[0]?.id ?? '')
      expect(registered.files).toEqual([{ name: 'atlas.gguf', size: 5_000_003, sha256: files[0].digest.slice(-64) }])
    },
  )

  itInFull('hashes a dropped folder like the command line, and stops on request', async () => {
    const { world, page } = await begin()
    const cli = await createCommandLine(world.address)
    const folder = join(cli.folder, 'atlas')
    const files = {
      'b.bin': 'weights',
      'a/b.json': '{}',
      'a.txt': 'notes',
      '.gitattributes': 'x',
      'model.sig': '{"mediaType":"y"}',
      '\uff21': '1',
      '😀': '2',
    }
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), content)
    }
    await page.getByLabel('Folder of the model').setInputFiles(folder)
    await page.getByText('5 files, 16 byte, hashed in this browser.', { exact: false }).waitFor()
    await page.getByText('Left out because not part of the model: .gitattributes, model.sig').waitFor()
    const { stdout } = await cli.call(['models', 'digest', 'atlas', '--json'])
    const shown = JSON.parse(stdout)
    expect(await page.getByLabel('Model digest').inputValue()).toBe(shown.digest)
    const listed = page.getByRole('region', { name: 'Files of the model' }).getByRole('row')
    const names = (await listed.locator('td:first-child').allInnerTexts()).map((name) => name.trim())
    expect(names).toEqual(shown.files.map(({ name }: { name: string }) => name))

    await page.getByRole('button', { name: 'Remove these files' }).click()
    expect(await page.getByLabel('Model digest').inputValue()).toBe('')
    await dropPath(page, folder)
    await page.getByText('5 files, 16 byte, hashed in this browser.', { exact: false }).waitFor()
    expect(await page.getByLabel('Model digest').inputValue()).toBe(shown.digest)

    await dropFile(page, 'large.bin', 100_000_000, 200)
    await page.getByRole('button', { name: 'Register Model', exact: true }).click()
    await page.getByText('The model is still being hashed.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByText('Stopped. The digest has not changed.', { exact: false }).waitFor()
    expect(await page.getByLabel('Model digest').inputValue()).toBe(shown.digest)
    await dropFile(page, 'dropped.bin', 3)
    await page.getByText('One file, 3 byte, hashed in this browser.', { exact: false }).waitFor()
    expect(await page.getByLabel('Model digest').inputValue()).toBe(
      `sha256:${createHash('sha256').update(Buffer.alloc(3)).digest('hex')}`,
    )
  })

  itInFull('asks what to do if the model exists; quick edit and new version keep the typed text', async () => {
    const { world, acme, page, visit, submit } = await begin()
    const first = await acme.registerModel({ api_model_identifier: 'atlas-chat' })
    await fill(page, { ...card, Description: 'Described again, and better than before.' })
    await submit()
    const dialog = page.getByRole('dialog', { name: 'Model Already Exists' })
    await dialog
      .getByText(
        'A model with identifier "atlas-chat" already exists. Current version: 1.0.0. Check "Force New Version" to create a new version that supersedes the existing one.',
      )
      .waitFor()
    expect(await dialog.getByRole('radio', { name: 'Create new version' }).isChecked()).toBe(true)
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('radio', { name: 'Quick edit' }).check()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { level: 1, name: 'Edit Model' }).waitFor()
    expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe(
      'Described again, and better than before.',
    )
    await page.getByRole('button', { name: 'Save changes' }).click()
    await arrive(page, world.publicUrl)
    await toast(page, 'Model updated successfully!')
    expect(await acme.client.models.get(first)).toMatchObject({
      description: 'Described again, and better than before.',
      version: '1.0.0',
      model_digest: expect.stringContaining('sha256:'),
    })

    await world.clock.advance('2h')
    await visit(address)
    await fill(page, card)
    await submit()
    await dialog
      .getByText(
        'Not possible: 1.0.0 was registered more than an hour ago, a link was already made for it, or it was archived.',
      )
      .waitFor()
    expect(await dialog.getByRole('radio', { name: 'Quick edit' }).isDisabled()).toBe(true)
    expect(await dialog.getByRole('textbox', { name: 'New version' }).inputValue()).toBe('2.0')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await arrive(page, world.publicUrl)
    await toast(page, 'New model version created successfully!')
    expect((await acme.client.providers.models(acme.id)).models).toMatchObject([
      { version: '2.0', predecessor_id: first },
    ])

    await visit(address)
    await fill(page, card)
    await submit()
    expect(await dialog.getByRole('textbox', { name: 'New version' }).inputValue()).toBe('3.0')
    await page.route('**/models/register', (route) => route.abort())
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Registration failed:', { exact: false }).waitFor()
    await page.unroute('**/models/register')
    // Consent to supersede applied to the other model only.
    await fill(page, { 'API model identifier': 'borea-chat' })
    await acme.registerModel({ api_model_identifier: 'borea-chat' })
    await submit()
    await dialog.getByText('A model with identifier "borea-chat" already exists.', { exact: false }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await fill(page, { ...card, Version: '2.0' })
    await page.getByRole('switch', { name: 'Force New Version' }).check()
    await submit()
    await page.getByText('Please specify a different version number for the new version').waitFor()
  })

  itInFull('fills in details from the model hub, and keeps typed text', async () => {
    const { world, page } = await begin()
    const readme = '---\nlicense: mit\n---\n# Atlas\n\nAtlas answers questions about maps of every kind.\n'
    world.hub.publish('acme/atlas.v2', {
      sha: commit('a'),
      pipeline_tag: 'text-generation',
      cardData: { language: ['en'], license: 'mit' },
      tags: ['arxiv:2307.09288'],
      contents: { 'README.md': { content: readme }, 'config.json': { content: '{}' } },
    })
    const id = page.getByLabel('Model ID on the hub', { exact: false })
    expect(await page.getByRole('button', { name: 'Fetch Model Info' }).count()).toBe(0)
    const fetchInfo = async (name: string) => {
      await id.fill(name)
      await page.getByRole('button', { name: 'Fetch Model Info' }).click()
    }
    await fetchInfo('acme/nothing')
    await page
      .getByText('Failed to fetch model info from HuggingFace. The hub has no public model with this ID.', {
        exact: false,
      })
      .waitFor()
    world.hub.fail('hang up')
    await fetchInfo('acme/atlas.v2')
    await page.getByText('Error fetching from HuggingFace.', { exact: false }).waitFor()
    world.hub.fail(undefined)
    await fill(page, { 'Display name': 'My own name' })
    await fetchInfo('acme/atlas.v2')
    await toast(page, 'Model info loaded from HuggingFace')
    await page.getByRole('button', { name: 'Show Advanced Details' }).click()
    const typedIn = (label: string) => page.getByLabel(label, { exact: true }).inputValue()
    expect(await typedIn('Display name')).toBe('My own name')
    expect(await typedIn('API model identifier')).toBe('atlas-v2')
    expect(await typedIn('Description')).toBe('Atlas answers questions about maps of every kind. Licence: mit.')
    expect(await typedIn('Language')).toBe('English')
    expect(await typedIn('Paper')).toBe('https://arxiv.org/abs/2307.09288')
    expect(await typedIn('Model hub page')).toBe(`${world.hub.endpoint}/acme/atlas.v2/tree/${commit('a')}`)
    expect(await page.getByRole('checkbox', { name: 'text-generation' }).isChecked()).toBe(true)
  })

  itInFull('shows the command that registers the same model', async () => {
    const { world, acme, page, submit } = await begin()
    await page.getByRole('button', { name: 'Show Advanced Details' }).click()
    await fill(page, {
      ...card,
      'Display name': "Atlas's chat",
      Description: "A model that answers Atlas's questions, “quoted” $HOME `x`.",
      'Model digest(optional)': `sha256:${'ab'.repeat(32)}`,
      'Context window': '8192',
      MMLU: '80.5',
      'Serving regions': 'eu-west, us',
      'Other capabilities': '--odd, map reading',
    })
    await page.getByRole('checkbox', { name: 'math' }).check()
    await page.getByRole('switch', { name: 'Enable health monitoring' }).check()
    await page.getByRole('switch', { name: 'Public model' }).uncheck()
    const command = await page.locator('pre').innerText()
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().endsWith('/models/register'),
    )
    await submit()
    await arrive(page, world.publicUrl)
    const cli = await createCommandLine(world.address)
    const words = JSON.parse(
      execFileSync('sh', [
        '-c',
        command.replace(
          /^countersign/,
          `${JSON.stringify(process.execPath)} -p 'JSON.stringify(process.argv.slice(1))' --`,
        ),
      ]).toString(),
    ) as string[]
    const asked = await cli.call([...words, '--dry-run', '--json'], { env: { COUNTERSIGN_API_KEY: acme.apiKey } })
    const { force_new_version, copy_authorizations, require_deployment_proof, enable_health_monitoring, ...body } = (
      await sent
    ).postDataJSON()
    expect(JSON.parse(asked.stdout).body).toEqual({ ...body, health_check_enabled: enable_health_monitoring })
    expect([force_new_version, copy_authorizations, require_deployment_proof]).toEqual([false, false, false])
  })

  it('uploads the bundle after registering the version, and shows the result', async () => {
    const { world, acme, page, visit, submit } = await begin()
    await fill(page, card)
    const choose = (name: string, content: string) =>
      page
        .getByLabel('Signed bundle', { exact: true })
        .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) })
    await choose('notes.json', 'no JSON')
    await page.getByText('notes.json is not JSON, so it can’t be a signed bundle.').waitFor()
    await choose('other.json', '{}')
    await page.getByText('This is not a signed bundle.', { exact: false }).waitFor()
    const signed = JSON.stringify(signStatement(modelStatement(model), ecKeys(), { publicKey: { hint: 'acme' } }))
    await choose('model.sig', signed)
    await page.getByText('model.sig will be uploaded after the registration.').waitFor()
    page.on('dialog', (asks) => void asks.accept())
    await page.reload()
    await page.getByText('The page was reloaded after you chose model.sig. Choose it again.').waitFor()
    await choose('model.sig', signed)
    await page.getByText('model.sig will be uploaded after the registration.').waitFor()
    await page.getByLabel('Files of the model').setInputFiles({ name: 'a.bin', mimeType: '', buffer: Buffer.from('a') })
    await page.getByText('One file,', { exact: false }).waitFor()
    await submit()
    await page.getByText('Nothing was registered. These are not the files that the bundle signs.').waitFor()
    await page.getByRole('button', { name: 'Remove these files' }).click()
    await submit()
    const shown = page.getByText('The version is registered. Its bundle could not be verified yet.')
    await shown.waitFor()
    await expect.poll(() => shown.evaluate((heading) => heading === document.activeElement)).toBe(true)
    expect((await acme.client.providers.models(acme.id)).models[0]).toMatchObject({ bundle_status: 'unknown' })
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Go to your models' }).click()
    await arrive(page, world.publicUrl)

    // A quick edit includes the bundle. Someone who leaves meanwhile still gets the message, without a redirect.
    await acme.registerModel({ api_model_identifier: 'borea-chat' })
    const upload = Promise.withResolvers<void>()
    await page.route('**/models/*/bundle', async (route) => {
      await upload.promise
      await route.continue()
    })
    await visit(address)
    await fill(page, { ...card, 'API model identifier': 'borea-chat' })
    await choose('model.sig', signed)
    await page.getByText('model.sig will be uploaded after the registration.').waitFor()
    await submit()
    await page.getByRole('radio', { name: 'Quick edit' }).check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { level: 1, name: 'Edit Model' }).waitFor()
    await page.getByText('model.sig will be uploaded', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await toast(page, 'Model updated successfully!')
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Edit Model' }).waitFor({ state: 'detached' })
    const left = page.url()
    upload.resolve()
    await toast(page, 'The version is registered, but its bundle is not valid.')
    expect(page.url()).toBe(left)
  })

  it('does not call a bundle verified while the registry has yet to check it', async () => {
    const { page, submit } = await begin()
    // A busy registry answers with the status of the bundle before it.
    await page.route('**/models/*/bundle', async (route) => {
      const response = await route.fetch()
      const early = { bundle_status: 'verified', provider_domain_verified: true, verification_status: 'in_progress' }
      await route.fulfill({ response, json: { ...(await response.json()), ...early } })
    })
    await fill(page, card)
    const signed = JSON.stringify(signStatement(modelStatement(model), ecKeys(), { publicKey: { hint: 'acme' } }))
    await page
      .getByLabel('Signed bundle', { exact: true })
      .setInputFiles({ name: 'model.sig', mimeType: 'application/json', buffer: Buffer.from(signed) })
    await page.getByText('model.sig will be uploaded after the registration.').waitFor()
    await submit()
    await toast(page, 'The version is registered. Its bundle is being checked.')
  })

  itInFull('asks before discarding typed text', async () => {
    const { page, visit } = await begin()
    await visit('/dashboard?tab=models')
    await page.getByRole('link', { name: 'Register Your First Model' }).click()
    await fill(page, { 'Display name': 'Atlas' })
    await page.getByRole('link', { name: 'Models', exact: true }).first().click()
    const asks = page.getByRole('dialog', { name: 'Leave without saving?' })
    await asks.getByRole('button', { name: 'Stay here' }).click()
    expect(await page.getByLabel('Display name').inputValue()).toBe('Atlas')
    await page.waitForFunction(() => document.activeElement?.textContent === 'Models')
    await page.getByRole('button', { name: 'Back', exact: true }).click()
    await asks.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('heading', { level: 1, name: 'Models' }).waitFor()
    await visit(address)
    expect(await page.getByLabel('Display name').inputValue()).toBe('')
  })
})

it('offers in the command every option that the command line has', () => {
  const typed = draftOf()
  const full: ModelDraft = {
    ...(Object.fromEntries(
      Object.entries(typed).map(([name, value]) => [name, typeof value === 'string' ? '1' : value]),
    ) as unknown as ModelDraft),
    ...{ is_public: false, enable_health_monitoring: true, require_deployment_proof: true },
    ...{
      force_new_version: true,
      copy_authorizations: true,
      capabilities: ['math'],
      input_types: ['text'],
      output_types: ['text'],
    },
  }
  const options = registrationArguments(full, undefined).filter((word) => word.startsWith('--'))
  expect([...new Set(options)].sort()).toEqual(
    [...modelOptions.map(({ option }) => option), '--new-version', '--private'].sort(),
  )
})

itInFull(
  'the same form in a dialog creates the next version under a new name, and keeps typed text when it is closed',
  async () => {
    const { world, acme, page, visit } = await begin()
    const first = await acme.registerModel({
      api_model_identifier: 'atlas-chat',
      paper_url: 'https://acme.example/paper',
    })
    const others = await (await world.provider('northwind')).registerModel({ api_model_identifier: 'borea' })
    const dialog = page.getByRole('dialog', { name: 'Create New Version' })
    await visit(`/dashboard?tab=models&version=${others}`)
    await dialog.getByText('This model is not yours').waitFor()
    expect(await dialog.getByRole('textbox').count()).toBe(0)
    await visit(`${address}?edit=${others}`)
    await page.getByText('This model is not yours').waitFor()
    await visit(`/dashboard?tab=models&version=${first}`)
    const version = dialog.getByLabel('Version', { exact: true })
    await version.waitFor()
    expect(await version.inputValue()).toBe('2.0')
    expect(await dialog.getByLabel('API model identifier').getAttribute('readonly')).not.toBeNull()
    expect(await dialog.getByLabel('Model digest').inputValue()).toBe('')
    expect(await findViolations(page)).toEqual([])
    await version.fill('1.0.0')
    await dialog.getByRole('button', { name: 'Create New Version' }).click()
    await dialog.getByText('Please specify a different version number for the new version').waitFor()
    expect(await version.evaluate((field) => field === document.activeElement)).toBe(true)
    await version.fill('1.1.0')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })

    await visit(`/dashboard?tab=models&version=${first}`)
    await dialog.getByText('Your draft has been restored.').waitFor()
    expect(await version.inputValue()).toBe('1.1.0')
    await dialog.getByRole('button', { name: 'Create New Version' }).click()
    await toast(page, 'New model version created successfully!')
    await dialog.waitFor({ state: 'detached' })
    expect((await acme.client.providers.models(acme.id)).models).toMatchObject([
      { version: '1.1.0', paper_url: 'https://acme.example/paper', predecessor_id: first },
    ])

    await world.clock.advance('2h')
    await visit(`/dashboard?tab=models&edit=${first}`)
    await page
      .getByRole('dialog', { name: 'Edit Model' })
      .getByText('This version can no longer be edited', { exact: false })
      .waitFor()
  },
)

itInFull(
  'the same form in a dialog clears optional fields, shows errors at once, and returns after signing in again',
  async () => {
    const { acme, page, visit } = await begin()
    const first = await acme.registerModel({
      api_model_identifier: 'atlas-chat',
      release_date: '2026-02',
      language: 'English',
    })
    await visit(`/dashboard?tab=models&edit=${first}`)
    const dialog = page.getByRole('dialog', { name: 'Edit Model' })
    await dialog.getByLabel('Release date').fill('')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await acme.client.models.get(first)).toMatchObject({ release_date: null, language: 'English' })
    await visit(`/dashboard?tab=models&edit=${first}`)
    await dialog.getByLabel('Description', { exact: true }).fill('Described again for everyone.')
    await acme.client.models.archive(first, { reason: 'Elsewhere' })
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.getByText('Failed to quick edit model: ', { exact: false }).waitFor()
    expect(await dialog.getByLabel('Description', { exact: true }).inputValue()).toBe('Described again for everyone.')
    await page.evaluate(() => localStorage.setItem('apiKey', 'csk_gone'))
    await page.reload()
    await page.waitForURL(
      (url) => url.pathname === '/login' && url.searchParams.get('redirect') === `/dashboard?tab=models&edit=${first}`,
    )
  },
)

const dropArea = (page: Page) => page.getByText('Drop the model’s file or folder here')

/** Drops a local folder, like a person from a file manager. */
const dropPath = async (page: Page, path: string) => {
  await dropArea(page).scrollIntoViewIfNeeded()
  const box = await dropArea(page).boundingBox()
  const input = await page.context().newCDPSession(page)
  const data = { items: [], files: [path], dragOperationsMask: 1 }
  const place = { x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5, data }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await input.send('Input.dispatchDragEvent', { type, ...place })
}

/** Drops a file of this many zeros, or `copies` of it; they take time but no memory. */
const dropFile = (page: Page, name: string, size: number, copies = 1) =>
  dropArea(page).evaluate(
    (target, { name, size, copies }) => {
      const data = new DataTransfer()
      data.items.add(new File(Array(copies).fill(new Blob([new Uint8Array(size)])), name))
      target.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }))
    },
    { name, size, copies },
  )
