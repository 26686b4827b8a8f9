import { createHmac } from 'node:crypto'
import type { IdentityProvider, SignInError } from '@countersign/sdk/contract'

export const stateLifetimeMs = 10 * 60_000
export const linkLifetimeMs = 15 * 60_000
export const handOffLifetimeMs = 60_000

export const providerNames = { github: 'GitHub', google: 'Google' } as const satisfies Record<IdentityProvider, string>

/**
 * The PKCE verifier (RFC 7636 §4.1) and the OIDC nonce of one attempt. They are derived from the browser's cookie, so that the database,
 * which stores only hashes, is not enough to complete a sign-in.
 */
export const proofsOf = ({ cookie, state }: { cookie: string; state: string }) => {
  const derive = (what: string) => createHmac('sha256', cookie).update(`${what} ${state}`).digest('base64url')
  return { state, nonce: derive('nonce'), verifier: derive('verifier') }
}

/** One for each identity provider, so that one provider's answer is never accepted as another's (RFC 9700 §4.4.2.1). */
export const callbackPathOf = (provider: IdentityProvider) => `/api/v1/auth/${provider}/callback` as const

export const linkPathOf = (provider: IdentityProvider, token: string) =>
  `/api/v1/auth/${provider}/link?token=${encodeURIComponent(token)}` as const

/** Where every attempt ends. The caller controls no part of it. */
export const landingOf = (end: { token: string; linked: boolean } | { error: SignInError }) =>
  `/auth/callback?${new URLSearchParams('error' in end ? { error: end.error } : { token: end.token, linked: String(end.linked) })}` as const

export interface SignInFacts {
  /** The signed-in person who wants to link the identity; null for a sign-in. */
  linkTo: string | null
  /** The person who has linked the identity; null if it is new. */
  owner: string | null
  /** The address that the identity provider vouches for. */
  email: string | null
  /** The person who verified the same address. */
  emailOwner: string | null
}

export type SignInDecision =
  | { do: 'sign_in'; person_id: string }
  | { do: 'link'; person_id: string }
  | { do: 'create'; email: string }
  | { error: SignInError }

/** An identity finds its account by issuer and subject alone. An address verified on both sides joins nothing by itself. */
export const decideSignIn = ({ linkTo, owner, email, emailOwner }: SignInFacts): SignInDecision => {
  if (owner !== null && linkTo !== null && owner !== linkTo) return { error: 'identity_taken' }
  if (owner !== null) return { do: 'sign_in', person_id: owner }
  if (email === null) return { error: 'email_not_verified' }
  if (linkTo !== null) return { do: 'link', person_id: linkTo }
  if (emailOwner !== null) return { error: 'account_exists_sign_in_to_link' }
  return { do: 'create', email }
}
