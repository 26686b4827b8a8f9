import type { Model } from '@countersign/sdk/contract'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { modelsTab } from '#messages/dashboard/models.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { BulkFailures } from '../../../lists/bulk-failures.tsx'
import { SelectionBar } from '../../../lists/list-bar.tsx'
import { useBulk } from '../../../lists/use-bulk.ts'
import type { useSelection } from '../../../lists/use-selection.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { nameOf } from './names.ts'
import { archiveModel, setModelVisibility } from './own-models.ts'

const words = modelsTab.bulk

const BulkArchiveDialog = lazy(() =>
  import('./dialogs/archive-dialog.tsx').then(({ BulkArchiveDialog }) => ({ default: BulkArchiveDialog })),
)

/** No request was sent, so there is nothing to undo. */
class AlreadyArchived extends Error {}

const why = (failure: unknown) =>
  failure instanceof AlreadyArchived ? modelsTab.archive.already : explainFailure(failure)

interface ModelsBulkProps {
  models: readonly Model[]
  selection: ReturnType<typeof useSelection>
  found: string
  tools: ReactNode
}

/** Actions on many versions at once. */
export const ModelsBulk = ({ models, selection, found, tools }: ModelsBulkProps) => {
  const bulk = useBulk<Model>()
  const [isAsking, setIsAsking] = useState(false)
  const chosen = models.filter(({ id }) => selection.has(id))
  const run = async (act: keyof typeof words.done, doIt: (model: Model) => PromiseLike<unknown>) => {
    const { done, failed } = await bulk.run(chosen, (model) =>
      model.archived_at === null ? doIt(model) : Promise.reject(new AlreadyArchived()),
    )
    if (done.length > 0) toast.success(words.done[act](done.length))
    // Failed ones stay selected, to be retried.
    selection.clear()
    for (const { item } of failed) selection.toggle(item.id)
    return failed.length === 0
  }
  const setAll = (isPublic: boolean) =>
    void run(isPublic ? 'public' : 'private', async (model) => {
      // Skip models that are already in this state.
      if (model.is_public !== isPublic) await setModelVisibility(model, isPublic)
    })
  const archiveAll = (reason: string) => run('archive', ({ id }) => archiveModel(id, reason))
  return (
    <>
      <SelectionBar
        selection={selection}
        progress={bulk.progress}
        words={{ chosen: words.chosen, working: words.progress }}
        found={found}
        tools={tools}
      >
        <Button className="min-h-9! py-1!" onClick={() => setAll(true)}>
          {words.makePublic}
        </Button>
        <Button className="min-h-9! py-1!" onClick={() => setAll(false)}>
          {words.makePrivate}
        </Button>
        <Button look="dangerPlain" className="min-h-9! py-1!" aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
          {words.archive}
        </Button>
      </SelectionBar>
      {bulk.failed.length > 0 && (
        <BulkFailures
          heading={words.failed(bulk.failed.length)}
          reasons={bulk.failed.map(({ item, failure }) => ({
            id: item.id,
            text: words.failure(nameOf(item), why(failure)),
          }))}
          onClose={bulk.forgetFailed}
        />
      )}
      {isAsking && (
        <Suspense>
          <BulkArchiveDialog models={chosen} archive={archiveAll} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
