import { createClient } from '@countersign/sdk'
import { createHttpBrowser } from './http-browser.ts'
import type { World } from './world.ts'

export const ada = {
  email: 'Ada@acme.example',
  password: 'a quiet heron at dawn',
  company_name: 'Acme Labs',
  website: 'https://acme.example',
}

/** A browser that calls the registry's API. */
export const createDesk = (world: Pick<World, 'address'>) => {
  const browser = createHttpBrowser()
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    browser.post(`${world.address}/api/v1/${path}`, body, headers)
  return { post, browser }
}

/** The token at the end of an email's link. */
export const tokenIn = (link: string | undefined) => link?.slice(link.lastIndexOf('/') + 1) ?? ''

/** A registered person with a pending email. */
export const signUp = async (world: World, details = ada) => {
  const desk = createDesk(world)
  const { body } = await desk.post('auth/email/register', details)
  const mail = (await world.mails(details.email)).at(-1)
  return {
    ...desk,
    confirmation_code: String(body.confirmation_code),
    token: tokenIn(mail?.link),
    code: mail?.code ?? '',
    mail,
  }
}

/** A person who opened that email, and is signed in. */
export const signedUp = async (world: World, details = ada) => {
  const desk = await signUp(world, details)
  const { body } = await desk.post('auth/email/verify', { token: desk.token })
  const session = createClient({ baseURL: world.address, apiKey: String(body.auth_token), maxRetries: 0 })
  return {
    ...desk,
    id: String(body.provider_id),
    token: String(body.auth_token),
    consoleKey: String(body.api_key),
    session,
  }
}

/** The token for resetting a password. */
export const askForReset = async (world: World, email: string) => {
  await createDesk(world).post('auth/password/forgot', { email })
  return new URL((await world.mails(email)).at(-1)?.link ?? '').searchParams.get('token') ?? ''
}
