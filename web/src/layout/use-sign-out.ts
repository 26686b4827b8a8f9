import { useNavigate } from 'react-router-dom'
import { useSWRConfig } from 'swr'
import { signOutAtRegistry } from '../data/provider.ts'
import { endSession } from '../data/session.ts'

/** Ends the session, forgets all that was fetched in it, and leads home. */
export const useSignOut = () => {
  const navigate = useNavigate()
  const { mutate } = useSWRConfig()
  return async () => {
    const told = signOutAtRegistry()
    await navigate('/')
    await told
    endSession()
    await mutate(() => true, undefined, { revalidate: false })
  }
}
