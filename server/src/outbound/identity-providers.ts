import type { IdentityProvider, SignInError } from '@countersign/sdk/contract'
import * as oidc from 'openid-client'
import type { Config } from '../config.ts'
import { type Egress, EgressError } from './egress.ts'

/** A person whom an identity provider has authenticated. */
export interface Person {
  issuer: string
  /** Never changes, unlike name and address. */
  subject: string
  login: string | null
  /** Only an address that the identity provider says it has verified. */
  email: string | null
}

/** What binds an answer to the attempt and the browser that requested it. */
export interface Proofs {
  state: string
  nonce: string
  /** RFC 7636. */
  verifier: string
}

export type Failure = Extract<SignInError, 'access_denied' | 'answer_invalid' | 'service_unavailable'>

export interface IdentityClient {
  /** Where the browser goes to sign in. */
  authorize: (proofs: Proofs) => Promise<{ url: string } | { failure: Failure }>
  /** The person who came back to the callback address, as it was called. */
  identify: (callback: URL, proofs: Proofs) => Promise<{ person: Person } | { failure: Failure }>
}

export interface IdentityClients {
  issuers: Readonly<Record<IdentityProvider, string>>
  /** Undefined if the registry has no client there. */
  find: (provider: IdentityProvider) => IdentityClient | undefined
}

interface Deps {
  config: Pick<Config, 'github' | 'google'>
  egress: Egress
  callbackUrlOf: (provider: IdentityProvider) => string
  /** Only a registry on loopback connects without TLS, and only to its allow list. */
  allowsHttp: boolean
  onFailure: (provider: IdentityProvider, reason: string) => void
}

const maxBytes = 256_000
const timeoutMs = 8_000

class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

