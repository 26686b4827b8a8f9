import { useEffect, useRef } from 'react'
import { useSWRConfig } from 'swr'
import { ownProviderKey } from './provider.ts'
import { useCredentials } from './session.ts'

/** Clears a provider's cached data when it signs out or another signs in, in this tab or another one. */
export const useForgetting = () => {
  const { providerId } = useCredentials()
  const { cache, mutate } = useSWRConfig()
  const known = useRef(providerId)
  useEffect(() => {
    const before = known.current
    known.current = providerId
    if (before === null || before === providerId) return
    // `mutate` skips the aggregate keys of lists.
    for (const key of [...cache.keys()]) if (key.startsWith('$inf$')) cache.delete(key)
    // The current user is cached by session and may still be loading.
    void mutate((key) => !(Array.isArray(key) && key[0] === ownProviderKey), undefined, { revalidate: true })
  }, [providerId, cache, mutate])
}
