import { lazy, Suspense, useState } from 'react'
import { modelsTab } from '#messages/dashboard/models.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { BulkBar } from '../../../lists/bulk-bar.tsx'
import { BulkFailures } from '../../../lists/bulk-failures.tsx'
import { useBulk } from '../../../lists/use-bulk.ts'
import type { useSelection } from '../../../lists/use-selection.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { nameOf } from './names.ts'
import type { ModelGroup } from './own-model-groups.ts'
import { archiveModel, setModelVisibility } from './own-models.ts'

const words = modelsTab.bulk

const BulkArchiveDialog = lazy(() =>
  import('./dialogs/archive-dialog.tsx').then(({ BulkArchiveDialog }) => ({ default: BulkArchiveDialog })),
)

/** No request was sent, so there is nothing to undo. */
class AlreadyArchived extends Error {}

const why = (failure: unknown) =>
  failure instanceof AlreadyArchived ? modelsTab.archive.already : explainFailure(failure)

interface ModelsBulkBarProps {
  groups: readonly ModelGroup[]
  selection: ReturnType<typeof useSelection>
}

/** Actions on many models at once. */
export const ModelsBulkBar = ({ groups, selection }: ModelsBulkBarProps) => {
  const bulk = useBulk<ModelGroup>()
  const [isAsking, setIsAsking] = useState(false)
  const chosen = groups.filter(({ identifier }) => selection.has(identifier))
  const run = async (act: keyof typeof words.done, doIt: (group: ModelGroup) => PromiseLike<unknown>) => {
    const { done, failed } = await bulk.run(chosen, doIt)
    if (done.length > 0) toast.success(words.done[act](done.length))
    // Failed ones stay selected, to be retried.
    selection.clear()
    for (const { item } of failed) selection.toggle(item.identifier)
    return failed.length === 0
  }
  const setAll = (isPublic: boolean) =>
    void run(isPublic ? 'public' : 'private', async ({ newest }) => {
      // Skip models that are already in this state.
      if (newest.is_public !== isPublic) await setModelVisibility(newest, isPublic)
    })
  const archiveAll = (reason: string) =>
    run('archive', ({ newest }) =>
      newest.archived_at === null ? archiveModel(newest.id, reason) : Promise.reject(new AlreadyArchived()),
    )
  return (
    <>
      {groups.length > 0 && (
        <BulkBar
          selection={selection}
          progress={bulk.progress}
          words={{
            all: words.chooseAll(groups.length),
            chosen: words.chosen,
            working: words.progress,
            clear: words.clear,
          }}
        >
          <Button onClick={() => setAll(true)}>{words.makePublic}</Button>
          <Button onClick={() => setAll(false)}>{words.makePrivate}</Button>
          <Button aria-haspopup="dialog" onClick={() => setIsAsking(true)}>
            {words.archive}
          </Button>
        </BulkBar>
      )}
      {chosen.length > 0 && <p className="pb-3 text-muted text-small">{words.ofNewest}</p>}
      {bulk.failed.length > 0 && (
        <BulkFailures
          heading={words.failed(bulk.failed.length)}
          reasons={bulk.failed.map(({ item, failure }) => ({
            id: item.identifier,
            text: words.failure(nameOf(item.newest), why(failure)),
          }))}
          onClose={bulk.forgetFailed}
        />
      )}
      {isAsking && (
        <Suspense>
          <BulkArchiveDialog groups={chosen} archive={archiveAll} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
