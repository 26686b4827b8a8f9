import type { Model } from '@countersign/sdk/contract'
import { useState } from 'react'
import { modelsTab } from '#messages/dashboard/models.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { ConfirmDialog } from '../../../../forms/confirm-dialog.tsx'
import { TextField } from '../../../../forms/field.tsx'
import { UnsavedDialog } from '../../../../forms/unsaved-dialog.tsx'
import { useDraft } from '../../../../forms/use-draft.ts'
import { NamedList } from '../../../../lists/named-list.tsx'
import { toast } from '../../../../ui/controls/toast.ts'
import { nameOf } from '../names.ts'
import { archiveModel } from '../own-models.ts'

const words = modelsTab.archive
const maxReason = 500

const empty = { reason: '' }

/** The reason, stored as a draft until it is sent. */
const ReasonField = ({ values: { reason }, change, forget }: ReturnType<typeof useDraft<typeof empty>>) => (
  <>
    <TextField
      label={words.reason}
      hint={words.reasonHint}
      isOptional
      maxLength={maxReason}
      value={reason}
      onChange={({ target }) => change({ reason: target.value })}
      autoComplete="off"
    />
    <UnsavedDialog isUnsaved={reason !== ''} onLeave={forget} />
  </>
)

export const ArchiveDialog = ({ model, onClose }: { model: Model; onClose: () => void }) => {
  const reason = useDraft(`archive ${model.id}`, empty)
  const archive = async () => {
    await archiveModel(model.id, reason.values.reason)
    reason.forget()
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
      <ReasonField {...reason} />
    </ConfirmDialog>
  )
}

interface BulkArchiveDialogProps {
  models: readonly Model[]
  /** Whether all of them were archived. */
  archive: (reason: string) => Promise<boolean>
  onClose: () => void
}

/** Asks for the number, so that one click cannot withdraw hundreds. */
export const BulkArchiveDialog = ({ models: given, archive, onClose }: BulkArchiveDialogProps) => {
  const { bulk } = modelsTab
  // Each one leaves the list as soon as it is archived.
  const [models] = useState(given)
  const reason = useDraft('archive many', empty)
  const act = async () => {
    // Keep the messages about failed ones.
    if (await archive(reason.values.reason)) reason.forget()
  }
  return (
    <ConfirmDialog
      title={bulk.archiveTitle(models.length)}
      description={words.text}
      action={words.action}
      doing={words.doing}
      typed={String(models.length)}
      act={act}
      onClose={onClose}
    >
      <NamedList
        label={bulk.archiveList}
        items={models.map((model) => ({ id: model.id, content: <bdi>{nameOf(model)}</bdi> }))}
      />
      <ReasonField {...reason} />
    </ConfirmDialog>
  )
}
