import { NewPublisher, type PublisherList } from '@countersign/sdk/contract'
import { type FormEvent, useRef, useState } from 'react'
import { publishersSection } from '#messages/dashboard/publishers.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { SelectField, TextField } from '../../../../forms/field.tsx'
import { FormEnd } from '../../../../forms/form-end.tsx'
import { useDraft } from '../../../../forms/use-draft.ts'
import { toast } from '../../../../ui/controls/toast.ts'
import {
  emptyPublisherForm,
  fieldsOf,
  issuersOf,
  kindsOf,
  newPublisherOf,
  type PublisherField,
  type PublisherForm as Values,
} from './publisher-rules.ts'

const words = publishersSection.form

interface PublisherFormProps {
  known: PublisherList
  add: (input: NewPublisher) => Promise<void>
  onDone: () => void
}

/** The contract's first message for each field. */
const problemsOf = (values: Values, known: PublisherList): Partial<Record<PublisherField, string>> => {
  const read = NewPublisher.safeParse(newPublisherOf(values, known))
  return read.success
    ? {}
    : Object.fromEntries(read.error.issues.toReversed().map(({ path, message }) => [String(path.at(-1)), message]))
}

export const PublisherForm = ({ known, add, onDone }: PublisherFormProps) => {
  const form = useRef<HTMLFormElement>(null)
  const { values, change, forget, isUnsaved } = useDraft<Values>('publisher', emptyPublisherForm)
  const [isJudged, setIsJudged] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState('')
  const problems = isJudged ? problemsOf(values, known) : {}
  const issuers = issuersOf(known, values.kind)
  const cancel = () => {
    forget()
    onDone()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    setIsJudged(true)
    setFailure('')
    const bad = problemsOf(values, known)
    const first = fieldsOf[values.kind].find((name) => bad[name] !== undefined)
    if (first !== undefined) return form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
    setIsSending(true)
    try {
      await add(NewPublisher.parse(newPublisherOf(values, known)))
      forget()
      toast.success(words.done)
      onDone()
    } catch (error) {
      setFailure(explainFailure(error))
      setIsSending(false)
    }
  }
  const field = (name: PublisherField) => ({
    name,
    value: values[name],
    problem: problems[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  })
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <SelectField
        label={words.kind}
        value={values.kind}
        onChange={({ target }) => change({ kind: kindsOf(known).find((kind) => kind === target.value) ?? values.kind })}
      >
        {kindsOf(known).map((kind) => (
          <option key={kind} value={kind}>
            {publishersSection.kinds[kind]}
          </option>
        ))}
      </SelectField>
      {values.kind !== 'other' && (
        <>
          <TextField
            {...field('repository')}
            label={words.repository[values.kind]}
            hint={words.repositoryHint[values.kind]}
          />
          <TextField
            {...field('workflow')}
            label={words.workflow[values.kind]}
            hint={words.workflowHint[values.kind]}
            {...(values.kind === 'gitlab' && { isOptional: true })}
          />
          <TextField {...field('environment')} label={words.environment} hint={words.environmentHint} isOptional />
          <TextField
            {...field('repository_id')}
            label={words.repository_id}
            hint={words.repository_idHint}
            inputMode="numeric"
            isOptional
          />
        </>
      )}
      {(issuers.length > 1 || values.kind === 'other') && (
        <SelectField
          label={words.issuer}
          hint={words.issuerHint}
          name="issuer"
          value={values.issuer}
          onChange={({ target }) => change({ issuer: target.value })}
        >
          {issuers.map((issuer) => (
            <option key={issuer} value={issuer}>
              {issuer}
            </option>
          ))}
        </SelectField>
      )}
      {values.kind === 'other' && <TextField {...field('subject')} label={words.subject} hint={words.subjectHint} />}
      <FormEnd words={words} {...{ failure, isSending, isUnsaved, cancel, forget }} />
    </form>
  )
}
