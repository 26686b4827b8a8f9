import { type Model, modelTypes } from '@countersign/sdk/contract'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { failures } from '#messages/failures.ts'
import { explainFailure, isOfCall } from '../../../failures/failure.ts'
import { keepDraft } from '../../../forms/draft.ts'
import { SelectField } from '../../../forms/field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { UnsavedDialog } from '../../../forms/unsaved-dialog.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { BundleChoice } from './bundle-choice.tsx'
import { DigestField } from './digest/digest-field.tsx'
import { AdvancedOptions, advancedFields } from './fields/advanced-options.tsx'
import { Line, OnOff, Paragraph, tie } from './fields/form-field.tsx'
import { FormSection, SectionLevel } from './fields/form-section.tsx'
import { draftOf, nextDraftOf, typedOf } from './model-draft.ts'
import { ProblemSummary } from './problem-summary.tsx'
import { RequiredNotice, useMissing } from './required-notice.tsx'
import type { DraftField, FormMode } from './rules.ts'
import { carryBundle, type ModelFormState, useModelForm } from './use-model-form.ts'
import { useSendModel } from './use-send-model.ts'

// Most registrations never need these.
const ConflictDialog = lazy(() =>
  import('./conflict-dialog.tsx').then((module) => ({ default: module.ConflictDialog })),
)
const ChangedElsewhere = lazy(() =>
  import('../../../forms/changed-elsewhere.tsx').then((module) => ({ default: module.ChangedElsewhere })),
)
const RegistrationOutcome = lazy(() =>
  import('./registration-outcome.tsx').then((module) => ({ default: module.RegistrationOutcome })),
)
const UnsignedFiles = lazy(() =>
  import('./digest/unsigned-files.tsx').then((module) => ({ default: module.UnsignedFiles })),
)

const words = modelForm
const { sections, hints } = words

/** Messages that differ between the registration page and the dialogs. */
export interface PageWords {
  advanced: { show: string; hide: string }
  versionSection: string
  failed: (why: string) => string
  failedUnknown: string
  conflict: (identifier: string, version: string) => string
  shortName: string
}

export interface ModelFormProps {
  mode: FormMode
  /** The model to edit, or to register a new version of. */
  model?: Model
  /** Called after everything was sent and its outcome shown. */
  onDone: (done: { id: string }) => void
  onCancel?: () => void
  /** Called to edit the existing version instead; the draft is kept there. */
  onQuickEdit?: (id: string) => void
  /** On its own page, not in a dialog. */
  page?: PageWords
  /** Shown above and below the fields; may fill them. */
  above?: (form: ModelFormState) => ReactNode
  below?: (form: ModelFormState, bundleName: string | undefined) => ReactNode
}

export const draftNameOf = (mode: FormMode, id = '') => (mode === 'register' ? 'model new' : `model ${mode} ${id}`)

const beforeOf = (mode: FormMode, model: Model | undefined) =>
  mode === 'version' && model ? nextDraftOf(model) : draftOf(model)

/** Registers a model or a new version, or edits a version. */
export const ModelForm = (props: ModelFormProps) => {
  const missing = useMissing()
  if (missing !== undefined)
    return <RequiredNotice missing={missing} {...(props.onCancel && { onClose: props.onCancel })} />
  if (props.mode === 'edit' && props.model?.can_quick_edit === false) return <QuickEditClosed {...props} />
  return (
    <SectionLevel value={props.page ? 'h2' : 'h3'}>
      <OpenModelForm {...props} />
    </SectionLevel>
  )
}

