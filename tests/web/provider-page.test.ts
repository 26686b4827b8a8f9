import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { greenWords, impostorTexts } from '../support/console.ts'
import { isFull, itInFull, sampled } from '../support/full.ts'
import { storeCompanyName, storeModel } from '../support/stored-names.ts'
import { findFlaws, inLook, looks, openVisitor, overflowOf, stateOf } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 120_000

const profile = {
  company_description: `We make models that read maps.${'\n'.repeat(60)}Checked by us: openai ✅`,
  founded_year: 2019,
  employee_count: '51-200',
  headquarters_location: { city: 'Oslo', country: 'Norway' },
  support_email: 'help@acme.example',
  github_url: 'https://github.com/acme-example',
  linkedin_url: 'https://www.linkedin.com/company/acme-example',
  twitter_url: 'https://twitter.com/acme-example',
  api_documentation_url: 'https://docs.acme.example/api',
  support_url: 'https://acme.example/support',
  trust_center_url: 'https://trust.acme.example',
  industry: '✅\u00a0Cartography',
  specialties: ['maps', 'speech'],
  funding_status: 'Founders',
} as const

/** A provider with all fields filled in, and a model. */
const fullProvider = async (world: World) => {
  const acme = await world.provider('acme')
  await acme.client.providers.setProfile(acme.id, { ...profile, specialties: [...profile.specialties] })
  await acme.client.providers.setCompliance(acme.id, { compliance_certifications: ['ISO 27001'] })
  const model_id = await acme.registerModel({
    display_name: 'Atlas Chat',
    version: '2.1',
    context_window: 128_000,
    release_date: '2026-03',
  })
  return { acme, model_id }
}

const unknownId = 'prv_00000000000000000000000000'

const cases: { state: string; name: string; reach: (world: World) => Promise<string>; shows: RegExp[] }[] = [
  {
    name: 'a provider whose domain is verified',
    state: 'ready',
    reach: async (world) => (await fullProvider(world)).acme.id,
    shows: [/Domain Verified/],
  },
  {
    name: 'an unverified provider',
    state: 'ready',
    reach: async (world) => (await world.provider('globe', { isVerified: false })).id,
    shows: [/Unverified/, /No one has checked who this is/, /globe\.example, not proven/, /No public models/],
  },
  {
    name: 'a provider with a verified mailbox but no verified domain',
    state: 'ready',
    reach: async (world) => {
      const { id } = await world.provider('globe', { isVerified: false })
      await world.database.transaction((tx) =>
        tx.updateTable('providers').set({ email_verified_at: 1 }).where('id', '=', id).execute(),
      )
      return id
    },
    shows: [/”\s+Domain not verified\s+Email Verified\s+No one has checked who this is/],
  },
  {
    name: 'an unknown provider',
    state: 'not-found',
    reach: async () => unknownId,
    shows: [/^Provider Not Available/, /This provider profile is private or does not exist\./, /Browse Providers/],
  },
  {
    name: 'a deactivated provider',
    state: 'not-found',
    reach: async (world) => {
      const gone = await world.provider('gone')
      await gone.client.providers.deactivate(gone.id, {})
      return gone.id
    },
    shows: [/This provider profile is private or does not exist\./],
  },
  {
    name: 'an invalid ID',
    state: 'not-found',
    reach: async () => 'acme',
    shows: [/This provider profile is private or does not exist\./],
  },
]

