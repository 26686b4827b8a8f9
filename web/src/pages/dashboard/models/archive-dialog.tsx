import type { Model } from '@countersign/sdk/contract'
import { useState } from 'react'
import { modelsTab } from '#messages/dashboard/models.ts'
import { forgetDraft, keepDraft, readDraft } from '../../../data/draft.ts'
import { explainFailure } from '../../../data/failure.ts'
import type { ModelGroup } from '../../../data/own-model-groups.ts'
import { archiveModel } from '../../../data/own-models.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { nameOf } from './names.ts'

const words = modelsTab.archive
const maxReason = 500

/** The reason as it is typed, kept until it is sent. */
const useReason = (draft: string) => {
  const [reason, setReason] = useState(() => readDraft<{ reason: string }>(draft)?.reason ?? '')
  return {
    reason,
    type: (text: string) => {
      setReason(text)
      keepDraft(draft, { reason: text })
    },
    sent: () => forgetDraft(draft),
  }
}

const ReasonField = ({ reason, type }: Pick<ReturnType<typeof useReason>, 'reason' | 'type'>) => (
  <TextField
    label={words.reason}
    hint={words.reasonHint}
    isOptional
    maxLength={maxReason}
    value={reason}
    onChange={({ target }) => type(target.value)}
    autoComplete="off"
  />
)

export const ArchiveDialog = ({ model, onClose }: { model: Model; onClose: () => void }) => {
  const { reason, type, sent } = useReason(`archive ${model.id}`)
  const archive = async () => {
    await archiveModel(model.id, reason)
    sent()
    toast.success(words.done(model.display_name))
  }
  return (
    <ConfirmDialog
      title={words.title(nameOf(model))}
      description={words.text}
      action={words.action}
      doing={words.doing}
      act={archive}
      onClose={onClose}
      explain={(failure) => words.failed(explainFailure(failure))}
    >
      <ReasonField {...{ reason, type }} />
    </ConfirmDialog>
  )
}

const named = 10

interface BulkArchiveDialogProps {
  groups: readonly ModelGroup[]
  /** Whether all of them were archived. */
  archive: (reason: string) => Promise<boolean>
  onClose: () => void
}

export const BulkArchiveDialog = ({ groups: asked, archive, onClose }: BulkArchiveDialogProps) => {
  const { bulk } = modelsTab
  // Each leaves the list as soon as it is archived.
  const [groups] = useState(asked)
  const { reason, type, sent } = useReason('archive many')
  const act = async () => {
    // What was said of those that were refused is still to be said.
    if (await archive(reason)) sent()
  }
  return (
    <ConfirmDialog
      title={bulk.archiveTitle(groups.length)}
      description={words.text}
      action={words.action}
      doing={words.doing}
      act={act}
      onClose={onClose}
    >
      <div className="text-small">
        <p>{bulk.archiveList}</p>
        <ul className="mt-1 list-disc ps-5">
          {groups.slice(0, named).map(({ identifier, newest }) => (
            <li key={identifier}>
              <bdi>{nameOf(newest)}</bdi>
            </li>
          ))}
          {groups.length > named && <li>{bulk.andMore(groups.length - named)}</li>}
        </ul>
      </div>
      <ReasonField {...{ reason, type }} />
    </ConfirmDialog>
  )
}
