import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ModelToSign, modelStatement, signModel } from '@countersign/sdk/integrity'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { ProviderActor } from '../support/actors.ts'
import { shareBrowser } from '../support/browser.ts'
import { greenWords, impostorTexts, signIn } from '../support/console.ts'
import { startEndpointServer } from '../support/endpoint-server.ts'
import { isFull, itInFull, sampled } from '../support/full.ts'
import { mintOverTls } from '../support/proven-link.ts'
import { declareOwnKey, proveRepository, proveSigner } from '../support/signers.ts'
import { createChain } from '../support/sigstore/authority.ts'
import { ecKeys, pemOf } from '../support/sigstore/keys.ts'
import { signByCertificate } from '../support/sigstore/model-bundle.ts'
import { createPrivateSigstore, identity, issuer } from '../support/sigstore/private-sigstore.ts'
import { storeModel } from '../support/stored-names.ts'
import {
  findFlaws,
  findViolations,
  looks,
  openVisitor,
  overflowOf,
  shareVisitor,
  stateOf,
  withoutWritten,
} from '../support/visitor.ts'
import { createWorld, shareWorld, type World } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const sharedWorld = shareWorld()
const visitor = shareVisitor(() => browser, { permissions: ['clipboard-read', 'clipboard-write'] })

const patience = 60_000

const hexOf = (text: string) => createHash('sha256').update(text).digest('hex')
const files = [
  { name: 'config.json', digest: hexOf('{}') },
  { name: 'weights.safetensors', digest: hexOf('weights') },
]
const toSign: ModelToSign = { name: 'atlas', files }
const model_digest = `sha256:${(modelStatement(toSign) as { subject: [{ digest: { sha256: string } }] }).subject[0].digest.sha256}`
const keys = ecKeys()
const bundle = () => JSON.parse(signModel(toSign, keys.privateKey))

const fullCard = {
  display_name: 'Atlas Chat',
  version: '2.1',
  context_window: 128_000,
  release_date: '2026-03',
  training_cutoff: '2025-11',
  family_name: 'Atlas',
  language: 'English, Norwegian',
  architecture: 'Transformer',
  model_size: '70B',
  capabilities: ['text-generation', 'reasoning'],
  input_types: ['text', 'image'],
  output_types: ['text'],
  tls_version: '1.3',
  serving_regions: ['eu-north-1'],
  github_repo_url: 'https://github.com/acme-example/atlas',
  huggingface_url: 'https://hub.example/acme/atlas',
  paper_url: 'https://papers.example/1234',
  model_card_url: 'https://acme.example/atlas',
  model_digest,
  model_files: files.map(({ name, digest }) => ({ name, sha256: digest, size: 4_200_000 })),
}

let count = 0
const createProvider = (world: World, options: { isVerified?: boolean } = {}) =>
  world.provider(`acme${count++}`, options)

const register = async (
  world: World,
  input: Parameters<ProviderActor['registerModel']>[0] = {},
  options: { isVerified?: boolean } = {},
) => {
  const acme = await createProvider(world, options)
  return { acme, id: await acme.registerModel(input) }
}

/** Three versions of one identifier; the second is superseded. */
const threeVersions = async (world: World) => {
  const { acme, id: first } = await register(world, { api_model_identifier: 'atlas', version: '1.0' })
  const next = (version: string) =>
    acme.registerModel({ api_model_identifier: 'atlas', version, force_new_version: true, model_digest })
  return { acme, first, second: await next('2.0, checked by us'), third: await next('3.0') }
}

const open = async (page: Page, world: World, id: string, query = '') => {
  await page.goto(`${world.publicUrl}/models/${id}${query}`)
  return stateOf(page)
}

const textOf = (page: Page) => page.locator('main').innerText()
const turnTo = (page: Page, tab: string) =>
  page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: tab }).click()

interface Case {
  name: string
  state: string
  query?: string
  reach: (world: World) => Promise<string>
  shows: RegExp[]
}

const cases: Case[] = [
  {
    name: 'a model with all its fields',
    state: 'ready',
    reach: async (world) => (await register(world, fullCard)).id,
    shows: [
      /^Models\s+A\s+Provider:\s+acme\d+\.example “Acme\d+ Labs”\s+“Atlas Chat”\s+Version 2\.1 \(number 1\)/,
      /Latest\s+Public/,
    ],
  },
  {
    name: 'its security',
    state: 'ready',
    query: '?tab=security',
    reach: async (world) => {
      const { acme, id } = await register(world, fullCard)
      await declareOwnKey(acme.client, keys)
      await acme.client.bundles.upload(id, bundle())
      return id
    },
    shows: [/Model Security/, /Checks of the bundle/, /weights\.safetensors/, /Check it yourself/],
  },
  {
    name: 'its versions',
    state: 'ready',
    query: '?tab=versions',
    reach: async (world) => (await threeVersions(world)).third,
    shows: [/Version 3\.0 \(number 3\)/, /Version “2\.0, checked by us” \(number 2\)/, /Version 1\.0 \(number 1\)/],
  },
  {
    name: 'its reports',
    state: 'ready',
    query: '?tab=reports',
    reach: async (world) => (await register(world)).id,
    shows: [/Community Stats/, /Report an Issue/],
  },
  {
    name: 'a superseded version',
    state: 'ready',
    reach: async (world) => (await threeVersions(world)).first,
    shows: [/A newer version replaced this one on/, /Next version\s+Latest version/, /This version is inactive/],
  },
  {
    name: 'an archived model',
    state: 'ready',
    reach: async (world) => {
      const { acme, id } = await register(world)
      await acme.client.models.archive(id, {})
      return id
    },
    shows: [/This model is archived: its provider withdrew it on/],
  },
  {
    name: 'a model of an unverified provider',
    state: 'ready',
    reach: async (world) => (await register(world, {}, { isVerified: false })).id,
    shows: [/Domain not verified/, /No one has checked who registered this model/],
  },
  {
    name: 'an unknown model',
    state: 'not-found',
    reach: async () => 'mdl_00000000000000000000000000',
    shows: [/^Model Not Found\s+Model not found or is not publicly available/, /Browse Models/],
  },
]

/** The others have the same parts, and fewer. */
const judged = ['a model with all its fields', 'its security', 'its versions', 'its reports', 'an unknown model']

