import {
  limits,
  type Provider,
  type ProviderField,
  type ProviderFieldRow,
  providerFieldRows,
  providerFields,
} from '@countersign/sdk/contract'
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { profileSection } from '#messages/dashboard/profile.ts'
import { ChangedElsewhere } from '../../../../forms/changed-elsewhere.tsx'
import { SelectField, TextAreaField, TextField } from '../../../../forms/field.tsx'
import { SubmitButton } from '../../../../forms/submit-button.tsx'
import { UnsavedDialog } from '../../../../forms/unsaved-dialog.tsx'
import { Button } from '../../../../ui/controls/button.tsx'
import { CopyButton } from '../../../../ui/controls/copy-button.tsx'
import { ListingSwitch } from '../../shared/identity/listing-switch.tsx'
import { VerificationStatus, type VerifyActions } from '../../shared/identity/verification-status.tsx'
import { LogoField } from './logo/logo-field.tsx'
import { useProviderForm } from './use-provider-form.ts'

const words = profileSection.info
const { fields } = words

interface ProviderFormProps {
  provider: Provider
  onEnd: () => void
  onVerify: VerifyActions
  onLogo: () => void
  refresh: () => Promise<void>
}

type Form = ReturnType<typeof useProviderForm>

/** The profile in edit mode. The listing is saved with the rest. */
export const ProviderForm = ({ provider, onEnd, onVerify, onLogo, refresh }: ProviderFormProps) => {
  const form = useProviderForm(provider, onEnd)
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    element.current?.querySelector<HTMLElement>('input:not([readonly]), textarea')?.focus()
  }, [])
  return (
    <form ref={element} onSubmit={(event) => void form.submit(event)} noValidate className="grid max-w-record gap-8">
      <p role="status" className="text-muted text-small empty:hidden">
        {form.wasRestored ? words.draft : ''}
      </p>
      <Part heading={words.basic}>
        <RequiredField
          form={form}
          name="company_name"
          label={providerFields.company_name.label}
          autoComplete="organization"
        />
        <RequiredField
          form={form}
          name="website"
          label={providerFields.website.label}
          type="url"
          autoComplete="url"
          placeholder={words.websitePlaceholder('https://acme.example')}
          openHint={words.websiteHint}
        />
        <div className="sm:col-span-2">
          <ListingSwitch provider={provider} draft={{ isListed: form.values.is_listed, set: form.setListed }} />
        </div>
      </Part>
      <Part heading={words.contact}>
        <TextField
          label={`${fields.email} *`}
          type="email"
          readOnly
          value={provider.email ?? ''}
          hint={words.emailFixed}
        />
        <div className="flex items-end gap-1">
          <TextField className="grow" label={fields.id} readOnly value={provider.id} />
          <CopyButton text={provider.id} what={fields.id} />
        </div>
        <div>
          <p className="mb-1.5 font-semibold text-small">{profileSection.verification.heading}</p>
          <VerificationStatus provider={provider} onVerify={onVerify} />
        </div>
        <TextAreaField
          className="sm:col-span-2"
          label={providerFields.description.label}
          hint={words.descriptionHint(form.values.description.length, limits.companyDescription)}
          {...form.field('description')}
        />
      </Part>
      <MoreFields {...{ form, provider, onLogo, refresh }} />
      <div className="grid gap-5 border-line border-t pt-5">
        {form.race && (
          <ChangedElsewhere
            fields={form.race.fields}
            labelOf={(name) => (name === 'is_listed' ? profileSection.listing.label : labelOf(name))}
            onApply={form.race.apply}
            onTake={form.race.take}
          />
        )}
        <p role="alert" className="font-semibold text-bad text-small empty:hidden">
          {form.problem}
        </p>
        {provider.email === null && (
          <p className="text-small">
            {profileSection.save.noEmail}{' '}
            <Link to="/register" className="link">
              {profileSection.save.toRegister}
            </Link>
          </p>
        )}
        <div className="flex flex-wrap gap-3">
          {!form.race && (
            <SubmitButton isSending={form.isSending} sending={words.saving} isIdle={!form.isComplete}>
              {words.save}
            </SubmitButton>
          )}
          <Button onClick={form.end}>{words.cancel}</Button>
        </div>
      </div>
      <UnsavedDialog isUnsaved={form.isUnsaved && !form.isSending} onLeave={form.forget} />
    </form>
  )
}

