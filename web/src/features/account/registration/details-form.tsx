import { Email, NewProvider, Website } from '@countersign/sdk/contract'
import { useEffect } from 'react'
import { account } from '#messages/pages/account.ts'
import { TextField } from '../../../forms/field.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { useContractForm } from '../../../forms/use-contract-form.ts'
import { useDebounced } from '../../../hooks/use-debounced.ts'
import { useDomainCheck } from '../account.ts'
import { Notice } from '../notice.tsx'

const words = account.register
const idleMs = 500

export interface Details {
  company_name: string
  email: string
  website: string
}

interface DetailsFormProps {
  details: Details
  /** The email address of an existing account, which can't be changed here. */
  hasFixedEmail: boolean
  /** Why the registry rejected the details. */
  refusal: unknown
  onDone: (details: Details) => void
}

export const DetailsForm = ({ details, hasFixedEmail, refusal, onDone }: DetailsFormProps) => {
  const { submit, field, watch, showRefused, isSending } = useContractForm(NewProvider, {
    defaults: { ...details },
    send: async ({ company_name, email, website = '' }) => onDone({ company_name, email, website }),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown once
  useEffect(() => {
    showRefused(refusal)
  }, [])
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <TextField label={account.fields.companyName} autoComplete="organization" {...field('company_name')} />
      <TextField
        label={account.fields.workEmail}
        type="email"
        autoComplete="email"
        readOnly={hasFixedEmail}
        hint={hasFixedEmail ? words.emailFixed : undefined}
        {...field('email')}
      />
      <TextField
        label={account.fields.website}
        type="url"
        autoComplete="url"
        placeholder={account.fields.websiteExample}
        {...field('website')}
      />
      <DomainWarning email={watch('email')} website={watch('website') ?? ''} />
      <SubmitButton isSending={isSending} sending={words.onward} className="w-full">
        {words.onward}
      </SubmitButton>
    </form>
  )
}

/** Warns that the email address does not match the website, once both are entered. */
const DomainWarning = (typed: { email: string; website: string }) => {
  const email = Email.safeParse(useDebounced(typed.email, idleMs)).data
  const website = Website.safeParse(useDebounced(typed.website, idleMs)).data
  const found = useDomainCheck(email !== undefined && website !== undefined ? { email, website } : null)
  return (
    <div role="status" className="empty:hidden">
      {found && !found.match && (
        <Notice tone="warn" heading={words.domainHeading}>
          {found.email_domain && found.website_domain && found.email_domain !== found.website_domain
            ? words.domainDiffers(found.email_domain, found.website_domain)
            : words.domainUnproven}
        </Notice>
      )}
    </div>
  )
}
