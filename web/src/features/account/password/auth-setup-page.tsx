import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { isSignedIn, useCredentials } from '../../../data/session.ts'
import { Failed } from '../../../failures/failed.tsx'
import { explainFailure, isRefusal } from '../../../failures/failure.ts'
import { useSteadyLoading } from '../../../hooks/use-steady-loading.ts'
import { toast } from '../../../ui/controls/toast.ts'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import { startLinking, startSignIn, usePasswordAccount } from '../account.ts'
import { AccountPage } from '../account-page.tsx'
import { hasServices, IdentityButtons, Or } from '../identity-buttons.tsx'
import { Notice } from '../notice.tsx'
import { SwitchQuestion } from '../switch-question.tsx'
import type { SetupState } from '../use-after-verifying.ts'
import { useOnce } from '../use-once.ts'
import { NewPasswordForm } from './new-password-form.tsx'

const words = account.setup

/** Sets the first password of a new account, or a new one from an emailed link. */
export const AuthSetupPage = () => {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  const [setup] = useState(() => readSetup(state) ?? readQuery(search))

  useOnce(() => {
    if (setup === null) {
      toast.error(words.invalidLink)
      void navigate('/', { replace: true })
      return
    }
    // Keep the token out of the address bar, the history and referrers.
    void navigate(pathname, { replace: true, state: setup })
    if (setup.isVerified) toast.success(words.verified)
  })

  return setup === null ? null : <Setup setup={setup} />
}

const Setup = ({ setup }: { setup: SetupState }) => {
  const navigate = useNavigate()
  const credentials = useCredentials()
  const { opened, failure, isAsking, again } = usePasswordAccount(setup)
  const { isLoading, isShown } = useSteadyLoading(isAsking)
  const [hasAgreed, setHasAgreed] = useState(false)
  const isReset = !setup.isVerified
  const page = {
    title: words.title,
    heading: isReset ? words.resetHeading : words.heading,
    intro: isReset ? words.resetText : words.text,
  }

  if (isLoading)
    return (
      <AccountPage state="loading" {...page}>
        {isShown && <Skeleton className="h-10 w-full" />}
      </AccountPage>
    )
  // The link's sender may want to sign this person in to an account that is not theirs.
  if (opened && !hasAgreed && isSignedIn(credentials) && credentials.providerId !== opened.providerId)
    return <SwitchQuestion email={opened.email} onAgreed={() => setHasAgreed(true)} />
  const enter = () => setTimeout(() => void navigate('/dashboard', { replace: true }), 100)
  return (
    <AccountPage state={opened ? 'ready' : isRefusal(failure, 'code_invalid') ? 'refused' : 'failed'} {...page}>
      {opened ? (
        <NewPasswordForm token={setup.token} email={opened.email} onDone={enter} />
      ) : (
        <NoAccount failure={failure} again={again} />
      )}
      {hasServices && <Or>{account.identities.orContinue}</Or>}
      {/* An emailed link only sets a password. */}
      <IdentityButtons choose={(service) => (isReset ? startSignIn(service) : startLinking(service, setup))} />
    </AccountPage>
  )
}

const NoAccount = ({ failure, again }: { failure: unknown; again: () => void }) =>
  isRefusal(failure, 'code_invalid') ? (
    <Notice tone="bad" isUrgent>
      {explainFailure(failure)}{' '}
      <Link to="/login?view=forgot" className="link">
        {words.deadLink}
      </Link>
    </Notice>
  ) : (
    <Failed failure={failure} again={again} />
  )

/** Errors found by the console itself. */
const readSetup = (state: unknown): SetupState | null => {
  if (typeof state !== 'object' || state === null || !('token' in state) || !('providerId' in state)) return null
  const { token, providerId } = state
  if (typeof token !== 'string' || typeof providerId !== 'string') return null
  const email = 'email' in state && typeof state.email === 'string' ? state.email : null
  return { token, providerId, email, isVerified: 'isVerified' in state && state.isVerified === true }
}

/** The address is untrusted: the registry says whose token it is and what that account has proven. */
const readQuery = (search: string): SetupState | null => {
  const query = new URLSearchParams(search)
  const [token, providerId] = [query.get('token'), query.get('provider_id')]
  return token && providerId ? { token, providerId, email: null, isVerified: false } : null
}
