import { useEffect } from 'react'
import useSWR from 'swr'
import { client } from './client.ts'
import { completeSession, isSignedIn, readSession, useCredentials } from './session.ts'

/** The provider that is signed in. `isLoading` while the browser has a session and does not know yet whose it is. */
export const useOwnProvider = () => {
  const credentials = useCredentials()
  const hasCredentials = credentials.apiKey !== null || credentials.token !== null
  const { data, error, mutate } = useSWR(hasCredentials ? ['own-provider', credentials.token ?? credentials.apiKey] : null, () =>
    client.providers.me(),
  )
  useEffect(() => {
    const { apiKey, providerId } = readSession()
    if (data && (apiKey === null || providerId === null)) completeSession({ providerId: data.id, apiKey: data.api_key })
  }, [data])
  const provider = hasCredentials ? data : undefined
  return {
    provider,
    failure: error as unknown,
    isSignedIn: isSignedIn(credentials),
    isLoading: hasCredentials && provider === undefined && error === undefined,
    refresh: () => mutate(),
  }
}

/** Ends the session here and at the registry. What the registry answers changes nothing. */
export const signOutAtRegistry = () => client.auth.signOut({}).catch(() => undefined)
