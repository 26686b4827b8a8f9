import { account } from '@countersign/sdk/contract'
import { useState } from 'react'
import { z } from 'zod'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { TextField } from '../../../../forms/field.tsx'
import { PasswordField } from '../../../../forms/password-field.tsx'
import { SubmitButton } from '../../../../forms/submit-button.tsx'
import { useContractForm } from '../../../../forms/use-contract-form.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { Section } from '../../../../ui/layout/section.tsx'
import { useOwnFactors } from '../security/own-factors.ts'
import { useIdentities } from './own-sessions.ts'

const words = settingsTab.sessions.address

/** The address with which the person signs in, and changing it with a code that is emailed to the new one. */
export const AddressSection = () => {
  const { identities, changeEmail, confirmEmail } = useIdentities()
  const { list } = useOwnFactors()
  const [asked, setAsked] = useState<string>()
  if (identities?.email == null || list === undefined) return null
  return (
    <Section heading={words.heading}>
      <p className="mb-5 max-w-prose text-muted text-small">{words.about(identities.email)}</p>
      {asked === undefined ? (
        <AskForm asksPassword={identities.has_password && !list.is_protected} send={changeEmail} onSent={setAsked} />
      ) : (
        <CodeForm email={asked} send={confirmEmail} onEnd={() => setAsked(undefined)} />
      )}
    </Section>
  )
}

interface AskFormProps {
  /** People with a passkey confirm with it instead. */
  asksPassword: boolean
  send: (input: { email: string; current_password?: string | undefined }) => Promise<void>
  onSent: (email: string) => void
}

const AskForm = ({ asksPassword, send, onSent }: AskFormProps) => {
  const [failure, setFailure] = useState('')
  const { submit, field, showRefused, isSending } = useContractForm(account.changeEmail.body, {
    defaults: { email: '', ...(asksPassword && { current_password: '' }) },
    send: async (typed) => {
      setFailure('')
      try {
        await send(typed)
        onSent(typed.email)
      } catch (error) {
        if (!showRefused(error)) setFailure(explainFailure(error))
      }
    },
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid max-w-md gap-5">
      <TextField label={words.next} type="email" autoComplete="email" {...field('email')} />
      {asksPassword && (
        <PasswordField label={words.password} autoComplete="current-password" {...field('current_password')} />
      )}
      <p role="alert" className="font-semibold text-bad text-small empty:hidden">
        {failure}
      </p>
      <SubmitButton isSending={isSending} sending={words.sending} className="justify-self-start">
        {words.send}
      </SubmitButton>
    </form>
  )
}

const Code = z.strictObject({ code: account.confirmEmail.body.shape.code })

interface CodeFormProps {
  email: string
  send: (code: string) => Promise<void>
  onEnd: () => void
}

const CodeForm = ({ email, send, onEnd }: CodeFormProps) => {
  const [failure, setFailure] = useState('')
  const { submit, field, showRefused, isSending } = useContractForm(Code, {
    defaults: { code: '' },
    send: async ({ code }) => {
      setFailure('')
      try {
        await send(code)
        toast.success(words.done, { description: words.doneText })
        onEnd()
      } catch (error) {
        if (!showRefused(error)) setFailure(explainFailure(error))
      }
    },
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid max-w-md gap-5">
      <p role="status">{words.sent(email)}</p>
      <TextField label={words.code} autoComplete="one-time-code" {...field('code')} />
      <p role="alert" className="font-semibold text-bad text-small empty:hidden">
        {failure}
      </p>
      <div className="flex gap-3">
        <SubmitButton isSending={isSending} sending={words.confirming}>
          {words.confirm}
        </SubmitButton>
        <Button onClick={onEnd}>{words.cancel}</Button>
      </div>
    </form>
  )
}
