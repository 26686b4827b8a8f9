import { NewPublisher, type PublisherList } from '@countersign/sdk/contract'
import { publishersSection } from '#messages/dashboard/publishers.ts'
import { SelectField, TextField } from '../../../../forms/field.tsx'
import { FormEnd } from '../../../../forms/form-end.tsx'
import { useDraftForm } from '../../../../forms/use-draft-form.ts'
import {
  emptyPublisherForm,
  fieldsOf,
  issuersOf,
  kindsOf,
  newPublisherOf,
  type PublisherForm as Values,
} from './publisher-rules.ts'

const words = publishersSection.form

interface PublisherFormProps {
  known: PublisherList
  add: (input: NewPublisher) => Promise<void>
  onDone: () => void
}

export const PublisherForm = ({ known, add, onDone }: PublisherFormProps) => {
  const { values, change, form, field, end } = useDraftForm<Values, NewPublisher>({
    draft: 'publisher',
    start: emptyPublisherForm,
    read: (given) => NewPublisher.safeParse(newPublisherOf(given, known)),
    order: ({ kind }) => fieldsOf[kind],
    send: add,
    done: words.done,
    onDone,
  })
  const issuers = issuersOf(known, values.kind)
  return (
    <form {...form}>
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
      <FormEnd words={words} {...end} />
    </form>
  )
}
