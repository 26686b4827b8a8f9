/// <reference types="vite/client" />

import { useSyncExternalStore } from 'react'
import { forgetEverything, forgetOfTab, forgetTab, readOfTab, readStored, store, storeForTab } from './storage.ts'

/** The current user, as far as this browser knows. `apiKey` is a console key that ends with the session; `token` is the session. */
export interface Credentials {
  providerId: string | null
  apiKey: string | null
  token: string | null
}

const names = { providerId: 'providerId', apiKey: 'apiKey', token: 'auth_token' } as const
/** Everything that belongs to a session or to signing in; removed when the session ends. */
const ownedBySession = [
  'provider_id',
  'session_token',
  'linking_token',
  'linking_provider_id',
  'user_email',
  'redirectAfterLogin',
  'devBypass',
]

/** Tells other tabs that the user signed out, as opposed to a session that expired. */
const signedOutName = 'signed_out'
/** Tells other tabs that all values of a session are written: in between, a tab would take half of an ended session for a new one. */
const changedName = 'session_changed'

const tellOtherTabs = (name: string) => {
  store(name, 'true')
  store(name, null)
}

const nobody: Credentials = { providerId: null, apiKey: null, token: null }
const listeners = new Set<() => void>()
interface Expiry {
  /** There was only a key, no session. */
  wasKeyAlone: boolean
}

const expiryListeners = new Set<(expiry: Expiry) => void>()

/** The company of this tab: another tab of the same session may act for another one. */
const tabName = 'tab_company'

const keepForTab = (credentials: Credentials) =>
  storeForTab(tabName, credentials.token === null ? null : JSON.stringify(credentials))

const readCredentials = (): Credentials => {
  const stored = {
    providerId: readStored(names.providerId),
    apiKey: readStored(names.apiKey),
    token: readStored(names.token),
  }
  const ofTab: Credentials | null = JSON.parse(readOfTab(tabName) ?? 'null')
  if (ofTab !== null && stored.apiKey !== null && ofTab.token === stored.token) return ofTab
  keepForTab(stored)
  return stored
}

let current = readCredentials()

/** Drafts, by user and form. */
export const draftName = (providerId: string | null, form = '') => `draft ${providerId ?? ''} ${form}`

const change = (next: Credentials) => {
  current = next
  // The next user of this tab must not find another user's drafts; after an expired session, the same user finds their own again.
  if (next.providerId !== null) forgetOfTab('draft ', draftName(next.providerId))
  for (const listener of listeners) listener()
}

const keep = (credentials: Credentials) => {
  store(names.providerId, credentials.providerId)
  store('provider_id', credentials.providerId)
  store(names.apiKey, credentials.apiKey)
  store(names.token, credentials.token)
  keepForTab(credentials)
  tellOtherTabs(changedName)
  change(credentials)
}

// Signing in or out in one tab applies to all tabs.
addEventListener('storage', ({ key, newValue }) => {
  if (key === signedOutName && newValue !== null) forgetTab()
  if (key === null || (key === changedName && newValue !== null)) change(readCredentials())
})

// A page restored from the back/forward cache has missed these events.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) change(readCredentials())
})

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const readSession = () => current
export const useCredentials = () => useSyncExternalStore(subscribe, readSession)

/** Owners see more than other users, so cached data must not pass from one user to the next. */
export const useViewer = () => {
  const { apiKey, token } = useCredentials()
  return apiKey ?? token
}

/** Only in development builds, and it only changes what this browser shows. */
const isBypassed = () => import.meta.env.DEV && readStored('devBypass') === 'true'

export const setBypass = (isOn: boolean) => {
  store('devBypass', String(isOn))
  change({ ...current })
}

export const hasCredentials = ({ apiKey, token }: Credentials) => apiKey !== null || token !== null

export const isSignedIn = ({ providerId, apiKey, token }: Credentials) =>
  isBypassed() || token !== null || (providerId !== null && apiKey !== null)

/** Removes everything of the previous session first. */
export const beginSession = (session: { providerId: string; apiKey: string; token: string }) => {
  for (const name of ['session_token', 'linking_token', 'linking_provider_id', 'user_email']) store(name, null)
  keep(session)
}

/** Adds what only the registry knows: the session's provider. */
export const completeSession = ({ providerId, apiKey }: { providerId: string; apiKey: string }) =>
  keep({ ...current, providerId, apiKey })

/** Acts for another company of the signed-in person, in this tab and those opened later. */
export const switchCompany = (to: { providerId: string; apiKey: string }) => keep({ ...current, ...to })

/** Forgets the session and everything that belongs to it. */
export const endSession = () => {
  for (const name of ownedBySession) store(name, null)
  forgetTab()
  tellOtherTabs(signedOutName)
  keep(nobody)
}

/** Removes everything of the previous user of this browser. */
export const startAfresh = () => {
  forgetEverything()
  tellOtherTabs(changedName)
  change(nobody)
}

/** Called when the registry rejects the session: forget it and notify listeners once. */
export const expireSession = () => {
  const stored = readCredentials()
  // Another tab has started a new session that has not arrived here yet.
  if (hasCredentials(stored) && (stored.apiKey !== current.apiKey || stored.token !== current.token))
    return change(stored)
  if (!isSignedIn(current)) return
  // After signing in, the user returns to the page they wanted.
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
