import { site } from '#messages/site.ts'
import { Button } from '../ui/controls/button.tsx'
import { SubmitButton } from './submit-button.tsx'
import { UnsavedDialog } from './unsaved-dialog.tsx'

interface FormEndProps {
  words: { failed: string; submit: string; submitting: string }
  /** Why the last attempt failed; empty if it didn't. */
  failure: string
  isSending: boolean
  isUnsaved: boolean
  cancel: () => void
  forget: () => void
}

/** The end of a form in a dialog: the failure, Cancel and Submit, and the question before typed text is lost. */
export const FormEnd = ({ words, failure, isSending, isUnsaved, cancel, forget }: FormEndProps) => (
  <>
    <p role="alert" className="font-semibold text-bad text-small empty:hidden">
      {failure === '' ? '' : `${words.failed}: ${failure}`}
    </p>
    <div className="flex flex-wrap justify-end gap-3">
      <Button onClick={cancel}>{site.dialog.cancel}</Button>
      <SubmitButton isSending={isSending} sending={words.submitting}>
        {words.submit}
      </SubmitButton>
    </div>
    <UnsavedDialog isUnsaved={isUnsaved && !isSending} onLeave={forget} />
  </>
)
