import { useEffect, useRef } from 'react'
import { useSWRConfig } from 'swr'
import { ownProviderKey } from './provider.ts'
import { useCredentials } from './session.ts'

/** What was fetched for one provider is forgotten when it signs out, or another signs in, in this tab or in another one. */
export const useForgetting = () => {
  const { providerId } = useCredentials()
  const { cache, mutate } = useSWRConfig()
  const known = useRef(providerId)
  useEffect(() => {
    const before = known.current
    known.current = providerId
    if (before === null || before === providerId) return
    // The aggregates of lists have keys that `mutate` leaves alone.
    for (const key of [...cache.keys()]) if (key.startsWith('$inf$')) cache.delete(key)
    // Whoever is signed in is kept by session, and may be on its way.
    void mutate((key) => !(Array.isArray(key) && key[0] === ownProviderKey), undefined, { revalidate: true })
  }, [providerId, cache, mutate])
}
