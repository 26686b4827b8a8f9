import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { restoreAddress as words } from '#messages/pages/restore-address.ts'
import { client } from '../../../data/client.ts'
import { startAfresh } from '../../../data/session.ts'
import { isRefusal } from '../../../failures/failure.ts'
import { toast } from '../../../ui/controls/toast.ts'
import { AccountPage } from '../account-page.tsx'
import { Notice } from '../notice.tsx'
import { OneButtonForm, useOneAction } from '../one-button-form.tsx'

/** Takes back a changed address, and continues to a new password. Opening the page changes nothing: mail scanners open links. */
export const RestoreAddressPage = () => {
  const { search } = useLocation()
  const navigate = useNavigate()
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '')
  const action = useOneAction(async () => {
    const { setup_token } = await client.account.restoreEmail({ token })
    const { provider_id } = await client.auth.passwordAccount({ token: setup_token })
    startAfresh()
    toast.success(words.done)
    await navigate(`/setup-password?${new URLSearchParams({ token: setup_token, provider_id })}`, { replace: true })
  })
  const isInvalid = isRefusal(action.failure, 'code_invalid') || isRefusal(action.failure, 'validation_failed')
  return (
    <AccountPage state={isInvalid ? 'refused' : 'ready'} title={words.title} heading={words.title} intro={words.text}>
      {isInvalid ? (
        <Notice tone="bad" isUrgent>
          {words.invalid}
        </Notice>
      ) : (
        <OneButtonForm action={action} label={words.restore} doing={words.restoring} />
      )}
    </AccountPage>
  )
}
