import { execFileSync } from 'node:child_process'
import { formatLinkCode } from '@countersign/sdk/verify'
import { createLinkCode } from '@countersign/sdk/verify/link-codes'
import { samples } from '@countersign/sdk/words/samples'
import type { Browser, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { randomFingerprint } from '../support/actors.ts'
import { shareBrowser } from '../support/browser.ts'
import { greenWords } from '../support/console.ts'
import { isFull, itInFull, sampled } from '../support/full.ts'
import { mintOverTls } from '../support/proven-link.ts'
import { findFlaws, inLook, looks, openVisitor, overflowOf, shareVisitor, stateOf } from '../support/visitor.ts'
import { createWorld, shareWorld, type World } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const sharedWorld = shareWorld()
const reader = shareVisitor(() => browser, { timezoneId: 'UTC', permissions: ['clipboard-read', 'clipboard-write'] })
const readerWithoutScripts = shareVisitor(() => browser, { timezoneId: 'UTC', javaScriptEnabled: false })

let count = 0
const createProvider = (world: World, options: { isVerified?: boolean } = {}) =>
  world.provider(`acme${count++}`, options)

const answer = 'Oslo is the capital of Norway.'

/** A provider with a verified domain, and a link to its model. */
const mintLink = async (world: World, options: { isVerified?: boolean } = {}) => {
  const acme = await createProvider(world, options)
  const model_id = await acme.registerModel({ display_name: 'Atlas Chat', version: '2.1' })
  const { deployment_id } = await acme.registerDeployment([model_id])
  // Only a proven domain may name the origin of its chats.
  const origin = options.isVerified === false ? undefined : `https://chat.${acme.domain}`
  const minted = await acme.client.verifications.create({ model_id, challenge: 'blue otter 42', origin })
  return { acme, model_id, deployment_id, minted, link: minted.verification_url }
}

/** The same for a server that proves its key. */
const mintProven = async (world: World) => {
  const acme = await createProvider(world)
  const model_id = await acme.registerModel({
    display_name: 'Atlas Chat',
    version: '2.1',
    model_digest: `sha256:${'a1'.repeat(32)}`,
  })
  const { minted, deployment_id } = await mintOverTls(world, acme, {
    model_id,
    challenge: 'blue otter 42',
    origin: `https://chat.${acme.domain}`,
  })
  return { acme, model_id, deployment_id, minted, link: minted.verification_url }
}

/** The longest names, phrase and address that people are likely to meet. */
const mintLong = async (world: World) => {
  const acme = await world.provider(`northwind-traders-international-language-models${count++}`)
  const model_id = await acme.registerModel({
    display_name: 'Northwind Traders International Conversation Assistant',
    version: '2026.11.02',
  })
  const minted = await acme.client.verifications.create({
    model_id,
    challenge: 'an otter that is blue and forty-two years old and rather long',
    origin: `https://assistant.${acme.domain}`,
  })
  return { link: minted.verification_url }
}

const forge = ({ token }: { token: string }, world: World) => {
  const [header, claims, signature = ''] = token.split('.')
  return `${world.publicUrl}/verify/${header}.${claims}.${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`
}

/** The words that a shell reads in a command. What it would run besides is among them, or missing. */
const wordsInShell = (command: string) =>
  execFileSync('sh', ['-c', `countersign() { printf '%s\\0' countersign "$@"; }\n${command}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

const mistype = (link: string) => link.slice(0, -1) + (link.endsWith('0') ? '1' : '0')

/** The registry cannot be reached from the page any longer. */
const openOffline = async (page: Page, link: string) => {
  await page.goto(new URL('/v', link).href)
  await page.route('**/api/**', (route) => route.abort())
  await page.getByRole('main').getByRole('textbox').fill(link)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/v\/.+/)
}

// Axe takes longer on a busy machine.
const patience = 120_000

interface Case {
  state: string
  heading: RegExp
  /** Brings a link into the state, and returns the address to open. */
  reach: (world: World) => Promise<string>
  shows?: RegExp
  steps?: Steps
}

interface Steps {
  /** Provider, server, model file. */
  states: ('proven' | 'stated' | 'missing')[]
  server: RegExp
}

const cases: Case[] = [
  {
    state: 'verified',
    heading: /^acme\d+\.example\s+“Atlas Chat 2\.1”$/,
    reach: async (world) => (await mintProven(world)).link,
    shows: /Verified AI Model\s+Cryptographically Verified/,
    steps: { states: ['proven', 'proven', 'stated'], server: /Proved the company approved it/ },
  },
  {
    state: 'provider_only',
    heading: /^acme\d+\.example\s+“Atlas Chat 2\.1”$/,
    reach: async (world) => (await mintLink(world)).link,
    shows: /Company confirmed, AI not confirmed/,
    steps: { states: ['proven', 'missing', 'stated'], server: /Anyone with the company’s access key/ },
  },
  {
    state: 'provider_unverified',
    heading: /^Someone calling themselves “Acme\d+ Labs”$/,
    reach: async (world) => (await mintLink(world, { isVerified: false })).link,
    shows: /We don’t know who this is/,
    steps: { states: ['missing', 'missing', 'stated'], server: /^Server\s+Did not identify itself$/ },
  },
  {
    state: 'domain_stale',
    heading: /^acme\d+\.example\s+“Atlas Chat 2\.1”$/,
    reach: async (world) => {
      const { acme, link } = await mintProven(world)
      const stale_since = world.clock.now()
      await world.database.transaction((tx) =>
        tx.updateTable('provider_domains').set({ stale_since }).where('provider_id', '=', acme.id).execute(),
      )
      return link
    },
    shows: /Company not confirmed now[\s\S]*Controlled acme\d+\.example, last checked today/,
  },
  {
    state: 'expired',
    heading: /^Do not rely on this link$/,
    reach: async () => {
      // The clock of the shared registry stays where the browser's is.
      const world = await createWorld()
      const { link } = await mintLink(world)
      world.clock.advance('16m')
      return link
    },
    shows: /This verification link has expired or is invalid\. Verification links are valid for 15 minutes\./,
  },
  {
    state: 'revoked',
    heading: /^Do not rely on this link$/,
    reach: async () => {
      const world = await createWorld()
      const { acme, model_id, deployment_id, link } = await mintProven(world)
      await acme.client.deployments.setStatus(deployment_id, { status: 'disabled' })
      world.clock.advance('1s')
      await acme.client.models.archive(model_id, {})
      return link
    },
    shows: /cancelled the permission of the server(?![\s\S]*cancelled at)/,
  },
  {
    state: 'archived',
    heading: /^Do not rely on this link$/,
    reach: async (world) => {
      const { acme, model_id, link } = await mintProven(world)
      await acme.client.models.archive(model_id, {})
      return link
    },
    shows: /has withdrawn this model[\s\S]*cancelled at/,
  },
  {
    state: 'gone',
    heading: /^Do not rely on this link$/,
    reach: async (world) => {
      const { acme, link } = await mintLink(world)
      await world.database.transaction((tx) =>
        tx.updateTable('providers').set({ deactivated_at: 1 }).where('id', '=', acme.id).execute(),
      )
      return link
    },
    shows: /The model or provider associated with this verification no longer exists\./,
  },
  { state: 'mistyped', heading: /mistyped/, reach: async (world) => mistype((await mintLink(world)).link) },
  { state: 'malformed', heading: /not a verification link/, reach: async (world) => `${world.publicUrl}/v/hello` },
  {
    state: 'not_found',
    heading: /^Do not rely on this link$/,
    reach: async (world) => `${world.publicUrl}/v/${formatLinkCode(createLinkCode(0, new Uint8Array(8)))}`,
    shows: /never made this link/,
  },
  {
    state: 'forged',
    heading: /^Do not rely on this link$/,
    reach: async (world) => forge((await mintProven(world)).minted, world),
    shows: /Forged link[\s\S]*did not sign this/,
  },
  {
    state: 'could_not_check',
    heading: /could not be checked/,
    reach: async (world) => `${(await mintLink(world)).link}?offline`,
    shows: /could not look everything up\. Try again in a minute\./,
  },
]

/** Pages of each tone: the other states fill in the same parts. */
const judged = ['verified', 'provider_unverified', 'expired', 'could_not_check']

/** The first screen's look, without its times. */
const screenOf = (page: Page) => screenIn(page.locator('.outcome'))

const screenIn = (found: Locator) =>
  found.evaluate((screen) => {
    const band = screen.querySelector('.outcome-band')
    const textsOf = (selector: string) =>
      [...screen.querySelectorAll<HTMLElement>(selector)].map((element) => element.innerText.trim())
    return {
      tone: screen.getAttribute('data-tone'),
      colours: band && [getComputedStyle(band).color, getComputedStyle(band).backgroundColor],
      shapes: [...screen.querySelectorAll('svg')].map(({ innerHTML }) => innerHTML.replaceAll('></path>', '/>')),
      states: [...screen.querySelectorAll('[data-step]')].map((step) => step.getAttribute('data-step-state')),
      texts: ['.outcome-band span', 'h1', '.outcome-match', '.outcome-step', '.outcome-limit'].map(textsOf),
    }
  })

const stepLabels = { proven: 'Confirmed', stated: 'Stated, not confirmed', missing: 'Not confirmed' }

/** By colour, shape and words; green only if the server proved its key. */
const expectSteps = async (page: Page, { states, server }: Steps) => {
  const screen = await screenOf(page)
  const tone = states[0] === 'missing' ? 'warn' : states[1] === 'proven' ? 'ok' : 'info'
  expect({ tone: screen.tone, states: screen.states }).toEqual({ tone, states })
  expect(await page.locator('[data-step=server]').innerText()).toMatch(server)
  for (const [index, state] of states.entries())
    expect(await page.locator('[data-step] svg').nth(index).getAttribute('aria-label')).toBe(stepLabels[state])
}

describe('the link page', () => {
  it.each(cases)(
    'says $state, also without scripts, and passes axe if it has a tone of its own, light and dark, wide and narrow',
    async ({ state, heading, reach, shows, steps }) => {
      const link = await reach(sharedWorld())
      const page = link.endsWith('?offline') ? await openVisitor(browser) : reader()
      if (link.endsWith('?offline')) await openOffline(page, link.replace('?offline', ''))
      else await page.goto(link)
      expect(await stateOf(page)).toBe(state)
      expect(await page.locator('h1').innerText()).toMatch(heading)
      const text = await page.locator('main').innerText()
      if (shows) expect(text).toMatch(shows)
      if (steps) await expectSteps(page, steps)
      expect(text.includes('Common reasons')).toBe(state === 'not_found')
      if (['verified', 'provider_only', 'provider_unverified', 'domain_stale'].includes(state)) {
        await page.getByText('Timeline').waitFor()
        const details = (await page.locator('main').textContent()) ?? ''
        expect(details).toContain(state === 'verified' ? 'Verified At' : 'Checked At')
        if (state !== 'verified') expect(details).not.toContain('Verified At')
      }
      if (state !== 'verified') expect(text).not.toMatch(/Verified AI Model|Cryptographically Verified/)
      if (state !== 'could_not_check') {
        const plain = readerWithoutScripts()
        await plain.goto(link)
        expect(await screenOf(plain)).toEqual(await screenOf(page))
      }
      if (isFull || judged.includes(state)) expect(await findFlaws(page)).toEqual([])
      if (['verified', 'domain_stale', 'archived'].includes(state)) {
        await page.getByText('Deployment Information').click()
        await page.getByText('Enabled', { exact: true }).waitFor()
        expect((await greenWords(page)).includes('Enabled')).toBe(state === 'verified')
      }
    },
    patience,
  )

  it('names domain, model, challenge and origin, and what it does not prove', async () => {
    const world = sharedWorld()
    const { acme, minted, link } = await mintProven(world)
    const page = reader()
    await page.goto(link)
    expect(await stateOf(page)).toBe('verified')
    const text = await page.locator('main').innerText()
    for (const shown of [
      acme.domain,
      'Atlas Chat',
      '2.1',
      'blue otter 42',
      `https://chat.${acme.domain}`,
      'What this does not prove',
    ])
      expect(text).toContain(shown)
    expect(text).toContain(`Requested by ${acme.domain} at`)
    expect(text).not.toMatch(/issued/i)
    expect(text.indexOf(acme.domain)).toBeLessThan(text.search(/Acme\d+ Labs/))
    await page.getByText('Model Security').click()
    const digest = (minted.model_digest ?? '').slice('sha256:'.length)
    await expect.poll(async () => (await page.locator('main').innerText()).replace(/\s/g, '')).toContain(digest)
  })

  const screens = [
    { name: 'company and server proven', mint: mintProven },
    { name: 'only the company proven', mint: mintLink },
    { name: 'nothing proven', mint: (world: World) => mintLink(world, { isVerified: false }) },
    {
      name: 'ended',
      mint: async (world: World) => {
        const { acme, deployment_id, link } = await mintProven(world)
        await acme.client.deployments.setStatus(deployment_id, { status: 'disabled' })
        return { link }
      },
      isEnded: true,
    },
    { name: 'the longest names, whose first screen is longer', mint: mintLong, isLong: true },
  ]
  it.each(sampled(screens, 4))(
    'fits its first screen on a phone, and its whole page in 3,500 px: $name',
    async ({ mint, isEnded, isLong }) => {
      const world = sharedWorld()
      const { link } = await mint(world)
      const page = await openVisitor(browser, { viewport: { width: 390, height: 664 } })
      // Browsers of phones can share; this one cannot.
      await page.addInitScript(() => Object.assign(navigator, { share: () => Promise.resolve() }))
      await page.goto(link)
      await stateOf(page)
      if (isEnded) await page.getByText('Technical details').waitFor()
      else await page.getByRole('region', { name: 'Community Stats' }).waitFor()
      const screen = page.locator('.outcome')
      expect(await screen.innerText()).not.toMatch(/deployment|api key|provider/i)
      const bottoms = await page.evaluate(() =>
        [
          '.outcome-band',
          'h1',
          '[role=timer]',
          '[data-step=provider]',
          '[data-step=server]',
          '[data-step=model_file]',
          '.outcome-limit',
          '.outcome-match',
          '.outcome a[href="#details"]',
        ].flatMap((selector) => {
          const box = document.querySelector(selector)?.getBoundingClientRect()
          return box === undefined ? [] : [{ selector, isSeen: box.height > 0 && box.bottom <= innerHeight }]
        }),
      )
      if (!isLong) expect(bottoms.filter(({ isSeen }) => !isSeen)).toEqual([])
      expect(bottoms.length).toBeGreaterThanOrEqual(isEnded ? 3 : 8)
      const detailsTop = (await page.locator('#details').boundingBox())?.y ?? 0
      for (const name of isEnded ? ['Report'] : ['Copy link', 'Share', 'Report']) {
        const action = await screen.getByRole('button', { name, exact: true }).boundingBox()
        expect(action && action.y + action.height).toBeLessThan(detailsTop)
      }
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(3_500)
      if (mint !== mintProven) return
      await screen.getByRole('button', { name: 'Copy link' }).click()
      const toast = page.locator('[data-sonner-toast]')
      await toast.waitFor()
      expect(await toast.getAttribute('data-y-position')).toBe('top')
    },
  )

  it('shows three steps by colour, shape and words for a server that only named itself', async () => {
    const { acme, model_id } = await mintLink(sharedWorld())
    const { spki_fingerprint } = await acme.registerDeployment([model_id])
    const headers = { 'x-client-cert-fingerprint': spki_fingerprint }
    const page = reader()
    await page.goto((await acme.client.verifications.create({ model_id }, { headers })).verification_url)
    expect(await stateOf(page)).toBe('provider_only')
    await expectSteps(page, { states: ['proven', 'stated', 'stated'], server: /Named itself but proved nothing/ })
    expect(await page.locator('main').innerText()).not.toContain('Verified AI Model')
  })

  it('shows local times, and UTC on request', async () => {
    const world = sharedWorld()
    const { link, minted } = await mintLink(world)
    const page = await openVisitor(browser, { timezoneId: 'Asia/Kolkata' })
    await page.goto(link)
    await stateOf(page)
    const requested = page.locator('.outcome-about time').first()
    const at = new Date(Date.parse(minted.expires_at) - 900_000)
    const clock = (timeZone: string) =>
      new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(at)
    expect(await requested.innerText()).toContain(clock('Asia/Kolkata'))
    expect(await requested.getAttribute('title')).toContain(`${clock('UTC')} UTC`)
    await page.getByText('Timeline').click()
    await page.getByRole('button', { name: 'Show times in UTC' }).click()
    expect(await requested.innerText()).toBe(`${clock('Asia/Kolkata')} (${clock('UTC')} UTC)`)
    await page
      .getByRole('listitem')
      .filter({ hasText: 'This link was requested' })
      .getByText(`${clock('UTC')} UTC`)
      .first()
      .waitFor()
  })

  it('shows the names at minting and the current ones', async () => {
    const world = sharedWorld()
    const { acme, link } = await mintProven(world)
    await world.database.transaction((tx) =>
      tx
        .updateTable('providers')
        .set({ company_name: 'Globex', website: `https://${acme.domain}/globex.example/verified` })
        .where('id', '=', acme.id)
        .execute(),
    )
    for (const page of [reader(), readerWithoutScripts()]) {
      await page.goto(link)
      await page.getByText(/The company calls itself “Acme\d+ Labs”\./).waitFor()
      await page
        .getByText(/The name of the company was “Acme\d+ Labs” when this link was made, and is “Globex” now\./)
        .waitFor()
      await page.getByText(/The website of the company was .* and is “https:\/\/acme\d+\.example\/…” now\./).waitFor()
    }
  })

  it('counts the passed checks in one line, and lists the same number', async () => {
    const world = sharedWorld()
    const { link } = await mintProven(world)
    const page = reader()
    await page.goto(link)
    await stateOf(page)
    const summary = page.locator('summary').filter({ hasText: 'What was checked' })
    const [count, passed, open] = /(\d+) checks passed, (\d+) not checked/.exec(await summary.innerText()) ?? []
    expect(await page.locator('.outcome-limit').last().innerText()).toBe(`${count}. Details`)
    await summary.click()
    expect(await page.locator('[data-check]').filter({ hasText: 'Passed' }).count()).toBe(Number(passed))
    expect(await page.locator('[data-check]').filter({ hasText: 'Not checked' }).count()).toBe(Number(open))
  })

  it('shows a mistyped code as it was opened, ready to correct', async () => {
    const world = sharedWorld()
    const { link } = await mintLink(world)
    const page = reader()
    const opened = mistype(link).toLowerCase().split('/').at(-1) ?? ''
    await page.goto(`${world.publicUrl}/v/${opened}`)
    expect(await stateOf(page)).toBe('mistyped')
    await page.getByText(opened, { exact: true }).waitFor()
    const box = page.getByRole('textbox')
    expect(await box.inputValue()).toBe(opened)
    await box.fill(link)
    await box.press('Enter')
    await page.locator('main[data-state=provider_only]').waitFor()
  })

  it('counts the link after two seconds of reading, and not when prefetched', async () => {
    const world = sharedWorld()
    const { acme, model_id, link } = await mintLink(world)
    for (let preview = 0; preview < 10; preview++)
      await fetch(link, { headers: { 'user-agent': 'preview-bot' } }).then((response) => response.text())
    expect((await acme.client.models.get(model_id)).first_verified_at).toBeNull()
    const page = await openVisitor(browser)
    const counted: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/opened')) counted.push(request.url())
    })
    await page.clock.install({ time: world.clock.now() })
    await page.clock.pauseAt(world.clock.now() + 1_000)
    await page.goto(link)
    await stateOf(page)
    await page.clock.runFor(1_900)
    // Requests are sent in order, so an earlier one would have been seen by now.
    await page.evaluate(() => fetch('/robots.txt').then((response) => response.text()))
    expect(counted).toEqual([])
    await page.clock.runFor(200)
    await expect
      .poll(async () => (await acme.client.models.get(model_id)).first_verified_at, { timeout: 10_000 })
      .not.toBeNull()
  })

  it('prints its caveats: the domain, the development notice, and the expiry', async () => {
    const world = sharedWorld()
    const { link } = await mintLink(world)
    const page = await openVisitor(browser)
    await page.goto(link)
    expect(await stateOf(page)).toBe('provider_only')
    const ends = page.getByText('It proves nothing after')
    expect(await ends.isVisible()).toBe(false)
    await page.emulateMedia({ media: 'print' })
    expect(await ends.isVisible()).toBe(true)
    const paper = await page.locator('main').innerText()
    expect(paper).toContain(`Countersign, ${new URL(world.publicUrl).host}`)
    expect(paper).toContain('Development registry: nothing here proves anything.')
  })

  it('says what it does not prove, depending on the link', async () => {
    const world = sharedWorld()
    const { acme, model_id, link } = await mintLink(world)
    const page = reader()
    await page.goto(link)
    expect(await stateOf(page)).toBe('provider_only')
    const limits = page.getByRole('listitem').filter({ hasText: 'That the chat you see comes from this model' })
    expect(await limits.innerText()).toMatch(
      /phrase that matches does not rule that out.*it has to be https:\/\/chat\.acme\d+\.example/,
    )
    await page.goto((await acme.client.verifications.create({ model_id })).verification_url)
    expect(await stateOf(page)).toBe('provider_only')
    expect(await limits.innerText()).not.toMatch(/phrase|address/)
  })

  it('changes to expired on time, without a reload', async () => {
    const world = sharedWorld()
    const { link } = await mintLink(world)
    const page = await openVisitor(browser)
    await page.clock.install()
    await page.goto(link)
    expect(await stateOf(page)).toBe('provider_only')
    await page.clock.fastForward('16:00')
    await page.locator('main[data-state=expired]').waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(/Verified AI Model|Cryptographically Verified/)
  })

  it('compares a pasted answer in the browser and sends it nowhere', async () => {
    const world = sharedWorld()
    const { acme, minted, link } = await mintLink(world)
    await acme.client.verifications.bind(minted.token, { response_text: answer })
    const page = await openVisitor(browser)
    const sent: string[] = []
    await page.goto(link)
    await stateOf(page)
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
    const box = page.locator('textarea')
    await box.fill(answer)
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.locator('[data-outcome=match]').waitFor()
    await box.fill(answer.replace('Oslo', 'Bergen'))
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.locator('[data-outcome=mismatch]').waitFor()
    expect(sent.filter((request) => /Oslo|Bergen|response/.test(request))).toEqual([])
  })

  it('says nothing of a text that was replaced while it was compared', async () => {
    const world = sharedWorld()
    const { acme, minted, link } = await mintLink(world)
    await acme.client.verifications.bind(minted.token, { response_text: answer })
    const page = await openVisitor(browser)
    await page.goto(link)
    await stateOf(page)
    await page.locator('textarea').fill(answer)
    const said = await page.locator('textarea').evaluate(async (box: HTMLTextAreaElement) => {
      box.form?.requestSubmit()
      box.value = 'Bergen is the capital of Norway.'
      await crypto.subtle.digest('SHA-256', new Uint8Array(1_000_000))
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      return box.form?.querySelector('[role=status]')?.textContent
    })
    expect(said).toBe('')
  })

  it('forgets what it compared with an answer once another is attached', async () => {
    const { acme, minted, link } = await mintLink(sharedWorld())
    const stranger = sharedWorld().anyone
    await stranger.verifications.bind(minted.token, { response_text: 'Send your money to account 7.' })
    const page = await openVisitor(browser)
    await page.clock.install()
    await page.goto(link)
    await stateOf(page)
    await page.locator('textarea').fill('Send your money to account 7.')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.locator('[data-outcome=match]').waitFor()
    await acme.client.verifications.bind(minted.token, { response_text: answer })
    await page.clock.fastForward(61_000)
    await page.getByText('attached an answer to this link', { exact: false }).waitFor()
    expect(await page.locator('form [role=status]').allInnerTexts()).toEqual([''])
    expect(await page.locator('textarea').inputValue()).toBe('Send your money to account 7.')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.locator('[data-outcome=mismatch]').waitFor()
  })

  it('lists events by time, oldest first, up to the expiry', async () => {
    const world = sharedWorld()
    const { acme, link } = await mintLink(world)
    const page = reader()
    await page.goto(link)
    const fold = page.locator('details', { has: page.getByText('Timeline') })
    await fold.locator('summary').click()
    const moments = fold.getByRole('listitem')
    const shown = (await moments.allInnerTexts()).map((text) => text.split('\n').at(-1))
    expect(shown).toEqual([
      `The provider proved control of ${acme.domain}`,
      'This link was requested',
      'You opened this page, and the link was checked',
      'The link expires',
    ])
    const times = await moments
      .locator('time')
      .evaluateAll((all) => all.map((time) => time.getAttribute('datetime') ?? ''))
    const seconds = times.map((time) => time.slice(0, 19))
    expect(seconds).toEqual(seconds.toSorted())
  })

  it('quotes in its details what the company chose', async () => {
    const world = sharedWorld()
    const acme = await createProvider(world)
    const model_id = await acme.registerModel({
      display_name: 'Atlas, checked by us',
      version: '5 of 5 checks passed',
    })
    const { verification_url } = await acme.client.verifications.create({ model_id })
    const page = reader()
    await page.goto(verification_url)
    await page.getByText('Model Details', { exact: true }).click()
    const details = await page.locator('details', { has: page.getByText('Model Details', { exact: true }) }).innerText()
    expect(details).toMatch(/“Atlas, checked by us”\s+Version\s+“5 of 5 checks passed” \(number 1\)/)
    await page.goto(`${world.publicUrl}/models/${model_id}?verification=${encodeURIComponent(verification_url)}`)
    const dialog = page.getByRole('dialog')
    await dialog.locator('[data-verdict=provider_only]').waitFor()
    expect(await dialog.innerText()).toMatch(/Version\s+“5 of 5 checks passed”/)
  })

  it('quotes the cloud identity that the company states of its server', async () => {
    const world = sharedWorld()
    const acme = await createProvider(world)
    const model_id = await acme.registerModel()
    const spki_fingerprint = randomFingerprint()
    const { deployment_id } = await acme.client.deployments.register({
      spki_fingerprint,
      cloud_identity: 'Proven by Azure',
    })
    await acme.client.models.allowDeployment(model_id, { deployment_id })
    const headers = { 'X-Client-Cert-Fingerprint': spki_fingerprint }
    const { verification_url } = await acme.client.verifications.create({ model_id }, { headers })
    const page = reader()
    await page.goto(verification_url)
    const fold = page.locator('details', { has: page.getByText(deployment_id, { exact: true }) })
    await fold.locator('summary').click()
    expect(await fold.innerText()).toContain('“Proven by Azure”')
  })

  itInFull('sends a report with the link, and says that it counts publicly', async () => {
    const world = sharedWorld()
    const { acme, link } = await mintLink(world)
    const page = reader()
    await page.goto(link)
    expect(await stateOf(page)).toBe('provider_only')
    await page.getByRole('button', { name: 'Report an Issue' }).click()
    const dialog = page.getByRole('dialog', { name: 'Report an Issue' })
    expect(await dialog.getByRole('textbox', { name: /email/i }).count()).toBe(0)
    await dialog.getByRole('combobox', { name: 'Category' }).selectOption('impersonation')
    await dialog.getByRole('textbox', { name: 'Title' }).fill('It says it is someone else')
    await dialog.getByRole('textbox', { name: 'Description' }).fill('It answered that it was another model.')
    await dialog.getByRole('button', { name: 'Submit report' }).click()
    await page.getByText('Issue reported successfully').waitFor()
    const { incidents } = await acme.client.incidents.list()
    expect(incidents).toMatchObject([{ category: 'impersonation', severity: 'medium', counts_publicly: true }])
    await page
      .getByRole('region', { name: 'Community Stats' })
      .getByText(/^Not closed by the provider1Counts only reports/)
      .waitFor()
  })

  it('links to the page of a public model, and hides page and numbers of a private one', async () => {
    const world = sharedWorld()
    const { acme, model_id, link } = await mintLink(world)
    const page = reader()
    await page.goto(link)
    expect(await stateOf(page)).toBe('provider_only')
    expect(await page.getByRole('link', { name: 'View Model Details' }).getAttribute('href')).toBe(
      `/models/${model_id}`,
    )
    await page.getByRole('region', { name: 'Community Stats' }).waitFor()
    await acme.client.models.setVisibility(model_id, { is_public: false })
    await page.reload()
    expect(await stateOf(page)).toBe('provider_only')
    await page.getByText('Timeline').waitFor()
    expect(await page.getByRole('link', { name: 'View Model Details' }).count()).toBe(0)
    expect(await page.getByRole('region', { name: 'Community Stats' }).count()).toBe(0)
  })

  it('rates a link by its own domain in both places, not by one that its provider proved later', async () => {
    const world = sharedWorld()
    const acme = await createProvider(world)
    await world.session(acme)
    await acme.client.providers.setCompliance(acme.id, { compliance_certifications: ['SOC 2', 'ISO 27001'] })
    const model_id = await acme.registerModel()
    const { domain_proof } = await acme.client.domains.add({ domain: `second-${acme.domain}` })
    world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
    await acme.client.domains.verify(`second-${acme.domain}`, {})
    const { token, verification_url } = await acme.client.verifications.create({ model_id })
    await world.anyone.verifications.opened(token)
    await acme.client.domains.makePrimary(`second-${acme.domain}`, {})
    world.dns.setTxt(acme.proof.record_name, [])
    await acme.client.domains.verify(acme.domain, {})
    expect(await world.anyone.models.communityStats(model_id)).toMatchObject({ provider_trust_level: 'standard' })
    const page = reader()
    await page.goto(verification_url)
    expect(await stateOf(page)).toBe('provider_unverified')
    const stats = page.getByRole('region', { name: 'Community Stats' })
    await expect.poll(() => stats.innerText()).toMatch(/Total verifications\s+1/)
    expect(await stats.innerText()).toMatch(/Provider trust level\s+Basic/)
    await page.getByText('Provider Details').click()
    await page.getByText(/^Basic: \d+ of 100 \(the domain is not verified\)/).waitFor()
  })

  itInFull(
    'sends a report about an unverified provider’s link, and says where else to report impersonation',
    async () => {
      const world = await createWorld({ contactEmail: 'desk@registry.example' })
      const { acme, link } = await mintLink(world, { isVerified: false })
      const page = await openVisitor(browser)
      await page.goto(link)
      expect(await stateOf(page)).toBe('provider_unverified')
      await page.getByRole('button', { name: 'Report an Issue' }).click()
      const dialog = page.getByRole('dialog', { name: 'Report an Issue' })
      const operator = dialog.getByRole('link', { name: 'desk@registry.example' })
      expect(await operator.count()).toBe(0)
      await dialog.getByRole('combobox', { name: 'Category' }).selectOption('impersonation')
      expect(await operator.getAttribute('href')).toBe('mailto:desk@registry.example')
      await dialog.getByRole('textbox', { name: 'Title' }).fill('It says it is someone else')
      await dialog.getByRole('textbox', { name: 'Description' }).fill('This is not that company.')
      await dialog.getByRole('button', { name: 'Submit report' }).click()
      await page.getByText('Issue reported successfully').waitFor()
      expect((await acme.client.incidents.list()).incidents).toMatchObject([
        { category: 'impersonation', is_verified_report: true },
      ])
    },
  )

  itInFull('shows the link as a QR code', async () => {
    const world = sharedWorld()
    const { link } = await mintLink(world)
    const page = reader()
    await page.goto(link)
    await page.getByRole('button', { name: 'QR code' }).click()
    const dialog = page.getByRole('dialog', { name: 'Open this link on another device' })
    await dialog.getByText(link).waitFor()
    const source = (await dialog.getByRole('img').getAttribute('src')) ?? ''
    expect(source).toMatch(/^data:image\/svg\+xml,/)
    expect(await dialog.getByRole('img').evaluate((image: HTMLImageElement) => image.naturalWidth > 0)).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  itInFull('copies the address of the link and confirms it', async () => {
    const world = sharedWorld()
    const { link } = await mintLink(world)
    const page = reader()
    await page.goto(link)
    await stateOf(page)
    await page.getByRole('button', { name: 'Copy Verification URL' }).click()
    await page.getByText('Verification URL copied to clipboard').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  })

  it('repeats nothing of an address but its link in commands, copies, prints and the QR code', async () => {
    const { acme, model_id, link } = await mintLink(sharedWorld())
    const page = reader()
    const code = link.split('/').at(-1) ?? ''
    const commands = async () => {
      await page.getByText('Check it yourself').last().waitFor({ state: 'attached' })
      const texts = await page.locator('code').allTextContents()
      return texts.filter((text) => text.startsWith('countersign ')).map(wordsInShell)
    }
    const expected = [
      ['countersign', 'verify', link, '--log-policy', 'FILE'],
      ['countersign', 'verify', link],
    ]
    const tails = ["';echo$IFS'evil.example'", ';echo$IFS"Verified', '$(id)', '`id`', '&&id', ';id%0aid', ',|id']
    for (const tail of sampled(tails, 3)) {
      await page.goto(link.toLowerCase() + tail)
      expect(await stateOf(page), tail).toBe('provider_only')
      expect(await commands(), tail).toEqual(expected)
    }
    expect(
      await page.getByRole('link', { name: 'This record as JSON', includeHidden: true }).getAttribute('href'),
    ).toBe(`/api/v1/verify/${code}`)
    expect(await page.locator('dl', { hasText: 'Verification URL' }).first().textContent()).toContain(
      `${link}Requested`,
    )
    await page.getByRole('button', { name: 'Copy Verification URL' }).click()
    await page.getByText('Verification URL copied to clipboard').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
    await page.getByRole('button', { name: 'QR code' }).click()
    await page.getByRole('dialog').getByText(link, { exact: true }).waitFor()
    await acme.client.models.archive(model_id, {})
    await page.goto(`${link};id`)
    expect(await stateOf(page)).toBe('archived')
    expect(await commands()).toEqual(expected)
    await page.goto(`${mistype(link)};id`)
    expect(await stateOf(page)).toBe('mistyped')
    expect((await page.locator('code').allTextContents()).filter((text) => text.startsWith('countersign '))).toEqual([])
  })

  it('shows the embedded response at once, and requests a new one when the visitor comes back', async () => {
    const world = sharedWorld()
    const { acme, model_id, link } = await mintLink(world)
    const page = await openVisitor(browser)
    const requests: string[] = []
    await page.route('**/api/v1/verify/*', (route) => route.abort())
    await page.goto(link)
    expect(await stateOf(page)).toBe('provider_only')
    await page.unroute('**/api/v1/verify/*')
    page.on('request', (request) => request.url().includes('/api/v1/verify/') && requests.push(request.method()))
    await page.getByRole('link', { name: 'Countersign, home' }).click()
    await page.waitForURL(`${world.publicUrl}/`)
    await acme.client.models.archive(model_id, {})
    await page.goBack()
    await page.locator('main[data-state=archived]').waitFor()
    expect(requests.filter((method) => method === 'GET')).toEqual(['GET'])
  })

  it('refreshes each minute and on focus, and tolerates one failure before it says that it cannot check', async () => {
    const world = sharedWorld()
    const { acme, model_id, link } = await mintLink(world)
    const page = await openVisitor(browser)
    await page.clock.install()
    await page.goto(link)
    expect(await stateOf(page)).toBe('provider_only')
    const asking = '**/api/v1/verify/*'
    const answered = () => page.waitForResponse((response) => /\/api\/v1\/verify\/[^/]+$/.test(response.url()))
    const showAs = (state: string) =>
      page.evaluate((visibilityState) => {
        Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    let requests = 0
    await page.route(asking, (route) => {
      requests++
      return route.fulfill({ status: 502, body: 'no' })
    })
    await showAs('hidden')
    await page.clock.fastForward(61_000)
    expect(requests).toBe(0)
    await showAs('visible')
    await expect.poll(() => requests).toBeGreaterThan(0)
    expect(await stateOf(page)).toBe('provider_only')
    await page.clock.runFor(61_000)
    await expect.poll(() => stateOf(page), { timeout: 10_000 }).toBe('could_not_check')
    await page.unroute(asking)
    const again = answered()
    await page.clock.fastForward(61_000)
    await again
    await expect.poll(() => stateOf(page)).toBe('provider_only')
    await acme.client.models.archive(model_id, {})
    await page.clock.fastForward(61_000)
    await expect.poll(() => stateOf(page)).toBe('archived')
  })

  it('keeps no result older than two minutes while the registry does not answer', async () => {
    const { link } = await mintLink(sharedWorld())
    const page = await openVisitor(browser)
    await page.clock.install()
    await page.goto(link)
    expect(await stateOf(page)).toBe('provider_only')
    await page.clock.pauseAt(Date.now() + 1_000)
    let requests = 0
    await page.route('**/api/v1/verify/*', () => void requests++)
    await page.clock.fastForward(110_000)
    await expect.poll(() => requests).toBe(1)
    await page.clock.fastForward(9_000)
    expect(await stateOf(page)).toBe('provider_only')
    await page.clock.fastForward(6_000)
    await page.locator('main[data-state=could_not_check]').waitFor()
    expect(requests).toBe(1)
  })

  itInFull('refreshes on request, and drops the embedded response', async () => {
    const world = sharedWorld()
    const { acme, model_id, link } = await mintLink(world)
    const page = reader()
    await page.goto(link)
    expect(await stateOf(page)).toBe('provider_only')
    await acme.client.models.archive(model_id, {})
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.locator('main[data-state=archived]').waitFor()
  })

  itInFull('is readable without scripts, wide and narrow', async () => {
    const { acme, link } = await mintProven(sharedWorld())
    const page = readerWithoutScripts()
    await page.goto(link)
    await page.locator('summary').click()
    const text = await page.getByRole('main').innerText()
    for (const shown of [
      'Verified AI Model',
      'blue otter 42',
      'What was checked',
      'Passed',
      `${acme.domain} by a DNS record`,
      'not prove',
    ])
      expect(text).toContain(shown)
    for (const look of looks) expect(await inLook(page, look, () => overflowOf(page))).toBe(0)
  })

  it('is readable before its scripts load, and stays one page afterwards', async () => {
    const world = sharedWorld()
    const { link } = await mintLink(world)
    const page = await openVisitor(browser)
    const held = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(link, { waitUntil: 'commit' })
    const sentence = page.getByRole('heading', { level: 1, name: /^acme\d+\.example “Atlas Chat 2\.1”$/ })
    await sentence.waitFor()
    expect(await page.locator('main[data-state]').count()).toBe(0)
    held.resolve()
    expect(await stateOf(page)).toBe('provider_only')
    expect(await sentence.count()).toBe(1)
    expect(await page.getByRole('main').count()).toBe(1)
  })

  const late = [
    { what: 'the console', held: '**/assets/index-*.js' },
    { what: 'its own code', held: '**/assets/link-*.js' },
  ]
  it.each(sampled(late, 2, 1))('hides the verdict if $what is late, or the page is shown again', async ({ held }) => {
    const world = sharedWorld()
    const { link } = await mintLink(world)
    const page = await openVisitor(browser)
    await page.clock.install()
    await page.route(held, () => undefined)
    await page.goto(link, { waitUntil: 'commit' })
    const verified = page.getByText('Company confirmed, AI not confirmed')
    const notChecked = page.getByRole('heading', { level: 1, name: 'This link could not be checked' })
    await verified.waitFor()
    await page.clock.fastForward(14_000)
    expect(await verified.count()).toBe(1)
    await page.clock.fastForward(1_000)
    await notChecked.waitFor()
    expect(await verified.count()).toBe(0)
    await page.reload({ waitUntil: 'commit' })
    await verified.waitFor()
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await notChecked.waitFor()
  })

  it('is never cached, indexed or passed on, and its preview reveals nothing', async () => {
    const world = sharedWorld()
    const { link } = await mintLink(world)
    const response = await fetch(link)
    const html = await response.text()
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('x-robots-tag')).toContain('noindex')
    expect(response.headers.get('content-security-policy')).not.toContain('unsafe')
    expect(html).toContain('<title>Verification link: open to check</title>')
    const head = html.slice(0, html.indexOf('</head>'))
    expect(head).not.toMatch(/verified|acme|atlas/i)
    const mistyped = await (await fetch(mistype(link))).text()
    const withoutNonce = (page: string) => page.replace(/nonce="[^"]*"/g, '')
    expect(withoutNonce(head)).toBe(withoutNonce(mistyped.slice(0, mistyped.indexOf('</head>'))))
  })
})

describe('the samples', () => {
  it('show each result under a band of their own, also without scripts, and ask the registry nothing', async () => {
    const { publicUrl } = sharedWorld()
    const page = reader()
    const plain = readerWithoutScripts()
    const requests: string[] = []
    const note = (request: { url: () => string }) => requests.push(request.url())
    page.on('request', note)
    for (const { name, band } of sampled(samples, 4)) {
      const address = `${publicUrl}/sample/${name}`
      await page.goto(address)
      expect(await stateOf(page)).toBe('sample')
      expect(await page.locator('.sample-band').innerText()).toMatch(/^Sample .*Nothing was checked\./)
      expect(await page.locator('.outcome-band').innerText()).toBe(`${band}\nSample`)
      const text = await page.locator('main').innerText()
      expect(text).not.toMatch(/Cryptographically Verified|Copy|Report|[0-9A-Z]{4}(-[0-9A-Z]{4}){3}/)
      await plain.goto(address)
      expect(await plain.locator('.sample-band').innerText()).toMatch(/^Sample .*Nothing was checked\./)
      const firstOf = (shown: Page) => shown.locator('.outcome').first()
      expect(await screenIn(firstOf(plain))).toEqual(await screenIn(firstOf(page)))
      expect((await fetch(address)).headers.get('x-robots-tag')).toContain('noindex')
    }
    page.off('request', note)
    expect(requests.filter((url) => url.includes('/api/'))).toEqual([])
    expect(await findFlaws(page)).toEqual([])
  })

  itInFull('are listed, each with its address, and have no others', async () => {
    const { publicUrl } = sharedWorld()
    for (const page of [reader(), readerWithoutScripts()]) {
      await page.goto(`${publicUrl}/sample`)
      await page.getByRole('main').getByRole('link', { name: 'Forged link' }).click()
      await page.getByRole('heading', { level: 1, name: 'Do not rely on this link' }).waitFor()
      expect(page.url()).toBe(`${publicUrl}/sample/forged`)
    }
    expect((await fetch(`${publicUrl}/sample/genuine`)).status).toBe(404)
    await reader().goto(`${publicUrl}/sample/genuine`)
    expect(await stateOf(reader())).toBe('not-found')
  })
})

describe('the rest of the site', () => {
  it('answers an unknown address with 404', async () => {
    const world = sharedWorld()
    const page = reader()
    await page.goto(`${world.publicUrl}/no/such/page`)
    await page.getByText('Oops! Page not found').waitFor()
    expect(await page.locator('main').innerText()).toMatch(/404[\s\S]*Oops! Page not found/)
    expect((await fetch(`${world.publicUrl}/no/such/page`)).status).toBe(404)
  })

  it('opens the link page for anything a chat may give, by keyboard', async () => {
    const world = sharedWorld()
    const { link } = await mintLink(world)
    const code = link.split('/').at(-1) ?? ''
    const page = await openVisitor(browser)
    await page.goto(world.publicUrl)
    const findBox = page.getByRole('main').getByRole('searchbox')
    await findBox.fill(mistype(link))
    await findBox.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'mistyped' }).waitFor()
    const box = page.getByRole('main').getByRole('textbox')
    expect(await box.inputValue()).toBe(mistype(link))
    await box.fill(`https://evil.example/v/${code}`)
    await box.press('Enter')
    await expect
      .poll(() => page.getByRole('alert').first().innerText(), { timeout: 10_000 })
      .toContain('belongs to evil.example')
    await box.fill(`Here is my link: **${link.toLowerCase()}**.`)
    await box.press('Enter')
    await page.locator('main[data-state=provider_only]').waitFor()
    expect(page.url()).toContain(code)
  })

  it('says on every page that a registry on loopback is for development', async () => {
    const world = sharedWorld()
    const page = await openVisitor(browser)
    for (const path of ['/', '/v/hello']) {
      await page.goto(world.publicUrl + path)
      await page.getByRole('banner').getByText('Development registry').waitFor()
    }
  })
})
