import { lazy, Suspense } from 'react'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { site } from '#messages/site.ts'
import { Failed } from '../../../failures/failed.tsx'
import { Dialog } from '../../../ui/controls/dialog.tsx'
import { Spinner } from '../../../ui/controls/spinner.tsx'
import { NotYours } from './not-yours.tsx'
import { useOwnModel } from './own-model.ts'
import { useMissing } from './required-notice.tsx'
import type { FormMode } from './rules.ts'

const words = modelForm

/** Loaded on demand; `loadModelForm` preloads it when the pointer comes near. */
export const loadModelForm = () => import('./model-form.tsx')
const ModelForm = lazy(() => loadModelForm().then((form) => ({ default: form.ModelForm })))

interface ModelFormDialogProps {
  mode: FormMode
  /** The model to edit, or to register a new version of. */
  modelId?: string
  onDone: (done: { id: string }) => void
  onClose: () => void
  onQuickEdit?: (id: string) => void
}

/** The form in a dialog. The draft survives closing, until it is sent or the tab is closed. */
export const ModelFormDialog = ({ mode, modelId = '', onDone, onClose, onQuickEdit }: ModelFormDialogProps) => {
  const missing = useMissing()
  const { model, isOthers, failure, again } = useOwnModel(modelId)
  const isReady = modelId === '' || model !== undefined
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={missing ? words.required[missing].title : words.titles[mode]}
      {...(mode === 'edit' && model?.can_quick_edit && missing === undefined && { description: words.quickEditOpen })}
    >
      {isOthers ? (
        <NotYours onClose={onClose} />
      ) : !isReady && failure !== undefined ? (
        <Failed failure={failure} again={again} />
      ) : (
        <Suspense fallback={<Spinner>{site.layout.loading}</Spinner>}>
          {isReady ? (
            <ModelForm
              key={`${mode} ${modelId}`}
              {...{ mode, onDone, ...(model && { model }), ...(onQuickEdit && { onQuickEdit }) }}
              onCancel={onClose}
            />
          ) : (
            <Spinner>{site.layout.loading}</Spinner>
          )}
        </Suspense>
      )}
    </Dialog>
  )
}
