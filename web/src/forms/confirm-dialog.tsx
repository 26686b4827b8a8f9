import { type FormEvent, type ReactNode, useState } from 'react'
import { site } from '#messages/site.ts'
import { explainFailure } from '../failures/failure.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/controls/dialog.tsx'
import { TextField } from './field.tsx'
import { SubmitButton } from './submit-button.tsx'

const words = site.confirm

interface ConfirmDialogProps {
  /** Names what it is about. */
  title: string
  /** What will be so afterwards, and whether it can be undone. */
  description: string
  /** What is done, in one or two words; also said of it while it is. */
  action: string
  doing: string
  /** What has to be typed first, where nothing can bring it back. */
  typed?: string
  /** Fields that belong to the act. */
  children?: ReactNode
  /** Does it. The dialog stays and says why where this fails, and closes where it does not. */
  act: () => Promise<unknown>
  onClose: () => void
  /** Where a failure has words of its own. */
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
          <Button onClick={onClose}>{words.cancel}</Button>
          <SubmitButton isSending={isActing} sending={doing} isIdle={!isReady}>
            {action}
          </SubmitButton>
        </div>
      </form>
    </Dialog>
  )
}
