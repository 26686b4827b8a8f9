import type { Act } from '@countersign/sdk/contract'
import { useEffect, useState } from 'react'

/** A call that the registry does only for a person who is there. */
export interface PresenceRequest {
  act: Act
  settle: (isApproved: boolean) => void
}

/** The call to confirm now. A second one declines the first. */
export const usePresenceRequest = () => {
  const [request, setRequest] = useState<PresenceRequest | null>(null)
  useEffect(() => {
    const ask = (event: Event) => {
      const { act, settle } = (event as CustomEvent<PresenceRequest>).detail
      const end = (isApproved: boolean) => {
        setRequest(null)
        settle(isApproved)
      }
      setRequest((before) => {
        before?.settle(false)
        return { act, settle: end }
      })
    }
    addEventListener('presence', ask)
    return () => removeEventListener('presence', ask)
  }, [])
  return request
}
