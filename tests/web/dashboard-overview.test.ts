import type { Browser, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { beSignedUp, createAccountWorld, signInAt, storedIn, toastOf } from '../support/account-visits.ts'
import { shareBrowser } from '../support/browser.ts'
import { ada } from '../support/desk.ts'
import { itInFull } from '../support/full.ts'
import { openOwner } from '../support/owner.ts'
import { findFlaws, findViolations, openVisitor, overflowOf, stateOf } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const patience = 120_000

/** During the action, every call gets this answer instead of the registry's. */
const whileAnswering = async (
  page: Page,
  address: string,
  method: string,
  status: number,
  act: () => Promise<unknown>,
) => {
  await page.route(address, (route) =>
    route.request().method() === method
      ? route.fulfill({ status, contentType: 'text/plain', body: 'busy' })
      : route.fallback(),
  )
  await act()
  await page.unroute(address)
}

const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement)

/** An image file with three stripes. */
const drawPicture = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 300, height: 100 })
    const context = canvas.getContext('2d')
    for (const [index, color] of ['#ff0000', '#00ff00', '#0000ff'].entries()) {
      if (!context) break
      context.fillStyle = color
      context.fillRect(index * 100, 0, 100, 100)
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })

/** The colour in the centre of a logo served by the registry. */
const middleOf = (page: Page, url: string) =>
  page.evaluate(async (address) => {
    const picture = await createImageBitmap(await (await fetch(address)).blob())
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d')
    context?.drawImage(picture, 0, 0, 100, 100)
    return {
      isSquare: picture.width === picture.height,
      rgb: [...(context?.getImageData(50, 50, 1, 1).data ?? [])].slice(0, 3),
    }
  }, url)