describe('the page of a model', () => {
  it.each(cases)(
    'shows $name, and passes axe with parts of its own',
    async ({ name, state, query = '', reach, shows }) => {
      const world = sharedWorld()
      const page = visitor()
      expect(await open(page, world, await reach(world), query)).toBe(state)
      for (const words of shows) await expect.poll(() => textOf(page)).toMatch(words)
      if (isFull || judged.includes(name)) expect(await findFlaws(page)).toEqual([])
    },
  )

  it('says that a newer version did not end the links of a superseded one, and never calls links valid', async () => {
    const world = sharedWorld()
    const page = visitor()
    const bannerOf = async (id: string) => {
      await open(page, world, id)
      return page.getByRole('note').innerText()
    }
    const { acme, first, second } = await threeVersions(world)
    expect(await bannerOf(first)).toMatch(
      /A newer version replaced this one on .+ That did not end this version’s links\./,
    )
    await world.database.transaction((tx) =>
      tx.updateTable('models').set({ bundle_status: 'invalid' }).where('id', '=', first).execute(),
    )
    expect(await bannerOf(first)).not.toContain('valid')
    expect(await page.title()).toMatch(/^acme\d*\.example: invalid signature of “/)
    await acme.client.models.archive(second, {})
    const archived = await bannerOf(second)
    expect(archived).toContain('Its links are no longer valid.')
    expect(archived).not.toContain('newer version')
    expect(await page.title()).toBe(`${acme.domain}: withdrew “Atlas Chat 2.0, checked by us” · Countersign`)
    const unproven = await register(world, { api_model_identifier: 'atlas' }, { isVerified: false })
    await unproven.acme.registerModel({ api_model_identifier: 'atlas', version: '3.0', force_new_version: true })
    const claimed = await bannerOf(unproven.id)
    expect(claimed).toContain('A newer version replaced this one on')
    expect(claimed).not.toContain('valid')
  })

  it('separates what the registry checked from what the provider states, without numbers that it could not load', async () => {
    const world = sharedWorld()
    const description = `A model that answers questions about maps.${'\n'.repeat(60)}Checked by us: ✅ “openai”`
    const endpoint = (domain: string) => `https://api.${domain}/v1/${'✓\u3164'.repeat(40)}`
    const line = '✅\u00a0Provider\u00a0domain:\u00a0openai.com,\u00a0verified'
    const acme = await createProvider(world)
    const id = await acme.registerModel({
      ...fullCard,
      description,
      endpoint: endpoint(acme.domain),
      architecture: line,
      serving_regions: Array.from({ length: 60 }, () => line),
    })
    await acme.registerDeployment([id])
    const page = visitor()
    const numbers = /\/(community-stats|deployments\/count)$/
    const held = Promise.withResolvers<void>()
    await page.route(numbers, async (route) => {
      await held.promise
      await route.abort()
    })
    await open(page, world, id)
    const recorded = page.getByRole('region', { name: 'In this registry' })
    expect((await recorded.innerText()).replace(/\s+/g, ' ')).toMatch(
      /Status Active Visibility Public Registered by this account .* First link opened Not yet$/,
    )
    await turnTo(page, 'Security')
    const authorized = page.getByRole('region', { name: 'Deployments', exact: true })
    await authorized.waitFor()
    expect(await authorized.innerText()).not.toMatch(/authorized to request links/)
    held.resolve()
    await authorized.getByText('No deployment is authorized').waitFor()
    await turnTo(page, 'Overview')
    expect(await recorded.innerText()).not.toContain('Reports not closed')
    await page.unroute(numbers)
    await open(page, world, id)
    expect(await page.title()).toBe(`${acme.domain}: “Atlas Chat 2.1” · Countersign`)
    const checked = page.getByRole('region', { name: 'Checked by us' })
    await checked.getByText(`${acme.domain}, verified`).waitFor()
    await expect
      .poll(async () => (await checked.innerText()).replace(/\s+/g, ' '))
      .toMatch(
        /^Checked by us 1 of 3 checks passed, 2 not checked Provider domain .* Signed bundle Unknown Endpoint Not checked$/,
      )
    await expect
      .poll(async () => (await recorded.innerText()).replace(/\s+/g, ' '))
      .toMatch(
        /Status Active Visibility Public Authorized deployments 1 Reports not closed by the provider 0 Registered by this account .* First link opened Not yet$/,
      )
    const quoted = page.getByRole('region', { name: 'Stated by the provider' }).getByRole('blockquote')
    const regions = Array.from({ length: 60 }, () => '“Provider domain: openai.com, verified”').join(', ')
    expect(await quoted.allInnerTexts()).toEqual([
      '“A model that answers questions about maps.\n\nChecked by us: openai”',
      regions,
    ])
    // On a phone, the note of a long list stays in view.
    const size = page.viewportSize() ?? { width: 1280, height: 900 }
    await page.setViewportSize({ width: 390, height: 700 })
    await quoted.last().evaluate((list) => scrollTo(0, list.getBoundingClientRect().top + scrollY + 60))
    const note = page.getByText('Stated by the provider, not checked by us.', { exact: true })
    expect((await note.boundingBox())?.y).toBeLessThan(20)
    await page.setViewportSize(size)
    const stated = (await page.getByRole('region', { name: 'Stated by the provider' }).innerText()).replace(/\s+/g, ' ')
    for (const words of [
      'Description, stated by the provider “A model that answers questions about maps.',
      'Model family “Atlas”',
      'Model type Language',
      'Language “English, Norwegian”',
      'Context window 128,000 tokens',
      'Training cutoff',
      'Architecture “Provider domain: openai.com, verified”',
      'Parameters “70B”',
      'Capabilities “text-generation”, “reasoning”',
      'Input types “text”, “image”',
      'Output types “text”',
      `API endpoint https://api.${acme.domain}/… `,
      'Minimum TLS version “1.3”',
      'Serving regions Stated by the provider, not checked by us. “Provider domain',
      'Source repository github.com/acme-example/atlas',
      'Model hub page hub.example/acme/atlas',
      'Paper papers.example/1234',
      'Model card acme.example/atlas',
    ])
      expect(stated).toMatch(words)
    expect(await greenWords(page)).toEqual([`${acme.domain}, verified`])
  })

  it('shows how many links of the version were opened in each of twelve weeks, perhaps by programs', async () => {
    const world = sharedWorld()
    const { acme, id } = await register(world)
    const page = visitor()
    await open(page, world, id)
    const use = page.getByRole('region', { name: 'Use over time' })
    await use.getByText('No link of this version was opened in the last 12 weeks.').waitFor()
    for (const _ of [1, 2]) {
      const { token } = await acme.client.verifications.create({ model_id: id })
      await world.anyone.verifications.opened(token)
    }
    await open(page, world, id)
    await use
      .getByText('2 links opened in the last 12 weeks, 2 in the last seven days. Programs can open links as well.')
      .waitFor()
    await use.getByText('Show as a table').click()
    await expect.poll(() => use.getByRole('row').count()).toBe(13)
    expect(await use.getByRole('row').nth(1).innerText()).toMatch(/\t2$/)
  })

  it.each([
    {
      name: 'the official GPT-5 weights of openai.com, verified by Countersign',
      says: 'under a name that is not shown here.',
    },
    { name: 'verified-by-countersign.safetensors', says: 'under a name that is not shown here.' },
    { name: 'openai.com.', says: 'under a name that is not shown here.' },
    { name: 'bbc.co.uk', says: 'under a name that is not shown here.' },
    { name: 'release-1.2.safetensors', says: 'as “release-1.2.safetensors”' },
  ])('quotes the registered name of a file beside a verdict, or withholds it: $name', async ({ name, says }) => {
    const world = sharedWorld()
    const weights = hexOf('weights')
    const { id } = await register(world, {
      model_digest: `sha256:${weights}`,
      model_files: [{ name, sha256: weights, size: 7 }],
    })
    const page = visitor()
    await open(page, world, id, '?tab=security')
    const card = page.getByRole('region', { name: 'Compare your copy' })
    const chosen = { name: 'weights.safetensors', mimeType: '', buffer: Buffer.from('weights') }
    await card.getByLabel('Files of the model').setInputFiles([chosen])
    await card.getByText('Matches').first().waitFor()
    expect(await card.getByRole('listitem').innerText()).toMatch(
      new RegExp(`^Matches\\s+“weights\\.safetensors”\\s+The provider lists it ${says}$`),
    )
    expect(await page.getByRole('region', { name: 'Files' }).getByText(`“${name}”`).count()).toBe(1)
    await card.getByLabel('Files of the model').setInputFiles([{ ...chosen, name }])
    const shown = says.startsWith('as ') ? `“${name}”` : 'A file whose name is not shown here'
    await expect.poll(() => card.getByRole('listitem').innerText()).toMatch(new RegExp(`^Matches\\s+${shown}$`))
  })

  it('compares files with the registered ones without sending them', async () => {
    const world = sharedWorld()
    const { id } = await register(world, { ...fullCard, digest_source: 'hub-metadata' })
    const page = visitor()
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'GET' || sent.push(request.url()))
    await open(page, world, id, '?tab=security')
    await page.getByText('The provider says that it was taken from the model hub.').waitFor()
    const card = page.getByRole('region', { name: 'Compare your copy' })
    const choose = (...chosen: [name: string, text: string][]) =>
      card
        .getByLabel('Files of the model')
        .setInputFiles(chosen.map(([name, text]) => ({ name, mimeType: '', buffer: Buffer.from(text) })))
    await choose(['config.json', '{}'], ['weights.safetensors', 'weights'])
    await card.getByText('Everything that was compared is the registered model').waitFor()
    await choose(['weights.safetensors', 'weights'])
    await card.getByText('What you chose is part of the registered model').waitFor()
    await choose(['config.json', '{}'], ['weights.safetensors', 'others'], ['notes.txt', 'notes'])
    await card.getByText('Your copy is not the registered model').waitFor()
    expect(await card.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Does not match\s+“weights\.safetensors”$/),
      expect.stringMatching(/^Not registered\s+“notes\.txt”$/),
      expect.stringMatching(/^Matches\s+“config\.json”$/),
    ])
    if (isFull) expect(await findViolations(page)).toEqual([])

    const folder = await mkdtemp(join(tmpdir(), 'countersign-model-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await mkdir(join(folder, '.github'))
    for (const [name, text] of [
      ['config.json', '{}'],
      ['weights.safetensors', 'weights'],
      ['.github/modeling.py', 'print()'],
    ] as const)
      await writeFile(join(folder, name), text)
    await symlink(join(folder, 'config.json'), join(folder, 'modeling.py'))
    await card.getByLabel('Folder of the model').setInputFiles(folder)
    await card.getByText('Not compared: .github. ').waitFor()
    expect(await card.innerText()).toContain('Everything that was compared is the registered model')
    expect(await card.innerText()).toContain('Browsers leave symbolic links out of a folder, so none was compared.')
    expect(await card.innerText()).not.toContain('Your copy')
    expect(sent).toEqual([])
  })

  it('lists the versions in its header', async () => {
    const world = sharedWorld()
    const { first, third } = await threeVersions(world)
    const page = visitor()
    await open(page, world, first)
    await page.locator('summary', { hasText: 'Versions' }).press('Enter')
    const menu = page.locator('details[open]')
    await expect.poll(() => menu.getByRole('listitem').count()).toBe(3)
    expect(await findViolations(page)).toEqual([])
    await menu.getByRole('link').first().press('Enter')
    await page.waitForURL(`**/models/${third}`)
  })

  itInFull('moves between versions and to the latest by keyboard', async () => {
    const world = sharedWorld()
    const { first, second, third } = await threeVersions(world)
    const page = visitor()
    await open(page, world, first)
    const follow = async (name: string, id: string, number: number) => {
      await page.getByRole('link', { name, exact: true }).first().press('Enter')
      await page.waitForURL(`**/models/${id}`)
      await page.getByText(`(number ${number})`).first().waitFor()
    }
    await follow('Latest version', third, 3)
    await expect.poll(() => page.getByRole('link', { name: 'Next version' }).count()).toBe(0)
    await follow('Previous version', second, 2)
    await follow('Previous version', first, 1)
    await follow('Next version', second, 2)
  })

  it('has an address for each of its tabs', async () => {
    const world = sharedWorld()
    const { id } = await register(world)
    const page = visitor()
    await open(page, world, id)
    const parts = page.getByRole('navigation', { name: 'Parts of this page' })
    for (const [name, heading] of [
      ['Security', 'Model Security'],
      ['Versions', 'Versions'],
      ['Reports', 'Community Stats'],
    ] as const) {
      await parts.getByRole('link', { name }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      expect(new URL(page.url()).searchParams.get('tab')).toBe(name.toLowerCase())
      expect(await parts.locator('[aria-current=page]').innerText()).toBe(name)
    }
    await page.goBack()
    await page.getByRole('heading', { name: 'Versions', exact: true }).waitFor()
  })

  it('says within a minute, on each tab, that the domain is no longer proven, and that a version or the model is gone', async () => {
    const world = sharedWorld()
    const { acme, id: first } = await register(world, { api_model_identifier: 'atlas' })
    const id = await acme.registerModel({ ...fullCard, api_model_identifier: 'atlas', force_new_version: true })
    await declareOwnKey(acme.client, keys)
    await acme.client.bundles.upload(id, bundle())
    const page = await openVisitor(browser)
    await page.clock.install()
    const text = () => textOf(page)
    const rows = page.locator('ol > li')
    const nextMinute = async () => {
      await page.clock.runFor('01:01')
      return text()
    }
    await open(page, world, id, '?tab=versions')
    await rows.first().getByText('Verified', { exact: true }).waitFor()
    await turnTo(page, 'Security')
    await expect.poll(text).toContain('its signer is the company’s own.')
    expect(await text()).not.toContain('No one has checked')
    world.dns.setTxt(acme.proof.record_name, [])
    await acme.client.providers.verifyDomain({})
    // Also if the registry cannot be reached for a minute.
    await page.route('**/api/v1/**', (route) => route.abort())
    await nextMinute()
    await page.clock.runFor('00:05')
    expect(await text()).toContain('its signer is the company’s own.')
    // Another page uses up the limit of the visitor’s network.
    await page.unroute('**/api/v1/**')
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 429, body: '' }))
    await nextMinute()
    await page.clock.runFor('00:05')
    await page.locator('main[data-state=failed]').waitFor()
    expect(await text()).not.toMatch(/acme\d*\.example|its signer/)
    await page.unroute('**/api/v1/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(text).toContain('No one has checked who registered this model.')
    await expect.poll(text).not.toContain('its signer is the company’s own.')
    await turnTo(page, 'Versions')
    await rows.first().getByText('Signed by someone unknown').waitFor()

    await turnTo(page, 'Security')
    const card = page.getByRole('region', { name: 'Compare your copy' })
    await card.getByLabel('Files of the model').setInputFiles([
      { name: 'config.json', mimeType: '', buffer: Buffer.from('{}') },
      { name: 'weights.safetensors', mimeType: '', buffer: Buffer.from('weights') },
    ])
    await card.getByText('Everything that was compared is the registered model').waitFor()
    // The digest of the same files under other names is the same.
    const renamed = fullCard.model_files.map((file) => ({ ...file, name: file.name.replace('weights', 'weights2') }))
    await acme.client.models.quickEdit(id, { model_files: renamed })
    await expect.poll(nextMinute).toContain('weights2.safetensors')
    await card.getByText('The bytes are registered, but under other file names.').waitFor()
    const sha256 = hexOf('other')
    await acme.client.models.quickEdit(id, {
      model_digest: `sha256:${sha256}`,
      model_files: [{ name: 'other.safetensors', sha256, size: 5 }],
    })
    await expect.poll(nextMinute).toContain('other.safetensors')
    await card.getByText('Your copy is not the registered model.').waitFor()
    expect(await text()).not.toContain('weights2.safetensors')
    await turnTo(page, 'Versions')

    await acme.client.models.archive(first, {})
    await page.clock.runFor('01:01')
    await rows.nth(1).getByText('Withdrawn').waitFor()
    await acme.client.models.archive(id, {})
    await page.clock.runFor('01:01')
    await rows.first().getByText('Withdrawn').waitFor()
    // What is typed is kept, on a page that says that it may be outdated.
    await turnTo(page, 'Reports')
    await page.getByRole('button', { name: 'Malicious Content' }).click()
    const title = page.getByRole('dialog').getByRole('textbox', { name: 'Title' })
    await title.fill('half typed')
    await page.route('**/api/v1/**', (route) => route.fulfill({ status: 429, body: '' }))
    await expect.poll(nextMinute).toContain('This page could not be loaded again. What you see may have changed.')
    expect(await title.inputValue()).toBe('half typed')
    await page.unroute('**/api/v1/**')
    await acme.client.providers.deactivate(acme.id, {})
    const nextState = async () => {
      await page.clock.runFor('01:01')
      return page.locator('main').getAttribute('data-state')
    }
    await expect.poll(nextState).not.toBe('ready')
  })

  it('copies the ID', async () => {
    const world = sharedWorld()
    const { id } = await register(world)
    const page = visitor()
    await open(page, world, id)
    await page.getByRole('button', { name: 'Copy Model ID' }).click()
    await page.getByText('Copied to clipboard!').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id)
  })

  it('shows a private model only to its owner, and removes it on signing out', async () => {
    const world = sharedWorld()
    const { acme, id } = await register(world, { display_name: 'Atlas Secret', is_public: false })
    const stranger = await openVisitor(browser)
    const other = await createProvider(world)
    await signIn(stranger, other)
    expect(await open(stranger, world, id)).toBe('not-found')
    expect(await textOf(stranger)).toContain('Model not found or is not publicly available')

    const owner = await openVisitor(browser)
    await signIn(owner, acme)
    expect(await open(owner, world, id)).toBe('ready')
    await owner.getByText('This model is private. Only you can see this page.').waitFor()
    await owner.getByRole('link', { name: 'Reports', exact: true }).click()
    await owner.getByText('This model is private: only you can see or report it.').waitFor()
    await owner.getByRole('button', { name: /^acme\d+\.example$/ }).click()
    await owner.getByRole('menuitem', { name: 'Sign Out' }).click()
    await owner.waitForURL(`${world.publicUrl}/`)
    await owner.goBack()
    expect(await stateOf(owner)).toBe('not-found')
    expect(await owner.locator('body').innerText()).not.toContain('Atlas Secret')
  })

  itInFull('says that it could not be loaded, and retries on request', async () => {
    const world = sharedWorld()
    const { id } = await register(world)
    const page = await openVisitor(browser)
    await withoutWritten(page)
    await page.route('**/api/v1/models/**', (route) => route.abort())
    expect(await open(page, world, id)).toBe('failed')
    expect(await textOf(page)).toMatch(
      /Model Not Found\s+Failed to load data\s+Connection failed - unable to reach the API server\./,
    )
    await page.unroute('**/api/v1/models/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('main[data-state=ready]').waitFor()
    expect(await open(page, world, '%20')).toBe('not-found')
    expect(await textOf(page)).toContain('Model ID is required')
  })

  itInFull('says that the numbers of its reports could not be loaded', async () => {
    const world = sharedWorld()
    const { id } = await register(world)
    const page = await openVisitor(browser)
    await page.route('**/community-stats', (route) => route.fulfill({ status: 500, body: '' }))
    await open(page, world, id, '?tab=reports')
    await page.getByText('The numbers could not be loaded just now.').waitFor()
    const text = (await page.getByRole('region', { name: 'Community Stats' }).innerText()).replace(/\s+/g, ' ')
    expect(text).toMatch(
      /Total verifications 0 .*Not closed by the provider 0 .*Last incident None Provider trust level No trust level yet/,
    )
  })

  it('shows what people reported with a link, and that only the provider marked it as resolved', async () => {
    const world = sharedWorld()
    const { acme, id } = await register(world)
    const { token } = await acme.client.verifications.create({ model_id: id })
    const { incident_id } = await world.anyone.incidents.report({
      verification_token: token,
      category: 'impersonation',
      title: 'Not it',
      description: 'It lied.',
    })
    const page = visitor()
    await open(page, world, id, '?tab=reports')
    await expect
      .poll(async () => (await page.getByRole('region', { name: 'Community Stats' }).innerText()).replace(/\s+/g, ' '))
      .toMatch(/Not closed by the provider 1 .*Last incident \d+ \w+ \d+, reported/)
    await acme.client.incidents.respond(incident_id, { status: 'resolved', response: 'Done' })
    await open(page, world, id, '?tab=reports')
    await expect
      .poll(async () => (await page.getByRole('region', { name: 'Community Stats' }).innerText()).replace(/\s+/g, ' '))
      .toMatch(/Not closed by the provider 0 .*Last incident \d+ \w+ \d+, marked as resolved by the provider/)
  })

  it.each(sampled(Object.entries(impostorTexts), 4))(
    'renders hostile text harmlessly: %s',
    async (_kind, text) => {
      const world = sharedWorld()
      const acme = await createProvider(world, { isVerified: false })
      const names = { display_name: text, version: text.slice(0, 60), family_name: text }
      const id = await storeModel(world, acme, names, {
        ...fullCard,
        description: text,
        architecture: text,
        capabilities: [text],
      })
      const page = visitor()
      for (const tab of sampled(['overview', 'security', 'versions', 'reports'], 2)) {
        expect(await open(page, world, id, `?tab=${tab}&verification=demo&model=${encodeURIComponent(text)}`)).toBe(
          'ready',
        )
        await page.getByRole('dialog').waitFor()
        expect(await greenWords(page)).toEqual([])
        expect(await page.locator('img[src="x"], main b').count()).toBe(0)
        for (const { context } of looks) {
          await page.setViewportSize(context.viewport)
          expect(await overflowOf(page)).toBe(0)
        }
      }
    },
    patience,
  )
})

