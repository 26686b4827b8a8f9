import { type ReactNode, useEffect } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { register } from '#messages/dashboard/register.ts'
import { site } from '#messages/site.ts'
import { useModel } from '../../../data/models.ts'
import { isRegistered, useOwnProvider } from '../../../data/provider.ts'
import { hubEndpoint } from '../../../data/registry.ts'
import { useAddressDialog } from '../../../data/use-address-dialog.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { useDocumentTitle } from '../../../ui/document-title.ts'
import { Failed } from '../../../ui/failed.tsx'
import { PageMain } from '../../../ui/page-main.tsx'
import { ProviderIdentity } from '../../../ui/provider-identity.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { StatusChip } from '../../../ui/status-chip.tsx'
import { toast } from '../../../ui/toast.ts'
import { UnsavedDialog } from '../../../ui/unsaved-dialog.tsx'
import { FormSection } from '../model-form/form-section.tsx'
import { ModelForm, type PageWords } from '../model-form/model-form.tsx'
import type { ModelFormState } from '../model-form/use-model-form.ts'
import { registrationCommand } from './command-line.ts'
import { HubImport } from './hub-import.tsx'

const words = register

const pageWords: PageWords = {
  advanced: { show: words.showAdvanced, hide: words.hideAdvanced },
  versionSection: words.versionSection,
  failed: words.failed,
  failedUnknown: words.failedUnknown,
  conflict: words.conflict,
  shortName: words.shortName,
}

/** Registers a model; `?edit=` corrects one that turned out to exist. */
export const RegisterModelPage = () => {
  const edit = useAddressDialog('edit')
  return edit.value === null ? <Registration onQuickEdit={edit.open} /> : <Correction id={edit.value} />
}

const useToModels = () => {
  const navigate = useNavigate()
  return () => void navigate('/dashboard?tab=models')
}

/** Whoever is no registered provider begins there. */
const useProviderOnly = () => {
  const navigate = useNavigate()
  const { provider } = useOwnProvider()
  const isMissing = provider !== undefined && !isRegistered(provider)
  useEffect(() => {
    if (!isMissing) return
    toast.error(words.setUpFirst)
    void navigate('/register', { replace: true })
  }, [isMissing, navigate])
}

const Registration = ({ onQuickEdit }: { onQuickEdit: (id: string) => void }) => {
  useDocumentTitle(site.title(words.title))
  useProviderOnly()
  const toModels = useToModels()
  return (
    <Page state="ready" heading={words.heading}>
      <ModelForm
        mode="register"
        page={pageWords}
        onDone={toModels}
        onQuickEdit={onQuickEdit}
        above={(form) => hubEndpoint !== undefined && <HubImport form={form} />}
        below={(form, bundleName) => <Below form={form} {...(bundleName !== undefined && { bundleName })} />}
      />
    </Page>
  )
}

const Below = ({ form, bundleName }: { form: ModelFormState; bundleName?: string }) => (
  <>
    <UnsavedDialog isUnsaved={form.isUnsaved} />
    <FormSection heading={words.command.heading}>
      <p className="text-muted text-small">{words.command.text}</p>
      <CodeBlock code={registrationCommand(form.draft, form.content, bundleName)} what={words.command.what} />
    </FormSection>
  </>
)

const Correction = ({ id }: { id: string }) => {
  useDocumentTitle(site.title(words.edit.title))
  const toModels = useToModels()
  const { model, failure, again } = useModel(id)
  if (model === undefined)
    return (
      <Page state={failure === undefined ? 'loading' : 'failed'} heading={words.edit.heading}>
        {failure === undefined ? <Spinner>{site.layout.loading}</Spinner> : <Failed failure={failure} again={again} />}
      </Page>
    )
  return (
    <Page state="editing" heading={words.edit.heading}>
      {model.can_quick_edit && <p className="mb-6 max-w-prose text-muted text-small">{modelForm.quickEditOpen}</p>}
      <ModelForm
        mode="edit"
        model={model}
        page={{ ...pageWords, failed: modelForm.failed.edit, failedUnknown: modelForm.failed.unknown }}
        onDone={toModels}
        below={(form) => <UnsavedDialog isUnsaved={form.isUnsaved} />}
      />
    </Page>
  )
}

const Page = ({ state, heading, children }: { state: string; heading: string; children: ReactNode }) => {
  const navigate = useNavigate()
  return (
    <PageMain state={state} busy={state === 'loading'} className="mx-auto w-full max-w-record px-4 pt-6 pb-16 sm:px-6 md:pt-8">
      <Button onClick={() => void navigate(-1)}>{words.back}</Button>
      <h1 className="mt-5 font-bold text-app">{heading}</h1>
      <p className="mt-1 max-w-prose text-muted text-small">{words.status}</p>
      <For />
      <div className="mt-8">{children}</div>
    </PageMain>
  )
}

/** Whose model it will be. */
const For = () => {
  const { provider } = useOwnProvider()
  if (provider === undefined) return null
  return (
    <div className="mt-6 border-line border-y py-4">
      <p className="text-muted text-small">{words.for}</p>
      <p className="mt-1 flex flex-wrap items-center gap-3">
        <ProviderIdentity name={provider.company_name} domain={provider.domain} isVerified={provider.domain_verified} />
        {provider.domain_verified && <StatusChip tone="ok">{words.verified}</StatusChip>}
      </p>
      {provider.email !== null && <p className="mt-1 break-words text-muted text-small">{provider.email}</p>}
      {!provider.domain_verified && (
        <p className="mt-2 max-w-prose text-muted text-small">
          {words.notVerified}{' '}
          <Link to="/dashboard" className="link">
            {words.toVerify}
          </Link>
        </p>
      )}
    </div>
  )
}
