import { useNavigate } from 'react-router-dom'
import { endAtRegistry } from './provider.ts'
import { endSession, readSession } from './session.ts'

/** Ends the session in the browser and at the registry. Goes home first, away from pages that would ask to sign in. */
export const useSignOut = () => {
  const navigate = useNavigate()
  return async () => {
    await navigate('/')
    const credentials = readSession()
    endSession()
    endAtRegistry(credentials)
  }
}
