import { useEffect, useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { takeTarget } from '../../../data/redirect.ts'
import { isSignedIn, useCredentials } from '../../../data/session.ts'

/** Sends a user who is signed in, here or in another tab, to the page they wanted. */
export const useOnward = (): boolean => {
  const isOnward = isSignedIn(useCredentials())
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const hasLeft = useRef(false)
  useEffect(() => {
    const leaves = isOnward && !hasLeft.current
    hasLeft.current = isOnward
    if (leaves) void navigate(takeTarget(params.get('redirect')), { replace: true })
  }, [isOnward, navigate, params])
  return isOnward
}
