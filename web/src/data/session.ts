/// <reference types="vite/client" />

import { useSyncExternalStore } from 'react'
import { forgetEverything, forgetOfTab, forgetTab, readStored, store } from './storage.ts'

/** Who is signed in, as far as this browser knows. `apiKey` is a console key, which ends with the session; `token` the session. */
export interface Credentials {
  providerId: string | null
  apiKey: string | null
  token: string | null
}

const names = { providerId: 'providerId', apiKey: 'apiKey', token: 'auth_token' } as const
/** What belongs to a session or to the making of one; all of it goes when the session does. */
const ownedBySession = [
  'provider_id',
  'session_token',
  'linking_token',
  'linking_provider_id',
  'user_email',
  'redirectAfterLogin',
  'devBypass',
]

/** Other tabs hear it when somebody signs out, and tell it from a session that ended by itself. */
const signedOutName = 'signed_out'

const nobody: Credentials = { providerId: null, apiKey: null, token: null }
const listeners = new Set<() => void>()
interface Expiry {
  /** There was no session, only a key. */
  wasKeyAlone: boolean
}

const expiryListeners = new Set<(expiry: Expiry) => void>()

const readCredentials = (): Credentials => ({
  providerId: readStored(names.providerId),
  apiKey: readStored(names.apiKey),
  token: readStored(names.token),
})

let current = readCredentials()

/** What was half written, by whom and in which form. */
export const draftName = (providerId: string | null, form = '') => `draft ${providerId ?? ''} ${form}`

const change = (next: Credentials) => {
  current = next
  // Whoever comes next in this tab finds nothing of whoever was here before; who was only signed out finds it again.
  if (next.providerId !== null) forgetOfTab('draft ', draftName(next.providerId))
  for (const listener of listeners) listener()
}

const keep = (credentials: Credentials) => {
  store(names.providerId, credentials.providerId)
  store('provider_id', credentials.providerId)
  store(names.apiKey, credentials.apiKey)
  store(names.token, credentials.token)
  change(credentials)
}

// Signing in or out in one tab is signing in or out in all.
addEventListener('storage', ({ key, newValue }) => {
  if (key === signedOutName && newValue !== null) forgetTab()
  if (key === null || Object.values(names).some((name) => name === key)) change(readCredentials())
})

// A page that the browser kept alive heard nothing meanwhile.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) change(readCredentials())
})

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const readSession = () => current
export const useCredentials = () => useSyncExternalStore(subscribe, readSession)

/** An owner sees more than others do: what one was told is not for the next. */
export const useViewer = () => {
  const { apiKey, token } = useCredentials()
  return apiKey ?? token
}

/** A switch of development builds alone, which only changes what this browser shows. */
const isBypassed = () => import.meta.env.DEV && readStored('devBypass') === 'true'

export const setBypass = (isOn: boolean) => {
  store('devBypass', String(isOn))
  change({ ...current })
}

export const hasCredentials = ({ apiKey, token }: Credentials) => apiKey !== null || token !== null

export const isSignedIn = ({ providerId, apiKey, token }: Credentials) =>
  isBypassed() || token !== null || (providerId !== null && apiKey !== null)

/** What belonged to the last session is gone first. */
export const beginSession = (session: { providerId: string; apiKey: string; token: string }) => {
  for (const name of ['session_token', 'linking_token', 'linking_provider_id', 'user_email']) store(name, null)
  keep(session)
}

/** Fills in what only the registry knows: whose the session is. */
export const completeSession = ({ providerId, apiKey }: { providerId: string; apiKey: string }) => keep({ ...current, providerId, apiKey })

/** Forgets the session and everything that belongs to it. */
export const endSession = () => {
  for (const name of ownedBySession) store(name, null)
  forgetTab()
  store(signedOutName, 'true')
  store(signedOutName, null)
  keep(nobody)
}

/** Nothing of whoever used this browser before is left. */
export const startAfresh = () => {
  forgetEverything()
  change(nobody)
}

/** The registry no longer knows the session: forget it, and tell whoever listens, once. */
export const expireSession = () => {
  const stored = readCredentials()
  // Another tab has begun one since, and its word is still on its way.
  if (hasCredentials(stored) && (stored.apiKey !== current.apiKey || stored.token !== current.token)) return change(stored)
  if (!isSignedIn(current)) return
  // Where they wanted to go, they come back to.
  for (const owned of ownedBySession) if (owned !== 'redirectAfterLogin') store(owned, null)
  const wasKeyAlone = current.token === null
  keep(nobody)
  for (const listener of expiryListeners) listener({ wasKeyAlone })
}

export const onSessionExpired = (listener: (expiry: Expiry) => void) => {
  expiryListeners.add(listener)
  return () => {
    expiryListeners.delete(listener)
  }
}
