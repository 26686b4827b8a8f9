import { randomInt } from 'node:crypto'
import { createClient } from '@countersign/sdk'
import type { IdentityProvider } from '@countersign/sdk/contract'
import { onTestFinished } from 'vitest'
import type { Engine } from './databases.ts'
import { startGithubServer } from './github-server.ts'
import { startGoogleServer } from './google-server.ts'
import { createHttpBrowser, type HttpBrowser } from './http-browser.ts'
import { createWorld, type WorldOptions } from './world.ts'

/** Someone with an account at both services. */
export interface Someone {
  id: number
  login: string
  email: string
  isVerified: boolean
}

export const someone = (login: string, changes: Partial<Someone> = {}): Someone => ({
  id: randomInt(1_000_000, 1_000_000_000),
  login,
  email: `${login}@acme.example`,
  isVerified: true,
  ...changes,
})

const callbackPage = /^\/auth\/callback$/

/** A registry with both identity providers, and the actions of people in a browser. */
export const createSignInWorld = async (
  engine: Engine = 'sqlite',
  options: Pick<WorldOptions, 'smtpUrl' | 'log' | 'oidcIssuers' | 'rateLimits'> = {},
) => {
  const [github, google] = await Promise.all([startGithubServer(), startGoogleServer()])
  onTestFinished(async () => {
    await Promise.all([github.close(), google.close()])
  })
  const world = await createWorld({
    ...options,
    engine,
    egressAllow: [github.hostAndPort, google.hostAndPort],
    github: { url: github.url, apiUrl: github.url, client: github.client },
    google: { issuer: google.issuer, client: google.client },
  })
  const pathOf = (provider: IdentityProvider, what: 'login' | 'callback') =>
    `${world.address}/api/v1/auth/${provider}/${what}`
  github.register(pathOf('github', 'callback'))
  google.register(pathOf('google', 'callback'))

  /** The next person at the services' pages. */
  const sitDown = (person: Someone | undefined) => {
    github.be(
      person && {
        id: person.id,
        login: person.login,
        emails: [
          { email: `old-${person.email}`, primary: false, verified: true, visibility: null },
          { email: person.email, primary: true, verified: person.isVerified, visibility: 'public' },
        ],
      },
    )
    google.be(person && { sub: String(person.id), email: person.email, email_verified: person.isVerified })
  }

  /** Runs up to the identity provider's response: the callback address, not yet opened. */
  const walkToCallback = (browser: HttpBrowser, start: string | URL) =>
    browser.follow(start, /^\/api\/v1\/auth\/\w+\/callback$/)

  /** Follows the redirects, and reads the address of the callback page. */
  const walk = async (browser: HttpBrowser, start: string | URL) =>
    Object.fromEntries((await browser.follow(start, callbackPage)).searchParams) as {
      token?: string
      linked?: string
      error?: string
    }

  const exchange = (browser: HttpBrowser, code: string | undefined) =>
    browser.post(`${world.address}/api/v1/auth/exchange`, { code })

  /** Signs in completely and returns the session. */
  const signIn = async (provider: IdentityProvider, person: Someone, browser = createHttpBrowser()) => {
    sitDown(person)
    const { token, error } = await walk(browser, pathOf(provider, 'login'))
    if (!token) throw new Error(`No sign-in: ${error}`)
    const { status, body } = await exchange(browser, token)
    if (status !== 200) throw new Error(`No session: ${JSON.stringify(body)}`)
    const session = body as { auth_token: string; provider_id: string; linked: boolean }
    return {
      browser,
      ...session,
      client: createClient({ baseURL: world.address, apiKey: session.auth_token, maxRetries: 0 }),
    }
  }

  /** Requests a link token in a signed-in browser. */
  const startLink = async (
    provider: IdentityProvider,
    { browser, auth_token }: { browser: HttpBrowser; auth_token: string },
  ) => {
    const { status, body } = await browser.post(
      `${world.address}/api/v1/auth/identities/link`,
      { provider },
      { authorization: `Bearer ${auth_token}` },
    )
    return { status, ...(body as { url: string; linking_token: string; code?: string }) }
  }

  return { ...world, github, google, pathOf, sitDown, walkToCallback, walk, exchange, signIn, startLink }
}

export type SignInWorld = Awaited<ReturnType<typeof createSignInWorld>>
