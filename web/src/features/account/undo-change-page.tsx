import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { undoChange as words } from '#messages/pages/undo-change.ts'
import { client } from '../../data/client.ts'
import { explainFailure, isRefusal } from '../../failures/failure.ts'
import { SubmitButton } from '../../forms/submit-button.tsx'
import { AccountPage } from './account-page.tsx'
import { Notice } from './notice.tsx'

/** Cancels a change that takes effect later. Opening the page changes nothing: mail scanners open links. */
export const UndoChangePage = () => {
  const { search } = useLocation()
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '')
  const [isSending, setIsSending] = useState(false)
  const [isDone, setIsDone] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const undo = async () => {
    setIsSending(true)
    setFailure(undefined)
    try {
      await client.changes.undo({ token })
      setIsDone(true)
    } catch (error) {
      setFailure(error)
    } finally {
      setIsSending(false)
    }
  }
  const isInvalid = isRefusal(failure, 'code_invalid') || isRefusal(failure, 'validation_failed')
  const state = isInvalid ? 'refused' : isDone ? 'done' : 'ready'
  return (
    <AccountPage state={state} title={words.title} heading={words.title} intro={isDone ? undefined : words.text}>
      {state === 'refused' && (
        <Notice tone="bad" isUrgent>
          {words.invalid}
        </Notice>
      )}
      {state === 'done' && (
        <Notice isUrgent heading={words.done}>
          {words.next}
        </Notice>
      )}
      {state === 'ready' && (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void undo()
          }}
          className="grid gap-5"
        >
          <p role="alert" className="font-semibold text-bad text-small empty:hidden">
            {failure === undefined ? '' : explainFailure(failure)}
          </p>
          <SubmitButton isSending={isSending} sending={words.undoing} className="w-full">
            {words.undo}
          </SubmitButton>
        </form>
      )}
    </AccountPage>
  )
}