describe('the overview', () => {
  itInFull(
    'leads an account without a company to the registration',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      const grace = { email: 'grace@acme.example', password: ada.password }
      const { confirmation_code } = await world.anyone.auth.sendVerification({ email: grace.email })
      const { code } = await world.mailTo(grace.email)
      const verified = await world.anyone.auth.verifyEmail({
        email: grace.email,
        verification_code: code,
        confirmation_code,
      })
      await world.anyone.auth.setPassword({ token: verified.setup_token ?? '', password: grace.password })
      await page.goto(world.at('/login'))
      await signInAt(page, grace)
      await page.waitForURL(world.at('/dashboard'))
      expect(await stateOf(page)).toBe('ready')
      const banner = page.getByRole('region', { name: 'Provider Registration Incomplete' })
      await banner
        .getByText(
          'You are currently not a registered provider. Complete your profile by adding the required information below to become a registered provider.',
        )
        .waitFor()
      await page.getByText('Unregistered', { exact: true }).waitFor()
      await page.getByText('Add missing info to become a registered provider').waitFor()
      const listing = page.getByRole('switch', { name: 'Publicly Listed: Unlisted' })
      expect(await listing.isDisabled()).toBe(true)
      await page.getByText('Complete provider registration to enable public listing').waitFor()
      await page.getByText('No models registered yet.').waitFor()
      await page.getByText('No incidents reported yet.').waitFor()
      await page.getByText('No link was opened in the last 30 days.').waitFor()
      expect(await findViolations(page)).toEqual([])

      await page.getByRole('button', { name: 'Create a link' }).click()
      await page.getByRole('dialog').getByText('You can’t make links yet').waitFor()
      await page.keyboard.press('Escape')
      await banner.getByRole('button', { name: 'Complete Registration' }).click()
      const name = page.getByLabel('Company Name')
      await expect.poll(() => isFocused(name), { timeout: 10_000 }).toBe(true)
      const website = page.getByLabel('Website')
      expect(await website.getAttribute('placeholder')).toContain('or API URL')
      await page.getByText("If you don't have a website, add your API URL").waitFor()
      const save = page.getByRole('button', { name: 'Save', exact: true })
      expect(await save.getAttribute('aria-disabled')).toBe('true')
      await save.press('Enter')
      const missing = 'Please fill in all required fields: Company Name, Email, and Website'
      await page.getByRole('alert').filter({ hasText: missing }).waitFor()
      await toastOf(page, missing).waitFor()
      await name.fill('Grace Labs')
      await website.fill('https://acme.example')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await toastOf(page, 'Provider information updated successfully').waitFor()
      await page.getByText('Your email has been verified, but domain verification is pending').waitFor()
      await expect
        .poll(() => isFocused(page.getByRole('button', { name: 'Edit', exact: true })), { timeout: 10_000 })
        .toBe(true)
      expect(await listing.isDisabled()).toBe(false)
    },
    patience,
  )

  it(
    'saves the provider’s details, keeps typed text through every rejection, and lists the provider',
    async () => {
      const world = await createAccountWorld()
      const page = await openVisitor(browser)
      await beSignedUp(page, world)
      const own = async () => world.client((await storedIn(page)).auth_token).providers.me()
      const provider = await own()

      // The listing switches at once, and switches back if rejected.
      const isListed = page.getByRole('switch', { name: /^Publicly Listed/ })
      const before = await isListed.isChecked()
      const listed = { true: 'Provider listed successfully', false: 'Provider unlisted successfully' }
      await whileAnswering(page, '**/visibility', 'PUT', 500, async () => {
        await isListed.press('Space')
        await toastOf(page, 'Failed to update listing status').waitFor()
      })
      await expect.poll(() => isListed.isChecked()).toBe(before)
      for (const next of [!before, before]) {
        await isListed.press('Space')
        await toastOf(page, listed[`${next}`]).waitFor()
        await expect.poll(() => isListed.isChecked()).toBe(next)
        expect((await own()).is_listed).toBe(next)
      }

      // The form: read-only fields, invalid fields, fields the registry rejects.
      await page.getByRole('link', { name: 'Edit Provider Info' }).click()
      for (const fixed of ['Company Name', 'Website', 'Email *', 'Provider ID'])
        expect(
          await page
            .getByLabel(fixed, { exact: fixed === 'Email *' })
            .first()
            .getAttribute('readonly'),
        ).not.toBeNull()
      await page.getByRole('switch', { name: /^Publicly Listed/ }).press('Space')
      await page.getByText('Changes when you save.').waitFor()
      expect((await own()).is_listed).toBe(before)
      await page.getByLabel('Description').fill('Models that answer questions about maps.')
      await page.getByLabel('Support Email').fill('nobody')
      await page.getByLabel('Founded Year').fill('1850')
      await page.getByLabel('Employee Count').selectOption('11-50')
      await page.getByLabel('Headquarters City').fill('Oslo')
      await page.getByLabel('Headquarters Country').fill('Norway')
      await page.getByLabel('Compliance Certifications').fill('SOC2, ISO27001')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Invalid email address').waitFor()
      await page.getByText('Must be at least 1900').waitFor()
      await expect.poll(() => isFocused(page.getByLabel('Support Email'))).toBe(true)
      await page.getByLabel('Support Email').fill('help@acme.example')
      await page.getByLabel('Founded Year').fill('2019')
      const address = `**/api/v1/providers/${provider.id}`
      for (const [status, shown] of [
        [400, 'Invalid data provided. Please check all fields.'],
        [500, 'Update failed: The registry could not answer (status 500). Please try again in a minute.'],
      ] as const) {
        await whileAnswering(page, address, 'PATCH', status, async () => {
          await page.getByRole('button', { name: 'Save', exact: true }).click()
          await toastOf(page, shown).waitFor()
        })
        await page.getByRole('alert').filter({ hasText: shown }).waitFor()
      }

      // Leaving asks first; a reload and a new session restore the typed text.
      await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Billing' }).click()
      const leaving = page.getByRole('dialog', { name: 'Leave without saving?' })
      await leaving.getByRole('button', { name: 'Stay here' }).click()
      const { auth_token } = await storedIn(page)
      await world.client(auth_token).auth.signOut({})
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await toastOf(page, 'Authentication failed. Please refresh and try again.').waitFor()
      await page.waitForURL(/\/login\?redirect=/)
      await signInAt(page)
      await page.getByText('Your draft has been restored.').waitFor()
      expect(await page.getByLabel('Headquarters City').inputValue()).toBe('Oslo')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await toastOf(page, 'Provider information updated successfully').waitFor()
      expect(await own()).toMatchObject({
        is_listed: !before,
        description: 'Models that answer questions about maps.',
        support_email: 'help@acme.example',
        founded_year: 2019,
        employee_count: '11-50',
        headquarters: 'Oslo, Norway',
        compliance_certifications: ['SOC2', 'ISO27001'],
        company_name: ada.company_name,
        website: provider.website,
      })
      const details = page.getByRole('button', { name: 'Show Additional Details' })
      await details.click()
      await page.getByText('Norway', { exact: true }).waitFor()
      expect(await page.getByText('Not set').count()).toBeGreaterThan(2)

      // Cancel discards the draft.
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      await page.getByLabel('Headquarters City').fill('Bergen')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Edit', exact: true }).click()
      expect(await page.getByLabel('Headquarters City').inputValue()).toBe('Oslo')

      // Someone else saves first.
      const elsewhere = world.client((await storedIn(page)).auth_token)
      await elsewhere.providers.update(provider.id, { hq_city: 'Moss' })
      await page.getByLabel('Headquarters City').fill('Bergen')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      const raced = page.getByRole('region', { name: 'Someone else changed this in the meantime.' })
      await raced.getByText('Now: Moss').waitFor()
      await raced.getByText('Yours: Bergen').waitFor()
      expect(await page.getByRole('button', { name: /^Save/ }).allTextContents()).toEqual(['Save mine'])
      expect(await findViolations(page)).toEqual([])
      await raced.getByRole('button', { name: 'Take theirs' }).click()
      expect(await page.getByLabel('Headquarters City').inputValue()).toBe('Moss')
      await page.getByLabel('Headquarters City').fill('Bergen')
      await elsewhere.providers.update(provider.id, { hq_state: 'Viken' })
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await raced.getByRole('button', { name: 'Save mine' }).click()
      await raced.waitFor({ state: 'detached' })
      await expect
        .poll(async () => (({ hq_city, hq_state }) => [hq_city, hq_state])(await own()))
        .toEqual(['Bergen', 'Viken'])
    },
    patience,
  )

  itInFull(
    'crops a logo by keyboard, and removes it',
    async () => {
      const world = await createWorld()
      const acme = await world.provider('acme')
      const { page, visit } = await openOwner(browser, world, acme)
      await visit('/dashboard?tab=settings&section=profile')
      await page.getByRole('button', { name: 'Show Additional Details' }).click()
      await page.getByRole('button', { name: 'Add logo' }).click()
      const dialog = page.getByRole('dialog', { name: 'Company Logo' })
      const file = dialog.getByLabel('Image', { exact: true })
      const choose = (mimeType: string, buffer: Buffer) => file.setInputFiles({ name: 'logo', mimeType, buffer })
      await choose('text/plain', Buffer.from('no picture'))
      await dialog.getByText('Please select an image file').waitFor()
      await choose('image/png', Buffer.from('no picture either'))
      await dialog.getByText('Please select an image file').waitFor()
      await choose('image/png', Buffer.alloc(5 * 1024 * 1024))
      await dialog.getByText('Image must be smaller than 5MB').waitFor()
      await choose('image/png', Buffer.from(await drawPicture(page), 'base64'))
      const part = dialog.getByRole('application', { name: 'Part of the image' })
      await part.waitFor()
      expect(await dialog.getByText('Image must be smaller than 5MB').count()).toBe(0)
      expect(await findViolations(page)).toEqual([])
      // Moves the crop from the green stripe in the middle to the blue one on the right.
      for (let times = 0; times < 6; times++) await part.press('Shift+ArrowRight')
      await dialog.getByLabel('Zoom').press('ArrowRight')
      await whileAnswering(page, '**/upload-logo', 'POST', 500, async () => {
        await dialog.getByRole('button', { name: 'Upload' }).click()
        await toastOf(page, 'Failed to upload image').waitFor()
      })
      await dialog.getByText('Failed to upload logo').waitFor()
      await dialog.getByRole('button', { name: 'Upload' }).click()
      await toastOf(page, 'Image uploaded successfully').waitFor()
      await dialog.waitFor({ state: 'detached' })
      const { logo_url } = await acme.client.providers.me()
      expect(await middleOf(page, logo_url ?? '')).toEqual({ isSquare: true, rgb: [0, 0, 255] })

      await page.getByRole('button', { name: 'Change logo' }).click()
      await dialog.getByRole('button', { name: 'Use this image' }).click()
      await dialog.getByText('Enter the URL of an image').waitFor()
      await dialog.getByLabel('URL of the image').fill('https://127.0.0.1:9/logo.png')
      await dialog.getByRole('button', { name: 'Use this image' }).click()
      await toastOf(page, 'Failed to upload image').last().waitFor()
      await page.keyboard.press('Escape')

      await page.getByRole('button', { name: 'Remove logo' }).click()
      await page
        .getByRole('dialog', { name: 'Remove the logo of Acme Labs?' })
        .getByRole('button', { name: 'Remove logo' })
        .click()
      await toastOf(page, 'Logo removed').waitFor()
      await page.getByRole('button', { name: 'Add logo' }).waitFor()
      expect((await acme.client.providers.me()).logo_url).toBeNull()
    },
    patience,
  )

  itInFull(
    'proves mailbox and domain, and shows openings, trust and news',
    async () => {
      const world = await createWorld()
      const { provider_id, api_key, domain_proof } = await world.anyone.providers.register({
        company_name: 'Acme Labs',
        email: 'ops@mail.example',
        website: 'https://acme.example',
      })
      const client = world.client(api_key)
      const register = async (display_name: string, version: string) => {
        const { model_id } = await client.models.register({
          display_name,
          api_model_identifier: display_name.toLowerCase().replaceAll(' ', '-'),
          version,
          description: 'A model that answers questions about maps.',
          endpoint: 'https://api.acme.example/v1',
        })
        return model_id
      }
      const open = async (model_id: string) =>
        world.anyone.verifications.opened((await client.verifications.create({ model_id })).token)
      const [chat, draw] = [await register('Atlas Chat', '1.0.0'), await register('Atlas Draw', '1.0, files signed')]
      await open(chat)
      world.clock.advance('2d')
      for (const id of [chat, draw, draw]) await open(id)
      const judge = (bundle_status: 'invalid' | 'unknown') =>
        world.database.transaction((tx) =>
          tx.updateTable('models').set({ bundle_status }).where('id', '=', draw).execute(),
        )
      await judge('invalid')
      const { incident_id } = await world.anyone.incidents.report({
        model_id: chat,
        category: 'technical_error',
        severity: 'high',
        title: 'Wrong capital',
        description: 'It says Bergen.',
      })
      const { page, visit } = await openOwner(browser, world, { id: provider_id, apiKey: api_key })
      await visit('/dashboard')

      // Tasks, most urgent first, and link to the page where they are done.
      const waiting = page.getByRole('region', { name: 'Needs attention' })
      await waiting.getByRole('listitem').nth(3).waitFor()
      expect(await waiting.getByRole('link').allInnerTexts()).toEqual([
        'One model has an invalid signature',
        'One report is open',
        'acme.example is not proven',
        'Your email address is not verified',
      ])
      await page
        .getByRole('navigation', { name: 'Dashboard' })
        .getByRole('link', { name: 'Incidents 1 open' })
        .waitFor()
      await waiting.getByRole('link', { name: 'One model has an invalid signature' }).click()
      await page.getByRole('dialog').getByText('Atlas Draw').first().waitFor()
      await page.goBack()
      await waiting.getByRole('link', { name: 'One report is open' }).click()
      await page.getByRole('row').getByText('Wrong capital').waitFor()
      expect(await page.getByLabel('Status', { exact: true }).inputValue()).toBe('open')
      await page.goBack()

      // Openings as bars and as a table, for all models or one.
      const chart = page.getByRole('region', { name: 'Verifications over time' })
      await chart.getByText(/^4 verifications from /).waitFor()
      await chart.getByRole('img', { name: /^4 verifications from / }).waitFor()
      const day = chart.getByRole('slider', { name: 'Day' })
      expect(await day.getAttribute('aria-valuetext')).toMatch(/: 3 verifications$/)
      await day.press('ArrowLeft')
      await day.press('ArrowLeft')
      expect(await day.getAttribute('aria-valuetext')).toMatch(/: 1 verification$/)
      await chart.getByLabel('Model').selectOption('“Atlas Draw 1.0, files signed” (atlas-draw)')
      await chart.getByText(/^2 verifications from /).waitFor()
      await chart.getByLabel('Period').selectOption('90 days')
      await chart.getByRole('button', { name: 'Show as table' }).click()
      await expect.poll(() => chart.getByRole('row').count()).toBe(91)
      expect(await chart.getByRole('row').nth(1).getByRole('cell').innerText()).toBe('2')

      // News, and the trust components.
      await page.getByText('Neither your email nor your domain has been verified yet').waitFor()
      const numbers = page.locator('main dl').first()
      await expect
        .poll(async () => (await numbers.locator('dd').allInnerTexts()).map((text) => text.split(/\s+/)[0]))
        .toEqual(['4', '2', '1', '3'])
      const recent = page.getByRole('region', { name: 'Recent Models' })
      await recent.getByText('Version: 1.0.0').waitFor()
      await recent.getByRole('link', { name: '“Atlas Draw”' }).waitFor()
      await recent.getByText('Version: “1.0, files signed”').waitFor()
      const news = page.getByRole('region', { name: 'Recent Incidents' })
      await news.getByText('Wrong capital').waitFor()
      await news.getByText(/^“Atlas Chat”, /).waitFor()
      const trust = page.getByRole('region', { name: 'Trust score' })
      await trust.getByRole('heading', { name: 'Trust score' }).click()
      expect(await trust.getByRole('row', { name: /^Domain verified/ }).innerText()).toContain('Would add 15 points.')
      await trust.getByRole('row', { name: /^Proven \d+ of 50 Checked or counted by this registry/ }).waitFor()
      await trust.getByRole('row', { name: /^Self-reported \d+ of 50 Stated by you/ }).waitFor()
      await trust.getByRole('row', { name: /^Active usage: links opened from different networks 0 of 7/ }).waitFor()
      const steps = page.getByRole('region', { name: 'Next steps' })
      await steps.getByText('and your email address must be verified.').waitFor()
      await steps.getByText('1 of 6 steps done').waitFor()
      expect(await findFlaws(page)).toEqual([])

      // The mailbox.
      await page.getByRole('button', { name: 'Verify your email now' }).last().click()
      const mail = page.getByRole('dialog', { name: 'Verify your email address' })
      // An address that opens the dialog does not send anything by itself.
      await page.reload()
      const { length: sent } = await world.mails('ops@mail.example')
      await mail.getByRole('button', { name: 'Send the email' }).click()
      await mail.getByText('We have sent an email to ops@mail.example.').waitFor()
      expect((await world.mails('ops@mail.example')).length).toBe(sent + 1)
      expect(await findFlaws(page, '[role=dialog]')).toEqual([])
      // The typed address survives a failed email.
      await mail.getByLabel('Code from the email').fill('HALF')
      await page.route('**/send-verification*', (route) => route.abort())
      await mail.getByRole('button', { name: 'Send another email' }).click()
      await mail.getByText('No new email was sent:').waitFor()
      expect(await mail.getByLabel('Code from the email').inputValue()).toBe('HALF')
      await page.unroute('**/send-verification*')
      await mail.getByLabel('Code from the email').fill('WRONG')
      await mail.getByRole('button', { name: 'Verify', exact: true }).click()
      await mail.getByRole('alert').filter({ hasText: /./ }).waitFor()
      const code = (await world.mails('ops@mail.example')).at(-1)?.code ?? ''
      await mail.getByLabel('Code from the email').fill(code)
      await mail.getByRole('button', { name: 'Verify', exact: true }).click()
      await toastOf(page, 'Email verified').waitFor()
      await page.getByText('Your email has been verified, but domain verification is pending').waitFor()

      // The domain.
      await page.getByRole('button', { name: 'Complete domain verification' }).last().click()
      const domain = page.getByRole('dialog', { name: 'Verify the domain acme.example' })
      await domain.getByText(domain_proof.record_value).waitFor()
      expect(await findFlaws(page, '[role=dialog]')).toEqual([])
      await domain.getByLabel('A file on the website').check()
      await domain.getByText(domain_proof.file_url).waitFor()
      await domain.getByLabel('A DNS record').check()
      await domain.getByRole('button', { name: 'Check now' }).click()
      await domain.getByText(/^Not verified\. /).waitFor()
      world.dns.setTxt(domain_proof.record_name, [domain_proof.record_value])
      await domain.getByRole('button', { name: 'Check now' }).click()
      await toastOf(page, 'Domain verification confirmed!').waitFor()
      await domain.waitFor({ state: 'detached' })
      await page.getByText('Your domain has been verified').waitFor()
      await page.getByText(/Domain acme\.example verified\. 2 active models\.$/).waitFor()

      // A link made by hand, refused first.
      await page.getByRole('button', { name: 'Create a link' }).click()
      const minting = page.getByRole('dialog', { name: 'Create a link' })
      await minting.getByRole('button', { name: 'Create link' }).click()
      await minting.getByText('Choose a model').last().waitFor()
      await minting.getByLabel('Model').selectOption(chat)
      await minting.getByLabel('Challenge').fill('blue heron')
      await minting.getByLabel('Origin').fill('https://chat.northwind.example/room')
      expect(await findFlaws(page, '[role=dialog]')).toEqual([])
      await minting.getByRole('button', { name: 'Create link' }).click()
      await minting
        .getByText(/northwind\.example/)
        .last()
        .waitFor()
      await minting.getByLabel('Origin').fill('https://chat.acme.example/room')
      await minting.getByRole('button', { name: 'Create link' }).click()
      const made = page.getByRole('dialog', { name: 'Your link' })
      await made.getByText(/^Expires in (15|14) minutes$/).waitFor()
      await made.getByRole('img', { name: 'QR code of the link' }).waitFor()
      expect(await findFlaws(page, '[role=dialog]')).toEqual([])
      const [seen] = await Promise.all([
        page.context().waitForEvent('page'),
        made.getByRole('link', { name: 'Open as a visitor' }).click(),
      ])
      await seen.getByText('blue heron').first().waitFor()
      await seen.close()
      await made.getByRole('button', { name: 'Done' }).click()
      for (const tab of ['models', 'verifications', 'overview']) {
        await page.goto(`${world.publicUrl}/dashboard?tab=${tab}`)
        await page.getByRole('button', { name: 'Create a link' }).click()
        await minting.waitFor()
        await page.keyboard.press('Escape')
        await minting.waitFor({ state: 'detached' })
      }

      // No task remains once all are done.
      await judge('unknown')
      await client.incidents.respond(incident_id, { status: 'dismissed' })
      await page.reload()
      await waiting.getByText('Nothing needs your attention.').waitFor()
      expect(
        await page
          .getByRole('link', { name: /^Incidents/ })
          .first()
          .innerText(),
      ).toBe('Incidents')
      expect(await overflowOf(page)).toBe(0)
    },
    patience,
  )
})
