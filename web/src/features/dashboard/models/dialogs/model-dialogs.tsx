import { lazy, Suspense, useMemo } from 'react'
import { modelsTab } from '#messages/dashboard/models.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Dialog } from '../../../../ui/controls/dialog.tsx'
import { ModelFormDialog } from '../../model-form/model-form-dialog.tsx'
import { refreshOwnModels } from '../../shared/own-model-list.ts'
import { HealthDialog } from '../health/health-dialog.tsx'
import type { ModelGroup } from '../own-model-groups.ts'
import { AccessDialog } from './access-dialog.tsx'
import { ArchiveDialog } from './archive-dialog.tsx'
import { DetailsDialog } from './details-dialog.tsx'
import type { useModelDialog } from './dialog-names.ts'
import { HistoryDialog } from './history-dialog.tsx'

// Loads the bundle parser and its rules.
const BundleDialog = lazy(() => import('./bundle-dialog.tsx').then(({ BundleDialog }) => ({ default: BundleDialog })))

interface ModelDialogsProps extends Pick<ReturnType<typeof useModelDialog>, 'open' | 'close'> {
  shown: NonNullable<ReturnType<typeof useModelDialog>['shown']>
  /** Undefined while loading. */
  groups: readonly ModelGroup[] | undefined
}

/** The dialog named in the address. */
export const ModelDialogs = ({ shown: { name, id }, groups, open, close }: ModelDialogsProps) => {
  const model = useMemo(
    () => groups?.flatMap(({ versions }) => versions).find((version) => version.id === id),
    [groups, id],
  )
  const done = () => {
    void refreshOwnModels()
    close()
  }
  if (name === 'register')
    return (
      <ModelFormDialog
        mode="register"
        onDone={done}
        onClose={close}
        onQuickEdit={(existing) => open('edit', existing)}
      />
    )
  if (name === 'edit' || name === 'version')
    return (
      <ModelFormDialog
        key={`${name} ${id}`}
        mode={name}
        modelId={id}
        onDone={done}
        onClose={close}
        onQuickEdit={(existing) => open('edit', existing)}
      />
    )
  if (name === 'history') return <HistoryDialog id={id} onClose={close} />
  if (groups === undefined) return null
  if (model === undefined) return <Gone onClose={close} />
  if (name === 'details') return <DetailsDialog model={model} open={open} onClose={close} />
  if (name === 'archive') return <ArchiveDialog model={model} onClose={close} />
  if (name === 'health') return <HealthDialog model={model} onClose={close} />
  if (name === 'access') return <AccessDialog model={model} onClose={close} />
  return (
    <Suspense>
      <BundleDialog model={model} onClose={close} />
    </Suspense>
  )
}

const Gone = ({ onClose }: { onClose: () => void }) => (
  <Dialog isOpen onClose={onClose} title={modelsTab.empty.heading} description={modelsTab.dialog.gone}>
    <div className="flex justify-end">
      <Button onClick={onClose}>{modelsTab.dialog.close}</Button>
    </div>
  </Dialog>
)