const labelOf = (name: string) => providerFields[name as ProviderField].label

interface RequiredFieldProps {
  form: Form
  name: 'company_name' | 'website'
  label: string
  type?: string
  autoComplete: string
  placeholder?: string
  /** Whether it can still be set. */
  openHint?: string
}

/** Required for registration, and read-only here once set. */
const RequiredField = ({ form, name, label, openHint, placeholder, ...input }: RequiredFieldProps) => {
  const isSet = form.before[name] !== ''
  return (
    <TextField
      {...input}
      {...form.field(name)}
      label={`${label} *`}
      aria-required
      readOnly={isSet}
      placeholder={isSet ? undefined : placeholder}
      hint={isSet ? words.fixed : openHint}
    />
  )
}

const MoreFields = ({
  form,
  provider,
  onLogo,
  refresh,
}: { form: Form } & Pick<ProviderFormProps, 'provider' | 'onLogo' | 'refresh'>) => {
  const [isMore, setIsMore] = useState(true)
  return (
    <div>
      <Button aria-expanded={isMore} aria-controls="additional-fields" onClick={() => setIsMore(!isMore)}>
        {isMore ? words.hideDetails : words.showDetails}
      </Button>
      <div id="additional-fields" hidden={!isMore}>
        <div className="mt-6 grid gap-8">
          <Part heading={words.company}>
            <div className="sm:col-span-2">
              <p className="mb-1.5 font-semibold text-small">{fields.logo}</p>
              <LogoField {...{ provider, onLogo, refresh }} />
            </div>
            <Fields form={form} section="company" />
          </Part>
          <Part heading={words.places}>
            <Fields form={form} section="places" />
          </Part>
          <Part heading={words.compliance}>
            <Fields form={form} section="compliance" />
          </Part>
        </div>
      </div>
    </div>
  )
}

type Section = NonNullable<ProviderFieldRow['section']>

/** What a field of the table has besides its label and its kind. */
const attributes: Partial<Record<ProviderField, ComponentProps<'input'> & { hint?: string }>> = {
  support_email: { autoComplete: 'email' },
  phone_number: { type: 'tel', autoComplete: 'tel', hint: words.phoneHint },
  hq_city: { autoComplete: 'address-level2' },
  hq_state: { autoComplete: 'address-level1' },
  hq_country: { autoComplete: 'country-name' },
  specialties: { hint: words.listHint },
  compliance_certifications: { placeholder: words.certificationsPlaceholder, hint: words.certificationsHint },
  ai_specific_certifications: { hint: words.certificationsHint },
}

const inputOfKind = { url: { type: 'url' }, email: { type: 'email' }, year: { inputMode: 'numeric' } } as const

const Fields = ({ form, section }: { form: Form; section: Section }) =>
  providerFieldRows
    .filter(([, row]) => row.section === section)
    .map(([name, { kind, label, choices = [] }]) => {
      const field = { label, ...form.field(name) }
      const { hint, placeholder, ...own } = attributes[name] ?? {}
      if (kind === 'choice')
        return (
          <SelectField key={name} {...field}>
            <option value="">{words.noSize}</option>
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </SelectField>
        )
      if (kind === 'words') return <TextAreaField key={name} rows={2} {...{ hint, placeholder }} {...field} />
      return (
        <TextField
          key={name}
          autoComplete="off"
          hint={hint}
          {...(kind in inputOfKind && inputOfKind[kind as keyof typeof inputOfKind])}
          {...own}
          {...field}
        />
      )
    })

const Part = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <fieldset className="min-w-0">
    <legend className="mb-4 font-semibold">{heading}</legend>
    <div className="grid gap-5 sm:grid-cols-2">{children}</div>
  </fieldset>
)
