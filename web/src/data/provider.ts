import type { Provider } from '@countersign/sdk/contract'
import { useEffect } from 'react'
import useSWR, { mutate } from 'swr'
import { keptCurrent } from '../hooks/kept-current.ts'
import { client } from './client.ts'
import { log } from './log.ts'
import {
  type Credentials,
  completeSession,
  hasCredentials,
  isSignedIn,
  readSession,
  useCredentials,
} from './session.ts'

export const ownProviderKey = 'own-provider'

/** The signed-in provider. `isLoading` while the browser has a session but does not know whose. */
export const useOwnProvider = () => {
  const credentials = useCredentials()
  const isKnown = hasCredentials(credentials)
  const {
    data,
    error,
    mutate: ask,
  } = useSWR(isKnown ? [ownProviderKey, credentials.token ?? credentials.apiKey] : null, () => client.providers.me(), {
    ...keptCurrent,
    onError: (failure) => log('Failed to fetch current provider', failure),
  })
  useEffect(() => {
    const { apiKey, providerId } = readSession()
    if (data && (apiKey === null || providerId !== data.id))
      completeSession({ providerId: data.id, apiKey: data.api_key })
  }, [data])
  const provider = isKnown ? data : undefined
  return {
    provider,
    failure: error as unknown,
    isSignedIn: isSignedIn(credentials),
    isLoading: isKnown && provider === undefined && error === undefined,
    refresh: async () => {
      if (isKnown) await ask()
      else log('Missing credentials')
    },
  }
}

/** Registered means having a name, email address and website; otherwise the owner is sent to complete them. */
export const isRegistered = ({ verification_level }: Pick<Provider, 'verification_level'>) =>
  verification_level !== 'unregistered'

/** Call after something outside this page's data changed the provider. */
export const refreshOwnProvider = () => mutate((key) => Array.isArray(key) && key[0] === ownProviderKey)

/** Ends the session at the registry. The browser has already forgotten it, so failures don't matter. */
export const endAtRegistry = ({ apiKey, token }: Credentials) => {
  const credential = token ?? apiKey
  if (credential !== null) client.auth.signOut({}, { headers: { 'X-API-Key': credential } }).catch(() => undefined)
}
