import { createMethods } from '@countersign/sdk'
import { expireSession, readSession } from './session.ts'

/** Whoever signs in or signs up shows something else; an old session has no part in it. */
const isSigningIn = (url: string) => /\/api\/v1\/auth\/(email\/(login|register)|password\/(set|forgot)|exchange)$/.test(url)

/** Here a refusal may be about the password that was typed, and says nothing about the session. */
const takesPassword = (url: string) => url.endsWith('/api/v1/auth/password/change')

/** The key first, else the session; a refusal of either ends what the browser knows of it. */
const fetchAsCaller: typeof fetch = async (input, init) => {
  const { apiKey, token } = readSession()
  const headers = new Headers(init?.headers)
  const isKnown = (apiKey !== null || token !== null) && !isSigningIn(String(input))
  if (isKnown && apiKey !== null) headers.set('X-API-Key', apiKey)
  else if (isKnown) headers.set('Authorization', `Bearer ${token}`)
  const response = await fetch(input, { ...init, headers })
  const { apiKey: keyNow, token: tokenNow } = readSession()
  if (response.status === 401 && isKnown && !takesPassword(String(input)) && keyNow === apiKey && tokenNow === token) expireSession()
  return response
}

export const client = createMethods({ baseURL: location.origin, maxRetries: 1, fetch: fetchAsCaller })
