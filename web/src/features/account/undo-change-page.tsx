import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { undoChange as words } from '#messages/pages/undo-change.ts'
import { client } from '../../data/client.ts'
import { isRefusal } from '../../failures/failure.ts'
import { AccountPage } from './account-page.tsx'
import { Notice } from './notice.tsx'
import { OneButtonForm, useOneAction } from './one-button-form.tsx'

/** Cancels a change that takes effect later. Opening the page changes nothing: mail scanners open links. */
export const UndoChangePage = () => {
  const { search } = useLocation()
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '')
  const [isDone, setIsDone] = useState(false)
  const action = useOneAction(async () => {
    await client.changes.undo({ token })
    setIsDone(true)
  })
  const { failure } = action
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
      {state === 'ready' && <OneButtonForm action={action} label={words.undo} doing={words.undoing} />}
    </AccountPage>
  )
}
