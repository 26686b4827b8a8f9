import { lazy, Suspense, useState } from 'react'
import { modelsTab } from '#messages/dashboard/models.ts'
import type { ModelGroup } from '../../../data/own-model-groups.ts'
import { archiveModel, setModelVisibility } from '../../../data/own-models.ts'
import { type Outcome, runAll } from '../../../data/run-all.ts'
import type { useSelection } from '../../../data/use-selection.ts'
import { Button } from '../../../ui/button.tsx'
import { AlreadyArchived, type BulkAct } from './bulk-acts.ts'
import { BulkOutcome } from './bulk-outcome.tsx'

const words = modelsTab.bulk

const BulkArchiveDialog = lazy(() => import('./archive-dialog.tsx').then(({ BulkArchiveDialog }) => ({ default: BulkArchiveDialog })))

interface BulkBarProps {
  groups: readonly ModelGroup[]
  selection: ReturnType<typeof useSelection>
}

/** The same for many models at once. */
export const BulkBar = ({ groups, selection }: BulkBarProps) => {
  const [progress, setProgress] = useState<string>()
  const [isAsking, setIsAsking] = useState(false)
  const [outcome, setOutcome] = useState<{ act: BulkAct; outcome: Outcome<ModelGroup> }>()
  const chosen = groups.filter(({ identifier }) => selection.has(identifier))
  const run = async (act: BulkAct, doIt: (group: ModelGroup) => PromiseLike<unknown>) => {
    setOutcome(undefined)
    setProgress(words.progress(0, chosen.length))
    const came = await runAll(chosen, doIt, (count) => setProgress(words.progress(count, chosen.length)))
    setProgress(undefined)
    setOutcome({ act, outcome: came })
    // What failed stays chosen, to be tried again.
    selection.clear()
    for (const { item } of came.failed) selection.toggle(item.identifier)
    return came.failed.length === 0
  }
  const setAll = (isPublic: boolean) =>
    void run(isPublic ? 'public' : 'private', async ({ newest }) => {
      // Which is so already needs no asking.
      if (newest.is_public !== isPublic) await setModelVisibility(newest, isPublic)
    })
  const archiveAll = (reason: string) =>
    run('archive', ({ newest }) => (newest.archived_at === null ? archiveModel(newest.id, reason) : Promise.reject(new AlreadyArchived())))
  const isBusy = progress !== undefined
  return (
    <div className="grid gap-3 pb-3">
      <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2 empty:hidden">
        {groups.length > 0 && (
          <label className="flex min-h-6 items-center gap-3 text-small">
            <input type="checkbox" checked={selection.isAll} onChange={selection.toggleAll} className="size-5 accent-ink" />
            {words.chooseAll(groups.length)}
          </label>
        )}
        {chosen.length > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
          <div role="group" aria-label={words.label} className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span role="status" className="font-semibold text-small">
              {progress ?? words.chosen(chosen.length)}
            </span>
            <Small isOff={isBusy} onPress={() => setAll(true)}>
              {words.makePublic}
            </Small>
            <Small isOff={isBusy} onPress={() => setAll(false)}>
              {words.makePrivate}
            </Small>
            <Small isOff={isBusy} onPress={() => setIsAsking(true)} opens>
              {words.archive}
            </Small>
            <Small isOff={isBusy} onPress={selection.clear}>
              {words.clear}
            </Small>
            <span className="text-muted text-small">{words.ofNewest}</span>
          </div>
        )}
      </div>
      {outcome && <BulkOutcome {...outcome} onDismiss={() => setOutcome(undefined)} />}
      {isAsking && (
        <Suspense>
          <BulkArchiveDialog groups={chosen} archive={archiveAll} onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </div>
  )
}

interface SmallProps {
  isOff: boolean
  onPress: () => void
  opens?: boolean
  children: string
}

const Small = ({ isOff, onPress, opens = false, children }: SmallProps) => (
  <Button
    className="min-h-8! px-3! py-1!"
    aria-disabled={isOff}
    {...(opens && { 'aria-haspopup': 'dialog' })}
    onClick={() => isOff || onPress()}
  >
    {children}
  </Button>
)
