import { EmailRegistration, limits } from '@countersign/sdk/contract'
import { useState } from 'react'
import { account } from '#messages/pages/account.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { TextField } from '../../../forms/field.tsx'
import { PasswordField } from '../../../forms/password-field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { useContractForm } from '../../../forms/use-contract-form.ts'
import { toast } from '../../../ui/controls/toast.ts'
import { signUp } from '../account.ts'
import { Notice } from '../notice.tsx'

const words = account.signUp

export interface SignedUp {
  details: EmailRegistration
  confirmationCode: string
}

export const SignUpForm = ({ onDone }: { onDone: (signedUp: SignedUp) => void }) => {
  const [problem, setProblem] = useState('')
  const { submit, field, showRefused, isSending } = useContractForm(EmailRegistration, {
    defaults: { company_name: '', website: '', email: '', password: '' },
    send: async (details) => {
      setProblem('')
      try {
        onDone({ details, confirmationCode: await signUp(details) })
        toast.success(words.success)
      } catch (failure) {
        const why = explainFailure(failure, account.failed.authentication)
        if (!showRefused(failure)) setProblem(why)
        toast.error(words.failed(why))
      }
    },
  })
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <TextField label={account.fields.companyName} autoComplete="organization" {...field('company_name')} />
      <TextField
        label={account.fields.website}
        type="url"
        autoComplete="url"
        placeholder={account.fields.websiteExample}
        {...field('website')}
      />
      <TextField label={account.fields.workEmail} type="email" autoComplete="username" {...field('email')} />
      <PasswordField
        label={account.fields.password}
        autoComplete="new-password"
        hint={account.fields.passwordHint(limits.passwordMin)}
        {...field('password')}
      />
      {problem !== '' && <Notice tone="bad">{problem}</Notice>}
      <SubmitButton isSending={isSending} sending={words.sending} className="w-full">
        {words.submit}
      </SubmitButton>
    </form>
  )
}
