import type { Model } from '@countersign/sdk/contract'
import { modelsTab } from '#messages/dashboard/models.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { nameOf } from '../names.ts'
import { VersionCard } from '../version-card.tsx'
import type { OpenDialog } from './dialog-names.ts'

const words = modelsTab.card

interface DetailsDialogProps {
  model: Model
  open: OpenDialog
  onClose: () => void
}

/** Details of a version for which its row has no room. */
export const DetailsDialog = ({ model, open, onClose }: DetailsDialogProps) => (
  <Dialog isOpen onClose={onClose} title={nameOf(model)}>
    <VersionCard model={model} open={open} />
    <div className="mt-6 flex flex-wrap justify-end gap-3">
      {model.archived_at === null && (
        <Button look="dangerPlain" onClick={() => open('archive', model.id)}>
          {words.archive}
        </Button>
      )}
      <Button onClick={() => open('history', model.id)}>{words.history}</Button>
      <Button look="primary" onClick={() => open('version', model.id)}>
        {words.newVersion}
      </Button>
    </div>
  </Dialog>
)
