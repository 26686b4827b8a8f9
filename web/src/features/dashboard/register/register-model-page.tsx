import { lazy, Suspense } from 'react'
import { register } from '#messages/dashboard/register.ts'
import { site } from '#messages/site.ts'
import { hubEndpoint } from '../../../data/registry.ts'
import { useAddressDialog } from '../../../hooks/use-address-dialog.ts'
import { useDocumentTitle } from '../../../hooks/use-document-title.ts'
import { Spinner } from '../../../ui/controls/spinner.tsx'
import { CodeBlock } from '../../../ui/values/code-block.tsx'
import { FormSection } from '../model-form/fields/form-section.tsx'
import { ModelForm } from '../model-form/model-form.tsx'
import type { ModelFormState } from '../model-form/use-model-form.ts'
import { registrationCommand } from './command-line.ts'
import { HubImport } from './hub-import.tsx'
import { PageFrame, pageWords, useToModels } from './page-frame.tsx'

const Correction = lazy(() => import('./correction.tsx').then((module) => ({ default: module.Correction })))

const words = register

/** Registers a model; `?edit=` edits one that turned out to exist. */
export const RegisterModelPage = () => {
  const edit = useAddressDialog('edit')
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
        below={(form, bundleName) => <AfterForm form={form} {...(bundleName !== undefined && { bundleName })} />}
      />
    </PageFrame>
  )
}

const AfterForm = ({ form, bundleName }: { form: ModelFormState; bundleName?: string }) => (
  <FormSection heading={words.command.heading}>
    <p className="text-muted text-small">{words.command.text}</p>
    <CodeBlock code={registrationCommand(form.draft, form.content, bundleName)} what={words.command.what} />
  </FormSection>
)

const Opening = () => (
  <PageFrame state="loading" heading={words.edit.heading}>
    <Spinner>{site.layout.loading}</Spinner>
  </PageFrame>
)