describe('the page of a provider', () => {
  it.each(cases)(
    'shows $name, in green only a verified domain, and passes axe with parts of its own',
    async ({ name, state, reach, shows }) => {
      const world = await createWorld()
      const id = await reach(world)
      const page = await openVisitor(browser)
      await page.goto(`${world.publicUrl}/providers/${id}`)
      expect(await stateOf(page)).toBe(state)
      const text = await page.locator('main').innerText()
      for (const words of shows) expect(text).toMatch(words)
      if (state === 'ready') await page.getByRole('heading', { name: 'Public Models' }).waitFor()
      expect(await greenWords(page)).toEqual(name === 'a provider whose domain is verified' ? ['Domain Verified'] : [])
      // The others have the same parts, and fewer.
      if (isFull || shows.length > 1) expect(await findFlaws(page)).toEqual([])
    },
    patience,
  )

  it('shows nothing older than two minutes to a visitor who returns while the registry does not answer', async () => {
    const world = await createWorld()
    const { acme } = await fullProvider(world)
    const page = await openVisitor(browser)
    await page.clock.install()
    await page.goto(`${world.publicUrl}/providers`)
    const link = page.getByRole('main').getByRole('link', { name: 'acme.example' }).first()
    await link.click()
    await page.getByText('Domain Verified').first().waitFor()
    await page.getByRole('link', { name: 'About', exact: true }).first().click()
    await page.waitForURL('**/about')
    await page.clock.fastForward('01:30')
    await page.goBack()
    await page.getByText('Domain Verified').first().waitFor()
    await page.goForward()
    await page.waitForURL('**/about')
    await page.clock.fastForward('05:00')
    await page.route('**/api/v1/**', () => undefined)
    for (const path of [`/providers/${acme.id}`, '/providers']) {
      await page.goBack()
      await page.waitForURL(`**${path}`)
      await page.locator('main[data-state=loading]').waitFor()
      expect(await page.getByRole('main').innerText()).not.toMatch(/acme\.example|Domain Verified/)
    }
  })

  it('separates what the registry checked from what the provider states', async () => {
    const world = await createWorld()
    const { acme } = await fullProvider(world)
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/providers/${acme.id}`)
    await stateOf(page)
    expect(await page.title()).toBe('acme.example: “Acme Labs” · Countersign')
    expect(await page.locator('h1').innerText()).toBe('acme.example')
    await page.getByText('The company calls itself “Acme Labs”.').waitFor()
    const checked = await page.getByRole('region', { name: 'Checked by us' }).innerText()
    const stated = await page.getByRole('region', { name: 'Stated by the provider' }).innerText()
    const { trust_score, domain_verified_at } = await world.anyone.providers.get(acme.id)
    expect(domain_verified_at).not.toBeNull()
    for (const words of [
      'acme.example',
      'Checked by this registry: DNS record, ',
      `${trust_score} of 100 points`,
      acme.id,
    ])
      expect(checked).toContain(words)
    expect(await page.getByRole('region', { name: 'Checked by us' }).textContent()).toContain(
      'At least 50 of its links were openedNo',
    )
    expect(checked.replace(/\s+/g, ' ')).toContain('Public models 1 Verified models 0')
    for (const words of [
      'Acme Labs',
      'Stated by the provider, not checked by us.\n\n“We make models that read maps.\n\nChecked by us: openai”',
      '2019',
      '51-200',
      '“Oslo, Norway”',
      '“Cartography”',
      '“maps”, “speech”',
      '“Founders”',
      '“ISO 27001”\n\nStated by the provider, not checked by us.',
    ]) {
      expect(stated).toContain(words)
      expect(checked).not.toContain(words)
    }
    const targets = await page
      .getByRole('region', { name: 'Stated by the provider' })
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    const urls = [
      profile.github_url,
      profile.linkedin_url,
      profile.twitter_url,
      profile.api_documentation_url,
      profile.support_url,
      profile.trust_center_url,
    ]
    expect(targets).toEqual(expect.arrayContaining([...urls, 'mailto:help@acme.example']))
    for (const link of await page.locator('main a[href^="http"]').all())
      expect(await link.getAttribute('rel')).toMatch(/noopener.*noreferrer.*nofollow/)
  })

  it('gives age and email address to the account, not to a newer domain or the stated contact', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    await acme.client.providers.setProfile(acme.id, { support_email: 'help@northwind.example' })
    const set = { created_at: Date.parse('2021-02-03'), email_verified_at: 1 }
    await world.database.transaction((tx) => tx.updateTable('providers').set(set).where('id', '=', acme.id).execute())
    const { domain_proof } = await acme.client.domains.add({ domain: 'newer.example' })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.domains.verify('newer.example', {})
    await acme.client.domains.makePrimary('newer.example', {})
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/providers/${acme.id}`)
    await stateOf(page)
    expect(await page.locator('h1').innerText()).toBe('newer.example')
    const textOf = async (name: string) => (await page.getByRole('region', { name }).innerText()).replace(/\s+/g, ' ')
    expect(await textOf('Checked by us')).toContain('Account’s email address Verified, not shown here')
    expect(await textOf('Checked by us')).toContain('Account created 3 Feb 2021')
    expect(await textOf('Stated by the provider')).toContain(
      'Contact help@northwind.example Stated by the provider, not checked by us. It may not be the account’s email address.',
    )
  })

  it('lists the public models in an accessible table, and links to each', async () => {
    const world = await createWorld()
    const { acme, model_id } = await fullProvider(world)
    await acme.registerModel({ display_name: 'Atlas Secret', is_public: false })
    await acme.registerModel({
      display_name: 'Atlas Abroad',
      endpoint: `https://api.${'northwind-traders-international-'.repeat(2)}models.example/v1`,
    })
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/providers/${acme.id}`)
    const row = page.getByRole('row', { name: /Atlas Chat/ })
    await row.waitFor()
    const text = await row.innerText()
    for (const words of [
      '“A model that answers questions about maps.”',
      '2.1',
      'api.acme.example/…',
      '128,000 tokens',
      'Mar',
      'Active',
    ])
      expect(text).toContain(words)
    // Any address can be stated: one elsewhere is labelled.
    const elsewhere = 'Stated by the provider, not at its proven domain'
    expect(text).not.toContain(elsewhere)
    expect(await page.getByRole('row', { name: /Atlas Abroad/ }).innerText()).toContain(elsewhere)
    expect(await page.getByText('Atlas Secret').count()).toBe(0)
    // A long endpoint breaks no heading and no status.
    const unbroken = page.getByRole('columnheader').or(page.getByRole('cell', { name: 'Active', exact: true }))
    const heights = await unbroken.evaluateAll((all) =>
      all.map((cell) => {
        const text = document.createRange()
        text.selectNodeContents(cell)
        return text.getBoundingClientRect().height
      }),
    )
    expect(heights.filter((height) => height > 30)).toEqual([])
    await page.getByRole('link', { name: 'Atlas Chat' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/models/${model_id}`)
  })

  it('says that a provider is unlisted, rather than that it has no models', async () => {
    const world = await createWorld()
    const shy = await world.provider('shy', { isListed: false })
    await shy.registerModel()
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/providers/${shy.id}`)
    await page.getByText('Its models are not listed').waitFor()
  })

  itInFull('says that it could not be loaded, and retries on request', async () => {
    const world = await createWorld()
    const acme = await world.provider('acme')
    const page = await openVisitor(browser)
    await page.route('**/api/v1/providers/**', (route) => route.abort())
    await page.goto(`${world.publicUrl}/providers/${acme.id}`)
    expect(await stateOf(page)).toBe('failed')
    const alert = page.locator('main').getByRole('alert')
    expect(await alert.innerText()).toMatch(/Provider Not Available[\s\S]*Failed to load provider information\./)
    expect(await alert.innerText()).toContain('Connection failed - unable to reach the API server.')
    await page.unroute('**/api/v1/providers/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('main[data-state=ready]').waitFor()
  })

  it('offers the integration request by the verified domain, never by a name', async () => {
    const world = await createWorld()
    const known = await world.provider('northwind')
    const namesake = await world.provider('impostor', { website: 'https://other.example' })
    await namesake.client.providers.update(namesake.id, { company_name: 'Northwind Labs.' }).catch(() => undefined)
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/providers/${known.id}`)
    const href = await page.getByRole('link', { name: 'Write the integration request' }).getAttribute('href')
    const mail = new URL(href ?? '')
    expect(mail.pathname).toBe('integrations@northwind.example')
    expect(mail.searchParams.get('subject')).toBe('Please give your models verification links')
    expect(mail.searchParams.get('body')).toContain(`${world.publicUrl}/providers/${known.id}`)
    await page.goto(`${world.publicUrl}/providers/${namesake.id}`)
    await stateOf(page)
    expect(await page.getByRole('link', { name: 'Write the integration request' }).count()).toBe(0)

    const claimed = await world.provider('northwind-claims', {
      isVerified: false,
      website: 'https://northwind.example',
    })
    await page.goto(`${world.publicUrl}/providers/${claimed.id}`)
    await stateOf(page)
    expect(await page.getByRole('link', { name: 'Write the integration request' }).count()).toBe(0)
  })

  it('offers a badge to paste that contains no text of the provider, and no image that could outlive a proof', async () => {
    const world = await createWorld()
    const { acme } = await fullProvider(world)
    const page = await openVisitor(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${world.publicUrl}/providers/${acme.id}`)
    await page.getByText('Show this provider on your website').click()
    await page.getByText('The level also counts what the provider says of itself.').waitFor()
    expect(await page.locator('img[src^="/badge/"]').count()).toBe(0)
    await page.getByRole('button', { name: 'Copy HTML' }).click()
    await page.getByText('Copied to clipboard!').waitFor()
    const html = await page.evaluate(() => navigator.clipboard.readText())
    expect(html).toBe(
      `<a href="${world.publicUrl}/providers/${acme.id}"><img src="${world.publicUrl}/badge/providers/${acme.id}.svg" alt="Status in the registry"></a>`,
    )
    await page.getByRole('button', { name: 'Copy Markdown' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `[![Status in the registry](${world.publicUrl}/badge/providers/${acme.id}.svg)](${world.publicUrl}/providers/${acme.id})`,
    )
    expect(await page.getByRole('link', { name: 'This record as JSON' }).getAttribute('href')).toBe(
      `/api/v1/providers/${acme.id}/public`,
    )
  })

  it.each(sampled(Object.entries(impostorTexts), 4, 2))(
    'renders hostile text harmlessly: %s',
    async (kind, text) => {
      const world = await createWorld()
      const globe = await world.provider('globe', { isVerified: false })
      await storeCompanyName(world, globe.id, text)
      await globe.client.providers.update(globe.id, {
        description: `${text} ${text}`.slice(0, 200),
        hq_city: text,
        industry: text,
        funding_status: text,
        support_url: `https://${'a'.repeat(60)}.example/${'b'.repeat(80)}`,
      })
      await storeModel(world, globe, { display_name: text, version: text.slice(0, 60) }, { description: text })
      const page = await openVisitor(browser)
      await page.goto(`${world.publicUrl}/providers/${globe.id}`)
      expect(await stateOf(page)).toBe('ready')
      const heading = await page.locator('h1').innerText()
      // A name that contains another provider's domain is not shown.
      expect(heading).toMatch(kind === 'rightToLeft' ? /^A company without a name$/ : /^“[^“”"]*”$/)
      expect(await page.locator('main img[src="x"], main b').count()).toBe(0)
      expect(await greenWords(page)).toEqual([])
      for (const look of looks) expect(await inLook(page, look, () => overflowOf(page))).toBe(0)
      expect(await page.locator('main').innerText()).not.toContain('Domain Verified')
    },
    patience,
  )
})
