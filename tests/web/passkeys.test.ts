import type { Browser, CDPSession, Page } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { appCode } from '../support/authenticator-app.ts'
import { shareBrowser } from '../support/browser.ts'
import { isFull, itInFull } from '../support/full.ts'
import { openOwner } from '../support/owner.ts'
import { findFlaws } from '../support/visitor.ts'
import { createWorld } from '../support/world.ts'

let browser: Browser
beforeAll(async () => {
  browser = await shareBrowser()
})

const security = '/dashboard?tab=settings&section=security'

const plugIn = async (cdp: CDPSession, transport: 'internal' | 'usb') => {
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return authenticatorId
}

const fillForm = async (page: Page, { name, code }: { name: string; code?: string | undefined }) => {
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  if (code !== undefined) await page.getByLabel('Code from the email').fill(code)
  await page.getByRole('button', { name: 'Create passkey' }).click()
}

const confirm = (page: Page) =>
  page.getByRole('dialog', { name: 'Confirm that it is you' }).getByRole('button', { name: 'Use passkey' }).click()

it('adds passkeys, signs in with one, confirms changes with it, and removes one', async () => {
  const world = await createWorld({ isNamed: true })
  const acme = await world.provider('acme')
  const session = await world.session(acme)
  const { page, visit } = await openOwner(browser, world, { id: acme.id, apiKey: session.api_key })
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const laptop = await plugIn(cdp, 'internal')
  onTestFinished(async () => {
    await cdp.send('WebAuthn.disable').catch(() => undefined)
  })

  await visit(security)
  await page.getByText('Your account is unprotected').waitFor()
  if (isFull) expect(await findFlaws(page)).toEqual([])
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Code from the email').waitFor()
  const { email } = await acme.client.providers.me()
  const mailed = (await world.mails(email ?? '')).at(-1)
  await fillForm(page, { name: 'Laptop', code: mailed?.code })
  await page.getByRole('list', { name: 'Passkeys' }).getByText('Laptop', { exact: true }).waitFor()
  await page.getByText('Your account is unprotected').waitFor({ state: 'detached' })
  const codes = page.getByRole('list', { name: 'Recovery codes' })
  const [recovery = ''] = await codes.getByRole('listitem').allInnerTexts()
  expect(await findFlaws(page)).toEqual([])
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  const question = page.getByRole('dialog', { name: 'Leave without your recovery codes?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await codes.getByRole('listitem').first().innerText()).toBe(recovery)
  await page.getByRole('button', { name: 'I have saved them' }).click()

  // The second needs the first. The first is unplugged before the second is created.
  let phone = ''
  const isProven = page.waitForResponse((response) => response.url().endsWith('/api/v1/me/presence'))
  await page.route('**/api/v1/me/factors/challenge', async (route) => {
    const response = await route.fetch()
    if (response.ok()) {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: laptop, enabled: false })
      phone = await plugIn(cdp, 'usb')
    }
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Add another passkey' }).click()
  await fillForm(page, { name: 'Phone' })
  await confirm(page)
  await isProven
  await page.getByRole('list', { name: 'Passkeys' }).getByText('Phone', { exact: true }).waitFor()
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: phone })
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: laptop, enabled: true })

  await page.getByRole('button', { name: 'Remove Phone' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByText('Confirm with a passkey or authenticator that you added more than 24 hours ago').waitFor()

  world.clock.advance('25h')
  await visit(security)
  await page.waitForURL(/\/login/)
  const signedIn = page.waitForRequest('**/api/v1/auth/passkey')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByRole('list', { name: 'Passkeys' }).waitFor()
  // The same answer again, with the browser's cookies.
  const replayed = await page.request.post(`${world.publicUrl}/api/v1/auth/passkey`, {
    data: (await signedIn).postDataJSON(),
  })
  expect(await replayed.json()).toMatchObject({ code: 'passkey_rejected' })
  await page.getByRole('button', { name: 'Remove Phone' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByText('Phone was removed').waitFor()

  // The sign-in counted as presence for five minutes.
  world.clock.advance('6m')
  await page.getByRole('button', { name: 'Rename Laptop' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Work laptop')
  await page.getByRole('button', { name: 'Save' }).click()
  await confirm(page)
  await page.getByRole('list', { name: 'Passkeys' }).getByText('Work laptop', { exact: true }).waitFor()
  // Instead of the passkey, a recovery code.
  world.clock.advance('6m')
  await page.getByRole('button', { name: 'Make new codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByRole('button', { name: 'Use a recovery code' }).click()
  expect(await dialog.innerText()).not.toMatch(/use your passkey/i)
  expect(await findFlaws(page)).toEqual([])
  await dialog.getByLabel('Recovery code').fill(recovery)
  await dialog.getByRole('button', { name: 'Use code' }).click()
  await codes.waitFor()
  expect(await page.context().cookies()).toContainEqual(
    expect.objectContaining({ name: '__Host-presence', httpOnly: true, sameSite: 'Strict', secure: true }),
  )

  // A copy, whose counter is behind that of the original.
  world.clock.advance('13h')
  await visit(security)
  await page.waitForURL(/\/login/)
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: laptop })
  for (const credential of credentials) {
    const { credentialId } = credential
    await cdp.send('WebAuthn.removeCredential', { authenticatorId: laptop, credentialId })
    await cdp.send('WebAuthn.addCredential', { authenticatorId: laptop, credential: { ...credential, signCount: 1 } })
  }
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('The passkey’s answer was not accepted').waitFor()
  // Without a PIN or a fingerprint, the browser gives no answer.
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId: laptop, isUserVerified: false })
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.getByText('No passkey was used. Try again, or sign ').waitFor()
}, 60_000)

itInFull(
  'adds an authenticator app and confirms a change with its code',
  async () => {
    const world = await createWorld({ isNamed: true })
    const acme = await world.provider('acme')
    const session = await world.session(acme)
    const { page, visit } = await openOwner(browser, world, { id: acme.id, apiKey: session.api_key })
    await visit(security)
    await page.getByRole('button', { name: 'Add an authenticator app' }).click()
    const { email } = await acme.client.providers.me()
    await page.getByLabel('Code from the email').waitFor()
    await page.getByLabel('Code from the email').fill((await world.mails(email ?? '')).at(-1)?.code ?? '')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    expect(await findFlaws(page)).toEqual([])
    const secret = await page.locator('pre').innerText()
    const show = () => appCode(secret, world.clock.now())
    await page.getByLabel('Code from the app').fill('000000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The app could not be added').waitFor()
    await page.getByLabel('Code from the app').fill(show())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('list', { name: 'Passkeys' }).getByText('Authenticator app', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'I have saved them' }).click()
    expect(await page.getByRole('button', { name: 'Add an authenticator app' }).count()).toBe(0)

    world.clock.advance('1m')
    await page.getByRole('button', { name: 'Make new codes' }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await dialog.getByLabel('Code from your authenticator app').fill(show())
    expect(await dialog.innerText()).not.toMatch(/use your passkey/i)
    expect(await findFlaws(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Use code' }).click()
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  },
  60_000,
)
