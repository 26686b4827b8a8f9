import type { Model } from '@countersign/sdk/contract'
import { modelsTab } from '#messages/dashboard/models.ts'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { AuthorizationCard } from '../../../models/access/authorization-card.tsx'
import { nameOf } from '../names.ts'

const words = modelsTab.deployments

/** The deployments that may request links for a version. */
export const AccessDialog = ({ model, onClose }: { model: Model; onClose: () => void }) => (
  <Dialog isOpen onClose={onClose} title={words.title(nameOf(model))}>
    <AuthorizationCard modelId={model.id} revokeFailed={words.revokeFailed} isHeaded />
  </Dialog>
)
