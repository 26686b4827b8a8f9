import { createMethods } from '@countersign/sdk'
import { expireSession, readSession } from './session.ts'

/** Signing in and signing up start a new session, so never send an old one. */
const isSigningIn = (url: string) =>
  /\/api\/v1\/auth\/(email\/(login|register)|password\/(set|forgot)|exchange)$/.test(url)

/** A 401 here may be about the password entered, not the session. */
const takesPassword = (url: string) => url.endsWith('/api/v1/auth/password/change')

/** Sends the key if there is one, otherwise the session; if the registry rejects it, the browser forgets it. */
const fetchAsCaller: typeof fetch = async (input, init) => {
  const { apiKey, token } = readSession()
  const headers = new Headers(init?.headers)
  const isKnown = (apiKey !== null || token !== null) && !isSigningIn(String(input))
  if (isKnown && apiKey !== null) headers.set('X-API-Key', apiKey)
  else if (isKnown) headers.set('Authorization', `Bearer ${token}`)
  const response = await fetch(input, { ...init, headers })
  const { apiKey: keyNow, token: tokenNow } = readSession()
  if (response.status === 401 && isKnown && !takesPassword(String(input)) && keyNow === apiKey && tokenNow === token)
    expireSession()
  return response
}

export const client = createMethods({ baseURL: location.origin, maxRetries: 1, fetch: fetchAsCaller })
