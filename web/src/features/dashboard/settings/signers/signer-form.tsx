import { NewSigner } from '@countersign/sdk/contract'
import { useId } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { SelectField, TextField } from '../../../../forms/field.tsx'
import { FormEnd } from '../../../../forms/form-end.tsx'
import { useDraftForm } from '../../../../forms/use-draft-form.ts'
import { PemField } from './pem-field.tsx'
import {
  fieldsOf,
  keptOf,
  knownIssuers,
  newSignerOf,
  type SignerField,
  signerKinds,
  type SignerForm as Values,
} from './signer-rules.ts'

const words = settingsTab.signers
const formWords = words.form

interface SignerFormProps {
  draft: string
  start: Values
  /** The source of filled-in values. */
  note?: string
  declare: (input: NewSigner) => Promise<void>
  onDone: () => void
}

export const SignerForm = ({ draft, start, note, declare, onDone }: SignerFormProps) => {
  const id = useId()
  const { values, change, form, field, end } = useDraftForm<Values, NewSigner>({
    draft,
    start,
    keep: keptOf,
    read: (given) => NewSigner.safeParse(newSignerOf(given)),
    order: ({ kind }) => [...fieldsOf[kind], 'api_model_identifier'],
    send: declare,
    done: formWords.done,
    onDone,
  })
  const labelled = (name: SignerField) => ({
    ...field(name),
    label: formWords[name === 'api_model_identifier' ? 'models' : name],
  })
  return (
    <form {...form}>
      {note !== undefined && <p className="border-control border-s-4 ps-4 text-small wrap-anywhere">{note}</p>}
      <SelectField
        label={formWords.kind}
        value={values.kind}
        onChange={({ target }) => change({ kind: signerKinds.find((kind) => kind === target.value) ?? values.kind })}
      >
        {signerKinds.map((kind) => (
          <option key={kind} value={kind}>
            {words.kinds[kind]}
          </option>
        ))}
      </SelectField>
      {values.kind === 'repository' && (
        <>
          <TextField {...labelled('repository')} hint={formWords.repositoryHint} type="url" />
          <TextField {...labelled('workflow')} hint={formWords.workflowHint} isOptional />
        </>
      )}
      {values.kind === 'identity' && <TextField {...labelled('identity')} hint={formWords.identityHint} />}
      {(values.kind === 'repository' || values.kind === 'identity') && (
        <>
          <TextField {...labelled('issuer')} hint={formWords.issuerHint} type="url" list={`${id}-issuers`} />
          <datalist id={`${id}-issuers`}>
            {knownIssuers.map((issuer) => (
              <option key={issuer} value={issuer} />
            ))}
          </datalist>
        </>
      )}
      {values.kind === 'key' && (
        <PemField {...labelled('public_key')} onText={(public_key) => change({ public_key })} />
      )}
      {values.kind === 'certificate' && (
        <PemField {...labelled('certificate_chain')} onText={(certificate_chain) => change({ certificate_chain })} />
      )}
      <TextField {...labelled('api_model_identifier')} hint={formWords.modelsHint} isOptional />
      <FormEnd words={formWords} {...end} />
    </form>
  )
}
