import { factors } from '@countersign/sdk/contract'
import { recover as words } from '#messages/pages/recover.ts'
import { client } from '../../../data/client.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { TextField } from '../../../forms/field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { useContractForm } from '../../../forms/use-contract-form.ts'
import { toast } from '../../../ui/controls/toast.ts'

interface AskForLinkProps {
  onSent: (email: string) => void
  /** In a session of the person the link is not emailed. */
  onToken: (token: string) => void
}

export const AskForLink = ({ onSent, onToken }: AskForLinkProps) => {
  const { submit, field, showRefused, isSending } = useContractForm(factors.beginRecovery.body, {
    defaults: { email: '' },
    send: async ({ email }) => {
      try {
        const { token } = await client.factors.beginRecovery({ email })
        if (token === null) onSent(email)
        else onToken(token)
      } catch (failure) {
        if (!showRefused(failure)) toast.error(explainFailure(failure))
      }
    },
  })
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <TextField label={words.email} type="email" autoComplete="username" {...field('email')} />
      <SubmitButton isSending={isSending} sending={words.sending} className="w-full">
        {words.send}
      </SubmitButton>
    </form>
  )
}
