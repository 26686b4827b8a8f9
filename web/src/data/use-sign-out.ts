import { useNavigate } from 'react-router-dom'
import { endAtRegistry } from './provider.ts'
import { endSession, readSession } from './session.ts'

/** Ends the session, here and at the registry, and leads home. First away from pages that would ask to sign in again. */
export const useSignOut = () => {
  const navigate = useNavigate()
  return async () => {
    await navigate('/')
    const credentials = readSession()
    endSession()
    endAtRegistry(credentials)
  }
}
