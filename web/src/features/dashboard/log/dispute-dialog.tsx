import type { OwnLogEntry } from '@countersign/sdk/contract'
import { logTab } from '#messages/dashboard/log.ts'
import { ConfirmDialog } from '../../../forms/confirm-dialog.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { disputeEntry } from './own-log.ts'

const words = logTab.dispute

interface DisputeDialogProps {
  entry: OwnLogEntry
  onDone: () => void
  onClose: () => void
}

/** Asks before an urgent report goes to the operator. */
export const DisputeDialog = ({ entry, onDone, onClose }: DisputeDialogProps) => {
  const report = async () => {
    if (entry.index === null) return
    const { report_id } = await disputeEntry(entry.index)
    onDone()
    toast.success(words.done(report_id))
  }
  return (
    <ConfirmDialog
      title={words.title}
      description={words.about}
      action={words.action}
      doing={words.doing}
      act={report}
      onClose={onClose}
    >
      <p className="border-line border-s-4 ps-4">{entry.says}</p>
    </ConfirmDialog>
  )
}
