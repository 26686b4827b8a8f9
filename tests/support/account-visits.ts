import type { Page } from 'playwright-core'
import { blankPath } from './blank-page.ts'
import type { Engine } from './databases.ts'
import { ada } from './desk.ts'
import { createSignInWorld } from './sign-in.ts'
import { startSmtpServer } from './smtp-server.ts'

/** A registry with a mail server and both identity providers. */
export const createAccountWorld = async (engine: Engine = 'sqlite') => {
  const smtp = await startSmtpServer()
  const world = await createSignInWorld(engine, { smtpUrl: smtp.url })
  /** The newest email to an address, after sending all pending ones. */
  const mailTo = async (email: string) => {
    await world.jobs.run('mails')
    const mail = smtp.mails.findLast(({ recipients }) => recipients.includes(email.toLowerCase()))
    if (!mail?.link) throw new Error(`No email with a link went to ${email}`)
    return { ...mail, link: mail.link, code: mail.code ?? '' }
  }
  return { ...world, smtp, mailTo, at: (path: string) => `${world.publicUrl}${path}` }
}

export type AccountWorld = Awaited<ReturnType<typeof createAccountWorld>>

type Details = typeof ada

/** Fills in and submits the login form. */
export const signUpAt = async (page: Page, world: AccountWorld, details: Details = ada) => {
  await page.goto(world.at('/login?view=register'))
  await page.getByLabel('Company name').fill(details.company_name)
  await page.getByLabel('Company website').fill(details.website)
  await page.getByLabel('Company email address').fill(details.email)
  await page.getByLabel('Password', { exact: true }).fill(details.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.locator('main[data-state=check-mail]').waitFor()
}

/** An account created in another browser. */
export const registerByMail = async (world: AccountWorld, details: Details = ada) => {
  await world.anyone.auth.register(details)
  const { link } = await world.mailTo(details.email)
  return world.anyone.auth.verify({ token: link.slice(link.lastIndexOf('/') + 1), password: details.password })
}

/** Signed in at the dashboard, with an account created in another browser. */
export const beSignedUp = async (page: Page, world: AccountWorld, details: Details = ada) => {
  const { auth_token, api_key, provider_id } = await registerByMail(world, details)
  await page.goto(world.at(blankPath))
  await page.evaluate((stored) => Object.assign(localStorage, stored), {
    auth_token,
    apiKey: api_key,
    providerId: provider_id,
    provider_id,
  })
  await page.goto(world.at('/dashboard'))
  await page.locator('main[data-state=ready]').waitFor()
}

export const signInAt = async (page: Page, { email, password }: Pick<Details, 'email' | 'password'> = ada) => {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Everything the browser stores for the site, except scroll positions. */
export const storedIn = async (page: Page) => {
  const { 'react-router-scroll-positions': _, ...stored } = await page.evaluate(
    (): Record<string, string> => ({ ...localStorage, ...sessionStorage }),
  )
  return stored
}

export const toastOf = (page: Page, text: string) => page.locator('[data-sonner-toast]').filter({ hasText: text })

/** Every address in the browser's history. */
export const historyOf = async (page: Page): Promise<string[]> => {
  const devtools = await page.context().newCDPSession(page)
  const { entries } = await devtools.send('Page.getNavigationHistory')
  return entries.map(({ url }) => url)
}
