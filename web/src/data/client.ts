import { createMethods } from '@countersign/sdk'
import { expireSession, readSession } from './session.ts'

/** Signing in and signing up start a new session, so never send an old one. */
const isSigningIn = (url: string) =>
  /\/api\/v1\/auth\/(email\/(login|register)|password\/(set|forgot)|passkey(\/challenge)?|exchange)$/.test(url)

/** A 401 here may be about the password entered, not the session. */
const takesPassword = (url: string) => /\/api\/v1\/(auth\/password\/change|me\/email)$/.test(url)

/** Not the SDK's: a person may take longer to confirm a call. */
const timeoutMs = 30_000

const fetchInTime = (input: RequestInfo | URL, init?: RequestInit) => {
  const ending = AbortSignal.timeout(timeoutMs)
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, ending]) : ending })
}

const unattendedMs = 5 * 60_000
let lastInput = Date.now()
const noteInput = () => {
  lastInput = Date.now()
}
// Assistive programs only click and fill in.
for (const kind of ['pointerdown', 'keydown', 'wheel', 'click', 'input'])
  addEventListener(kind, noteInput, { capture: true, passive: true })

/**
 * Sends the key if there is one, otherwise the session; if the registry rejects it, the browser forgets it. What a page asks for more
 * than five minutes after the last input doesn't keep a session from ending as idle.
 */
const sendAsCaller: typeof fetch = async (input, init) => {
  const { apiKey, token } = readSession()
  const headers = new Headers(init?.headers)
  const isKnown = (apiKey !== null || token !== null) && !isSigningIn(String(input))
  if (isKnown && apiKey !== null) headers.set('X-API-Key', apiKey)
  else if (isKnown) headers.set('Authorization', `Bearer ${token}`)
  if (isKnown && init?.method === 'GET' && Date.now() - lastInput > unattendedMs) headers.set('X-Unattended', 'true')
  const response = await fetchInTime(input, { ...init, headers })
  const { apiKey: keyNow, token: tokenNow } = readSession()
  if (response.status === 401 && isKnown && !takesPassword(String(input)) && keyNow === apiKey && tokenNow === token)
    expireSession()
  return response
}

/** Repeats a call once its person has confirmed it. */
const fetchAsCaller: typeof fetch = async (input, init) => {
  const response = await sendAsCaller(input, init)
  if (response.status !== 403) return response
  const { isApproved } = await import('./presence.ts')
  return (await isApproved(String(input), init, response)) ? sendAsCaller(input, init) : response
}

export const client = createMethods({ baseURL: location.origin, maxRetries: 1, timeout: 0, fetch: fetchAsCaller })
