import { useState } from 'react'
import { explainFailure } from '../../failures/failure.ts'
import { SubmitButton } from '../../forms/submit-button.tsx'

/** The single action of a page that a link in an email opened. */
export const useOneAction = (act: () => Promise<void>) => {
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const run = async () => {
    setIsSending(true)
    setFailure(undefined)
    try {
      await act()
    } catch (error) {
      setFailure(error)
      setIsSending(false)
    }
  }
  return { run, isSending, failure }
}

interface OneButtonFormProps {
  action: ReturnType<typeof useOneAction>
  label: string
  /** Shown instead while it runs. */
  doing: string
}

/** The button of such a page, and the reason if the action failed. */
export const OneButtonForm = ({ action: { run, isSending, failure }, label, doing }: OneButtonFormProps) => (
  <form
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      void run()
    }}
    className="grid gap-5"
  >
    <p role="alert" className="font-semibold text-bad text-small empty:hidden">
      {failure === undefined ? '' : explainFailure(failure)}
    </p>
    <SubmitButton isSending={isSending} sending={doing} className="w-full">
      {label}
    </SubmitButton>
  </form>
)
