import { type NewApiKey, type Scope, scopesOfRole } from '@countersign/sdk/contract'
import { type FormEvent, useId, useRef, useState } from 'react'
import { settingsTab } from '#messages/dashboard/settings.ts'
import { useRole } from '../../../../data/role.ts'
import { explainFailure } from '../../../../failures/failure.ts'
import { SelectField, TextField } from '../../../../forms/field.tsx'
import { FormEnd } from '../../../../forms/form-end.tsx'
import { useDraft } from '../../../../forms/use-draft.ts'
import { toast } from '../../../../ui/controls/toast.ts'
import { badFieldsOf, dateAfter, type Expiry, emptyKeyFormOf, expiries, type KeyForm, newKeyOf } from './key-rules.ts'

const words = settingsTab.keys.form
const allScopes = Object.keys(settingsTab.keys.scopes) as Scope[]

interface NewKeyFormProps {
  create: (input: NewApiKey) => Promise<string>
  onMade: (name: string, key: string) => void
  onCancel: () => void
}

export const NewKeyForm = ({ create, onMade, onCancel }: NewKeyFormProps) => {
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const limit: readonly Scope[] | null = scopesOfRole[useRole()]
  const scopes = allScopes.filter((scope) => limit === null || limit.includes(scope))
  const { values, change, forget, isUnsaved } = useDraft<KeyForm>('api key', emptyKeyFormOf(limit))
  const [isJudged, setIsJudged] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const [failure, setFailure] = useState('')
  const bad = isJudged ? badFieldsOf(values, Date.now()) : []
  const cancel = () => {
    forget()
    onCancel()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    setIsJudged(true)
    setFailure('')
    const [first] = badFieldsOf(values, Date.now())
    if (first !== undefined) return form.current?.querySelector<HTMLElement>(`[name=${first}]`)?.focus()
    setIsSending(true)
    try {
      const key = await create(newKeyOf(values, Date.now()))
      forget()
      toast.success(words.done)
      onMade(values.name.trim(), key)
    } catch (error) {
      toast.error(words.failed)
      setFailure(explainFailure(error))
      setIsSending(false)
    }
  }
  return (
    <form ref={form} noValidate onSubmit={(event) => void submit(event)} className="grid gap-5">
      <TextField
        label={words.name}
        hint={words.nameHint}
        name="name"
        problem={bad.includes('name') ? words.nameMissing : undefined}
        value={values.name}
        maxLength={60}
        autoComplete="off"
        onChange={({ target }) => change({ name: target.value })}
      />
      <fieldset aria-describedby={`${id}-scopes`}>
        <legend className="mb-1.5 font-semibold text-small">{words.may}</legend>
        {(limit === null ? [true, false] : [true]).map((isRestricted) => (
          <label key={String(isRestricted)} className="flex min-h-9 items-center gap-2.5 text-small">
            <input
              type="radio"
              name="restricted"
              className="size-4 accent-ink"
              checked={values.isRestricted === isRestricted}
              onChange={() => change({ isRestricted })}
            />
            {isRestricted ? words.restricted : words.full}
          </label>
        ))}
        {values.isRestricted && (
          <div className="ms-6.5 grid sm:grid-cols-2">
            {scopes.map((scope) => (
              <ScopeBox key={scope} {...{ scope, values, change }} />
            ))}
          </div>
        )}
        <p id={`${id}-scopes`} role="alert" className="font-semibold text-bad text-small empty:hidden">
          {bad.includes('scopes') ? words.scopesMissing : ''}
        </p>
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label={words.expiry}
          value={values.expiry}
          onChange={({ target }) => change({ expiry: target.value as Expiry })}
        >
          {expiries.map((each) => (
            <option key={each} value={each}>
              {words.expiries[each]}
            </option>
          ))}
        </SelectField>
        {values.expiry === 'date' && (
          <TextField
            label={words.date}
            name="date"
            type="date"
            min={dateAfter(1, Date.now())}
            max={dateAfter(3_650, Date.now())}
            problem={bad.includes('date') ? words.dateBad : undefined}
            value={values.date}
            onChange={({ target }) => change({ date: target.value })}
          />
        )}
      </div>
      <FormEnd words={words} {...{ failure, isSending, isUnsaved, cancel, forget }} />
    </form>
  )
}

interface ScopeBoxProps {
  scope: Scope
  values: KeyForm
  change: (some: Partial<KeyForm>) => void
}

const ScopeBox = ({ scope, values: { scopes: chosen }, change }: ScopeBoxProps) => (
  <label className="flex min-h-9 items-center gap-2.5 text-small">
    <input
      type="checkbox"
      name="scopes"
      className="size-4 shrink-0 accent-ink"
      checked={chosen.includes(scope)}
      onChange={({ target }) =>
        change({ scopes: target.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope) })
      }
    />
    {settingsTab.keys.scopes[scope]}
  </label>
)
