import type { ComponentProps } from 'react'
import { modelForm } from '#messages/dashboard/model-form.ts'
import { TextAreaField, TextField } from '../../../../forms/field.tsx'
import { Switch } from '../../../../ui/controls/switch.tsx'
import type { SwitchName } from '../model-draft.ts'
import type { DraftField } from '../rules.ts'
import type { ModelFormState } from '../use-model-form.ts'

const { labels, hints } = modelForm

type TextName = keyof typeof labels & DraftField

/** Connects an input to its field of the draft. */
export const tie = (form: ModelFormState, name: TextName) => ({
  ...form.register(name as never),
  label: labels[name],
  hint: (hints as Partial<Record<string, string>>)[name],
  problem: form.problems[name],
})

type InputProps = Omit<Partial<ComponentProps<typeof TextField>>, 'form'> & { form: ModelFormState; name: TextName }

export const Line = ({ form, name, ...input }: InputProps) => (
  <TextField autoComplete="off" {...tie(form, name)} {...input} />
)

export const Paragraph = ({ form, name }: { form: ModelFormState; name: TextName }) => (
  <TextAreaField {...tie(form, name)} />
)

export const OnOff = ({
  form,
  name,
  hint = (hints as Partial<Record<string, string>>)[name],
}: {
  form: ModelFormState
  name: SwitchName
  hint?: string
}) => (
  <Switch
    label={labels[name]}
    {...(hint !== undefined && { hint })}
    isOn={form.draft[name]}
    onSwitch={(isOn) => form.set(name, isOn)}
  />
)
