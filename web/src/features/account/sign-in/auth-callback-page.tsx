import { type SignInError, signInErrors } from '@countersign/sdk/contract'
import { useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { takeTarget } from '../../../data/redirect.ts'
import { isSignedIn, readSession } from '../../../data/session.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { Spinner } from '../../../ui/controls/spinner.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { completeSignIn, endLinking } from '../account.ts'
import { AccountPage } from '../account-page.tsx'
import { Notice } from '../notice.tsx'
import { useOnce } from '../use-once.ts'

const words = account.callback

interface Failure {
  why: string
  /** Where to go, and when. */
  to: string
  afterMs: number
}

/** The OAuth callback. Its code works once, within a minute, in this browser. */
export const AuthCallbackPage = () => {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const [given] = useState(params)
  const [failure, setFailure] = useState<Failure | null>(null)

  const exchange = async (token: string) => {
    try {
      const { isLinked, isNew } = await completeSignIn(token)
      toast.success(isLinked ? words.linked : words.success)
      const target = takeTarget(null)
      await navigate(isNew ? '/register' : target, { replace: true })
    } catch (error) {
      setFailure({
        why: words.failed(explainFailure(error, account.failed.authentication)),
        to: '/login',
        afterMs: 2_000,
      })
    }
  }

  useOnce(() => {
    void navigate('/auth/callback', { replace: true })
    endLinking()
    const found = readFailure(given)
    if (found !== null) setFailure(found)
    else void exchange(given.get('token') ?? '')
  })
  useEffect(() => {
    if (failure === null) return
    // The sign-in page would redirect at once, and the message would be lost.
    if (isSignedIn(readSession())) toast.error(failure.why)
    const timer = setTimeout(() => void navigate(failure.to, { replace: true }), failure.afterMs)
    return () => clearTimeout(timer)
  }, [failure, navigate])

  return (
    <AccountPage state={failure === null ? 'loading' : 'failed'} title={words.title} heading={words.title}>
      {failure === null ? (
        <Spinner>{words.loading}</Spinner>
      ) : (
        <>
          <Notice tone="bad" isUrgent heading={failure.why}>
            {words.onward}
          </Notice>
          <p className="mt-6">
            <Link to={failure.to} className="link">
              {words.toLogin}
            </Link>
          </p>
        </>
      )}
    </AccountPage>
  )
}

const isKnown = (code: string): code is SignInError => Object.hasOwn(signInErrors, code)

/** Shows only our own messages, never text from the address. The sign-in page repeats them, because two seconds are short. */
const readFailure = (given: URLSearchParams): Failure | null => {
  const error = given.get('error')
  if (error !== null) {
    const code = isKnown(error) ? error : 'oauth_failed'
    return { why: words.failed(signInErrors[code]), to: `/login?error=${code}`, afterMs: 2_000 }
  }
  if (given.get('token')) return null
  if (given.has('code') && given.has('state')) return { why: words.misconfigured, to: '/login', afterMs: 3_000 }
  return { why: words.invalid, to: '/login', afterMs: 2_000 }
}
