import { lazy, Suspense } from 'react'
import { register } from '#messages/dashboard/register.ts'
import { site } from '#messages/site.ts'
import { hubEndpoint } from '../../../data/registry.ts'
import { useMay } from '../../../data/role.ts'
import { useAddressDialog } from '../../../hooks/use-address-dialog.ts'
import { useDocumentTitle } from '../../../hooks/use-document-title.ts'
import { Spinner } from '../../../ui/controls/spinner.tsx'
import { ModelForm } from '../model-form/model-form.tsx'
import { useRoleWords } from '../shared/allowed.tsx'
import { HubImport } from './hub-import.tsx'
import { PageFrame, pageWords, useToModels } from './page-frame.tsx'

// Below the form, so it may come later.
const AfterForm = lazy(() => import('./after-form.tsx').then((module) => ({ default: module.AfterForm })))
const Correction = lazy(() => import('./correction.tsx').then((module) => ({ default: module.Correction })))

const words = register

/** Registers a model; `?edit=` edits one that turned out to exist. */
export const RegisterModelPage = () => {
  const edit = useAddressDialog('edit')
  const may = useMay()
  if (!may(edit.value === null ? 'models.register' : 'models.quickEdit')) return <NotAllowed />
  return edit.value === null ? (
    <Registration onQuickEdit={edit.open} />
  ) : (
    <Suspense fallback={<Opening />}>
      <Correction id={edit.value} />
    </Suspense>
  )
}

const Registration = ({ onQuickEdit }: { onQuickEdit: (id: string) => void }) => {
  useDocumentTitle(site.title(words.title))
  const toModels = useToModels()
  return (
    <PageFrame state="ready" heading={words.heading}>
      <ModelForm
        mode="register"
        page={pageWords}
        onDone={toModels}
        onQuickEdit={onQuickEdit}
        above={(form) => hubEndpoint !== undefined && <HubImport form={form} />}
        below={(form, bundleName) => (
          <Suspense>
            <AfterForm form={form} {...(bundleName !== undefined && { bundleName })} />
          </Suspense>
        )}
      />
    </PageFrame>
  )
}

const NotAllowed = () => (
  <PageFrame state="ready" heading={words.heading}>
    <p>{useRoleWords()('models.register')}</p>
  </PageFrame>
)

const Opening = () => (
  <PageFrame state="loading" heading={words.edit.heading}>
    <Spinner>{site.layout.loading}</Spinner>
  </PageFrame>
)
