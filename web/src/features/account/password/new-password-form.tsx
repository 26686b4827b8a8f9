import { auth, limits } from '@countersign/sdk/contract'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { explainFailure, isRefusal } from '../../../failures/failure.ts'
import { TextField } from '../../../forms/field.tsx'
import { PasswordField } from '../../../forms/password-field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { useContractForm } from '../../../forms/use-contract-form.ts'
import { toast } from '../../../ui/controls/toast.ts'
import { setPassword } from '../account.ts'
import { Notice } from '../notice.tsx'

const words = account.setup
const Typed = auth.setPassword.body.pick({ password: true })

interface NewPasswordFormProps {
  token: string
  email: string | null
  onDone: () => void
}

export const NewPasswordForm = ({ token, email, onDone }: NewPasswordFormProps) => {
  const [problem, setProblem] = useState<{ why: string; isDead: boolean } | null>(null)
  const { submit, field, showRefused, watch, complain, isSending } = useContractForm(Typed, {
    defaults: { password: '' },
    send: async ({ password }) => {
      setProblem(null)
      try {
        await setPassword({ token, password }, email)
        toast.success(words.success)
        onDone()
      } catch (failure) {
        toast.error(words.failed)
        if (showRefused(failure)) return
        setProblem({
          why: explainFailure(failure, account.failed.setPassword),
          isDead: isRefusal(failure, 'code_invalid'),
        })
      }
    },
  })
  const isEmpty = watch('password') === ''
  return (
    <form
      onSubmit={(event) => {
        if (!isEmpty) return submit(event)
        event.preventDefault()
        complain('password', words.passwordMissing)
      }}
      noValidate
      className="grid gap-5"
    >
      {email !== null && (
        <TextField label={account.fields.email} type="email" autoComplete="username" readOnly value={email} />
      )}
      <PasswordField
        label={account.fields.newPassword}
        autoComplete="new-password"
        hint={account.fields.passwordHint(limits.passwordMin)}
        {...field('password')}
      />
      {problem !== null && (
        <Notice tone="bad">
          {problem.why}{' '}
          {problem.isDead && (
            <Link to="/login?view=forgot" className="link">
              {words.deadLink}
            </Link>
          )}
        </Notice>
      )}
      <SubmitButton isSending={isSending} sending={words.submitting} isIdle={isEmpty} className="w-full">
        {words.submit}
      </SubmitButton>
    </form>
  )
}
