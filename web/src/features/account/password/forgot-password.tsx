import { auth } from '@countersign/sdk/contract'
import { account } from '#messages/pages/account.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { TextField } from '../../../forms/field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { useContractForm } from '../../../forms/use-contract-form.ts'
import { toast } from '../../../ui/controls/toast.ts'
import { askForNewPassword } from '../account.ts'

const words = account.forgot

export const ForgotPassword = ({ onSent }: { onSent: (email: string) => void }) => {
  const { submit, field, showRefused, isSending } = useContractForm(auth.forgotPassword.body, {
    defaults: { email: '' },
    send: async ({ email }) => {
      try {
        await askForNewPassword(email)
        onSent(email)
      } catch (failure) {
        if (!showRefused(failure)) toast.error(words.failed(explainFailure(failure)))
      }
    },
  })
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <TextField label={account.fields.email} type="email" autoComplete="username" {...field('email')} />
      <SubmitButton isSending={isSending} sending={words.sending} className="w-full">
        {words.submit}
      </SubmitButton>
    </form>
  )
}
