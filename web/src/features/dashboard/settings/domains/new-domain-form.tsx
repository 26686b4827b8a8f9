import { contract, type Domain } from '@countersign/sdk/contract'
import { useState } from 'react'
import { domainsSection } from '#messages/dashboard/domains.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { TextField } from '../../../../forms/field.tsx'
import { SubmitButton } from '../../../../forms/submit-button.tsx'
import { useContractForm } from '../../../../forms/use-contract-form.ts'

const words = domainsSection.form

interface NewDomainFormProps {
  add: (domain: string) => Promise<Domain>
  onAdded: (domain: Domain) => void
}

export const NewDomainForm = ({ add, onAdded }: NewDomainFormProps) => {
  const [failed, setFailed] = useState('')
  const { submit, field, showRefused, isSending } = useContractForm(contract.domains.add.body, {
    defaults: { domain: '' },
    send: async ({ domain }) => {
      setFailed('')
      try {
        onAdded(await add(domain))
      } catch (failure) {
        if (!showRefused(failure)) setFailed(`${words.failed} ${explainFailure(failure)}`)
      }
    },
  })
  return (
    <form onSubmit={submit} noValidate className="grid gap-5">
      <TextField
        label={words.label}
        placeholder={words.example}
        autoComplete="off"
        inputMode="url"
        {...field('domain')}
      />
      <p role="alert" className="font-semibold text-bad text-small empty:hidden">
        {failed}
      </p>
      <SubmitButton isSending={isSending} sending={words.submitting} className="justify-self-end">
        {words.submit}
      </SubmitButton>
    </form>
  )
}
