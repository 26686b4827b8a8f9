import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { restoreAddress as words } from '#messages/pages/restore-address.ts'
import { client } from '../../../data/client.ts'
import { startAfresh } from '../../../data/session.ts'
import { explainFailure, isRefusal } from '../../../failures/failure.ts'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { AccountPage } from '../account-page.tsx'
import { Notice } from '../notice.tsx'

/** Takes back a changed address, and goes on to a new password. Opening the page changes nothing: mail scanners open links. */
export const RestoreAddressPage = () => {
  const { search } = useLocation()
  const navigate = useNavigate()
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '')
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const restore = async () => {
    setIsSending(true)
    setFailure(undefined)
    try {
      const { setup_token } = await client.account.restoreEmail({ token })
      const { provider_id } = await client.auth.passwordAccount({ token: setup_token })
      startAfresh()
      toast.success(words.done)
      await navigate(`/setup-password?${new URLSearchParams({ token: setup_token, provider_id })}`, { replace: true })
    } catch (error) {
      setFailure(error)
      setIsSending(false)
    }
  }
  const isInvalid = isRefusal(failure, 'code_invalid') || isRefusal(failure, 'validation_failed')
  return (
    <AccountPage state={isInvalid ? 'refused' : 'ready'} title={words.title} heading={words.title} intro={words.text}>
      {isInvalid ? (
        <Notice tone="bad" isUrgent>
          {words.invalid}
        </Notice>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void restore()
          }}
          className="grid gap-5"
        >
          <p role="alert" className="font-semibold text-bad text-small empty:hidden">
            {failure === undefined ? '' : explainFailure(failure)}
          </p>
          <SubmitButton isSending={isSending} sending={words.restoring} className="w-full">
            {words.restore}
          </SubmitButton>
        </form>
      )}
    </AccountPage>
  )
}
