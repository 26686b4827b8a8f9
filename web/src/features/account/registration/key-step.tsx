import type { RegisteredProvider } from '@countersign/sdk/contract'
import { account } from '#messages/pages/account.ts'
import { explainFailure, hasFieldErrors, isAnswered, isUnanswered } from '../../../failures/failure.ts'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { isOnline } from '../../../hooks/use-online.ts'
import { toast } from '../../../ui/controls/toast.ts'
import { registerOwnProvider } from '../account.ts'
import type { Details } from './details-form.tsx'
import { StepForm } from './step-form.tsx'

const words = account.register

interface KeyStepProps {
  details: Details
  isSending: boolean
  setIsSending: (isSending: boolean) => void
  edit: (refusal?: unknown) => void
  onDone: (made: RegisteredProvider) => void
}

/** For signed-in users: completes the provider of the session. */
export const KeyStep = ({ details, isSending, setIsSending, edit, onDone }: KeyStepProps) => {
  const send = async () => {
    if (isSending) return
    setIsSending(true)
    try {
      const made = await registerOwnProvider(details)
      if (made === 'signed-out') return toast.error(words.authenticateFirst)
      onDone(made)
      toast.success(words.success)
    } catch (failure) {
      if (hasFieldErrors(failure)) return edit(failure)
      toast.error(wordsFor(failure))
    } finally {
      setIsSending(false)
    }
  }
  return (
    <StepForm details={details} edit={() => edit()} send={send}>
      <SubmitButton isSending={isSending} sending={words.key.sending} className="w-full">
        {words.key.submit}
      </SubmitButton>
    </StepForm>
  )
}

const wordsFor = (failure: unknown): string => {
  if (isUnanswered(failure)) return isOnline() ? words.noConnection : words.failed
  return isAnswered(failure) ? explainFailure(failure, account.failed.registration) : words.failed
}