describe('the security of a model', () => {
  const statuses = [
    { status: 'Unknown', means: 'No signature of this model file has been verified.', reach: async () => undefined },
    {
      status: 'Verified',
      means: 'The signature is valid for this digest, and its signer is the company’s own.',
      signer: 'Signed by the company’s own signer.',
      reach: async (acme: ProviderActor, id: string) => {
        await declareOwnKey(acme.client, keys)
        await acme.client.bundles.upload(id, bundle())
      },
    },
    {
      status: 'Unknown',
      means: 'No signature of this model file has been verified.',
      reach: async (acme: ProviderActor, id: string) => {
        await acme.client.bundles.upload(id, bundle())
      },
    },
    {
      status: 'Invalid',
      means: 'Bundle signatures may be invalid or corrupted. Do not trust this model file.',
      reach: async (acme: ProviderActor, id: string) => {
        await declareOwnKey(acme.client, keys)
        const tampered = bundle()
        tampered.dsseEnvelope.signatures[0].sig = Buffer.from('not it').toString('base64')
        await acme.client.bundles.upload(id, tampered)
      },
    },
    {
      status: 'Error',
      means: 'The bundle could not be checked.',
      reach: async (acme: ProviderActor, id: string, world: World) => {
        await acme.client.bundles.verify(id, {})
        await world.jobs.run('bundles')
      },
    },
  ]

  it.each(sampled(statuses, 2, 1))(
    'shows a bundle as $status: $means $signer',
    async ({ status, means, signer: signedBy, reach }) => {
      const world = sharedWorld()
      const address = 'https://files.northwind.example/atlas.sig'
      const { acme, id } = await register(world, { ...fullCard, sigstore_bundle_url: address })
      await reach(acme, id, world)
      const page = visitor()
      await open(page, world, id, '?tab=security')
      const card = page.getByRole('region', { name: 'Model Security' })
      await card.getByText(status, { exact: true }).waitFor()
      await card.getByText(means).waitFor()
      if (signedBy) await card.getByText(signedBy).waitFor()
      // An upload takes the place of what is at the address.
      const isUploaded = (await world.anyone.bundles.status(id)).bundle_source === 'upload'
      const source = isUploaded ? 'Uploaded by the provider' : 'Stated by the provider, not fetched yet'
      await card.getByText(source).waitFor()
      expect((await card.innerText()).includes('files.northwind.example')).toBe(!isUploaded)
      expect(await card.innerText()).not.toContain('/atlas.sig')
      const { bundle_verification_details } = await world.anyone.models.get(id)
      const error = bundle_verification_details?.error
      // What to do about it is for the provider.
      if (error) expect(await card.innerText()).not.toContain(error)
      await page.getByText('weights.safetensors').waitFor()
      expect((await greenWords(page)).includes(status)).toBe(status === 'Verified')
      expect((await card.innerText()).replace(/\s/g, '')).toContain(model_digest.slice('sha256:'.length))
      if (status === 'Verified') {
        const checks = page.getByRole('region', { name: 'Checks of the bundle' })
        expect((await checks.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[0])).toEqual([
          ...Array(4).fill('Passed'),
          ...Array(3).fill('Not checked'),
        ])
      }
      await open(page, world, id)
      const seen = page.getByRole('region', { name: 'Checked by us' })
      await seen.getByText(status, { exact: true }).first().waitFor()
      expect((await greenWords(page)).includes(status)).toBe(status === 'Verified')
    },
  )

  it('shows no address beside the verdict on a bundle that another host sent', async () => {
    const [host, other] = [await startEndpointServer(404), await startEndpointServer(404)]
    const world = await createWorld({ egressAllow: [`files.northwind.example=${host.hostAndPort}`, other.hostAndPort] })
    other.answer((_request, response) => response.end(JSON.stringify(bundle())))
    host.answer((_request, response) => response.writeHead(302, { Location: `${other.url}/atlas.sig` }).end())
    const address = 'https://files.northwind.example/atlas.sig?next=acme'
    const { acme, id } = await register(world, { ...fullCard, sigstore_bundle_url: address })
    await declareOwnKey(acme.client, keys)
    await world.jobs.run('bundles')
    const page = visitor()
    await open(page, world, id, '?tab=security')
    const card = page.getByRole('region', { name: 'Model Security' })
    await card.getByText('Verified', { exact: true }).waitFor()
    await card.getByText('Fetched from another host').waitFor()
    expect(await card.innerText()).not.toContain('northwind')
  })

  it('says first, wherever it names a signer, that only a declared authority vouches for the name, which is quoted', async () => {
    const world = sharedWorld()
    const { acme, id } = await register(world, { ...fullCard, api_model_identifier: 'atlas' })
    const leafKeys = ecKeys()
    const { domain } = acme
    const leafName = `CN=release@${domain} (https://accounts.${domain}),O=Acme`
    const { root, chain } = await createChain({ leafKeys, from: new Date(world.clock.now() - 86_400_000), leafName })
    const { id: signer } = await acme.client.signers.declare({
      signer: { kind: 'certificate', certificate_chain: pemOf('CERTIFICATE', root) },
    })
    await acme.client.bundles.upload(id, signByCertificate(leafKeys, chain, modelStatement(toSign)) as never)
    const next = await acme.registerModel({ api_model_identifier: 'atlas', version: '3.0', force_new_version: true })
    const page = await openVisitor(browser)
    const shown = new RegExp(`^someone certified by a declared authority: “CN=release@${domain} [^”]*”$`)
    const { verification_url } = await acme.client.verifications.create({ model_id: id })
    await open(page, world, id, '?tab=security')
    await page.getByRole('region', { name: 'Model Security' }).getByText(shown).waitFor()
    await page
      .getByText(
        /^Leads to a declared authority that calls itself “[^”]*CN=Acme Root[^”]*”\. That name was not checked\./,
      )
      .waitFor()
    await page.goto(verification_url)
    const security = page.locator('details', { has: page.getByText('Model Security') })
    await security.locator('summary').click()
    await security.getByText(shown).waitFor()
    const certificate_chain = chain.map((certificate) => pemOf('CERTIFICATE', certificate)).join('')
    await proveSigner(acme.client, signer, leafKeys, { certificate_chain })
    await world.jobs.run('bundles')
    await open(page, world, next, '?tab=versions')
    await page.getByText(shown).first().waitFor()
  })

  itInFull('names the signer of a bundle, and whether it is the company’s own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-root-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const trustedRoot = join(folder, 'trusted_root.json')
    await writeFile(trustedRoot, '{}')
    const world = await createWorld({ trustedRoot })
    const sigstore = await createPrivateSigstore({ at: new Date(world.clock.now()) })
    world.clock.advance('1m')
    await writeFile(trustedRoot, JSON.stringify(sigstore.trustedRoot()))
    const { acme, id } = await register(world, fullCard)
    await acme.client.bundles.upload(
      id,
      (await sigstore.bundle({ kind: 'dsse/0.0.1', statement: modelStatement(toSign) })) as never,
    )
    const page = await openVisitor(browser)
    const card = page.getByRole('region', { name: 'Model Security' })
    await open(page, world, id, '?tab=security')
    await card.getByText('This signer was not shown to be the company’s own.').waitFor()
    await card.getByText(`“${identity}” (${issuer})`, { exact: true }).waitFor()
    await acme.client.signers.declare({ signer: { kind: 'identity', issuer, identity } })
    await world.jobs.run('bundles')
    await open(page, world, id, '?tab=security')
    await card.getByText('Signed by a third party', { exact: true }).waitFor()
    await card.getByText('Signed by a third party: this signer was not shown to be the company.').waitFor()
    expect(await greenWords(page)).not.toContain('Signed by a third party')
    await proveRepository(world, acme.id)
    await acme.client.bundles.verify(id, { force_refresh: true })
    await world.jobs.run('bundles')
    await open(page, world, id, '?tab=security')
    await card.getByText('Signed by the company’s own signer.').waitFor()
    await card.getByText(/^Entry \d+/).waitFor()
    expect((await card.innerText()).replace(/\s+/g, ' ')).toMatch(
      /Signed \d+ \w+ \d+, .* UTC Transparency log Entry \d+/,
    )
  })

  it('says how to check it yourself', async () => {
    const world = sharedWorld()
    const { id } = await register(world, fullCard)
    const page = visitor()
    await open(page, world, id, '?tab=security')
    await page.getByText(`countersign models check ./model --model ${id}`).waitFor()
    const lines = (await page.locator('pre', { hasText: 'curl' }).innerText())
      .split('\n')
      .map((line) => line.replace('curl ', ''))
    for (const url of lines) expect(await (await fetch(url)).json()).toMatchObject({ bundle_status: 'unknown' })
    expect(lines).toHaveLength(2)
    expect(await page.getByRole('link', { name: 'This record as JSON' }).getAttribute('href')).toBe(
      `/api/v1/models/${id}/public`,
    )
  })

  itInFull('lets its owner start a check, and shows the result', async () => {
    const world = sharedWorld()
    const { acme, id } = await register(world, fullCard)
    const stranger = visitor()
    await open(stranger, world, id, '?tab=security')
    expect(await stranger.getByRole('button', { name: 'Verify Bundle' }).count()).toBe(0)

    const page = await openVisitor(browser)
    await signIn(page, acme)
    await open(page, world, id, '?tab=security')
    const button = page.getByRole('button', { name: 'Verify Bundle' })
    await page.getByText('This version has no bundle to verify yet.').waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe('true')

    await acme.client.bundles.upload(id, bundle())
    await declareOwnKey(acme.client, keys)
    await page.reload()
    await page.locator('button[aria-disabled=false]', { hasText: 'Verify Bundle' }).waitFor()
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByText('Bundle verification triggered successfully').waitFor()
    await world.jobs.run('bundles')
    const card = page.getByRole('region', { name: 'Model Security' })
    await card.getByText('Verified', { exact: true }).waitFor({ timeout: 15_000 })
  })

  itInFull('says why a check could not be started', async () => {
    const world = sharedWorld()
    const { acme, id } = await register(world, {
      ...fullCard,
      sigstore_bundle_url: 'https://files.acme.example/atlas.sig',
    })
    const page = await openVisitor(browser)
    await signIn(page, acme)
    await open(page, world, id, '?tab=security')
    const button = page.locator('button[aria-disabled=false]', { hasText: 'Verify Bundle' })
    await page.route('**/verify-bundle', (route) => route.abort())
    await button.click()
    await page.getByText('Failed to trigger bundle verification').waitFor()
    await page.getByText('Connection failed - unable to reach the API server.').waitFor()
    await page.unroute('**/verify-bundle')
    await acme.client.keys.revoke(acme.keyId)
    await button.click()
    await page.getByText('Authentication required to verify bundle').waitFor()
    await page.getByText('Authentication expired').waitFor()

    const other = await createProvider(world)
    const theirs = await openVisitor(browser)
    await signIn(theirs, other)
    await open(theirs, world, id, '?tab=security')
    await theirs.getByText('Only the model’s provider can start a check.').waitFor()
    expect(await theirs.getByRole('button', { name: 'Verify Bundle' }).getAttribute('aria-disabled')).toBe('true')
  })

  itInFull('lets its owner authorize and revoke deployments', async () => {
    const world = sharedWorld()
    const { acme, id } = await register(world)
    const one = await acme.registerDeployment([id])
    const two = await acme.registerDeployment()
    const three = await acme.registerDeployment()
    const short = ({ spki_fingerprint }: typeof one) => `${spki_fingerprint.slice(0, 16)}…`
    const stranger = visitor()
    await open(stranger, world, id, '?tab=security')
    await stranger.getByText('One deployment is authorized').waitFor()
    expect(await stranger.getByRole('heading', { name: 'Deployment Authorization' }).count()).toBe(0)

    const page = await openVisitor(browser)
    await signIn(page, acme)
    await open(page, world, id, '?tab=security')
    const card = page.getByRole('region', { name: 'Deployment Authorization' })
    await card.getByText(short(one)).waitFor()
    expect(await card.innerText()).not.toContain(one.spki_fingerprint)
    const choose = async (deployment: typeof one) => {
      await card.getByRole('button', { name: 'Authorize a deployment' }).focus()
      await page.keyboard.press('Enter')
      const options = await page.getByRole('combobox', { name: 'Deployment' }).locator('option').allInnerTexts()
      await page.getByRole('combobox', { name: 'Deployment' }).selectOption(deployment.deployment_id)
      return options
    }
    expect((await choose(two)).toSorted()).toEqual([short(two), short(three)].toSorted())
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Authorize', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Deployment authorized for model').waitFor()
    await card.getByText(short(two)).waitFor()
    await page.getByText('2 deployments are authorized to request links for this model.').waitFor()

    await choose(three)
    await acme.client.models.allowDeployment(id, { deployment_id: three.deployment_id })
    await page.getByRole('button', { name: 'Authorize', exact: true }).click()
    await page.getByText('Deployment already authorized for this model').waitFor()
    await card.getByText(short(three)).waitFor()

    const revoke = async (deployment: typeof one) => {
      await card.getByRole('button', { name: `Revoke ${short(deployment)}` }).focus()
      await page.keyboard.press('Enter')
      await page
        .getByRole('dialog', { name: 'Revoke this authorization?' })
        .getByRole('button', { name: 'Revoke' })
        .click()
    }
    await revoke(one)
    await page.getByText('Model authorization revoked').waitFor()
    await expect.poll(() => card.getByText(short(one)).count()).toBe(0)
    expect(
      (await acme.client.models.deployments(id)).deployments.map(({ deployment_id }) => deployment_id).toSorted(),
    ).toEqual([two.deployment_id, three.deployment_id].toSorted())
    await page.route('**/deployments/dep_*', (route) => route.abort())
    await revoke(two)
    await page.getByText('Failed to revoke deployment authorization').waitFor()
    await card.getByText(short(two)).waitFor()
  })

  it('shows which digest and signer changed between versions, and hides private ones', async () => {
    const world = sharedWorld()
    const { acme, first, second, third } = await threeVersions(world)
    const page = visitor()
    await open(page, world, third, '?tab=versions')
    const rows = page.locator('ol > li')
    await expect.poll(() => rows.count()).toBe(3)
    const before = (await world.anyone.models.get(first)).model_digest?.slice(7, 23)
    expect(await rows.nth(0).innerText()).not.toContain('Changed since')
    expect((await rows.nth(1).innerText()).replace(/\s+/g, ' ')).toContain(
      `Digest ${before}… → ${model_digest.slice(7, 23)}…`,
    )
    await acme.client.models.setVisibility(second, { is_public: false })
    await open(page, world, first, '?tab=versions')
    await expect.poll(() => rows.count()).toBe(2)
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringContaining('Version 3.0'),
      expect.stringContaining('Version 1.0'),
    ])
  })

  it('names as the signer of a version only the company’s own', async () => {
    const world = sharedWorld()
    const { acme, second, third } = await threeVersions(world)
    await declareOwnKey(acme.client, keys)
    // Signed for another model.
    await acme.client.bundles.upload(
      second,
      JSON.parse(signModel({ ...toSign, files: files.slice(1) }, keys.privateKey)),
    )
    expect(await world.anyone.models.get(second)).toMatchObject({
      bundle_status: 'invalid',
      bundle_signer: { identity: null },
    })
    const page = visitor()
    await open(page, world, third, '?tab=versions')
    const rows = page.locator('ol > li')
    await expect.poll(() => rows.count()).toBe(3)
    expect(await rows.nth(1).innerText()).toContain('Digest')
    expect(await rows.nth(1).innerText()).not.toMatch(/signer/i)

    await acme.client.bundles.upload(third, bundle())
    await open(page, world, second, '?tab=versions')
    await expect
      .poll(async () => (await rows.nth(0).innerText()).replace(/\s+/g, ' '))
      .toMatch(/Own signer none → [0-9a-f]{16}…/)
  })

  it(
    'shows sample data only for the demonstration model, labelled and never in green',
    async () => {
      const world = sharedWorld()
      const { acme, id } = await register(world, { display_name: 'phi-2 demo', model_digest: undefined })
      const page = await openVisitor(browser)
      await open(page, world, id, '?tab=security')
      await page.getByText('The provider has not stated a digest of the model file.').waitFor()
      expect(await textOf(page)).not.toContain('Sample data')
      await world.database.transaction((tx) =>
        tx.updateTable('models').set({ is_demo: 1 }).where('provider_id', '=', acme.id).execute(),
      )
      for (const tab of ['overview', 'security']) {
        await open(page, world, id, `?tab=${tab}`)
        const sample = page.getByRole('region', { name: 'Sample data' })
        await sample.getByText('Nothing here was checked.').waitFor()
        expect(await sample.innerText()).not.toMatch(/\bverified\b/i)
        expect(await greenWords(page)).toEqual(tab === 'overview' ? [`${acme.domain}, verified`] : [])
        if (isFull) expect(await findFlaws(page)).toEqual([])
      }
    },
    patience,
  )
})

