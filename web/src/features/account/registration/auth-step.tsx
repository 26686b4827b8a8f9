import { useState } from 'react'
import { Link } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { explainFailure, hasFieldErrors, isUnanswered } from '../../../failures/failure.ts'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { sendVerification } from '../account.ts'
import type { Details } from './details-form.tsx'
import { StepForm } from './step-form.tsx'

const words = account.register

interface AuthStepProps {
  details: Details
  edit: (refusal?: unknown) => void
  onSent: (confirmationCode: string) => void
}

/** For visitors without an account: registration continues after the email is confirmed. */
export const AuthStep = ({ details, edit, onSent }: AuthStepProps) => {
  const [isSending, setIsSending] = useState(false)
  const send = async () => {
    if (isSending) return
    setIsSending(true)
    try {
      onSent(await sendVerification(details))
      toast.success(words.mailSent)
    } catch (failure) {
      setIsSending(false)
      if (hasFieldErrors(failure)) return edit(failure)
      if (isUnanswered(failure)) return toast.error(words.noConnection)
      toast.error(words.mailFailed, { description: explainFailure(failure, account.failed.sendVerification) })
    }
  }
  return (
    <StepForm details={details} edit={() => edit()} send={send}>
      <SubmitButton isSending={isSending} sending={words.auth.sending} className="w-full">
        {words.auth.submit}
      </SubmitButton>
      <p className="flex flex-wrap gap-x-2 text-small">
        {words.auth.haveAccount}
        <Link to="/login?redirect=%2Fregister" className="link">
          {account.login.submit}
        </Link>
      </p>
    </StepForm>
  )
}
