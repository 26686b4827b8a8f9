import { auth, limits } from '@countersign/sdk/contract'
import { useRef, useState } from 'react'
import type { z } from 'zod'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { PasswordField } from '../../../../forms/password-field.tsx'
import { SubmitButton } from '../../../../forms/submit-button.tsx'
import { useContractForm } from '../../../../forms/use-contract-form.ts'
import { toast } from '../../../../ui/controls/toast.ts'

const words = settingsTab.sessions.password
const empty = { current_password: '', new_password: '' }

interface PasswordFormProps {
  /** For password managers. */
  email: string | null
  changePassword: (input: z.input<typeof auth.changePassword.body>) => Promise<void>
}

/** Each change starts with an empty form: passwords are never stored. */
export const PasswordForm = (props: PasswordFormProps) => {
  const [changes, setChanges] = useState(0)
  const place = useRef<HTMLDivElement>(null)
  const begin = () => {
    setChanges(changes + 1)
    // The button that had the focus goes with the form.
    place.current?.focus()
  }
  return (
    <div ref={place} tabIndex={-1}>
      <EmptyForm key={changes} {...props} onChanged={begin} />
    </div>
  )
}

const EmptyForm = ({ email, changePassword, onChanged }: PasswordFormProps & { onChanged: () => void }) => {
  const [failure, setFailure] = useState('')
  const { submit, field, showRefused, isSending } = useContractForm(auth.changePassword.body, {
    defaults: empty,
    send: async (typed) => {
      setFailure('')
      try {
        await changePassword(typed)
        toast.success(words.done, { description: words.doneText })
        onChanged()
      } catch (error) {
        if (!showRefused(error)) setFailure(`${words.failed}: ${explainFailure(error)}`)
      }
    },
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid max-w-md gap-5">
      <input type="text" autoComplete="username" readOnly hidden value={email ?? ''} />
      <PasswordField label={words.current} autoComplete="current-password" {...field('current_password')} />
      <PasswordField
        label={words.next}
        autoComplete="new-password"
        hint={words.hint(limits.passwordMin, limits.passwordMax)}
        {...field('new_password')}
      />
      <p role="alert" className="font-semibold text-bad text-small empty:hidden">
        {failure}
      </p>
      <SubmitButton isSending={isSending} sending={words.submitting} className="justify-self-start">
        {words.submit}
      </SubmitButton>
    </form>
  )
}