describe('the dialog about a conversation', () => {
  const linkOf = async (acme: ProviderActor, id: string) =>
    encodeURIComponent((await acme.client.verifications.create({ model_id: id })).verification_url)

  const always = ['verified', 'genuine', 'other-model']
  const outcomes: {
    outcome: string
    says: RegExp
    green?: true
    reach: (world: World) => Promise<{ id: string; token: string }>
  }[] = [
    {
      outcome: 'verified',
      says: /Link verified\s+A server that acme\d+\.example approved requested this link for “Atlas Chat 1\.0\.0”\.[\s\S]*“amber otter 123”[\s\S]*Trust this only if you are chatting at https:\/\/acme\d+\.example/,
      green: true,
      reach: async (world) => {
        const { acme, id } = await register(world)
        const own = { challenge: 'amber otter 123', origin: `https://${acme.domain}` }
        const { minted } = await mintOverTls(world, acme, { model_id: id, ...own })
        return { id, token: encodeURIComponent(minted.verification_url) }
      },
    },
    {
      outcome: 'provider_only',
      says: /Company confirmed, AI not confirmed\s+acme\d+\.example requested this link for “Atlas Chat 1\.0\.0”\./,
      reach: async (world) => {
        const { acme, id } = await register(world)
        return { id, token: await linkOf(acme, id) }
      },
    },
    {
      outcome: 'genuine',
      says: /we don’t know who requested it/,
      reach: async (world) => {
        const { acme, id } = await register(world, {}, { isVerified: false })
        return { id, token: await linkOf(acme, id) }
      },
    },
    {
      outcome: 'other-model',
      says: /This link was made for a different model/,
      reach: async (world) => {
        const { acme, id } = await register(world)
        return { id, token: await linkOf(acme, await acme.registerModel()) }
      },
    },
    {
      outcome: 'refused',
      says: /This verification link has expired or is invalid\. Verification links are valid for 15 minutes\./,
      reach: async (world) => {
        const { acme, id } = await register(world)
        const token = await linkOf(acme, id)
        world.clock.advance('16m')
        return { id, token }
      },
    },
    {
      outcome: 'refused',
      says: /Verification Failed\s+This link proves nothing about the conversation/,
      reach: async (world) => ({ id: (await register(world)).id, token: 'verified' }),
    },
    {
      outcome: 'simulation',
      says: /Simulation\s+This is what it looks like when “Atlas Chat” answers with its link\. Nothing was checked\.\s+The demo chat on this site opens this page\./,
      reach: async (world) => ({ id: (await register(world)).id, token: 'demo' }),
    },
  ]

  it.each(isFull ? outcomes : outcomes.filter(({ outcome }) => always.includes(outcome)))(
    'says $outcome: $says',
    async ({ outcome, says, green, reach }) => {
      const world = sharedWorld()
      const { id, token } = await reach(world)
      const page = visitor()
      await page.goto(`${world.publicUrl}/models/${id}?tab=reports&verification=${token}&model=Atlas+Chat`)
      const dialog = page.getByRole('dialog')
      await dialog.locator(`[data-verdict=${outcome}]`).waitFor()
      const text = await dialog.innerText()
      expect(text).toMatch(says)
      expect(await greenWords(page)).toEqual(green ? ['Link verified'] : [])
      if (!green) expect(text.replace('Verification', '')).not.toMatch(/\bverified\b/i)
      expect(text).not.toContain('The address you opened names')
      if (isFull || outcome === 'verified') expect(await findFlaws(page, '[role=dialog]')).toEqual([])
      await page.keyboard.press('Escape')
      await expect.poll(() => new URL(page.url()).search).toBe('?tab=reports')
      await dialog.waitFor({ state: 'detached' })
    },
  )

  it('treats the name in the address only as text', async () => {
    const world = sharedWorld()
    const { acme, id } = await register(world)
    const page = visitor()
    await page.goto(`${world.publicUrl}/models/${id}?verification=${await linkOf(acme, id)}&model=Northwind+Giant`)
    await page
      .getByText('The address you opened names “Northwind Giant”, which is not the name of this model.')
      .waitFor()
  })

  it('says that it could not check without the registry, and retries', async () => {
    const world = sharedWorld()
    const { acme, id } = await register(world)
    const page = await openVisitor(browser)
    await page.route('**/api/v1/verify/**', (route) => route.abort())
    await page.goto(`${world.publicUrl}/models/${id}?verification=${await linkOf(acme, id)}`)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Unable to verify this link. Please try again or contact support.').waitFor()
    await page.unroute('**/api/v1/verify/**')
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.locator('[data-verdict=provider_only]').waitFor()
    await dialog.getByRole('link', { name: 'Open the full record' }).click()
    await page.locator('main[data-state=provider_only]').waitFor()
  })
})
