import { type Incident, incidentCategories, incidentSeverities, limits, NewIncident } from '@countersign/sdk/contract'
import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { failures } from '#messages/failures.ts'
import { report as words } from '#messages/pages/report.ts'
import { site } from '#messages/site.ts'
import { contactAddress } from '../../data/registry.ts'
import { explainFailure, readFieldErrors } from '../../failures/failure.ts'
import { SelectField, TextAreaField, TextField } from '../../forms/field.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { toast } from '../../ui/controls/toast.ts'
import { type NewReport, reportIncident } from './report-incident.ts'

type Entries = z.input<typeof NewIncident>
type Names = keyof Entries

interface ReportDialogProps {
  modelId?: string | undefined
  verificationToken?: string | undefined
  category?: Incident['category'] | undefined
  onReported?: (() => void) | undefined
  /** What was typed before the dialog was closed. */
  draft: ReportDraft | undefined
  /** With the text that was not sent. */
  onClose: (left: ReportDraft | undefined) => void
}

export type ReportDraft = Partial<Entries>

/** Reports a model. */
export const ReportDialog = ({
  modelId,
  verificationToken,
  category,
  onReported,
  draft,
  onClose,
}: ReportDialogProps) => {
  const isVerified = verificationToken !== undefined
  const [failure, setFailure] = useState<unknown>(undefined)
  const reasonId = useId()
  const form = useForm<Entries, unknown, NewIncident>({
    resolver: zodResolver(NewIncident),
    defaultValues: {
      model_id: modelId,
      verification_token: verificationToken,
      category,
      severity: 'medium',
      title: '',
      description: '',
      reference_url: '',
      ...(!isVerified && { reporter_email: '' }),
      ...draft,
    },
  })
  const { errors, isSubmitting } = form.formState
  const [chosen, title, description] = form.watch(['category', 'title', 'description'])
  const isComplete = Boolean(chosen) && [title, description].every((text) => (text ?? '').trim() !== '')

  const submit = form.handleSubmit(async (report) => {
    setFailure(undefined)
    try {
      await reportIncident(report as NewReport)
    } catch (error) {
      for (const [name, message] of Object.entries(readFieldErrors(error)))
        if (name in form.getValues()) form.setError(name as Names, { message })
      setFailure(error)
      return
    }
    toast.success(isVerified ? words.reported : words.thanks)
    onReported?.()
    onClose(undefined)
  })
  const leave = () => onClose(form.getValues())
  const problemOf = (name: Names) => errors[name]?.message

  return (
    <Dialog
      isOpen
      onClose={leave}
      title={words.heading}
      description={isVerified ? `${words.about} ${words.aboutVerified}` : words.about}
    >
      <form
        noValidate
        onSubmit={(event) => void (isSubmitting ? event.preventDefault() : submit(event))}
        className="grid gap-4"
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={words.category}
            problem={problemOf('category') && words.choose}
            aria-required
            {...form.register('category')}
          >
            <option value="">{words.choose}</option>
            {incidentCategories.map((name) => (
              <option key={name} value={name}>
                {words.categories[name]}
              </option>
            ))}
          </SelectField>
          <SelectField label={words.severity} problem={problemOf('severity')} {...form.register('severity')}>
            {incidentSeverities.map((name) => (
              <option key={name} value={name}>
                {words.severities[name]}
              </option>
            ))}
          </SelectField>
        </div>
        {chosen === 'impersonation' && (
          <p role="note" className="border-warn border-s-4 bg-warn-bg px-4 py-3 text-small">
            {words.impersonation}{' '}
            <a href={`mailto:${contactAddress}`} className="link">
              {contactAddress}
            </a>
          </p>
        )}
        <TextField
          label={words.title}
          hint={words.titleHint}
          problem={problemOf('title')}
          aria-required
          maxLength={limits.incidentTitle}
          {...form.register('title')}
        />
        <TextAreaField
          label={words.description}
          hint={words.descriptionHint}
          problem={problemOf('description')}
          aria-required
          rows={5}
          maxLength={limits.incidentText}
          {...form.register('description')}
        />
        <TextField
          label={words.referenceUrl}
          hint={words.referenceUrlHint}
          problem={problemOf('reference_url')}
          isOptional
          type="url"
          inputMode="url"
          {...form.register('reference_url')}
        />
        {!isVerified && (
          <TextField
            label={words.email}
            hint={words.emailHint}
            problem={problemOf('reporter_email')}
            isOptional
            type="email"
            autoComplete="email"
            {...form.register('reporter_email')}
          />
        )}
        {failure !== undefined && (
          <div role="alert" className="border-bad border-s-4 py-1 ps-4">
            <p className="font-semibold">{words.failed}</p>
            <p className="mt-1 text-muted text-small">{explainFailure(failure, failures.report)}</p>
          </div>
        )}
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
          <p id={reasonId} className="grow text-muted text-small">
            {!isComplete && words.incomplete}
          </p>
          <Button onClick={leave}>{site.dialog.cancel}</Button>
          <Button type="submit" look="primary" aria-disabled={!isComplete || isSubmitting} aria-describedby={reasonId}>
            {isSubmitting ? words.submitting : words.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