const OpenModelForm = ({ mode, model, onDone, onCancel, onQuickEdit, page, above, below }: ModelFormProps) => {
  const [before] = useState(() => beforeOf(mode, model))
  const [isAdvancedOpen, setIsAdvancedOpen] = useState(false)
  const sending = useSendModel({ mode, ...(model && { model }), before, onDone })
  const form = useModelForm({
    draftName: draftNameOf(mode, model?.id),
    mode,
    before,
    previousVersion: model?.version,
    ...(page && { shortName: page.shortName }),
    send: (draft, content) => sending.send(form, draft, content),
  })
  const goTo = (name: DraftField) => {
    if (advancedFields.includes(name)) setIsAdvancedOpen(true)
    setTimeout(() => form.focus(name))
  }
  const wrong = Object.keys(form.problems) as DraftField[]
  const isHiddenWrong = !isAdvancedOpen && wrong.some((name) => advancedFields.includes(name))
  const [firstWrong] = wrong
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per submission
  useEffect(() => {
    if (!isHiddenWrong) return
    setIsAdvancedOpen(true)
    if (firstWrong !== undefined && advancedFields.includes(firstWrong)) goTo(firstWrong)
  }, [isHiddenWrong, form.submitCount])

  const { clash, outcome } = sending
  const race = sending.raceOf(form)
  if (outcome)
    return (
      <Suspense>
        <RegistrationOutcome
          outcome={outcome}
          isUploading={sending.isUploading}
          again={sending.uploadAgain}
          onward={() => onDone({ id: outcome.id })}
        />
      </Suspense>
    )

  const failedWords = page?.failed ?? words.failed[mode]
  const isUnknown = sending.failure !== undefined && !isOfCall(sending.failure)
  const refusal =
    sending.failure === undefined
      ? ''
      : isUnknown
        ? (page?.failedUnknown ?? words.failed.unknown)
        : failedWords(explainFailure(sending.failure, failures.model))
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-8">
      {form.isRestored && (
        <p role="status" className="flex flex-wrap items-center gap-3 border-control border-s-4 py-1 ps-4 text-small">
          {words.draft.restored}
          <Button onClick={form.discard}>{words.draft.discard}</Button>
        </p>
      )}
      {above?.(form)}
      <FormSection heading={sections.basic}>
        <Line form={form} name="display_name" />
        {mode === 'register' ? (
          <Line form={form} name="api_model_identifier" spellCheck={false} />
        ) : (
          <Line form={form} name="api_model_identifier" readOnly hint={hints.fixed_identifier} />
        )}
        <Line form={form} name="endpoint" type="url" />
        <SelectField {...tie(form, 'model_type')}>
          {modelTypes.map((type) => (
            <option key={type} value={type}>
              {words.modelTypes[type]}
            </option>
          ))}
        </SelectField>
        <Paragraph form={form} name="description" />
      </FormSection>
      <FormSection heading={page?.versionSection ?? sections.version}>
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <Line form={form} name="version" />
          <Line form={form} name="release_date" isOptional />
        </div>
        <OnOff form={form} name="enable_health_monitoring" />
        <OnOff form={form} name="require_deployment_proof" />
        {mode === 'register' && page && <OnOff form={form} name="force_new_version" />}
        {(mode === 'version' || form.draft.force_new_version) && <OnOff form={form} name="copy_authorizations" />}
      </FormSection>
      <FormSection heading={sections.visibility}>
        <OnOff form={form} name="is_public" hint={form.draft.is_public ? hints.isPublic : hints.isPrivate} />
      </FormSection>
      <FormSection heading={sections.content}>
        <DigestField form={form} />
        <Line form={form} name="sigstore_bundle_url" isOptional type="url" />
        {(mode !== 'edit' || form.bundle || form.lostBundle !== undefined) && (
          <BundleChoice
            isEdit={mode === 'edit'}
            chosen={form.bundle}
            lost={form.lostBundle}
            onChoose={form.setBundle}
          />
        )}
      </FormSection>
      <AdvancedOptions
        form={form}
        isOpen={isAdvancedOpen}
        onToggle={() => setIsAdvancedOpen(!isAdvancedOpen)}
        {...(page && { words: page.advanced })}
      />
      {below?.(form, form.bundle?.name)}
      <UnsavedDialog isUnsaved={form.isUnsaved} onLeave={form.forget} />
      <ProblemSummary problems={form.problems} onChoose={goTo} />
      <Suspense>
        {race && (
          <ChangedElsewhere
            fields={race.fields}
            labelOf={(name) => (words.labels as Partial<Record<string, string>>)[name] ?? name}
            onApply={race.apply}
            onTake={race.take}
          />
        )}
      </Suspense>
      <p role="alert" className="font-semibold text-bad text-small empty:hidden">
        {refusal}
      </p>
      <Suspense>{sending.unsigned && <UnsignedFiles differences={sending.unsigned} />}</Suspense>
      <div className="flex flex-wrap justify-end gap-3">
        {onCancel && <Button onClick={onCancel}>{words.cancel}</Button>}
        {!race && (
          <SubmitButton isSending={form.isSending} sending={words.sending[mode]}>
            {words.submit[mode]}
          </SubmitButton>
        )}
      </div>
      <Suspense>
        {clash && (
          <ConflictDialog
            existing={clash}
            version={form.draft.version === before.version ? undefined : form.draft.version}
            {...(page && { text: page.conflict(clash.api_model_identifier, clash.version) })}
            onClose={sending.closeClash}
            onNewVersion={(version) => {
              sending.closeClash()
              form.set('version', version)
              void form.submit(undefined, { force_new_version: true })
            }}
            onQuickEdit={() => {
              keepDraft(draftNameOf('edit', clash.id), typedOf(before, form.draft))
              if (form.content) keepDraft(`${draftNameOf('edit', clash.id)} content`, form.content)
              if (form.bundle) carryBundle(draftNameOf('edit', clash.id), form.bundle)
              form.finish()
              sending.closeClash()
              onQuickEdit?.(clash.id)
            }}
          />
        )}
      </Suspense>
    </form>
  )
}

const QuickEditClosed = ({ onCancel }: Pick<ModelFormProps, 'onCancel'>) => (
  <div className="grid gap-5">
    <p>{words.quickEditClosed}</p>
    {onCancel && (
      <div className="flex justify-end">
        <Button onClick={onCancel}>{words.close}</Button>
      </div>
    )}
  </div>
)