export const createIdentityClients = ({
  config: { github, google },
  egress,
  callbackUrlOf,
  allowsHttp,
  onFailure,
}: Deps): IdentityClients => {
  const ask = async (
    url: string,
    { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string },
  ) => {
    if (method !== 'GET' && method !== 'POST') throw new Unreachable(`Requests with ${method} are not supported.`)
    const answer = await egress.fetch(url, { method, headers, body, maxBytes, timeoutMs, maxRedirects: 0 })
    if (answer.status >= 500 || answer.status === 429)
      throw new Unreachable(`${new URL(url).host} answered ${answer.status}.`)
    return answer
  }

  const customFetch: oidc.CustomFetch = async (url, { method, headers, body }) => {
    const answer = await ask(url, {
      method,
      headers,
      body: body === undefined || body === null ? undefined : String(body),
    })
    return new Response(answer.body.length > 0 ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers: answer.headers,
    })
  }

  const settle = (configuration: oidc.Configuration): oidc.Configuration => {
    configuration[oidc.customFetch] = customFetch
    if (allowsHttp) oidc.allowInsecureRequests(configuration)
    return configuration
  }

  const createClient = (
    provider: IdentityProvider,
    configure: () => Promise<oidc.Configuration>,
    {
      scope,
      hasIdToken,
      personOf,
    }: { scope: string; hasIdToken: boolean; personOf: (tokens: Tokens) => Promise<Person> },
  ): IdentityClient => {
    const failed = (error: unknown): { failure: Failure } => {
      if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied')
        return { failure: 'access_denied' }
      onFailure(provider, reasonOf(error))
      return { failure: causesOf(error).some(isUnreachable) ? 'service_unavailable' : 'answer_invalid' }
    }
    return {
      async authorize({ state, nonce, verifier }) {
        try {
          const url = oidc.buildAuthorizationUrl(await configure(), {
            redirect_uri: callbackUrlOf(provider),
            scope,
            state,
            code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
            // Let people who are signed in to several accounts, or the wrong one, choose.
            ...(hasIdToken && { nonce, prompt: 'select_account' }),
          })
          return { url: url.href }
        } catch (error) {
          return failed(error)
        }
      },
      async identify(callback, { state, nonce, verifier }) {
        try {
          const checks = {
            expectedState: state,
            pkceCodeVerifier: verifier,
            ...(hasIdToken && { expectedNonce: nonce, idTokenExpected: true }),
          }
          return { person: await personOf(await oidc.authorizationCodeGrant(await configure(), callback, checks)) }
        } catch (error) {
          return failed(error)
        }
      },
    }
  }

  const createGithub = ({ id, secret }: oidcClient): IdentityClient => {
    const configuration = settle(
      new oidc.Configuration(
        {
          issuer: issuers.github,
          authorization_endpoint: `${github.url}/login/oauth/authorize`,
          token_endpoint: `${github.url}/login/oauth/access_token`,
        },
        id,
        secret,
      ),
    )
    const read = async (path: string, token: string): Promise<unknown> => {
      const headers = {
        Accept: 'application/vnd.github+json',
        Authorization: `Bearer ${token}`,
        'User-Agent': 'countersign',
      }
      const { status, body } = await ask(`${github.apiUrl}${path}`, { headers })
      return status === 200 ? JSON.parse(body.toString('utf8')) : undefined
    }
    return createClient('github', async () => configuration, {
      scope: 'user:email',
      hasIdToken: false,
      personOf: async ({ access_token }) => {
        const [user, emails] = await Promise.all([
          read('/user', access_token),
          read('/user/emails?per_page=100', access_token),
        ])
        return githubPersonOf(issuers.github, user, emails)
      },
    })
  }

  const createGoogle = ({ id, secret }: oidcClient): IdentityClient => {
    let discovered: Promise<oidc.Configuration> | undefined
    const discover = () =>
      oidc.discovery(new URL(google.issuer), id, secret, undefined, {
        [oidc.customFetch]: customFetch,
        execute: [oidc.enableNonRepudiationChecks, ...(allowsHttp ? [oidc.allowInsecureRequests] : [])],
      })
    const configure = () => {
      discovered ??= discover().catch((error) => {
        discovered = undefined
        throw error
      })
      return discovered
    }
    return createClient('google', configure, {
      scope: 'openid email',
      hasIdToken: true,
      personOf: async (tokens) => googlePersonOf(issuers.google, tokens.claims()),
    })
  }

  // The issuer that GitHub names in its answers (RFC 9207); it has no discovery document to read it from.
  const issuers = { github: `${github.url}/login/oauth`, google: google.issuer }
  const clients = {
    github: github.client && createGithub(github.client),
    google: google.client && createGoogle(google.client),
  }
  return { issuers, find: (provider) => clients[provider] ?? undefined }
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>
type oidcClient = NonNullable<Config['github']['client']>

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= 254 ? value : null

/** `/user` and `/user/emails`. Only the primary address counts, and only while it is verified. */
export const githubPersonOf = (issuer: string, user: unknown, emails: unknown): Person => {
  if (!isRecord(user) || !Number.isSafeInteger(user.id)) throw new Error('The user has no ID.')
  const primary =
    Array.isArray(emails) &&
    emails.find((entry) => isRecord(entry) && entry.primary === true && entry.verified === true)
  return { issuer, subject: String(user.id), login: textOf(user.login), email: primary ? textOf(primary.email) : null }
}

/** The claims of an ID token that has been checked. */
export const googlePersonOf = (issuer: string, claims: Readonly<Record<string, unknown>> | undefined): Person => {
  const subject = textOf(claims?.sub)
  if (!claims || subject === null) throw new Error('The ID token has no subject.')
  const email = textOf(claims.email)
  return { issuer, subject, login: email, email: claims.email_verified === true ? email : null }
}

const causesOf = (error: unknown): unknown[] => (error instanceof Error ? [error, ...causesOf(error.cause)] : [])

const isUnreachable = (error: unknown) => error instanceof Unreachable || error instanceof EgressError

/** For the log: what went wrong, without the response, which contains codes and tokens. */
const reasonOf = (error: unknown) =>
  causesOf(error)
    .map((cause) => {
      if (cause instanceof oidc.ResponseBodyError || cause instanceof oidc.AuthorizationResponseError)
        return `answered ${cause.error.slice(0, 60)}`
      // A parser's error quotes its input.
      if (cause instanceof SyntaxError) return 'unreadable'
      return cause instanceof Error ? cause.message.slice(0, 200) : ''
    })
    .join(': ')
