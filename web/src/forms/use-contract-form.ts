import { zodResolver } from '@hookform/resolvers/zod'
import { type FormEvent, useRef } from 'react'
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type RegisterOptions,
  type Resolver,
  useForm,
} from 'react-hook-form'
import { readFieldErrors } from '../failures/failure.ts'

/** A schema of the contract, whose messages are shown at the fields. */
interface Schema<Input> {
  _zod: { input: Input; output: unknown }
}

interface Options<Input extends FieldValues> {
  defaults: DefaultValues<Input>
  /** Receives the validated values. It handles its own failures. */
  send: (values: Input) => Promise<unknown>
}

/**
 * A form with the contract's validation. It validates when sent, and from then on at every change. The first invalid field
 * gets the focus, and the input is always kept.
 */
export const useContractForm = <Input extends FieldValues>(
  schema: Schema<Input>,
  { defaults, send }: Options<Input>,
) => {
  // The registry normalises its input, so send it as typed.
  const resolver = zodResolver(schema, undefined, { raw: true }) as unknown as Resolver<Input>
  const form = useForm<Input>({ resolver, defaultValues: defaults })
  const isUnderWay = useRef(false)
  const { errors, isSubmitting } = form.formState

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isUnderWay.current) return
    isUnderWay.current = true
    await form
      .handleSubmit(send)()
      .finally(() => {
        isUnderWay.current = false
      })
  }

  /** The props that connect an input to its field. */
  const field = (name: FieldPath<Input>, options?: RegisterOptions<Input>) => {
    const problem = errors[name]?.message
    return { ...form.register(name, options), problem: typeof problem === 'string' ? problem : undefined }
  }

  /** Shows the registry's validation errors at their fields. Returns false for other errors. */
  const showRefused = (failure: unknown): boolean => {
    const names = Object.keys(form.getValues())
    const refused = Object.entries(readFieldErrors(failure)).filter(([name]) => names.includes(name))
    for (const [index, [name, message]] of refused.entries())
      form.setError(name as FieldPath<Input>, { type: 'refused', message }, { shouldFocus: index === 0 })
    return refused.length > 0
  }

  /** Shows an error at a field and focuses it. */
  const complain = (name: FieldPath<Input>, message: string) =>
    form.setError(name, { type: 'refused', message }, { shouldFocus: true })

  return {
    submit,
    field,
    showRefused,
    complain,
    isSending: isSubmitting,
    watch: form.watch,
    set: form.setValue,
    reset: form.reset,
  }
}
