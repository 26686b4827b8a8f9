import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { account } from '#messages/account.ts'
import { startLinking, startSignIn } from '../../data/account.ts'
import { startAfresh } from '../../data/session.ts'
import { toast } from '../../ui/toast.ts'
import { AccountPage } from './account-page.tsx'
import { IdentityButtons, Or } from './identity-buttons.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import type { SetupState } from './use-after-verifying.ts'
import { useOnce } from './use-once.ts'

const words = account.setup

/** The first way to sign in to a new account; and a new password, for who comes from a mail. */
export const AuthSetupPage = () => {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const [setup] = useState(() => readSetup(state) ?? readQuery(search))
  const isReset = pathname === '/setup-password'

  useOnce(() => {
    startAfresh()
    if (setup === null) {
      toast.error(words.invalidLink)
      void navigate('/', { replace: true })
      return
    }
    // The address bar, its history and what is sent along with links must not keep the token.
    void navigate(pathname, { replace: true, state: setup })
    if (setup.isVerified) toast.success(words.verified)
  })

  if (setup === null) return null
  const enter = () => setTimeout(() => void navigate('/dashboard', { replace: true }), 100)
  return (
    <AccountPage
      state="ready"
      title={words.title}
      heading={isReset ? words.resetHeading : words.heading}
      intro={isReset ? words.resetText : words.text}
    >
      <NewPasswordForm setup={setup} onDone={enter} />
      <Or>{account.identities.orContinue}</Or>
      {/* The link of a mail sets a password and connects nothing. */}
      <IdentityButtons choose={(service) => (isReset ? startSignIn(service) : startLinking(service, setup))} />
    </AccountPage>
  )
}

const readSetup = (state: unknown): SetupState | null => {
  if (typeof state !== 'object' || state === null || !('token' in state) || !('providerId' in state)) return null
  const { token, providerId } = state
  if (typeof token !== 'string' || typeof providerId !== 'string') return null
  const email = 'email' in state && typeof state.email === 'string' ? state.email : null
  return { token, providerId, email, isVerified: 'isVerified' in state && state.isVerified === true }
}

const readQuery = (search: string): SetupState | null => {
  const query = new URLSearchParams(search)
  const [token, providerId] = [query.get('token'), query.get('provider_id')]
  if (!token || !providerId) return null
  return { token, providerId, email: query.get('email'), isVerified: query.get('verified') === 'true' }
}
