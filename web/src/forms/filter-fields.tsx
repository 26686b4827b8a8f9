import type { useUrlText } from '../hooks/use-url-text.ts'
import { SelectField, TextField } from './field.tsx'

interface SearchFieldProps {
  label: string
  placeholder?: string
  maxLength: number
  className?: string
  text: Pick<ReturnType<typeof useUrlText>, 'text' | 'setText'>
}

/** A text in the address that narrows a list. */
export const SearchField = ({ text: { text, setText }, ...field }: SearchFieldProps) => (
  <TextField type="search" {...field} value={text} onChange={({ target }) => setText(target.value)} />
)

interface ChoiceFieldProps<Value extends string> {
  label: string
  value: string
  choices: readonly Value[]
  nameOf: (choice: Value) => string
  choose: (choice: string) => void
  className?: string
}

/** A choice of a few values. */
export const ChoiceField = <Value extends string>({ choices, nameOf, choose, ...field }: ChoiceFieldProps<Value>) => (
  <SelectField {...field} onChange={({ target }) => choose(target.value)}>
    {choices.map((choice) => (
      <option key={choice} value={choice}>
        {nameOf(choice)}
      </option>
    ))}
  </SelectField>
)
