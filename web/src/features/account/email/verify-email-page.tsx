import { useState } from 'react'
import { Link, useParams } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { explainFailure, isOfCall, isRefusal } from '../../../failures/failure.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Spinner } from '../../../ui/controls/spinner.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { verifyWithLink } from '../account.ts'
import { AccountPage } from '../account-page.tsx'
import { Notice } from '../notice.tsx'
import { useAfterVerifying } from '../use-after-verifying.ts'
import { useFocusOn } from '../use-focus-on.ts'
import { useOnce } from '../use-once.ts'
import { ConfirmRegistration } from './confirm-registration.tsx'

const words = account.verify

type View = { name: 'loading' } | { name: 'confirm' } | { name: 'failed'; why: string; again: boolean }

/**
 * The target of an email's link. In the registering browser, recognised by a cookie, opening it is enough.
 * Anywhere else, such as in a link scanner, nothing happens without the password or confirmation code.
 */
export const VerifyEmailPage = () => {
  const { token = '' } = useParams()
  const [view, setView] = useState<View>({ name: 'loading' })
  const goOn = useAfterVerifying()
  useFocusOn(view.name)

  const fail = (failure: unknown) => {
    const why = isOfCall(failure) ? explainFailure(failure, account.failed.emailVerification) : words.failedToast
    toast.error(why)
    setView({ name: 'failed', why, again: !isRefusal(failure, 'code_invalid') && !isRefusal(failure, 'email_taken') })
  }
  const verify = async () => {
    setView({ name: 'loading' })
    try {
      goOn(await verifyWithLink({ token }))
    } catch (failure) {
      if (isRefusal(failure, 'confirmation_required')) setView({ name: 'confirm' })
      else fail(failure)
    }
  }
  useOnce(() => void verify())

  if (view.name === 'loading')
    return (
      <AccountPage state="loading" title={words.title} heading={words.title}>
        <Spinner>{words.loading}</Spinner>
      </AccountPage>
    )
  if (view.name === 'confirm')
    return (
      <AccountPage state="confirm" title={words.title} heading={words.confirmHeading} intro={words.confirmText}>
        <ConfirmRegistration token={token} onVerified={goOn} onDead={fail} />
      </AccountPage>
    )
  return (
    <AccountPage state="failed" title={words.title} heading={words.failedHeading}>
      <Notice tone="bad">{view.why}</Notice>
      <div className="mt-8 flex flex-wrap gap-3">
        <Button asChild look="primary">
          <Link to="/login">{words.backToLogin}</Link>
        </Button>
        {view.again && <Button onClick={() => void verify()}>{words.again}</Button>}
      </div>
    </AccountPage>
  )
}
