import type { VerifiedEmail } from '@countersign/sdk/contract'
import { useNavigate } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { takeTarget } from '../../data/redirect.ts'
import { isSignedIn, readSession } from '../../data/session.ts'
import { toast } from '../../ui/controls/toast.ts'

export interface SetupState {
  token: string
  providerId: string
  email: string | null
  isVerified: boolean
}

/** Goes to the account, to choosing a password, or to the sign-in page, depending on the answer. */
export const useAfterVerifying = () => {
  const navigate = useNavigate()
  return ({ auth_token, setup_token, provider_id, email, domain_verified }: VerifiedEmail) => {
    const go = (path: string, state?: SetupState) => void navigate(path, { replace: true, state })
    // The setup page shows this message itself.
    if (setup_token !== null)
      return go('/auth-setup', { token: setup_token, providerId: provider_id, email, isVerified: true })
    toast.success(account.verify.success)
    if (auth_token !== null) return go(takeTarget(null))
    go(isSignedIn(readSession()) ? `/email-verified?level=${domain_verified ? 'domain' : 'email'}` : '/login')
  }
}
