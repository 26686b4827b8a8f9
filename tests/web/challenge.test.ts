import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareBrowser } from '../support/browser.ts'
import { itInFull } from '../support/full.ts'
import { findFlaws, openVisitor, stateOf } from '../support/visitor.ts'
import { createWorld, type World } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const open = async (world: World) => {
  const page = await openVisitor(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.goto(`${world.publicUrl}/challenge`)
  expect(await stateOf(page)).toBe('ready')
  return page
}

const phraseOn = (page: Page) => page.locator('[data-phrase]').innerText()

const mint = async (world: World, challenge: string | undefined, isVerified = true, origin?: string) => {
  const acme = await world.provider('acme', { isVerified })
  const model_id = await acme.registerModel({ display_name: 'Atlas Chat', version: '2.1' })
  const { verification_url } = await acme.client.verifications.create({ model_id, challenge, origin })
  return { acme, model_id, link: verification_url }
}

const outcomeOf = async (page: Page, answer: string) => {
  await page.getByRole('textbox', { name: 'Link from the AI' }).fill(answer)
  await page.getByRole('button', { name: 'Look for the phrase' }).click()
  const result = page.locator('[data-outcome]')
  await result.waitFor()
  return { kind: await result.getAttribute('data-outcome'), text: await result.innerText() }
}

describe('the challenge page', () => {
  it('finds its phrase in the link of a pasted answer, and says who made the link', async () => {
    const world = await createWorld()
    const page = await open(world)
    const { link } = await mint(world, await phraseOn(page))
    const { kind, text } = await outcomeOf(page, `Of course! Open ${link}, it works for 15 minutes.`)
    expect(kind).toBe('match-company')
    expect(text).toContain('Your phrase is in the link, which acme.example requested for “Atlas Chat 2.1”.')
    expect(text).toContain('Company confirmed, AI not confirmed')
    await page.getByRole('link', { name: 'Open the record of this link' }).click()
    await page.locator('main[data-state=provider_only]').waitFor()
  })

  itInFull(
    'names the address where the chat must be, or that it was lost: the phrase may have been passed on',
    async () => {
      const world = await createWorld()
      const page = await open(world)
      const { acme, model_id, link } = await mint(world, await phraseOn(page), true, 'https://chat.acme.example')
      const { kind, text } = await outcomeOf(page, link)
      expect(kind).toBe('match-company')
      expect(text).toContain('Trust this only if you are chatting at https://chat.acme.example')

      const { domain_proof } = await acme.client.domains.add({ domain: 'mirror.example' })
      world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
      await acme.client.domains.verify('mirror.example', {})
      const elsewhere = { model_id, challenge: await phraseOn(page), origin: 'https://chat.mirror.example' }
      const { verification_url } = await acme.client.verifications.create(elsewhere)
      await acme.client.domains.remove('mirror.example')
      await outcomeOf(page, verification_url)
      await page.getByText('The chat’s website is no longer proven.').waitFor()
    },
  )

  it.each([
    {
      what: 'another phrase',
      challenge: 'red fox 42',
      isVerified: true,
      outcome: 'other',
      says: 'The link has another phrase: “red fox 42”.',
    },
    {
      what: 'no phrase',
      challenge: undefined,
      isVerified: true,
      outcome: 'none',
      says: 'The link has no phrase in it.',
    },
  ])('says that a link has $what', async ({ challenge, isVerified, outcome, says }) => {
    const world = await createWorld()
    const page = await open(world)
    const { link } = await mint(world, challenge, isVerified)
    const { kind, text } = await outcomeOf(page, link)
    expect(kind).toBe(outcome)
    expect(text).toContain(says)
  })

  it('says that the company is unknown if an unverified provider used the right phrase', async () => {
    const world = await createWorld()
    const page = await open(world)
    const { acme, model_id } = await mint(world, undefined, false)
    // Another company's domain may allow an address. That says nothing about this provider.
    world.dns.setTxt('_countersign.customer.example', [`countersign-origin=${acme.id}`])
    const challenge = await phraseOn(page)
    const origin = 'https://chat.customer.example'
    const { verification_url } = await acme.client.verifications.create({ model_id, challenge, origin })
    const { kind, text } = await outcomeOf(page, verification_url)
    expect(kind).toBe('match-unknown')
    expect(text).toContain('we don’t know who requested it')
    expect(text).not.toContain('customer.example')
  })

  itInFull('rejects an expired link even if its phrase is right', async () => {
    const world = await createWorld()
    const page = await open(world)
    const { link } = await mint(world, await phraseOn(page))
    world.clock.advance('16m')
    const { kind, text } = await outcomeOf(page, link)
    expect(kind).toBe('refused')
    expect(text).toContain('Do not take it as proof of anything')
  })

  it('says that it could not check if the registry does not answer', async () => {
    const world = await createWorld()
    const page = await open(world)
    const { link } = await mint(world, await phraseOn(page))
    await page.route('**/api/**', (route) => route.abort())
    expect((await outcomeOf(page, link)).kind).toBe('could-not-check')
  })

  it('asks for a valid link if it is missing, mistyped or from another registry', async () => {
    const world = await createWorld()
    const page = await open(world)
    const box = page.getByRole('textbox', { name: 'Link from the AI' })
    for (const [typed, shown] of [
      ['', 'Paste the link that the AI gave you.'],
      ['I am a model.', 'This is not a verification link.'],
      ['https://evil.example/v/0000-0000-0000-0000', 'This link belongs to evil.example'],
    ] as const) {
      await box.fill(typed)
      await box.press('Tab')
      await page.getByRole('button', { name: 'Look for the phrase' }).press('Enter')
      await page.getByText(shown).waitFor()
    }
  })

  it('keeps the phrase after a reload until it was used or 15 minutes have passed, makes another on request, and copies the question', async () => {
    const world = await createWorld()
    const page = await open(world)
    const reload = async () => {
      await page.reload()
      await stateOf(page)
      return phraseOn(page)
    }
    const first = await phraseOn(page)
    expect(await reload()).toBe(first)
    await page
      .getByText(
        /^Your browser made it up at \d\d:\d\d\. Anyone you gave it to knows it as well\. We store no phrases\.$/,
      )
      .waitFor()
    await page.evaluate(() => {
      const { phrase, madeAt } = JSON.parse(sessionStorage.getItem('challenge') ?? '')
      sessionStorage.setItem('challenge', JSON.stringify({ phrase, madeAt: madeAt - 15 * 60_000 }))
    })
    const used = await reload()
    expect(used).not.toBe(first)
    await outcomeOf(page, `${world.publicUrl}/v/0000-0000-0000-0000`)
    const phrase = await reload()
    expect(phrase).not.toBe(used)
    await page.getByRole('button', { name: 'Copy the question' }).click()
    await page.getByText('Copied to clipboard!').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`“${phrase}”`)
    await page.getByRole('button', { name: 'Another phrase' }).click()
    await expect.poll(() => phraseOn(page)).not.toBe(phrase)
  })

  it('passes axe and fits the window', async () => {
    const world = await createWorld()
    const page = await openVisitor(browser)
    await page.goto(`${world.publicUrl}/challenge`)
    await stateOf(page)
    const { link } = await mint(world, await phraseOn(page))
    await outcomeOf(page, link)
    expect(await findFlaws(page)).toEqual([])
  })
})
