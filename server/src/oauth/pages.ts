import { type IdentityProvider, identityProviders, type SignInError } from '@countersign/sdk/contract'
import type { Express, Request, Response } from 'express'
import { type Cookies, cookiesOf } from '../http/cookies.ts'
import { refusalOf, sayWhen } from '../http/problems.ts'
import type { CheckRate } from '../http/rate-limits.ts'
import { networkOf } from '../networks.ts'
import { callbackPathOf, landingOf } from './rules.ts'
import type { OauthService } from './service.ts'

interface Options {
  publicUrl: string
  hasSecureCookies: boolean
  checkRate: CheckRate | undefined
  onFailure: (error: unknown) => void
}

type Visit = (request: Request, cookies: Cookies) => Promise<string>

/** Redirects for signing in: not part of the contract, because only browsers open them. */
export const mountSignIn = (
  app: Express,
  oauth: OauthService,
  { publicUrl, hasSecureCookies, checkRate, onFailure }: Options,
) => {
  const on = (path: string, visit: Visit) => {
    app.get(path, async (request: Request, response: Response) => {
      response.locals.route = `GET ${path}`
      const cookies = cookiesOf(request, response, { isSecure: hasSecureCookies })
      const fail = (error: unknown) => {
        const refusal = refusalOf(error)
        response.locals.refusal = refusal
        sayWhen(response, refusal)
        if (refusal.code === 'rate_limited') return landingOf({ error: 'too_many_attempts' })
        onFailure(error)
        return landingOf({ error: 'oauth_failed' })
      }
      const visitOnce = async () => {
        await checkRate?.(
          { network: () => networkOf(request.ip ?? ''), caller: undefined, params: {}, body: {} },
          response,
        )
        return visit(request, cookies)
      }
      // Express also answers HEAD with this, and a HEAD request must not use anything up.
      const location = request.method === 'GET' ? await visitOnce().catch(fail) : '/login'
      // 303: the browser follows with GET.
      response.writeHead(303, { Location: location }).end()
    })
  }

  for (const provider of identityProviders) {
    on(`/api/v1/auth/${provider}/login`, async (_request, cookies) => locationOf(await oauth.login(provider, cookies)))
    on(`/api/v1/auth/${provider}/link`, async ({ query }, cookies) => {
      const token = typeof query.token === 'string' ? query.token : undefined
      return locationOf(await oauth.link(provider, token, cookies))
    })
    on(callbackPathOf(provider), async ({ originalUrl }, cookies) =>
      landingOf(await oauth.finish(provider, callbackOf(publicUrl, provider, originalUrl), cookies)),
    )
  }
}

const locationOf = (begun: { url: string } | { error: SignInError }) => ('url' in begun ? begun.url : landingOf(begun))

/** The exact address that the identity provider was given, with what it appended. */
const callbackOf = (publicUrl: string, provider: IdentityProvider, originalUrl: string): URL => {
  const callback = new URL(callbackPathOf(provider), publicUrl)
  const start = originalUrl.indexOf('?')
  callback.search = start === -1 ? '' : originalUrl.slice(start)
  return callback
}
