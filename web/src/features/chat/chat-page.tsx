import { useState } from 'react'
import { Link } from 'react-router-dom'
import { chat as words } from '#messages/pages/chat.ts'
import { site } from '#messages/site.ts'
import { Failed } from '../../failures/failed.tsx'
import { SelectField } from '../../forms/field.tsx'
import { useDocumentTitle } from '../../hooks/use-document-title.ts'
import { useSteadyLoading } from '../../hooks/use-steady-loading.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Empty } from '../../ui/layout/empty.tsx'
import { PageMain } from '../../ui/layout/page-main.tsx'
import { SkeletonRows } from '../../ui/layout/skeleton.tsx'
import { StatusChip } from '../../ui/values/status-chip.tsx'
import { ChatRoom } from './chat-room.tsx'
import { providerOf } from './replies.ts'
import { useChatModels } from './use-chat-models.ts'

/** `/chat`: shows what it looks like when a model gives its link. Everything in it is simulated, and nothing is proof. */
export const ChatPage = () => {
  const { models, failure, again } = useChatModels()
  const [chosen, setChosen] = useState('')
  const { isLoading, isShown } = useSteadyLoading(models === undefined && failure === undefined)
  useDocumentTitle(site.title(words.title))
  const model = models?.find(({ id }) => id === chosen) ?? models?.[0]
  // A newer model in the list must not replace a conversation.
  if (model !== undefined && model.id !== chosen) setChosen(model.id)
  const state = isLoading ? 'loading' : models === undefined ? 'failed' : model === undefined ? 'empty' : 'ready'

  return (
    <PageMain state={state} busy={isLoading} className="mx-auto w-full max-w-record px-4 pt-8 sm:pt-12">
      <p>
        <StatusChip tone="unk">{words.simulation}</StatusChip>
      </p>
      <h1 className="heading-verdict mt-2">{words.heading}</h1>
      <p className="mt-2 mb-6 text-muted">{words.about}</p>
      {isShown && (
        <>
          <p role="status" className="sr-only">
            {words.loading}
          </p>
          <SkeletonRows count={3} />
        </>
      )}
      {failure !== undefined && <Failed failure={failure} again={again} />}
      {state === 'empty' && <NoModels />}
      {state === 'ready' && models !== undefined && model !== undefined && (
        <>
          <SelectField
            label={words.model}
            hint={words.modelHint}
            value={model.id}
            onChange={(event) => setChosen(event.target.value)}
          >
            {models.map((each) => (
              <option key={each.id} value={each.id}>
                {words.option(`${each.display_name} ${each.version}`, providerOf(each))}
              </option>
            ))}
          </SelectField>
          <ChatRoom key={model.id} model={model} />
        </>
      )}
    </PageMain>
  )
}

const NoModels = () => (
  <Empty heading={words.none}>
    <p>{words.noneText}</p>
    <div className="flex flex-wrap gap-3">
      <Button asChild look="primary">
        <Link to="/verify-model">{words.register}</Link>
      </Button>
      <Button asChild>
        <Link to="/v">{words.checkReal}</Link>
      </Button>
    </div>
  </Empty>
)
