import { type FormEvent, type ReactNode, useState } from 'react'
import { site } from '#messages/site.ts'
import { explainFailure } from '../failures/failure.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'
import { TextField } from './field.tsx'
import { SubmitButton } from './submit-button.tsx'

const words = site.confirm

interface ConfirmDialogProps {
  /** Names what is affected. */
  title: string
  /** The consequences, and whether they can be undone. */
  description: string
  /** The button's label, in one or two words, and its label while working. */
  action: string
  doing: string
  /** Text that must be typed first if the action is irreversible. */
  typed?: string
  /** Fields that belong to the action. */
  children?: ReactNode
  /** Runs the action. If it fails, the dialog stays open and shows why; otherwise it closes. */
  act: () => Promise<unknown>
  onClose: () => void
  /** Translates a failure into a message. */
  explain?: (failure: unknown) => string
}

/** Asks before something is destroyed. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { title, description, action, doing, typed, children, act, onClose, explain = explainFailure } = props
  const [text, setText] = useState('')
  const [isActing, setIsActing] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const isReady = typed === undefined || text.trim() === typed
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || isActing) return
    setIsActing(true)
    setFailure(undefined)
    try {
      await act()
      onClose()
    } catch (failed) {
      setFailure(failed)
    } finally {
      setIsActing(false)
    }
  }
  return (
    <Dialog isOpen onClose={onClose} title={title} description={description}>
      <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
        {children}
        {typed !== undefined && (
          <TextField
            label={words.type(typed)}
            value={text}
            onChange={({ target }) => setText(target.value)}
            autoComplete="off"
            spellCheck={false}
            readOnly={isActing}
          />
        )}
        <p role="alert" className="font-semibold text-bad text-small empty:hidden">
          {failure === undefined ? '' : explain(failure)}
        </p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onClose}>{site.dialog.cancel}</Button>
          <SubmitButton isSending={isActing} sending={doing} isIdle={!isReady} look="danger">
            {action}
          </SubmitButton>
        </div>
      </form>
    </Dialog>
  )
}
