import type { VerifiedEmail } from '@countersign/sdk/contract'
import { type FormEvent, useRef, useState } from 'react'
import { account } from '#messages/pages/account.ts'
import { isRefusal } from '../../../failures/failure.ts'
import { PasswordField } from '../../../forms/password-field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { verifyWithLink } from '../account.ts'

const words = account.verify
const longestCode = 40

interface ConfirmRegistrationProps {
  token: string
  onVerified: (verified: VerifiedEmail) => void
  /** The link has expired, or its state is unknown. */
  onDead: (failure: unknown) => void
}

/** One field accepts either the password or the confirmation code, and uses one attempt. */
export const ConfirmRegistration = ({ token, onVerified, onDead }: ConfirmRegistrationProps) => {
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState('')
  const [isSending, setIsSending] = useState(false)

  const complain = (what: string) => {
    setProblem(what)
    input.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const secret = input.current?.value ?? ''
    if (isSending) return
    if (secret.trim() === '') return complain(words.secretMissing)
    setIsSending(true)
    try {
      onVerified(
        await verifyWithLink({
          token,
          password: secret,
          ...(secret.length <= longestCode && { confirmation_code: secret }),
        }),
      )
    } catch (failure) {
      setIsSending(false)
      if (isRefusal(failure, 'confirmation_required')) complain(words.secretWrong)
      else onDead(failure)
    }
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <PasswordField
        ref={input}
        label={words.secret}
        hint={words.secretHint}
        problem={problem}
        autoComplete="current-password"
        onChange={() => setProblem('')}
      />
      <SubmitButton isSending={isSending} sending={words.sending} className="w-full">
        {words.submit}
      </SubmitButton>
      <p className="text-muted text-small">{words.notYou}</p>
    </form>
  )
}
