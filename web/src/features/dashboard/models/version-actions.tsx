import type { Model } from '@countersign/sdk/contract'
import { limits } from '@countersign/sdk/contract'
import { useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { modelsTab } from '#messages/dashboard/models.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { loadModelForm } from '../model-form/model-form-dialog.tsx'
import type { OpenDialog } from './dialogs/dialog-names.ts'
import { nameOf } from './names.ts'
import { syncModel, unarchiveModel } from './own-models.ts'
import { RowButton } from './row-button.tsx'

const words = modelsTab.card

interface VersionActionsProps {
  model: Model
  isNewest: boolean
  open: OpenDialog
}

const preload = () => void loadModelForm().catch(() => undefined)

/** The owner's actions on a version. */
export const VersionActions = ({ model, isNewest, open }: VersionActionsProps) => {
  const of = nameOf(model)
  const minutesLeft = useMinutesLeft(model)
  const ahead = { onPointerEnter: preload, onFocus: preload }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button asChild className="min-h-8! px-3! py-1!">
        <Link to={`/models/${model.id}`} aria-label={words.of(words.view, of)}>
          {words.view}
        </Link>
      </Button>
      <RowButton label={words.history} of={of} aria-haspopup="dialog" onClick={() => open('history', model.id)} />
      {isNewest && (
        <RowButton
          label={words.newVersion}
          of={of}
          aria-haspopup="dialog"
          {...ahead}
          onClick={() => open('version', model.id)}
        />
      )}
      {minutesLeft > 0 && (
        <RowButton
          label={words.editFor(minutesLeft)}
          of={of}
          aria-haspopup="dialog"
          {...ahead}
          onClick={() => open('edit', model.id)}
        />
      )}
      {model.huggingface_model_id !== null && model.archived_at === null && <SyncButton model={model} of={of} />}
      {model.archived_at === null ? (
        <RowButton label={words.archive} of={of} aria-haspopup="dialog" onClick={() => open('archive', model.id)} />
      ) : (
        <UnarchiveButton model={model} of={of} />
      )}
    </div>
  )
}

const minuteMs = 60_000

/** The minutes left for editing a version; 0 afterwards. */
const useMinutesLeft = ({ can_quick_edit, created_at }: Model) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!can_quick_edit) return
    const timer = setInterval(() => setNow(Date.now()), minuteMs / 4)
    return () => clearInterval(timer)
  }, [can_quick_edit])
  const left = Date.parse(created_at) + limits.quickEditSeconds * 1_000 - now
  return can_quick_edit ? Math.max(0, Math.ceil(left / minuteMs)) : 0
}

const SyncButton = ({ model, of }: { model: Model; of: string }) => {
  const [isBusy, setIsBusy] = useState(false)
  const sync = async () => {
    if (isBusy) return
    setIsBusy(true)
    try {
      const { updated_fields } = await syncModel(model.id)
      const description =
        updated_fields.length === 0 ? modelsTab.sync.none : modelsTab.sync.fields(updated_fields.join(', '))
      toast.success(modelsTab.sync.done, { description })
    } catch (failure) {
      toast.error(modelsTab.sync.failed, { description: explainFailure(failure) })
    }
    setIsBusy(false)
  }
  return (
    <RowButton label={isBusy ? words.syncing : words.sync} of={of} aria-disabled={isBusy} onClick={() => void sync()} />
  )
}

const UnarchiveButton = ({ model, of }: { model: Model; of: string }) => {
  const [isBusy, setIsBusy] = useState(false)
  const unarchive = async () => {
    if (isBusy) return
    setIsBusy(true)
    try {
      await unarchiveModel(model.id)
      toast.success(modelsTab.unarchive.done(model.display_name), { description: modelsTab.unarchive.text })
    } catch (failure) {
      toast.error(modelsTab.unarchive.failed, { description: explainFailure(failure) })
    }
    setIsBusy(false)
  }
  return <RowButton label={words.unarchive} of={of} aria-disabled={isBusy} onClick={() => void unarchive()} />
}
