import type { Model } from '@countersign/sdk/contract'
import { lazy, Suspense } from 'react'
import { useSearchParams } from 'react-router-dom'

// Opened only by a link from a chat.
const ConversationDialog = lazy(() =>
  import('./conversation-dialog.tsx').then(({ ConversationDialog }) => ({ default: ConversationDialog })),
)

/** The dialog about one conversation, if the address names a link. Closing it leaves the model's address. */
export const Conversation = ({ model }: { model: Model }) => {
  const [query, setQuery] = useSearchParams()
  const token = query.get('verification') ?? ''
  if (token === '') return null
  const close = () =>
    setQuery(
      (before) => {
        before.delete('verification')
        before.delete('model')
        return before
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <Suspense>
      <ConversationDialog key={token} token={token} named={query.get('model')} model={model} onClose={close} />
    </Suspense>
  )
}
