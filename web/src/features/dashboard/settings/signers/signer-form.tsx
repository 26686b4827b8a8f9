import { NewSigner } from '@countersign/sdk/contract'
import { type FormEvent, useId, useRef, useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { SelectField, TextField } from '../../../../forms/field.tsx'
import { FormEnd } from '../../../../forms/form-end.tsx'
import { useDraft } from '../../../../forms/use-draft.ts'
import { toast } from '../../../../ui/controls/toast.ts'
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

/** The contract's first message for each field. */
const problemsOf = (values: Values): Partial<Record<SignerField, string>> => {
  const read = NewSigner.safeParse(newSignerOf(values))
  return read.success
    ? {}
    : Object.fromEntries(read.error.issues.toReversed().map(({ path, message }) => [String(path.at(-1)), message]))
}

export const SignerForm = ({ draft, start, note, declare, onDone }: SignerFormProps) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const { values, change, forget, isUnsaved } = useDraft<Values>(draft, start, keptOf)
  const [isJudged, setIsJudged] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState('')
  const problems = isJudged ? problemsOf(values) : {}
  const cancel = () => {
    forget()
    onDone()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    setIsJudged(true)
    setFailure('')
    const bad = problemsOf(values)
    const first = [...fieldsOf[values.kind], 'api_model_identifier' as const].find((name) => bad[name] !== undefined)
    if (first !== undefined) return form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
    setIsSending(true)
    try {
      await declare(NewSigner.parse(newSignerOf(values)))
      forget()
      toast.success(formWords.done)
      onDone()
    } catch (error) {
      setFailure(explainFailure(error))
      setIsSending(false)
    }
  }
  const field = (name: SignerField) => ({
    name,
    label: formWords[name === 'api_model_identifier' ? 'models' : name],
    value: values[name],
    problem: problems[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  })
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
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
          <TextField {...field('repository')} hint={formWords.repositoryHint} type="url" />
          <TextField {...field('workflow')} hint={formWords.workflowHint} isOptional />
        </>
      )}
      {values.kind === 'identity' && <TextField {...field('identity')} hint={formWords.identityHint} />}
      {(values.kind === 'repository' || values.kind === 'identity') && (
        <>
          <TextField {...field('issuer')} hint={formWords.issuerHint} type="url" list={`${id}-issuers`} />
          <datalist id={`${id}-issuers`}>
            {knownIssuers.map((issuer) => (
              <option key={issuer} value={issuer} />
            ))}
          </datalist>
        </>
      )}
      {values.kind === 'key' && <PemField {...field('public_key')} onText={(public_key) => change({ public_key })} />}
      {values.kind === 'certificate' && (
        <PemField {...field('certificate_chain')} onText={(certificate_chain) => change({ certificate_chain })} />
      )}
      <TextField {...field('api_model_identifier')} hint={formWords.modelsHint} isOptional />
      <FormEnd words={formWords} {...{ failure, isSending, isUnsaved, cancel, forget }} />
    </form>
  )
}
