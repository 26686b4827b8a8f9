import { useState } from 'react'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { register } from '#messages/dashboard/register.ts'
import { TextField } from '../../../forms/field.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { toast } from '../../../ui/controls/toast.ts'
import { FormSection } from '../model-form/fields/form-section.tsx'
import type { ModelFormState } from '../model-form/use-model-form.ts'
import type { HubFields, HubRefusal } from './hub.ts'
import { type Filling, fillings } from './hub-fillings.ts'

const words = register.hub
const labels: Partial<Record<string, string>> = modelForm.labels

const problemOf = (refused: HubRefusal) => `${refused === 'silent' ? words.error : words.failed}. ${words.why[refused]}`

/** Fills empty fields, and fields it filled before, from the model hub. */
export const HubImport = ({ form }: { form: ModelFormState }) => {
  const [id, setId] = useState('')
  const [isFetching, setIsFetching] = useState(false)
  const [problem, setProblem] = useState('')
  const [said, setSaid] = useState('')
  const [last, setLast] = useState<Filling[]>([])

  const fill = (fields: HubFields, isPrivate: boolean) => {
    const filled = fillings(form.draft, fields, last)
    for (const { name, value } of filled) form.set(name, value as never)
    setLast(filled)
    const names = filled.map(({ name }) => labels[name]).filter((label) => label !== undefined)
    setSaid(
      [names.length === 0 ? words.nothing : words.filled(names.join(', ')), isPrivate ? words.privateThere : '']
        .join(' ')
        .trim(),
    )
    toast.success(words.loaded)
  }

  const fetchInfo = async () => {
    if (isFetching) return
    setIsFetching(true)
    setProblem('')
    setSaid('')
    const { readHubModel } = await import('./hub.ts')
    const answer = await readHubModel(id)
    setIsFetching(false)
    if ('refused' in answer) setProblem(problemOf(answer.refused))
    else fill(answer.fields, answer.isPrivate)
  }

  return (
    <FormSection heading={words.heading}>
      <p className="max-w-prose text-muted text-small">{words.text}</p>
      <TextField
        label={words.label}
        hint={words.hint}
        problem={problem}
        isOptional
        value={id}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setId(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // Enter in this field must not submit the surrounding form.
          event.preventDefault()
          if (id.trim() !== '') void fetchInfo()
        }}
      />
      {id.trim() !== '' && (
        <Button className="justify-self-start" aria-disabled={isFetching} onClick={() => void fetchInfo()}>
          {isFetching ? words.fetching : words.fetch}
        </Button>
      )}
      <p role="status" className="text-small empty:hidden">
        {said}
      </p>
    </FormSection>
  )
}
