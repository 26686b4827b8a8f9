import { auth } from '@countersign/sdk/contract'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { TextField } from '../../../forms/field.tsx'
import { PasswordField } from '../../../forms/password-field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { useContractForm } from '../../../forms/use-contract-form.ts'
import { toast } from '../../../ui/controls/toast.ts'
import { signIn } from '../account.ts'
import { Notice } from '../notice.tsx'

const words = account.login

export const SignInForm = ({ toForgot }: { toForgot: string }) => {
  const [problem, setProblem] = useState('')
  const { submit, field, showRefused, isSending } = useContractForm(auth.login.body, {
    defaults: { email: '', password: '' },
    send: async (details) => {
      setProblem('')
      try {
        await signIn(details)
        toast.success(words.success)
      } catch (failure) {
        if (showRefused(failure)) return
        const why = explainFailure(failure, account.failed.authentication)
        setProblem(why)
        toast.error(words.failed(why))
      }
    },
  })
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <TextField label={account.fields.email} type="email" autoComplete="username" {...field('email')} />
      <PasswordField
        label={account.fields.password}
        autoComplete="current-password"
        {...field('password')}
        hint={
          <Link to={toForgot} className="link">
            {words.forgot}
          </Link>
        }
      />
      {problem !== '' && <Notice tone="bad">{problem}</Notice>}
      <SubmitButton isSending={isSending} sending={words.sending} className="w-full">
        {words.submit}
      </SubmitButton>
    </form>
  )
}
