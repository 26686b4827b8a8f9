import { companySizes, limits, ProfileUpdate, type Provider } from '@countersign/sdk/contract'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { account } from '#messages/pages/account.ts'
import { explainFailure } from '../../../failures/failure.ts'
import { SelectField, TextAreaField, TextField } from '../../../forms/field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { useContractForm } from '../../../forms/use-contract-form.ts'
import { toast } from '../../../ui/controls/toast.ts'
import { saveProfile } from '../account.ts'
import { Notice } from '../notice.tsx'

const words = account.profile

const profileOf = (provider: Provider) => ({
  company_description: provider.company_description ?? '',
  founded_year: provider.founded_year ?? undefined,
  employee_count: (companySizes.find((size) => size === provider.employee_count) ?? '') as
    | (typeof companySizes)[number]
    | '',
  hq_city: provider.hq_city ?? '',
  hq_state: provider.hq_state ?? '',
  hq_country: provider.hq_country ?? '',
  phone_number: provider.phone_number ?? '',
  support_email: provider.support_email ?? '',
  logo_url: '',
})

type Profile = ReturnType<typeof profileOf>

/** Untouched fields are not sent, so they keep their value. */
const changesOf = (before: Profile, after: Partial<Profile>) =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value !== undefined && value !== before[name as keyof Profile]),
  )

const toYear = (typed: string) => (typed.trim() === '' ? undefined : Number(typed))

export const ProfileForm = ({ provider, onSaved }: { provider: Provider; onSaved: () => Promise<void> }) => {
  const navigate = useNavigate()
  const [before] = useState(() => profileOf(provider))
  const [problem, setProblem] = useState('')
  const { submit, field, watch, showRefused, isSending } = useContractForm(ProfileUpdate, {
    defaults: before,
    send: async (profile) => {
      setProblem('')
      try {
        await saveProfile(provider.id, changesOf(before, profile as Partial<Profile>))
        toast.success(words.success)
        await onSaved()
        await navigate('/dashboard')
      } catch (failure) {
        toast.error(words.failed)
        if (!showRefused(failure)) setProblem(explainFailure(failure))
      }
    },
  })
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <TextAreaField
        label={words.description}
        isOptional
        hint={words.descriptionHint((watch('company_description') ?? '').length, limits.companyDescription)}
        {...field('company_description')}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={words.foundedYear}
          isOptional
          inputMode="numeric"
          autoComplete="off"
          {...field('founded_year', { setValueAs: (typed) => (typeof typed === 'string' ? toYear(typed) : typed) })}
        />
        <SelectField label={words.employees} isOptional {...field('employee_count')}>
          <option value="">{words.employeesNone}</option>
          {companySizes.map((size) => (
            <option key={size}>{size}</option>
          ))}
        </SelectField>
      </div>
      <fieldset>
        <legend className="mt-2 mb-4 font-semibold">{words.headquarters}</legend>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label={words.city} isOptional autoComplete="address-level2" {...field('hq_city')} />
          <TextField label={words.state} isOptional autoComplete="address-level1" {...field('hq_state')} />
          <TextField
            label={words.country}
            isOptional
            autoComplete="country-name"
            className="sm:col-span-2"
            {...field('hq_country')}
          />
        </div>
      </fieldset>
      <TextField
        label={words.phone}
        isOptional
        type="tel"
        autoComplete="tel"
        hint={words.phoneHint}
        {...field('phone_number')}
      />
      <TextField label={words.supportEmail} isOptional type="email" autoComplete="email" {...field('support_email')} />
      <TextField
        label={words.logo}
        isOptional
        type="url"
        autoComplete="off"
        hint={provider.logo_url === null ? words.logoHint : `${words.logoStored} ${words.logoHint}`}
        {...field('logo_url')}
      />
      {problem !== '' && <Notice tone="bad">{problem}</Notice>}
      <SubmitButton isSending={isSending} sending={words.sending} className="w-full">
        {words.submit}
      </SubmitButton>
      <p className="text-small">
        <Link to="/dashboard" className="link">
          {words.later}
        </Link>
      </p>
    </form>
  )
}
