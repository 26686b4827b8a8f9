import { contract, type Domain } from '@countersign/sdk/contract'
import { domainsSection } from '#messages/dashboard/domains.ts'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { useContractForm } from '../../../forms/use-contract-form.ts'
import { TextField } from '../../../ui/field.tsx'

const words = domainsSection.form

interface NewDomainFormProps {
  add: (domain: string) => Promise<Domain>
  onAdded: (domain: Domain) => void
}

export const NewDomainForm = ({ add, onAdded }: NewDomainFormProps) => {
  const { submit, field, isSending } = useContractForm(contract.domains.add.body, {
    defaults: { domain: '' },
    send: async ({ domain }) => onAdded(await add(domain)),
  })
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <TextField label={words.label} placeholder={words.example} autoComplete="off" inputMode="url" {...field('domain')} />
      <SubmitButton isSending={isSending} sending={words.submitting} className="justify-self-end">
        {words.submit}
      </SubmitButton>
    </form>
  )
}
