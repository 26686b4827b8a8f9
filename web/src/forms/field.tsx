import { type ComponentProps, type ReactNode, useId } from 'react'
import { site } from '#messages/site.ts'
import { classes } from '../ui/classes.ts'
import { controlLook } from '../ui/controls/control-look.ts'

interface FieldProps {
  label: string
  hint?: ReactNode
  /** The validation error; empty if valid. */
  problem?: string
  isOptional?: boolean
  className?: string
  /** Renders the input with the attributes that link it to label and messages. */
  children: (tie: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode
}

/** An input with its label above and its messages below. */
export const Field = ({ label, hint, problem, isOptional, className, children }: FieldProps) => {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block font-semibold text-small">
        {label}
        {isOptional && <span className="ms-1.5 font-normal text-muted">({site.form.optional})</span>}
      </label>
      {children({ id, 'aria-describedby': `${id}-problem ${id}-hint`, 'aria-invalid': Boolean(problem) })}
      <p id={`${id}-problem`} role="alert" className="font-semibold text-bad text-small not-empty:mt-1.5">
        {problem}
      </p>
      <div id={`${id}-hint`} className="text-muted text-small not-empty:mt-1.5">
        {hint}
      </div>
    </div>
  )
}

type TextFieldProps = Omit<FieldProps, 'children'> & Omit<ComponentProps<'input'>, 'id' | 'children'>

export const TextField = ({ label, hint, problem, isOptional, className, ...input }: TextFieldProps) => (
  <Field {...{ label, hint, problem, isOptional, className }}>
    {(tie) => <input {...tie} {...input} className={classes(controlLook, 'read-only:bg-sunken')} />}
  </Field>
)

type TextAreaFieldProps = Omit<FieldProps, 'children'> & Omit<ComponentProps<'textarea'>, 'id' | 'children'>

export const TextAreaField = ({ label, hint, problem, isOptional, className, ...area }: TextAreaFieldProps) => (
  <Field {...{ label, hint, problem, isOptional, className }}>
    {(tie) => <textarea rows={4} {...tie} {...area} className={classes(controlLook, 'resize-y')} />}
  </Field>
)

type SelectFieldProps = Omit<FieldProps, 'children'> & Omit<ComponentProps<'select'>, 'id'>

export const SelectField = ({ label, hint, problem, isOptional, className, children, ...select }: SelectFieldProps) => (
  <Field {...{ label, hint, problem, isOptional, className }}>
    {(tie) => (
      <select {...tie} {...select} className={controlLook}>
        {children}
      </select>
    )}
  </Field>
)
