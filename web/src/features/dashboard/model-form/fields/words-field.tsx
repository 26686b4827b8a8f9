import { modelForm } from '#messages/dashboard/model-form.ts'
import { TextField } from '../../../../forms/field.tsx'
import { type WordName, wordOptions, wordsOf } from '../model-draft.ts'
import type { ModelFormState } from '../use-model-form.ts'

/** Checkboxes for the usual values, and a field for others. */
export const WordsField = ({ form, name }: { form: ModelFormState; name: WordName }) => {
  const label = modelForm.labels[name]
  const { length } = wordsOf(form.draft, name)
  return (
    <fieldset>
      <legend className="mb-2 font-semibold text-small">
        {label}
        {length > 1 && <span className="ms-1.5 font-normal text-muted">({modelForm.chosen(length)})</span>}
      </legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1">
        {wordOptions[name].map((word) => (
          <label key={word} className="flex min-h-8 items-center gap-2 text-small">
            <input type="checkbox" value={word} {...form.register(name)} className="size-4 accent-ink" />
            {word}
          </label>
        ))}
      </div>
      <TextField
        label={modelForm.others(label)}
        hint={modelForm.othersHint}
        problem={form.problems[name]}
        autoComplete="off"
        className="mt-3"
        {...form.register(`other_${name}`)}
      />
    </fieldset>
  )
}
