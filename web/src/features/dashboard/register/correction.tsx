import { modelForm } from '#messages/dashboard/model-form.ts'
import { register } from '#messages/dashboard/register.ts'
import { site } from '#messages/site.ts'
import { Failed } from '../../../failures/failed.tsx'
import { useDocumentTitle } from '../../../hooks/use-document-title.ts'
import { Spinner } from '../../../ui/controls/spinner.tsx'
import { ModelForm } from '../model-form/model-form.tsx'
import { NotYours } from '../model-form/not-yours.tsx'
import { useOwnModel } from '../model-form/own-model.ts'
import { PageFrame, pageWords, useToModels } from './page-frame.tsx'

const words = register

/** Edits the existing version that a registration conflicted with. */
export const Correction = ({ id }: { id: string }) => {
  useDocumentTitle(site.title(words.edit.title))
  const toModels = useToModels()
  const { model, isOthers, failure, again } = useOwnModel(id)
  if (isOthers)
    return (
      <PageFrame state="refused" heading={words.edit.heading}>
        <NotYours onClose={toModels} />
      </PageFrame>
    )
  if (model === undefined)
    return (
      <PageFrame state={failure === undefined ? 'loading' : 'failed'} heading={words.edit.heading}>
        {failure === undefined ? <Spinner>{site.layout.loading}</Spinner> : <Failed failure={failure} again={again} />}
      </PageFrame>
    )
  return (
    <PageFrame state="editing" heading={words.edit.heading}>
      {model.can_quick_edit && <p className="mb-6 max-w-prose text-muted text-small">{modelForm.quickEditOpen}</p>}
      <ModelForm
        mode="edit"
        model={model}
        page={{ ...pageWords, failed: modelForm.failed.edit, failedUnknown: modelForm.failed.unknown }}
        onDone={toModels}
      />
    </PageFrame>
  )
}
