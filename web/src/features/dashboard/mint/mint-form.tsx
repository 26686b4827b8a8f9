import type { Model, Verification } from '@countersign/sdk/contract'
import { quote } from '@countersign/sdk/words'
import { type FormEvent, useRef, useState } from 'react'
import { mintDialog } from '#messages/dashboard/mint.ts'
import { explainFailure, hasFieldErrors, readFieldErrors } from '../../../failures/failure.ts'
import { SelectField, TextField } from '../../../forms/field.tsx'
import { FormEnd } from '../../../forms/form-end.tsx'
import { type MintForm as Form, fieldOf, inputOf, type MintProblems, problemsOf } from './mint-input.ts'
import { mintLink } from './own-links.ts'

const words = mintDialog.form
/** Longer lists get a search field. */
const fewModels = 15

interface MintFormProps {
  models: readonly Model[]
  chosen: string
  onMade: (link: Verification) => void
  onClose: () => void
}

export const MintForm = ({ models, chosen, onMade, onClose }: MintFormProps) => {
  const first = models.find(({ id }) => id === chosen) ?? (models.length === 1 ? models[0] : undefined)
  const [values, setValues] = useState<Form>({ model: first?.id ?? '', challenge: '', origin: '' })
  const [wanted, setWanted] = useState('')
  const [problems, setProblems] = useState<MintProblems>({})
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const change = (some: Partial<Form>) => setValues((before) => ({ ...before, ...some }))
  const shown = models.filter(
    (model) => model.id === values.model || titleOf(model).toLowerCase().includes(wanted.trim().toLowerCase()),
  )
  const show = (found: MintProblems) => {
    setProblems(found)
    const [name] = Object.keys(found)
    if (name !== undefined) form.current?.querySelector<HTMLElement>(`[name=${name}]`)?.focus()
    return name !== undefined
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    setFailure('')
    if (show(problemsOf(values, words.modelMissing))) return
    setIsSending(true)
    try {
      onMade(await mintLink(inputOf(values)))
    } catch (error) {
      setIsSending(false)
      if (hasFieldErrors(error))
        show(Object.fromEntries(Object.entries(readFieldErrors(error)).map(([name, text]) => [fieldOf(name), text])))
      else setFailure(explainFailure(error))
    }
  }
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      {models.length > fewModels && (
        <TextField
          label={words.find}
          type="search"
          autoComplete="off"
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
        />
      )}
      <SelectField
        label={words.model}
        name="model"
        value={values.model}
        onChange={({ target }) => change({ model: target.value })}
        problem={problems.model}
      >
        <option value="">{shown.length === 0 ? words.noMatch : words.choose}</option>
        {shown.map((model) => (
          <option key={model.id} value={model.id}>
            {titleOf(model)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={words.challenge}
        hint={words.challengeHint}
        name="challenge"
        maxLength={64}
        autoComplete="off"
        value={values.challenge}
        onChange={({ target }) => change({ challenge: target.value })}
        problem={problems.challenge}
      />
      <TextField
        label={words.origin}
        hint={words.originHint}
        name="origin"
        type="url"
        placeholder="https://chat.acme.example"
        autoComplete="off"
        value={values.origin}
        onChange={({ target }) => change({ origin: target.value })}
        problem={problems.origin}
      />
      <FormEnd
        words={words}
        failure={failure}
        isSending={isSending}
        isUnsaved={false}
        cancel={onClose}
        forget={() => undefined}
      />
    </form>
  )
}

/** Name and version, identifier, and whether it was superseded. */
const titleOf = ({ display_name, version, api_model_identifier, superseded_at }: Model) =>
  [quote(`${display_name} ${version}`), api_model_identifier, superseded_at !== null && words.superseded]
    .filter(Boolean)
    .join(' · ')
